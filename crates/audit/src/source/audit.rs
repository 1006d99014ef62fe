//! `audit:KEY`: the certified shuffle on the audit path, any deck directly.

use std::ffi::OsStr;
use std::sync::Arc;

use crate::source::ask::{self, Abilities, AskError, DECKS_DEFAULT, Opened, Source};
use crate::source::kind::{self, Kind};
use crate::source::record::{RecordError, SourceRecord};
use crate::source::settings::Settings;
use crate::source::{DeckSource, SourceError};
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_deck::key::AuditKey;
use deckproof_deck::shuffle::lanes::{PreparedAuditKey, audit_block};

/// The kind, as it stands in the list.
pub(super) struct AuditKind;

impl Kind for AuditKind {
    fn name(&self) -> &'static str {
        "audit"
    }

    fn form(&self) -> &'static str {
        "audit or audit:KEY"
    }

    fn about(&self) -> &'static str {
        "The certified shuffle, any deck directly; without a key a fresh one is made and recorded."
    }

    fn parse(&self, rest: Option<&OsStr>, _: &Settings) -> Result<Box<dyn Source>, AskError> {
        let key = rest.map(|_| kind::key(self, rest)).transpose()?;
        Ok(Box::new(Asked { key }))
    }

    fn record_kind(&self) -> &'static str {
        "audit"
    }

    fn abilities(&self) -> Abilities {
        Abilities::ALL
    }

    fn of_record(&self, record: &SourceRecord) -> Result<Box<dyn Source>, AskError> {
        Ok(Box::new(Asked { key: Some(key_of(record)?) }))
    }

    fn check(&self, record: &SourceRecord) -> Result<(), RecordError> {
        key_of(record).map(drop)
    }

    fn words(&self, record: &SourceRecord) -> Result<String, RecordError> {
        Ok(format!("the certified shuffle, audit path, key {}", record.text("key")?))
    }

    fn is_certified(&self) -> bool {
        true
    }
}

fn key_of(record: &SourceRecord) -> Result<AuditKey, RecordError> {
    record.only(&["key"])?;
    record.hexadecimal("key")?.parse().map_err(|error| record.wrong("key", error, "64 hexadecimal digits"))
}

/// The audit path; without a key a fresh one is made.
struct Asked {
    key: Option<AuditKey>,
}

impl Source for Asked {
    fn abilities(&self) -> Abilities {
        let shard = match self.key {
            Some(_) => Ok(()),
            None => Err("shards of a fresh key would have different keys; give audit:KEY"),
        };
        Abilities { shard, ..AuditKind.abilities() }
    }

    fn open(self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError> {
        let key = self.key.map_or_else(AuditKey::fresh, Ok);
        let key = key.map_err(|error| AskError::new(error.to_string(), ""))?;
        let decks = decks.unwrap_or(DECKS_DEFAULT);
        let record = SourceRecord::new("audit").with("key", key.disclose().as_str());
        Ok(Opened::of(Box::new(Audit::new(&key, decks)), record, decks))
    }

    fn record(self: Box<Self>, decks: Option<u64>) -> Result<(SourceRecord, Option<u64>), AskError> {
        ask::record_by_opening(self, decks)
    }

    fn continued(self: Box<Self>, saved: &SourceRecord) -> Box<dyn Source> {
        match key_of(saved) {
            Ok(key) if self.key.is_none() && saved.kind() == AuditKind.record_kind() => {
                Box::new(Asked { key: Some(key) })
            }
            _ => self,
        }
    }
}

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
    use deckproof_deck::shuffle::shuffle_deck;

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
