//! Bit planes: how often each value stands in a row of many blocks, by minterms and popcounts.

use bytemuck::cast;

use crate::deck::block::{BLOCK_HANDS, EMPTY_LANE, Row};

/// Blocks whose bits fill a byte.
const GROUP: usize = 8;

/// Groups that are counted together.
const GROUPS: usize = 8;

/// Most blocks counted together: 64.
pub(super) const BLOCKS: usize = GROUP * GROUPS;

/// Where the low three bits and the high three bits of the values of one row are what: a value is the
/// conjunction of one of each. Nothing above 55 is told apart.
#[derive(Default)]
pub(super) struct Minterms {
    low: [Bits; 8],
    high: [Bits; 7],
}

/// A bit for each of 64 values of 64 blocks.
#[derive(Clone, Copy)]
struct Bits([Row; GROUPS]);

impl Default for Bits {
    fn default() -> Bits {
        Bits([[0; BLOCK_HANDS]; GROUPS])
    }
}

impl Minterms {
    /// Takes one row of each of at most 64 blocks. Bits 6 and 7 of the values are not looked at.
    #[inline(always)]
    pub(super) fn read<Block>(&mut self, blocks: &[Block], row_of: impl Fn(&Block) -> &Row) {
        // Groups without blocks keep no bit: a list is as long as the one before.
        for (group, blocks) in blocks.chunks(GROUP).enumerate().take(GROUPS) {
            let mut rows = [[EMPTY_LANE; BLOCK_HANDS]; GROUP];
            for (row, block) in rows.iter_mut().zip(blocks) {
                *row = *row_of(block);
            }
            let planes = planes(rows);
            for (value, bits) in self.low.iter_mut().enumerate() {
                bits.0[group] = minterm([&planes[0], &planes[1], &planes[2]], value);
            }
            for (value, bits) in self.high.iter_mut().enumerate() {
                bits.0[group] = minterm([&planes[3], &planes[4], &planes[5]], value);
            }
        }
    }

    /// How often the value, below 56, was read.
    #[inline(always)]
    pub(super) fn count(&self, value: usize) -> u64 {
        both(&self.low[value % 8].0, &self.high[value / 8].0)
    }
}

/// Where three planes spell the value.
#[inline(always)]
fn minterm(planes: [&Row; 3], value: usize) -> Row {
    let value = value as u8;
    let flips = [(value & 1).wrapping_sub(1), (value >> 1 & 1).wrapping_sub(1), (value >> 2).wrapping_sub(1)];
    let mut hits = [0; BLOCK_HANDS];
    for (lane, hit) in hits.iter_mut().enumerate() {
        *hit = (planes[0][lane] ^ flips[0]) & (planes[1][lane] ^ flips[1]) & (planes[2][lane] ^ flips[2]);
    }
    hits
}

/// How often both hold. Bits are counted byte by byte: eight groups make at most 64 a byte.
#[inline(always)]
fn both(low: &[Row; GROUPS], high: &[Row; GROUPS]) -> u64 {
    let mut sums = [0u8; BLOCK_HANDS];
    for (low, high) in low.iter().zip(high) {
        for lane in 0..BLOCK_HANDS {
            sums[lane] += (low[lane] & high[lane]).count_ones() as u8;
        }
    }
    total(cast(sums))
}

/// The sum of all bytes, each at most 64: four sums of two bytes side by side, then one product that
/// adds them in its highest quarter.
#[inline(always)]
fn total(words: [u64; BLOCK_HANDS / 8]) -> u64 {
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    let mut pairs = 0;
    for word in words {
        pairs += (word & EVEN) + (word >> 8 & EVEN);
    }
    pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48
}

/// Transposes the 8×8 bits that stand behind one another in eight rows: bit `k` of plane `b` is bit
/// `b` of row `k` (delta swaps: Warren 2012, "Hacker's Delight", section 7-3).
#[inline(always)]
fn planes(rows: [Row; GROUP]) -> [Row; GROUP] {
    let mut rows: [[u64; BLOCK_HANDS / 8]; GROUP] = cast(rows);
    for (step, kept) in [(4, 0x0f0f_0f0f_0f0f_0f0f), (2, 0x3333_3333_3333_3333), (1, 0x5555_5555_5555_5555)] {
        for first in (0..GROUP).filter(|first| first & step == 0) {
            let [front, behind] = rows.get_disjoint_mut([first, first + step]).expect("two of eight");
            for (front, behind) in front.iter_mut().zip(behind) {
                let changed = (*front >> step ^ *behind) & kept;
                *behind ^= changed;
                *front ^= changed << step;
            }
        }
    }
    cast(rows)
}
