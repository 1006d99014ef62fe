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

/// One bit of 8 blocks of 64 hands.
type Plane = [u64; 8];

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
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vpopcntdq",
    "x86_64+avx2+popcnt",
    "aarch64+neon"
))]
fn count(blocks: &[DeckBlock], counts: &mut [u64]) {
    let groups = blocks.len().div_ceil(GROUP);
    let mut low = [[[0; 8]; GROUPS]; 8];
    let mut high = [[[0; 8]; GROUPS]; 7];
    for place in 0..DECK_CARDS {
        for (group, blocks) in blocks.chunks(GROUP).enumerate() {
            let planes = planes(std::array::from_fn(|block| match blocks.get(block) {
                Some(block) => *block.row(place),
                None => [EMPTY_LANE; BLOCK_HANDS],
            }));
            for (value, minterms) in low.iter_mut().enumerate() {
                minterms[group] = minterm(&planes[..3], value);
            }
            for (value, minterms) in high.iter_mut().enumerate() {
                minterms[group] = minterm(&planes[3..], value);
            }
        }
        for card in 0..DECK_CARDS {
            let (low, high) = (&low[card % 8][..groups], &high[card / 8][..groups]);
            counts[card * DECK_CARDS + place] += both(low, high);
        }
    }
}

/// Where three planes spell the value.
#[inline(always)]
fn minterm(planes: &[Plane], value: usize) -> Plane {
    let flips: [u64; 3] = std::array::from_fn(|bit| (value as u64 >> bit & 1).wrapping_sub(1));
    std::array::from_fn(|word| {
        (planes[0][word] ^ flips[0]) & (planes[1][word] ^ flips[1]) & (planes[2][word] ^ flips[2])
    })
}

/// How often both hold.
#[inline(always)]
fn both(low: &[Plane], high: &[Plane]) -> u64 {
    let mut sums = [0u64; 8];
    for (low, high) in low.iter().zip(high) {
        for word in 0..8 {
            sums[word] += u64::from((low[word] & high[word]).count_ones());
        }
    }
    sums.iter().sum()
}

/// Transposes the 8×8 bits that stand behind one another in eight rows: bit `k` of plane `b` is bit
/// `b` of row `k` (delta swaps: Warren 2012, "Hacker's Delight", section 7-3).
#[inline(always)]
fn planes(rows: [Row; GROUP]) -> [Plane; GROUP] {
    let mut rows: [Plane; GROUP] = rows.map(cast);
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
    rows
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
