//! The footrule: how far the cards lie from their own places.

use multiversion::multiversion;

use crate::battery::kernel::tally;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, Row};

/// Cells of the histogram: half the footrule, 0 to 26².
pub const CELLS: usize = DECK_CARDS * DECK_CARDS / 4 + 1;

/// Places whose moves of at most 51, or 63 in an empty lane, fit into a byte together.
const PLACES: usize = 4;

/// Adds each deck to `counts[Σ_{c[i] > i} (c[i] − i)]`, half of `Σ |c[i] − i|`, for as much goes up as down.
///
/// # Panics
/// If there are fewer than 677 cells.
pub fn half_footrule(blocks: &[DeckBlock], counts: &mut [u64]) {
    for block in blocks {
        tally(counts, &moves_up(block.rows()), block.hands());
    }
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn moves_up(rows: &[Row; DECK_CARDS]) -> [u16; BLOCK_HANDS] {
    let mut sums = [0u16; BLOCK_HANDS];
    for (rows, first) in rows.chunks_exact(PLACES).zip((0u8..).step_by(PLACES)) {
        let mut moved: Row = [0; BLOCK_HANDS];
        for (row, place) in rows.iter().zip(first..) {
            for lane in 0..BLOCK_HANDS {
                moved[lane] = moved[lane].wrapping_add(row[lane].saturating_sub(place));
            }
        }
        for lane in 0..BLOCK_HANDS {
            sums[lane] += u16::from(moved[lane]);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::check;

    #[test]
    fn half_the_footrule_is_half_of_all_moves() {
        check::<CELLS>(half_footrule, |deck, counts| {
            let moves =
                deck.indices().iter().zip(0i32..).map(|(&card, place)| (i32::from(card) - place).abs());
            let footrule: i32 = moves.sum();
            assert_eq!(footrule % 2, 0);
            counts[footrule as usize / 2] += 1;
        });
    }
}
