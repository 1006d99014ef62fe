//! Decks in registers of AVX-512 with byte permutes.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi8, _mm512_cmpeq_epi8_mask, _mm512_cmpgt_epi8_mask, _mm512_cmpneq_epi8_mask,
    _mm512_mask_blend_epi64, _mm512_min_epu8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_sub_epi8,
};

use bytemuck::cast;

use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::orders::{Decks, ORDER_BYTES, Order};

/// The bytes that hold cards.
const CARDS: u64 = (1 << DECK_CARDS) - 1;

/// Pairs of neighbours.
const PAIRS: u64 = CARDS >> 1;

/// Every byte's neighbour.
const NEXT: [u8; ORDER_BYTES] = {
    let mut next = [0; ORDER_BYTES];
    let mut place = 0;
    while place < ORDER_BYTES {
        next[place] = ((place + 1) % ORDER_BYTES) as u8;
        place += 1;
    }
    next
};

/// The same in the cyclic word of the cards and the delimiter.
const FOLLOWING: [u8; ORDER_BYTES] = {
    let mut next = NEXT;
    next[DECK_CARDS] = 0;
    next
};

/// Each place takes over the lowest place that it or the one 1, 2, 4, … 32 steps on knows: after 63 steps
/// the lowest one of its cycle.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
pub(super) fn cycles(orders: &[Order], cycles: &mut [u64], fixed_points: &mut [u64]) {
    let own: __m512i = cast(*Order::IDENTITY.bytes());
    for order in orders {
        let mut steps: __m512i = cast(*order.bytes());
        let fixed = _mm512_cmpeq_epi8_mask(steps, own) & CARDS;
        let mut lowest = _mm512_min_epu8(own, steps);
        for _ in 1..6 {
            steps = _mm512_permutexvar_epi8(steps, steps);
            lowest = _mm512_min_epu8(lowest, _mm512_permutexvar_epi8(steps, lowest));
        }
        let first = _mm512_cmpeq_epi8_mask(lowest, own) & CARDS;
        cycles[first.count_ones() as usize] += 1;
        fixed_points[fixed.count_ones() as usize] += 1;
    }
}

#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
pub(super) fn descents(orders: &[Order], counts: &mut [u64]) {
    for order in orders {
        let own: __m512i = cast(*order.bytes());
        let falls = _mm512_cmpgt_epi8_mask(own, _mm512_permutexvar_epi8(cast(NEXT), own)) & PAIRS;
        counts[falls.count_ones() as usize] += 1;
    }
}

#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
pub(super) fn follow(orders: &[Order], inverses: &[Order], out: &mut [Order]) {
    for ((order, inverse), out) in orders.iter().zip(inverses).zip(out) {
        let next = _mm512_permutexvar_epi8(cast(FOLLOWING), cast(*order.bytes()));
        *out = Order::of_bytes(cast(_mm512_permutexvar_epi8(cast(*inverse.bytes()), next)));
    }
}

#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
pub(super) fn turned(decks: Decks, out: &mut [Order]) {
    let own: __m512i = cast(*Order::IDENTITY.bytes());
    let cards = _mm512_set1_epi8(DECK_CARDS as i8);
    for ((order, inverse), out) in decks.orders.iter().zip(decks.inverses).zip(out) {
        let top = usize::from(inverse.bytes()[0]);
        let [before, behind] = [51, 1].map(|step| order.bytes()[(top + step) % DECK_CARDS]);
        let top = _mm512_set1_epi8(top as i8);
        let cut = _mm512_add_epi8(top, own);
        let turned = _mm512_add_epi8(_mm512_sub_epi8(top, own), cards);
        let places = _mm512_mask_blend_epi64(if before < behind { u8::MAX } else { 0 }, cut, turned);
        // Below zero it wraps above 128.
        let places = _mm512_min_epu8(places, _mm512_sub_epi8(places, cards));
        *out = Order::of_bytes(cast(_mm512_permutexvar_epi8(places, cast(*order.bytes()))));
    }
}

#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
pub(super) fn equal_or_inverse(decks: Decks, out: &mut [Order]) {
    for ((order, inverse), out) in decks.orders.iter().zip(decks.inverses).zip(out) {
        let differ = _mm512_cmpneq_epi8_mask(cast(*order.bytes()), cast(*inverse.bytes()));
        // An involution differs nowhere; its place 0 does not matter.
        let first = differ.trailing_zeros() as usize % ORDER_BYTES;
        let is_inverse = inverse.bytes()[first] < order.bytes()[first];
        let chosen = if is_inverse { u8::MAX } else { 0 };
        let form = _mm512_mask_blend_epi64(chosen, cast(*order.bytes()), cast(*inverse.bytes()));
        *out = Order::of_bytes(cast(form));
    }
}
