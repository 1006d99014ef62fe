//! `os`: the certified shuffle under a fresh operating-system key for each hand; nothing to replay.

use crate::deck::block::{BLOCK_HANDS, DeckBlock};
use crate::key::HandKey;
use crate::shuffle::lanes::{HandKeys, shuffle_block};
use crate::source::{DeckSource, SourceError};

/// Every call draws new decks, whatever number is asked for.
pub struct OperatingSystem {
    decks: u64,
}

impl OperatingSystem {
    /// `decks` fresh decks.
    pub fn new(decks: u64) -> OperatingSystem {
        OperatingSystem { decks }
    }
}

impl DeckSource for OperatingSystem {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        let mut keys = HandKeys::default();
        for _ in first..self.decks.min(first.saturating_add(BLOCK_HANDS as u64)) {
            keys.push(&HandKey::fresh().map_err(|error| SourceError::Failed(error.to_string()))?);
        }
        shuffle_block(&keys, block);
        Ok(())
    }

    fn go_on(&mut self, decks: u64) -> bool {
        self.decks = decks;
        true
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        Some(Box::new(OperatingSystem::new(self.decks)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_draws_new_decks_up_to_the_limit() {
        let mut source = OperatingSystem::new(65);
        let (mut first, mut again) = (DeckBlock::default(), DeckBlock::default());
        source.fill(0, &mut first).expect("the operating system has random bytes");
        source.fill(0, &mut again).expect("the operating system has random bytes");
        assert_ne!(first.rows(), again.rows());
        source.fill(64, &mut again).expect("the operating system has random bytes");
        assert_eq!(again.hands(), 1);
    }
}
