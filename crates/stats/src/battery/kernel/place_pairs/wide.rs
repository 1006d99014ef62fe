//! The same in registers of 64 bytes: bit planes and population counts, and products of bytes (VNNI).

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_dpbusd_epi32, _mm512_popcnt_epi64, _mm512_reduce_add_epi32,
    _mm512_reduce_add_epi64, _mm512_sad_epu8, _mm512_setzero_si512, _mm512_slli_epi64,
    _mm512_ternarylogic_epi64, _mm512_xor_si512,
};

use bytemuck::cast;

use crate::battery::kernel::place_pairs::PAIRS;
use crate::battery::kernel::value_counts::wide::{GROUP, planes};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, Row};

/// Blocks that are looked at together: their bit planes stay in the second-level cache.
const BLOCKS: usize = 32;

/// Groups of blocks whose bits fill a register.
const GROUPS: usize = BLOCKS / GROUP;

/// The six bits of the cards at one place; bits 2 to 5 are the rank.
type Planes = [[__m512i; GROUPS]; 6];

/// One place of some blocks, empty lanes 0.
type Place = [Row; BLOCKS];

#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,avx512vnni,gfni")]
pub(super) fn place_pairs(blocks: &[DeckBlock], ranks: &mut [u64], suits: &mut [u64], products: &mut [u64]) {
    let none = _mm512_setzero_si512();
    let mut places = vec![[[0; BLOCK_HANDS]; BLOCKS]; DECK_CARDS];
    let mut bits = vec![[[none; GROUPS]; 6]; DECK_CARDS];
    for blocks in blocks.chunks(BLOCKS) {
        let groups = blocks.len().div_ceil(GROUP);
        let decks: u64 = blocks.iter().map(|block| block.hands() as u64).sum();
        for (number, (place, planes)) in places.iter_mut().zip(&mut bits).enumerate() {
            read(blocks, number, place);
            split(place, groups, planes);
        }
        let sums: [i64; DECK_CARDS] = std::array::from_fn(|place| sum(&places[place][..blocks.len()]));
        let mut pair = 0;
        for p in 0..DECK_CARDS {
            for q in p + 1..DECK_CARDS {
                let [rank, suit] = differing(&bits[p], &bits[q], groups);
                ranks[pair] += decks - rank;
                suits[pair] += decks - suit;
                pair += 1;
            }
        }
        let own = |p: usize, q: usize, product: i64| {
            let n = decks as i64;
            4 * product - 102 * (sums[p] + sums[q]) + 51 * 51 * n
        };
        add_products(&places, blocks.len(), own, products);
    }
}

/// One place of every block; what a card number of an empty lane would add is 0.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,avx512vnni,gfni")]
fn read(blocks: &[DeckBlock], number: usize, place: &mut Place) {
    for (own, block) in place.iter_mut().zip(blocks) {
        *own = *block.row(number);
        if block.hands() < BLOCK_HANDS {
            own[block.hands()..].fill(0);
        }
    }
    place[blocks.len()..].fill([0; BLOCK_HANDS]);
}

#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,avx512vnni,gfni")]
fn split(place: &Place, groups: usize, out: &mut Planes) {
    for (group, rows) in place.as_chunks::<GROUP>().0.iter().enumerate().take(groups) {
        for (plane, own) in out.iter_mut().zip(planes(rows.map(cast))) {
            plane[group] = own;
        }
    }
}

/// The sum of the card numbers.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,avx512vnni,gfni")]
fn sum(rows: &[Row]) -> i64 {
    let none = _mm512_setzero_si512();
    let mut sum = none;
    for row in rows {
        sum = _mm512_add_epi64(sum, _mm512_sad_epu8(cast(*row), none));
    }
    _mm512_reduce_add_epi64(sum)
}

/// Decks whose cards differ in rank, and in suit. Empty lanes are alike in both.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,avx512vnni,gfni")]
#[inline]
fn differing(p: &Planes, q: &Planes, groups: usize) -> [u64; 2] {
    /// `differ | (one ^ other)`.
    const OR_DIFFERENT: i32 = 0xf6;
    let mut sum = _mm512_setzero_si512();
    for group in 0..groups {
        let suit = _mm512_ternarylogic_epi64::<OR_DIFFERENT>(
            _mm512_xor_si512(p[0][group], q[0][group]),
            p[1][group],
            q[1][group],
        );
        let mut rank = _mm512_xor_si512(p[2][group], q[2][group]);
        for bit in 3..6 {
            rank = _mm512_ternarylogic_epi64::<OR_DIFFERENT>(rank, p[bit][group], q[bit][group]);
        }
        // Both sums share a word: each is at most the number of decks.
        let suit = _mm512_slli_epi64::<32>(_mm512_popcnt_epi64(suit));
        sum = _mm512_add_epi64(sum, _mm512_add_epi64(_mm512_popcnt_epi64(rank), suit));
    }
    let both = _mm512_reduce_add_epi64(sum) as u64;
    [both & u64::from(u32::MAX), both >> 32]
}

/// Adds what `own` makes of `Σxy` of every pair of places. Two places are multiplied with two others at a time, so that a
/// row that was read is used twice.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,avx512vnni,gfni")]
fn add_products(
    places: &[Place],
    blocks: usize,
    own: impl Fn(usize, usize, i64) -> i64,
    products: &mut [u64],
) {
    let mut add = |p: usize, q: usize, sum: __m512i| {
        let product = own(p, q, i64::from(_mm512_reduce_add_epi32(sum)));
        let cell = &mut products[pair_of(p, q)];
        *cell = cell.wrapping_add(product as u64);
    };
    for p in (0..DECK_CARDS).step_by(2) {
        for q in (p..DECK_CARDS).step_by(2) {
            let mut sums = [_mm512_setzero_si512(); 4];
            let rows = [&places[p], &places[p + 1], &places[q], &places[q + 1]].map(|place| &place[..blocks]);
            for block in 0..blocks {
                let [a, b, c, d] = rows.map(|rows| cast(rows[block]));
                sums[0] = _mm512_dpbusd_epi32(sums[0], a, c);
                sums[1] = _mm512_dpbusd_epi32(sums[1], a, d);
                sums[2] = _mm512_dpbusd_epi32(sums[2], b, c);
                sums[3] = _mm512_dpbusd_epi32(sums[3], b, d);
            }
            add(p, q + 1, sums[1]);
            if p < q {
                add(p, q, sums[0]);
                add(p + 1, q, sums[2]);
                add(p + 1, q + 1, sums[3]);
            }
        }
    }
}

/// The number of the pair p < q.
fn pair_of(p: usize, q: usize) -> usize {
    PAIRS - (DECK_CARDS - p) * (DECK_CARDS - p - 1) / 2 + q - p - 1
}
