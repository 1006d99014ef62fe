//! `audit:KEY`: the certified shuffle on the audit path, any deck directly.

use std::sync::Arc;

use crate::deck::block::{BLOCK_HANDS, DeckBlock};
use crate::key::AuditKey;
use crate::shuffle::lanes::{PreparedAuditKey, audit_block};
use crate::source::{DeckSource, SourceError};

/// Deck i is `shuffle(52, HK_i)` with `HK_i` of [`AuditKey::hand_key`].
pub struct Audit {
    key: Arc<PreparedAuditKey>,
    decks: u64,
}

impl Audit {
    /// The decks 0 to `decks − 1` of a key.
    pub fn new(key: &AuditKey, decks: u64) -> Audit {
        Audit { key: Arc::new(PreparedAuditKey::new(key)), decks }
    }
}

impl DeckSource for Audit {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        let hands = self.decks.saturating_sub(first).min(BLOCK_HANDS as u64) as usize;
        audit_block(&self.key, first, hands, block);
        Ok(())
    }

    fn go_on(&mut self, decks: u64) -> bool {
        self.decks = decks;
        true
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        Some(Box::new(Audit { key: Arc::clone(&self.key), decks: self.decks }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shuffle::shuffle_deck;

    fn audit(decks: u64) -> Audit {
        Audit::new(&AuditKey::from_bytes([7; 32]), decks)
    }

    #[test]
    fn a_block_holds_the_decks_of_its_numbers_and_the_last_block_is_partial() {
        let (mut source, mut block) = (audit(70), DeckBlock::default());
        source.fill(64, &mut block).expect("the certified shuffle cannot fail");
        assert_eq!(block.hands(), 6);
        let key = AuditKey::from_bytes([7; 32]);
        assert_eq!(block.deck(5), shuffle_deck(key.hand_key(69).bytes()));
        source.fill(128, &mut block).expect("past the end there are no decks");
        assert!(block.is_empty());
    }

    #[test]
    fn a_fork_gives_the_same_decks() {
        let source = audit(64);
        let (mut a, mut b) = (DeckBlock::default(), DeckBlock::default());
        let mut fork = source.fork().expect("the audit path forks");
        fork.fill(0, &mut a).expect("the certified shuffle cannot fail");
        fork.fill(0, &mut b).expect("the certified shuffle cannot fail");
        assert_eq!(a.rows(), b.rows());
    }
}
