//! `chain:KEY`: the certified shuffle exactly as a table deals it, one chain key after the other.

use std::sync::Arc;

use crate::deck::block::{BLOCK_HANDS, DeckBlock};
use crate::key::{ChainKey, DayKey, HandContext, HandKey};
use crate::shuffle::lanes::{HandKeys, shuffle_block};
use crate::source::{DeckSource, SourceError};

/// What a table's chain of a day begins with.
pub struct ChainStart {
    /// The key of the day.
    pub day_key: DayKey,
    /// Who deals.
    pub origin: String,
    /// Where.
    pub table: String,
    /// The hand the chain begins with.
    pub first_hand: u64,
    /// What is mixed into every hand, `none` without players' seeds.
    pub mix: String,
}

impl ChainStart {
    fn chain_key(&self) -> ChainKey {
        self.day_key.chain(&self.origin, &self.table, self.first_hand)
    }

    fn context(&self, hand: u64) -> HandContext {
        HandContext::new(&self.origin, &self.table, hand, &self.mix)
    }
}

/// Deck n is the deck of hand `first_hand + n`.
///
/// A chain has no short cut: a fork or a jump back begins at the day key again and steps.
pub struct Chain {
    start: Arc<ChainStart>,
    decks: u64,
    link: Link,
}

/// The chain key of one deck; `None` only while it is being replaced.
struct Link {
    number: u64,
    key: Option<ChainKey>,
}

impl Chain {
    /// The first `decks` hands of a chain.
    ///
    /// # Errors
    /// [`SourceError::Failed`] when the hand numbers pass 2^64.
    pub fn new(start: Arc<ChainStart>, decks: u64) -> Result<Chain, SourceError> {
        if start.first_hand.checked_add(decks).is_none() {
            let (first, limit) = (start.first_hand, u64::MAX);
            return Err(SourceError::Failed(format!(
                "found {decks} hands from hand {first}, wanted hand numbers up to {limit}"
            )));
        }
        Ok(Chain::at_start(start, decks))
    }

    fn at_start(start: Arc<ChainStart>, decks: u64) -> Chain {
        let link = Link { number: 0, key: Some(start.chain_key()) };
        Chain { start, decks, link }
    }
}

impl Link {
    fn go_to(&mut self, number: u64, start: &ChainStart) {
        if number < self.number {
            *self = Link { number: 0, key: Some(start.chain_key()) };
        }
        while self.number < number {
            self.key = self.key.take().map(ChainKey::next);
            self.number += 1;
        }
    }

    fn hand_key(&mut self, number: u64, start: &ChainStart) -> HandKey {
        self.go_to(number, start);
        let key = self.key.as_ref().expect("a link always has its key back");
        key.hand_key(&start.context(start.first_hand + number))
    }
}

impl DeckSource for Chain {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        let Chain { start, decks, link } = self;
        let mut keys = HandKeys::default();
        for number in first..(*decks).min(first.saturating_add(BLOCK_HANDS as u64)) {
            keys.push(&link.hand_key(number, start));
        }
        shuffle_block(&keys, block);
        Ok(())
    }

    /// Not past hand numbers of 64 bits.
    fn go_on(&mut self, decks: u64) -> bool {
        let fits = self.start.first_hand.checked_add(decks).is_some();
        self.decks = if fits { decks } else { self.decks };
        fits
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        Some(Box::new(Chain::at_start(Arc::clone(&self.start), self.decks)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shuffle::shuffle_deck;

    fn start() -> Arc<ChainStart> {
        Arc::new(ChainStart {
            day_key: DayKey::from_bytes([9; 32]),
            origin: "example.org".into(),
            table: "T1".into(),
            first_hand: 5,
            mix: "none".into(),
        })
    }

    #[test]
    fn deck_n_is_hand_first_plus_n_of_the_chain() {
        let context = |hand| HandContext::new("example.org", "T1", hand, "none");
        let key = DayKey::from_bytes([9; 32]).chain("example.org", "T1", 5);
        let zeroth = shuffle_deck(key.hand_key(&context(5)).bytes());
        let second = shuffle_deck(key.next().next().hand_key(&context(7)).bytes());
        let (mut block, mut chain) =
            (DeckBlock::default(), Chain::new(start(), 3).expect("3 hands fit into 64 bits"));
        chain.fill(0, &mut block).expect("a chain cannot fail");
        assert_eq!((block.hands(), block.deck(0), block.deck(2)), (3, zeroth, second));
    }

    #[test]
    fn jumps_and_forks_step_to_the_same_decks() {
        let mut chain = Chain::new(start(), 300).expect("300 hands fit into 64 bits");
        let (mut ahead, mut back, mut forked) =
            (DeckBlock::default(), DeckBlock::default(), DeckBlock::default());
        chain.fill(192, &mut ahead).expect("a chain cannot fail");
        chain.fill(0, &mut back).expect("a chain cannot fail");
        let mut fork = chain.fork().expect("a chain forks by stepping");
        fork.fill(192, &mut forked).expect("a chain cannot fail");
        assert_eq!(ahead.rows(), forked.rows());
        assert_ne!(ahead.rows(), back.rows());
    }

    #[test]
    fn hand_numbers_past_64_bits_are_refused() {
        assert!(matches!(Chain::new(start(), u64::MAX), Err(SourceError::Failed(_))));
    }
}
