//! Decks of a dealer that starts from another order: every card becomes its place in that order.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::deck::Deck;
use crate::deck::block::{DeckBlock, EMPTY_LANE};
use crate::source::{Consumed, DeckSource, SourceError};

/// `s⁻¹∘c`, where c is a deck of the inner source and s the start order: the permutation the dealer made.
///
/// If c is uniform, so is this, whatever s: relabelling hurts no null hypothesis.
pub struct Relabelled {
    inner: Box<dyn DeckSource>,
    /// By card: its place in the start order; an empty lane stays empty.
    places: [u8; 64],
}

impl Relabelled {
    /// The decks of `inner` as seen from `start`.
    pub fn new(inner: Box<dyn DeckSource>, start: &Deck) -> Relabelled {
        let mut places = [EMPTY_LANE; 64];
        places[..start.places().len()].copy_from_slice(&start.places());
        Relabelled { inner, places }
    }
}

impl DeckSource for Relabelled {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        self.inner.fill(first, block)?;
        let places = &self.places;
        block.fill(block.hands(), |rows| {
            rows.as_flattened_mut().iter_mut().for_each(|card| *card = places[usize::from(*card & 63)]);
        });
        Ok(())
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        Some(Box::new(Relabelled { inner: self.inner.fork()?, places: self.places }))
    }

    fn go_on(&mut self, decks: u64) -> bool {
        self.inner.go_on(decks)
    }

    fn check_end(&mut self) -> Result<(), SourceError> {
        self.inner.check_end()
    }

    fn arrivals(&self) -> Option<Arc<AtomicU64>> {
        self.inner.arrivals()
    }

    fn consumed(&self) -> Option<Consumed> {
        self.inner.consumed()
    }

    fn resume(&mut self, consumed: &Consumed) -> Result<(), SourceError> {
        self.inner.resume(consumed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::flawed::Flawed;

    #[test]
    fn an_unshuffled_deck_becomes_the_order_of_places() {
        let mut start = Deck::in_order();
        start.swap(3, 40);
        start.swap(3, 51);
        let (mut plain, mut seen) = (DeckBlock::default(), DeckBlock::default());
        let open = || Flawed::open("riffle-1", 70).expect("it is in the list");
        open().fill(64, &mut plain).expect("no record is spoilt");
        Relabelled::new(Box::new(open()), &start).fill(64, &mut seen).expect("no record is spoilt");
        assert_eq!(seen.hands(), 6);
        for lane in 0..6 {
            for place in 0..52 {
                // Card c of the deck stands where the start order says, and nowhere else.
                let card = plain.row(place)[lane];
                assert_eq!(start.indices()[usize::from(seen.row(place)[lane])], card);
            }
        }
        assert_eq!(seen.row(0)[6], EMPTY_LANE);
    }
}
