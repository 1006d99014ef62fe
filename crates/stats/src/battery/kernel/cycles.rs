//! Cycles and fixed points of a deck read as the permutation place → card.

use multiversion::multiversion;

use crate::battery::kernel::{mask, tally, undo};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, Row};

/// Cells of each histogram: 0 to 52.
pub const CELLS: usize = DECK_CARDS + 1;

/// Adds each deck to `cycles[number of cycles]` and to `fixed_points[number of fixed points]`.
///
/// With the downward swaps undone, a deck is a product of transpositions `(i j_i)`, `j_i ≤ i`: from the lowest
/// up, each puts i into the cycle of `j_i`, or alone into a new one if `j_i = i`. So there are as many
/// cycles as draws of the place itself (Pitman 2006, "Combinatorial Stochastic
/// Processes", section 3.1).
///
/// # Panics
/// If a histogram has fewer than 53 cells.
pub fn cycles(blocks: &[DeckBlock], cycles: &mut [u64], fixed_points: &mut [u64]) {
    let mut draws = [[0; BLOCK_HANDS]; DECK_CARDS];
    for block in blocks {
        undo::down(block.rows(), &mut draws);
        tally(cycles, &own_places(&draws), block.hands());
        tally(fixed_points, &own_places(block.rows()), block.hands());
    }
}

/// How many rows of every lane hold their own number.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn own_places(rows: &[Row; DECK_CARDS]) -> Row {
    let mut found: Row = [0; BLOCK_HANDS];
    for (row, place) in rows.iter().zip(0u8..) {
        for lane in 0..BLOCK_HANDS {
            found[lane] = found[lane].wrapping_sub(mask(row[lane] == place));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::check;

    #[test]
    fn cycles_equal_walking_them() {
        check::<CELLS>(
            |blocks, counts| cycles(blocks, counts, &mut [0; CELLS]),
            |deck, counts| {
                let (mut seen, mut cycles) = ([false; DECK_CARDS], 0);
                for start in 0..DECK_CARDS {
                    cycles += usize::from(!seen[start]);
                    let mut place = start;
                    while !std::mem::replace(&mut seen[place], true) {
                        place = usize::from(deck.indices()[place]);
                    }
                }
                counts[cycles] += 1;
            },
        );
    }

    #[test]
    fn fixed_points_equal_plain_counting() {
        check::<CELLS>(
            |blocks, counts| cycles(blocks, &mut [0; CELLS], counts),
            |deck, counts| {
                let fixed = deck.indices().iter().zip(0u8..).filter(|&(&card, place)| card == place);
                counts[fixed.count()] += 1;
            },
        );
    }
}
