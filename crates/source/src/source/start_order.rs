//! Whether a start order that somebody stated is the order of one of the decks: then it was chosen after they were dealt, and fair decks
//! fail by it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::source::SourceError;
use crate::source::watched::Onlooker;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::Deck;
use deckproof_deck::deck::block::DeckBlock;

/// The first deck that lies as the start order does, also rotated, reversed or both; shared by all readers.
#[derive(Clone)]
pub(super) struct SeenStart(Arc<Mutex<Option<u64>>>);

impl SeenStart {
    /// What decks are shown to as they are read, and what it has found among them.
    pub(super) fn of(order: &Deck) -> (Onlooker, SeenStart) {
        let (order, found) = (*order.indices(), SeenStart(Arc::default()));
        let own = found.clone();
        let onlooker: Onlooker = Arc::new(move |first, block: &DeckBlock| {
            if let Some(lane) =
                (0..block.hands()).find(|&lane| lies_as(&order, |place| block.row(place)[lane]))
            {
                let mut found = own.0.lock().unwrap_or_else(PoisonError::into_inner);
                let deck = first + lane as u64;
                *found = Some(found.map_or(deck, |before| before.min(deck)));
            }
        });
        (onlooker, found)
    }

    /// That no deck lies as the order does; deck 0 is this record.
    ///
    /// # Errors
    /// [`SourceError::StartOrder`].
    pub(super) fn check(&self, first: u64) -> Result<(), SourceError> {
        let found = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        found.map_or(Ok(()), |deck| Err(SourceError::StartOrder { record: first + deck }))
    }
}

/// Whether the cards of a deck follow one another as those of an order do, or as those before one another, in a circle.
fn lies_as(order: &[u8; DECK_CARDS], card: impl Fn(usize) -> u8) -> bool {
    let Some(start) = (0..DECK_CARDS).find(|&place| card(place) == order[0]) else { return false };
    let at = |place: usize| card(place % DECK_CARDS);
    let is_along = |step: usize| (1..DECK_CARDS).all(|place| at(start + step * place) == order[place]);
    is_along(1) || is_along(DECK_CARDS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotated_and_reversed_decks_lie_as_the_order_does_and_others_do_not() {
        let order: [u8; DECK_CARDS] = std::array::from_fn(|place| (place * 5 % DECK_CARDS) as u8);
        for rotation in [0, 1, 17, 51] {
            assert!(lies_as(&order, |place| order[(place + rotation) % DECK_CARDS]), "{rotation}");
            assert!(
                lies_as(&order, |place| order[(DECK_CARDS - 1 - place + rotation) % DECK_CARDS]),
                "{rotation}"
            );
        }
        let mut other = order;
        other.swap(20, 21);
        assert!(!lies_as(&order, |place| other[place]));
        assert!(!lies_as(&order, |place| place as u8));
    }
}
