//! Inverse descents: cards that lie below their successor. One less than the rising sequences.

use multiversion::multiversion;

use crate::battery::kernel::{count_above, mask, tally};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, Row};
use deckproof_deck::deck::inverse::inverse_rows;
use deckproof_deck::deck::orders;

/// Cells: 0 to 51.
pub const CELLS: usize = DECK_CARDS;

/// Rows that stay in registers.
const ROWS: usize = 4;

/// Adds each deck to `counts[#{k < 51: place of k > place of k + 1}]`, its rising sequences less one.
///
/// # Panics
/// If there are fewer than 52 cells.
pub fn inverse_descents(blocks: &[DeckBlock], counts: &mut [u64]) {
    for block in blocks {
        tally(counts, &in_lanes(block), block.hands());
    }
}

/// The same of every lane; of no meaning where a lane is empty.
pub fn in_lanes(block: &DeckBlock) -> Row {
    let mut found = [0; BLOCK_HANDS];
    if orders::are_possible() {
        let mut places = [[0; BLOCK_HANDS]; DECK_CARDS];
        inverse_rows(block.rows(), &mut places);
        count_falls(&places, &mut found);
    } else {
        count(block.rows(), &mut found);
    }
    found
}

/// The descents of the inverses, where these are quick to have.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn count_falls(places: &[Row; DECK_CARDS], found: &mut Row) {
    places.windows(2).for_each(|pair| count_above(found, &pair[0], &pair[1]));
}

/// For every place, whether a card one lower lies behind: comparisons of bytes, 32 decks at a time,
/// beat a set of the cards seen, four decks at a time.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn count(rows: &[Row; DECK_CARDS], found: &mut Row) {
    let mut counts = [0; BLOCK_HANDS];
    for first in (0..DECK_CARDS).step_by(ROWS) {
        let (four, behind) = rows[first..].split_first_chunk::<ROWS>().expect("52 is a multiple of 4");
        // Card 0 wraps to 255, which no row holds.
        let mut below = *four;
        for card in below.as_flattened_mut() {
            *card = card.wrapping_sub(1);
        }
        for (later, row) in four.iter().enumerate() {
            for earlier in &below[..later] {
                count_equal(&mut counts, earlier, row);
            }
        }
        for row in behind {
            for earlier in &below {
                count_equal(&mut counts, earlier, row);
            }
        }
    }
    *found = counts;
}

#[inline(always)]
fn count_equal(counts: &mut Row, left: &Row, right: &Row) {
    for lane in 0..BLOCK_HANDS {
        counts[lane] = counts[lane].wrapping_sub(mask(left[lane] == right[lane]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::{blocks, check};

    #[test]
    fn inverse_descents_are_the_descents_of_the_places() {
        check::<CELLS>(inverse_descents, |deck, counts| {
            counts[deck.places().windows(2).filter(|pair| pair[0] > pair[1]).count()] += 1;
        });
        for block in blocks(9, 63) {
            let (mut one, mut other, mut places) =
                ([0; BLOCK_HANDS], [0; BLOCK_HANDS], [[0; BLOCK_HANDS]; DECK_CARDS]);
            inverse_rows(block.rows(), &mut places);
            count_falls(&places, &mut one);
            count(block.rows(), &mut other);
            assert_eq!(one[..block.hands()], other[..block.hands()]);
        }
    }
}
