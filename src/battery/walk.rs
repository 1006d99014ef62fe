//! The decks of blocks one after another, for the plain loops that specify what is counted.

use crate::card::DECK_CARDS;
use crate::deck::block::DeckBlock;

/// Card numbers from the top.
pub(super) type Order = [u8; DECK_CARDS];

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

/// Cycles of the deck as a permutation of card numbers, fixed points among them.
pub(super) fn cycles(order: &Order) -> usize {
    let (mut seen, mut cycles) = (0u64, 0);
    for start in 0..order.len() {
        if seen >> start & 1 == 0 {
            cycles += 1;
            let mut at = start;
            while seen >> at & 1 == 0 {
                seen |= 1 << at;
                at = usize::from(order[at]);
            }
        }
    }
    cycles
}
