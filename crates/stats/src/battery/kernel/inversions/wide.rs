//! The same in registers of 64 bytes: comparisons of bit planes, 512 decks at a time, and counters of bits.

use std::arch::x86_64::{
    __m512i, _mm512_and_si512, _mm512_andnot_si512, _mm512_set1_epi8, _mm512_setzero_si512,
    _mm512_ternarylogic_epi64, _mm512_xor_si512,
};

use bytemuck::cast;

use crate::battery::kernel::value_counts::wide::{GROUP, exchange, planes};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, EMPTY_LANE};

/// Bits of a card number.
const BITS: usize = 6;

/// Later places that are compared at a time with two earlier ones.
const LATER: usize = 8;

/// Bits of a number of inversions, at most 1,326.
const COUNTED: usize = 11;

/// Bits that are summed by full adders before the others are touched.
const SUMMED: usize = 4;

type Planes = [__m512i; BITS];

/// The inversions of at most eight blocks, lane by lane.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
pub(super) fn inversions(blocks: &[DeckBlock], out: &mut [[u16; BLOCK_HANDS]]) {
    // Behind the last place lies what no card is above.
    let highest = _mm512_set1_epi8(-1);
    let mut cards = [[highest; BITS]; DECK_CARDS + LATER];
    for (place, own) in cards.iter_mut().enumerate().take(DECK_CARDS) {
        let row =
            |block: usize| blocks.get(block).map_or([EMPTY_LANE; BLOCK_HANDS], |block| *block.row(place));
        *own = planes(std::array::from_fn(|block| cast(row(block))));
    }
    let mut counted = [_mm512_setzero_si512(); COUNTED];
    for first in (0..DECK_CARDS).step_by(2) {
        let (two, later) = cards[first..].split_at(2);
        add(&mut counted, 0, above(&two[0], &two[1]));
        for start in (0..DECK_CARDS - 2 - first).step_by(LATER) {
            let later: &[Planes; LATER] =
                later[start..].first_chunk().expect("as many lie behind the last place");
            add_chunk(&mut counted, two, later);
        }
    }
    write(&counted, out);
}

/// Where a card is above the other one: from the lowest bit up, where the bits differ the first decides, and what lower
/// bits decided stays where they do not.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
#[inline]
fn above(a: &Planes, b: &Planes) -> __m512i {
    /// `(one & !other) | (!(one ^ other) & before)`.
    const DECIDE: i32 = 0xb2;
    let mut above = _mm512_andnot_si512(b[0], a[0]);
    for bit in 1..BITS {
        above = _mm512_ternarylogic_epi64::<DECIDE>(a[bit], b[bit], above);
    }
    above
}

/// Sixteen comparisons: a tree of full adders, and what it carries out.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
#[inline]
fn add_chunk(counted: &mut [__m512i; COUNTED], two: &[Planes], later: &[Planes; LATER]) {
    let [ones, twos, fours, eights] = counted.first_chunk_mut::<SUMMED>().expect("a count has more bits");
    // Loops and not closures, which are called one by one where their instructions are not those of all.
    let none = _mm512_setzero_si512();
    let (mut by_one, mut by_two, mut by_four) = ([none; LATER], [none; LATER / 2], [none; LATER / 4]);
    for (carry, card) in by_one.iter_mut().zip(later) {
        *carry = full(ones, above(&two[0], card), above(&two[1], card));
    }
    for (carry, pair) in by_two.iter_mut().zip(by_one.as_chunks::<2>().0) {
        *carry = full(twos, pair[0], pair[1]);
    }
    for (carry, pair) in by_four.iter_mut().zip(by_two.as_chunks::<2>().0) {
        *carry = full(fours, pair[0], pair[1]);
    }
    let carry = full(eights, by_four[0], by_four[1]);
    add(counted, SUMMED, carry);
}

/// A full adder: the sum stays, the carry is given back.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
#[inline]
fn full(sum: &mut __m512i, one: __m512i, other: __m512i) -> __m512i {
    /// The majority of three bits, and whether an odd number of them is set.
    const MAJORITY: i32 = 0xe8;
    const ODD: i32 = 0x96;
    let carry = _mm512_ternarylogic_epi64::<MAJORITY>(*sum, one, other);
    *sum = _mm512_ternarylogic_epi64::<ODD>(*sum, one, other);
    carry
}

/// Adds a bit of some weight.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
#[inline]
fn add(counted: &mut [__m512i; COUNTED], weight: usize, bit: __m512i) {
    let mut carry = bit;
    for own in &mut counted[weight..] {
        let next = _mm512_and_si512(*own, carry);
        *own = _mm512_xor_si512(*own, carry);
        carry = next;
    }
}

/// Bits of 512 lanes become numbers of eight blocks.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
fn write(counted: &[__m512i; COUNTED], out: &mut [[u16; BLOCK_HANDS]]) {
    let none = _mm512_setzero_si512();
    let plane = |bit: usize| counted.get(bit).copied().unwrap_or(none);
    let [low, high] = [0, 8].map(|first| rows(std::array::from_fn(|bit| plane(first + bit))));
    for (block, out) in out.iter_mut().enumerate().take(GROUP) {
        let [low, high]: [[u8; BLOCK_HANDS]; 2] = [cast(low[block]), cast(high[block])];
        for lane in 0..BLOCK_HANDS {
            out[lane] = u16::from(high[lane]) << 8 | u16::from(low[lane]);
        }
    }
}

/// Eight planes become eight rows of bytes: what [`planes`] does, with as many bits as a byte has, is undone by itself.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
fn rows([a, b, c, d, e, f, g, h]: [__m512i; GROUP]) -> [__m512i; GROUP] {
    let [(a, e), (b, f), (c, g), (d, h)] =
        [(a, e), (b, f), (c, g), (d, h)].map(|(front, behind)| exchange::<4>(front, behind, 0x0f));
    let [(a, c), (b, d), (e, g), (f, h)] =
        [(a, c), (b, d), (e, g), (f, h)].map(|(front, behind)| exchange::<2>(front, behind, 0x33));
    let [(a, b), (c, d), (e, f), (g, h)] =
        [(a, b), (c, d), (e, f), (g, h)].map(|(front, behind)| exchange::<1>(front, behind, 0x55));
    [a, b, c, d, e, f, g, h]
}
