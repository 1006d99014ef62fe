//! The decks of blocks one after another, for the plain loops that the lanes are tested against.

use crate::card::DECK_CARDS;
use crate::deck::block::{DeckBlock, Row};

/// Card numbers from the top.
pub(super) type Order = [u8; DECK_CARDS];

/// A number of the deck in every lane, measured deck by deck.
pub(super) fn in_lanes(rows: &[Row; DECK_CARDS], measure: impl Fn(&Order) -> usize) -> Row {
    std::array::from_fn(|lane| measure(&std::array::from_fn(|place| rows[place][lane])) as u8)
}

/// Every deck of the blocks, empty lanes left out.
pub(super) fn orders(blocks: &[DeckBlock]) -> impl Iterator<Item = Order> + '_ {
    blocks.iter().flat_map(|block| {
        let rows = block.rows();
        (0..block.hands()).map(move |lane| std::array::from_fn(|place| rows[place][lane]))
    })
}

/// The inverse: the place of every card.
pub(super) fn inverse(order: &Order) -> Order {
    let mut places = [0; DECK_CARDS];
    for (place, &card) in order.iter().enumerate() {
        places[usize::from(card)] = place as u8;
    }
    places
}
