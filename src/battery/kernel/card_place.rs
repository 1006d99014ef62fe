//! Which card lies at which place: bit planes and popcounts.

use multiversion::multiversion;

use crate::battery::kernel::planes::{BLOCKS, Minterms};
use crate::card::DECK_CARDS;
use crate::deck::block::DeckBlock;

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
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx512bitalg", "x86_64+avx2", "aarch64+neon"))]
fn count(blocks: &[DeckBlock], counts: &mut [u64]) {
    let mut minterms = Minterms::default();
    for place in 0..DECK_CARDS {
        minterms.read(blocks, |block| block.row(place));
        for (cell, card) in counts[place..CELLS].iter_mut().step_by(DECK_CARDS).zip(0..) {
            *cell += minterms.count(card);
        }
    }
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
