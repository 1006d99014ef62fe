//! Which card lies at which place: bit planes and popcounts.

use crate::battery::kernel::planes::{BLOCKS, Minterms};
use crate::battery::kernel::value_counts::{VALUES, value_counts, value_counts_by_lane};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::DeckBlock;

/// Cells of the table.
pub const CELLS: usize = DECK_CARDS * DECK_CARDS;

/// Adds each deck to `counts[card·52 + place]`.
///
/// # Panics
/// If there are fewer than 52² counts.
pub fn card_place(blocks: &[DeckBlock], counts: &mut [u64]) {
    assert!(counts.len() >= CELLS, "{} counts, wanted {CELLS}", counts.len());
    for blocks in blocks.chunks(BLOCKS) {
        count(blocks, counts);
    }
}

/// Empty lanes are card 63, which is not counted.
fn count(blocks: &[DeckBlock], counts: &mut [u64]) {
    let mut minterms = Minterms::default();
    for place in 0..DECK_CARDS {
        let mut counted = [0; VALUES];
        value_counts(&mut minterms, blocks, |block: &DeckBlock| block.row(place), &mut counted);
        for (cell, counted) in counts[place..CELLS].iter_mut().step_by(DECK_CARDS).zip(counted) {
            *cell += counted;
        }
    }
}

/// Adds each deck of an even lane to `even[card·52 + place]` and each of an odd lane to `odd`.
///
/// # Panics
/// If there are fewer than 52² counts of either.
pub fn card_place_by_lane(blocks: &[DeckBlock], even: &mut [u64], odd: &mut [u64]) {
    assert!(even.len() >= CELLS && odd.len() >= CELLS, "wanted {CELLS} counts of even and of odd lanes");
    for blocks in blocks.chunks(BLOCKS) {
        count_by_lane(blocks, even, odd);
    }
}

fn count_by_lane(blocks: &[DeckBlock], even: &mut [u64], odd: &mut [u64]) {
    let mut minterms = Minterms::default();
    for place in 0..DECK_CARDS {
        let [mut of_even, mut of_odd] = [[0; VALUES]; 2];
        value_counts_by_lane(
            &mut minterms,
            blocks,
            |block: &DeckBlock| block.row(place),
            &mut of_even,
            &mut of_odd,
        );
        for card in 0..DECK_CARDS {
            even[DECK_CARDS * card + place] += of_even[card];
            odd[DECK_CARDS * card + place] += of_odd[card];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::{SIZES, blocks, check};

    #[test]
    fn every_cell_equals_plain_counting() {
        check::<CELLS>(card_place, |deck, counts| {
            for (place, &card) in deck.indices().iter().enumerate() {
                counts[usize::from(card) * DECK_CARDS + place] += 1;
            }
        });
    }

    #[test]
    fn even_and_odd_lanes_are_counted_apart() {
        for (number, hands_last) in SIZES {
            let blocks = blocks(number, hands_last);
            let mut found = [vec![0; CELLS], vec![0; CELLS]];
            let mut expected = found.clone();
            let [even, odd] = &mut found;
            card_place_by_lane(&blocks, even, odd);
            for (block, lane) in
                blocks.iter().flat_map(|block| (0..block.hands()).map(move |lane| (block, lane)))
            {
                for (place, &card) in block.deck(lane).indices().iter().enumerate() {
                    expected[lane % 2][usize::from(card) * DECK_CARDS + place] += 1;
                }
            }
            assert!(found == expected, "{number} blocks, {hands_last} hands in the last");
        }
    }
}
