//! Relative decks: how each deck of a block lies in the next one.

use multiversion::multiversion;

use crate::card::DECK_CARDS;
use crate::deck::block::{BLOCK_HANDS, DeckBlock, Row};

/// Keys compared in one walk through the rows: four of 64 bytes are eight of the 16 registers of AVX2.
const KEYS: usize = 4;

/// Fills `out` with the relative decks `r_t = v_{t+1}∘c_t` of neighbours: `r_t[p]` is the place, in deck t + 1,
/// of the card at place p of deck t. As many as the block holds decks if a block that holds one follows it,
/// one fewer if none does.
///
/// If decks are independent and uniform, so are the relative decks.
pub fn relative(block: &DeckBlock, next: Option<&DeckBlock>, out: &mut DeckBlock) {
    let next = next.filter(|next| !next.is_empty());
    assert!(next.is_none() || block.hands() == BLOCK_HANDS, "only the last block of decks may be short");
    let pairs = if next.is_some() { block.hands() } else { block.hands().saturating_sub(1) };
    out.fill(pairs, |rows| {
        if pairs > 0 {
            places_in_next(block.rows(), next.map(DeckBlock::rows), rows);
        }
    });
}

/// Place by place of the next deck: wherever this deck holds its card, the result is the place.
///
/// With AVX-512 a masked blend replaces three instructions: 14.5 ns a deck instead of 34 on an Intel Xeon of
/// family 6, model 207.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn places_in_next(
    cards: &[Row; DECK_CARDS],
    next: Option<&[Row; DECK_CARDS]>,
    places: &mut [Row; DECK_CARDS],
) {
    *places = [[0; BLOCK_HANDS]; DECK_CARDS];
    for first in (0..DECK_CARDS).step_by(KEYS) {
        let mut keys = [[0; BLOCK_HANDS]; KEYS];
        for (key, place) in keys.iter_mut().zip(first..) {
            *key = next_hands(cards, place);
            if let Some(next) = next {
                key[BLOCK_HANDS - 1] = next[place][0];
            }
        }
        for (row, places) in cards.iter().zip(places.iter_mut()) {
            let mut found = *places;
            for (key, place) in keys.iter().zip(first..) {
                mark(&mut found, row, key, place as u8);
            }
            *places = found;
        }
    }
}

/// A row moved by one lane; what the last lane gets is of no meaning, for its deck follows in another block.
#[inline(always)]
fn next_hands(cards: &[Row; DECK_CARDS], place: usize) -> Row {
    // Read across the end of the row where there is a next row: one unaligned load instead of a copy.
    let behind = &cards.as_flattened()[BLOCK_HANDS * place + 1..];
    if let Some(shifted) = behind.first_chunk() {
        return *shifted;
    }
    let mut shifted = cards[place];
    shifted.rotate_left(1);
    shifted
}

#[inline(always)]
fn mark(found: &mut Row, row: &Row, key: &Row, place: u8) {
    for lane in 0..BLOCK_HANDS {
        let hit = 0u8.wrapping_sub(u8::from(row[lane] == key[lane]));
        found[lane] = found[lane] & !hit | place & hit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck::Deck;
    use crate::deck::block::EMPTY_LANE;

    /// Some decks that need not be uniform, only different.
    fn some_block(hands: usize, seed: u8) -> DeckBlock {
        let (mut block, mut state) = (DeckBlock::default(), u64::from(seed));
        let mut deck = Deck::in_order();
        for _ in 0..hands {
            for place in 1..DECK_CARDS {
                // Knuth's MMIX generator: this floor has no keystream.
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                deck.swap(place, (state >> 33) as usize % (place + 1));
            }
            block.push(&deck);
        }
        block
    }

    #[test]
    fn every_lane_is_the_next_decks_places_after_this_decks_cards() {
        for (hands, seed) in [(64, 1), (64, 2), (63, 3), (17, 4), (2, 5)] {
            let block = some_block(hands, seed);
            let mut out = some_block(64, 99);
            relative(&block, None, &mut out);
            assert_eq!(out.hands(), hands - 1);
            for lane in 0..hands - 1 {
                let (deck, places) = (block.deck(lane), block.deck(lane + 1).places());
                let expected = deck.indices().map(|card| places[usize::from(card)]);
                assert_eq!(out.deck(lane).indices(), &expected, "pair {lane} of {hands} decks");
            }
            assert!(out.rows().iter().all(|row| row[hands - 1..].iter().all(|&place| place == EMPTY_LANE)));
        }
    }

    #[test]
    fn the_last_deck_of_a_block_is_followed_by_the_first_of_the_next() {
        let (block, mut out) = (some_block(64, 1), some_block(64, 99));
        for hands in [1, 17, 64] {
            let next = some_block(hands, 3);
            relative(&block, Some(&next), &mut out);
            let places = next.deck(0).places();
            let expected = block.deck(63).indices().map(|card| places[usize::from(card)]);
            assert_eq!((out.hands(), out.deck(63).indices()), (64, &expected));
            let mut within = DeckBlock::default();
            relative(&block, None, &mut within);
            assert!((0..63).all(|lane| out.deck(lane) == within.deck(lane)));
        }
        relative(&block, Some(&DeckBlock::default()), &mut out);
        assert_eq!(out.hands(), 63);
    }

    #[test]
    fn fewer_than_two_decks_have_no_pair() {
        for hands in [0, 1] {
            let mut out = some_block(64, 7);
            relative(&some_block(hands, 6), None, &mut out);
            assert!(out.is_empty() && out.row(0) == &[EMPTY_LANE; BLOCK_HANDS]);
        }
    }

    #[test]
    fn a_deck_after_itself_is_the_identity_and_before_a_cut_a_rotation() {
        let mut cut: Vec<u8> = (0..52).collect();
        cut.rotate_left(10);
        let (mut block, mut out) = (DeckBlock::default(), DeckBlock::default());
        let cut = Deck::try_from(&cut[..]).expect("a permutation");
        [Deck::in_order(), Deck::in_order(), cut].iter().for_each(|deck| block.push(deck));
        relative(&block, None, &mut out);
        assert_eq!(out.deck(0), Deck::in_order());
        // Card 10 lies on top of the cut deck, so place 10 goes to place 0.
        assert_eq!((out.deck(1).indices()[10], out.deck(1).indices()[0]), (0, 42));
    }
}
