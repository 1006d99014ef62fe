//! Inverse decks: the place of every card, 64 decks at a time.

use multiversion::multiversion;

use crate::card::DECK_CARDS;
use crate::deck::block::{BLOCK_HANDS, DeckBlock, Row};
use crate::deck::orders;

/// Rows of the result that stay in registers: four of 64 bytes are eight of the 16 of AVX2.
const ROWS: usize = 4;

/// Fills `out` with the inverse decks `v[c[p]] = p`.
pub fn inverse(block: &DeckBlock, out: &mut DeckBlock) {
    out.fill(block.hands(), |rows| inverse_rows(block.rows(), rows));
}

/// The same of rows; lanes that are no permutation become anything. One deck after another where a deck is one register:
/// 9 ns a deck instead of 20 on an AMD EPYC of family 26.
pub fn inverse_rows(cards: &[Row; DECK_CARDS], out: &mut [Row; DECK_CARDS]) {
    if orders::are_possible() { orders::inverse_rows(cards, out) } else { places(cards, out) }
}

/// Card by card: wherever a row holds it, the result is the row's place.
///
/// With AVX-512 a masked blend replaces three instructions.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn places(cards: &[Row; DECK_CARDS], places: &mut [Row; DECK_CARDS]) {
    for first in (0..DECK_CARDS).step_by(ROWS) {
        let mut found = [[0; BLOCK_HANDS]; ROWS];
        for (row, place) in cards.iter().zip(0u8..) {
            for (found, card) in found.iter_mut().zip(first as u8..) {
                mark(found, row, card, place);
            }
        }
        places[first..first + ROWS].copy_from_slice(&found);
    }
}

#[inline(always)]
fn mark(found: &mut Row, row: &Row, card: u8, place: u8) {
    for lane in 0..BLOCK_HANDS {
        let hit = 0u8.wrapping_sub(u8::from(row[lane] == card));
        found[lane] = found[lane] & !hit | place & hit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck::Deck;

    #[test]
    fn every_lane_holds_the_places_of_its_deck() {
        for hands in [0, 1, 17, 64] {
            let (mut block, mut deck) = (DeckBlock::default(), Deck::in_order());
            for hand in 0..hands {
                // Some decks that need not be uniform, only different.
                (1..DECK_CARDS).for_each(|place| deck.swap(place, (7 * place + hand) % (place + 1)));
                block.push(&deck);
            }
            let mut out = DeckBlock::default();
            out.push(&deck);
            inverse(&block, &mut out);
            assert_eq!(out.hands(), hands);
            for way in [places, orders::inverse_rows] {
                let mut rows = [[0; BLOCK_HANDS]; DECK_CARDS];
                way(block.rows(), &mut rows);
                let is_same = |(own, row): (&Row, &Row)| own[..hands] == row[..hands];
                assert!(rows.iter().zip(out.rows()).all(is_same), "{hands} hands");
            }
            for lane in 0..hands {
                assert_eq!(out.deck(lane).indices(), &block.deck(lane).places(), "lane {lane}");
            }
        }
    }
}
