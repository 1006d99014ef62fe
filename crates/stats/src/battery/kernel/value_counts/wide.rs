//! The same in registers of 64 bytes.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_popcnt_epi64, _mm512_set1_epi8, _mm512_setzero_si512,
    _mm512_shuffle_i64x2, _mm512_slli_epi64, _mm512_srli_epi64, _mm512_ternarylogic_epi64,
    _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

use bytemuck::cast;

use crate::battery::kernel::planes::{Bits, Minterms};
use crate::battery::kernel::value_counts::VALUES;
use deckproof_deck::deck::block::{BLOCK_HANDS, EMPTY_LANE, Row};

/// Blocks whose bits fill a byte.
pub(in crate::battery::kernel) const GROUP: usize = 8;

/// Groups that are counted together.
const GROUPS: usize = 8;

#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
#[inline]
pub(super) fn value_counts<Block>(
    Minterms { low, high }: &mut Minterms,
    blocks: &[Block],
    row_of: impl Fn(&Block) -> &Row,
    counts: &mut [u64],
) {
    let groups = read(low, high, blocks, row_of);
    count(low, high, groups, counts);
}

/// The same of the even and of the odd lanes.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
#[inline]
pub(super) fn value_counts_by_lane<Block>(
    Minterms { low, high }: &mut Minterms,
    blocks: &[Block],
    row_of: impl Fn(&Block) -> &Row,
    even: &mut [u64; VALUES],
    odd: &mut [u64; VALUES],
) {
    let groups = read(low, high, blocks, row_of);
    let (mut all, mut own) = ([0; VALUES], [0; VALUES]);
    count(low, high, groups, &mut all);
    let is_even: __m512i = cast([0x00ff_00ff_00ff_00ff_u64; 8]);
    for row in low.iter_mut().flat_map(|bits| &mut bits.0[..groups]) {
        *row = cast(_mm512_and_si512(cast(*row), is_even));
    }
    count(low, high, groups, &mut own);
    for ((even, odd), (all, own)) in even.iter_mut().zip(odd).zip(all.into_iter().zip(own)) {
        *even += own;
        *odd += all - own;
    }
}

/// Reads one row of every block; says how many groups of blocks there are.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
#[inline]
fn read<Block>(
    low: &mut [Bits; 8],
    high: &mut [Bits; 8],
    blocks: &[Block],
    row_of: impl Fn(&Block) -> &Row,
) -> usize {
    for (group, blocks) in blocks.chunks(GROUP).enumerate().take(GROUPS) {
        // Blocks that are missing hold 63, which is not counted.
        let mut rows = [cast([EMPTY_LANE; BLOCK_HANDS]); GROUP];
        for (row, block) in rows.iter_mut().zip(blocks) {
            *row = cast(*row_of(block));
        }
        let [a, b, c, d, e, f] = planes(rows);
        for (minterm, own) in low.iter_mut().zip(minterms(a, b, c)) {
            minterm.0[group] = cast(own);
        }
        for (minterm, own) in high.iter_mut().zip(minterms(d, e, f)) {
            minterm.0[group] = cast(own);
        }
    }
    blocks.len().div_ceil(GROUP)
}

/// Adds how often each value was read.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
#[inline]
fn count(low: &mut [Bits; 8], high: &[Bits; 8], groups: usize, counts: &mut [u64]) {
    // As many groups as a batch has, and twice as many, are worth loops of their own.
    match groups {
        4 => add_sums::<4>(low, high, counts),
        _ => {
            low.iter_mut().for_each(|minterm| minterm.0[groups..].fill([0; BLOCK_HANDS]));
            add_sums::<GROUPS>(low, high, counts);
        }
    }
}

/// Adds how often both hold in the first groups, for eight values at a time.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
#[inline]
fn add_sums<const MANY: usize>(low: &[Bits; 8], high: &[Bits; 8], counts: &mut [u64]) {
    for (counts, high) in counts.chunks_mut(8).zip(high) {
        let high: [__m512i; MANY] = std::array::from_fn(|group| cast(high.0[group]));
        let sums: [__m512i; 8] = std::array::from_fn(|value| {
            let mut sum = _mm512_setzero_si512();
            for (low, high) in low[value].0.iter().zip(&high) {
                sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_and_si512(cast(*low), *high)));
            }
            sum
        });
        let totals: [u64; 8] = cast(totals(sums));
        counts.iter_mut().zip(totals).for_each(|(count, total)| *count += total);
    }
}

/// The sum of the words of each register, side by side.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
#[inline]
pub(in crate::battery::kernel) fn totals([a, b, c, d, e, f, g, h]: [__m512i; 8]) -> __m512i {
    let words = [(a, b), (c, d), (e, f), (g, h)].map(|(even, odd)| {
        _mm512_add_epi64(_mm512_unpacklo_epi64(even, odd), _mm512_unpackhi_epi64(even, odd))
    });
    let pairs = [(words[0], words[1]), (words[2], words[3])].map(|(first, second)| quarters(first, second));
    quarters(pairs[0], pairs[1])
}

/// Neighbouring quarters together: those of the first in the first half, those of the second in the other one.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
#[inline]
fn quarters(first: __m512i, second: __m512i) -> __m512i {
    let even = _mm512_shuffle_i64x2::<0x88>(first, second);
    _mm512_add_epi64(even, _mm512_shuffle_i64x2::<0xdd>(first, second))
}

/// The low six bits of eight rows of bytes, each in a register of its own (Warren 2012, "Hacker's Delight", section 7-3):
/// the bits of eight rows that stand behind one another become a byte.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
#[inline]
pub(in crate::battery::kernel) fn planes([a, b, c, d, e, f, g, h]: [__m512i; GROUP]) -> [__m512i; 6] {
    let [(a, e), (b, f), (c, g), (d, h)] =
        [(a, e), (b, f), (c, g), (d, h)].map(|(front, behind)| exchange::<4>(front, behind, 0x0f));
    let [(a, c), (b, d), (e, _), (f, _)] =
        [(a, c), (b, d), (e, g), (f, h)].map(|(front, behind)| exchange::<2>(front, behind, 0x33));
    let [(a, b), (c, d), (e, f)] =
        [(a, b), (c, d), (e, f)].map(|(front, behind)| exchange::<1>(front, behind, 0x55));
    [a, b, c, d, e, f]
}

#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
#[inline]
pub(in crate::battery::kernel) fn exchange<const STEP: u32>(
    front: __m512i,
    behind: __m512i,
    kept: i8,
) -> (__m512i, __m512i) {
    /// `mask ? first : second`, bit by bit.
    const CHOOSE: i32 = 0xca;
    let kept = _mm512_set1_epi8(kept);
    (
        _mm512_ternarylogic_epi64::<CHOOSE>(kept, front, _mm512_slli_epi64::<STEP>(behind)),
        _mm512_ternarylogic_epi64::<CHOOSE>(kept, _mm512_srli_epi64::<STEP>(front), behind),
    )
}

/// Where three planes, the lowest first, spell 0, 1, …, 7.
#[target_feature(enable = "avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni")]
#[inline]
fn minterms(ones: __m512i, twos: __m512i, fours: __m512i) -> [__m512i; 8] {
    [
        _mm512_ternarylogic_epi64::<0x01>(fours, twos, ones),
        _mm512_ternarylogic_epi64::<0x02>(fours, twos, ones),
        _mm512_ternarylogic_epi64::<0x04>(fours, twos, ones),
        _mm512_ternarylogic_epi64::<0x08>(fours, twos, ones),
        _mm512_ternarylogic_epi64::<0x10>(fours, twos, ones),
        _mm512_ternarylogic_epi64::<0x20>(fours, twos, ones),
        _mm512_ternarylogic_epi64::<0x40>(fours, twos, ones),
        _mm512_ternarylogic_epi64::<0x80>(fours, twos, ones),
    ]
}
