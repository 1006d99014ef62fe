//! Start orders: the usual ways to number the cards of a new deck.

use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{DeckBlock, EMPTY_LANE, Row};

/// The number of a card in a start order.
pub(super) type Number = fn(rank: usize, suit: usize) -> usize;

/// Clubs, diamonds, hearts, spades, as cards are numbered here.
const DIAMONDS: usize = 1;
const HEARTS: usize = 2;
const SPADES: usize = 3;

/// Aces first.
const fn ace_low(rank: usize) -> usize {
    (rank + 1) % 13
}

/// As makers in the United States print it: spades and diamonds from the ace up, clubs and hearts from the king down.
const fn new_pack(rank: usize, suit: usize) -> usize {
    match suit {
        SPADES => ace_low(rank),
        DIAMONDS => 13 + ace_low(rank),
        HEARTS => 51 - ace_low(rank),
        _ => 38 - ace_low(rank),
    }
}

/// By ranks with aces high, as decks are written here, or low; by suits with aces high or low; a new pack from the top or
/// from the bottom.
pub(super) const ORDERS: [Number; 6] = [
    |rank, suit| 4 * rank + suit,
    |rank, suit| 13 * suit + rank,
    |rank, suit| 13 * suit + ace_low(rank),
    |rank, suit| 4 * ace_low(rank) + suit,
    new_pack,
    |rank, suit| 51 - new_pack(rank, suit),
];

/// The decks with the cards numbered by an order.
pub(super) fn renamed(block: &DeckBlock, order: Number) -> DeckBlock {
    let numbers: Row =
        std::array::from_fn(
            |card| if card < DECK_CARDS { order(card / 4, card % 4) as u8 } else { EMPTY_LANE },
        );
    block.renamed(&numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_numbers_every_card_once() {
        for order in ORDERS {
            let mut numbers: Vec<usize> = (0..52).map(|card| order(card / 4, card % 4)).collect();
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..52));
        }
        // A new pack begins A♠ 2♠ … and ends 2♥ A♥.
        assert_eq!(
            [new_pack(12, SPADES), new_pack(0, SPADES), new_pack(0, HEARTS), new_pack(12, HEARTS)],
            [0, 1, 50, 51]
        );
    }
}
