//! Which card lies at which place: bit planes and popcounts.

use bytemuck::cast;
use multiversion::multiversion;

use crate::card::DECK_CARDS;
use crate::deck::block::{BLOCK_HANDS, DeckBlock, EMPTY_LANE, Row};

/// Cells of the table.
pub const CELLS: usize = DECK_CARDS * DECK_CARDS;

/// Blocks whose bits fill a byte.
const GROUP: usize = 8;

/// Groups that are counted together: 64 blocks.
const GROUPS: usize = 8;

/// Adds each deck to `counts[card·52 + place]`.
///
/// # Panics
/// If there are fewer than 52² counts.
pub fn card_place(blocks: &[DeckBlock], counts: &mut [u64]) {
    assert!(counts.len() >= CELLS, "{} counts, wanted {CELLS}", counts.len());
    for blocks in blocks.chunks(GROUP * GROUPS) {
        count(blocks, counts);
    }
}

/// Eight bytes of eight blocks become six planes of a bit each; a card is the conjunction of three low
/// and three high planes or their complements. Empty lanes are card 63, which is not counted.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx512bitalg", "x86_64+avx2", "aarch64+neon"))]
fn count(blocks: &[DeckBlock], counts: &mut [u64]) {
    // Groups without blocks keep no bit at all.
    let mut low = [[[0; BLOCK_HANDS]; GROUPS]; 8];
    let mut high = [[[0; BLOCK_HANDS]; GROUPS]; 7];
    for place in 0..DECK_CARDS {
        for (group, blocks) in blocks.chunks(GROUP).enumerate().take(GROUPS) {
            let mut rows = [[EMPTY_LANE; BLOCK_HANDS]; GROUP];
            for (row, block) in rows.iter_mut().zip(blocks) {
                *row = *block.row(place);
            }
            let planes = planes(rows);
            for (value, minterms) in low.iter_mut().enumerate() {
                minterms[group] = minterm([&planes[0], &planes[1], &planes[2]], value);
            }
            for (value, minterms) in high.iter_mut().enumerate() {
                minterms[group] = minterm([&planes[3], &planes[4], &planes[5]], value);
            }
        }
        for (cell, card) in counts[place..CELLS].iter_mut().step_by(DECK_CARDS).zip(0..) {
            *cell += both(&low[card % 8], &high[card / 8]);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::check;

    #[test]
    fn every_cell_equals_plain_counting() {
        check::<CELLS>(card_place, |deck, counts| {
            for (place, &card) in deck.indices().iter().enumerate() {
                counts[usize::from(card) * DECK_CARDS + place] += 1;
            }
        });
    }
}
