//! Inversions and descents: pairs of places whose cards stand in falling order.

use multiversion::multiversion;

use crate::battery::kernel::{count_above, tally};
use crate::card::DECK_CARDS;
use crate::deck::block::{BLOCK_HANDS, DeckBlock, Row};

/// Cells of the inversions: 0 to 52·51/2.
pub const INVERSIONS_CELLS: usize = DECK_CARDS * (DECK_CARDS - 1) / 2 + 1;

/// Cells of the descents: 0 to 51.
pub const DESCENTS_CELLS: usize = DECK_CARDS;

/// Rows that stay in registers; together they have at most 51 + 50 + 49 + 48 inversions, one byte.
const ROWS: usize = 4;

/// Adds each deck to `inversions[#{i < j: c[i] > c[j]}]` and to `descents[#{i: c[i] > c[i+1]}]`.
///
/// # Panics
/// If there are fewer than 1,327 and 52 cells.
pub fn inversions(blocks: &[DeckBlock], inversions: &mut [u64], descents: &mut [u64]) {
    for block in blocks {
        let (mut inverted, mut falls) = ([0; BLOCK_HANDS], [0; BLOCK_HANDS]);
        count(block.rows(), &mut inverted, &mut falls);
        tally(inversions, &inverted, block.hands());
        tally(descents, &falls, block.hands());
    }
}

/// The inversions of every lane; of no meaning where a lane is empty.
pub fn in_lanes(block: &DeckBlock) -> [u16; BLOCK_HANDS] {
    let (mut inverted, mut falls) = ([0; BLOCK_HANDS], [0; BLOCK_HANDS]);
    count(block.rows(), &mut inverted, &mut falls);
    inverted
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn count(rows: &[Row; DECK_CARDS], inverted: &mut [u16; BLOCK_HANDS], falls: &mut Row) {
    for pair in rows.windows(2) {
        count_above(falls, &pair[0], &pair[1]);
    }
    for first in (0..DECK_CARDS).step_by(ROWS) {
        let (four, behind) = rows[first..].split_first_chunk::<ROWS>().expect("52 is a multiple of 4");
        let (four, mut counts) = (*four, [0; BLOCK_HANDS]);
        for (later, row) in four.iter().enumerate() {
            for earlier in &four[..later] {
                count_above(&mut counts, earlier, row);
            }
        }
        for row in behind {
            for earlier in &four {
                count_above(&mut counts, earlier, row);
            }
        }
        for (sum, &count) in inverted.iter_mut().zip(&counts) {
            *sum += u16::from(count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::check;

    #[test]
    fn inversions_equal_comparing_all_pairs() {
        check::<INVERSIONS_CELLS>(
            |blocks, counts| inversions(blocks, counts, &mut [0; DESCENTS_CELLS]),
            |deck, counts| {
                let cards = deck.indices();
                let behind = |place: usize| cards[place..].iter().filter(move |&&card| card < cards[place]);
                counts[(0..DECK_CARDS).map(|place| behind(place).count()).sum::<usize>()] += 1;
            },
        );
    }

    #[test]
    fn descents_equal_comparing_neighbours() {
        check::<DESCENTS_CELLS>(
            |blocks, counts| inversions(blocks, &mut [0; INVERSIONS_CELLS], counts),
            |deck, counts| {
                counts[deck.indices().windows(2).filter(|pair| pair[0] > pair[1]).count()] += 1;
            },
        );
    }
}
