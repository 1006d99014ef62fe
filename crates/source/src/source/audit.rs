//! `audit:KEY`: the certified shuffle on the audit path, any deck directly; `--seed TEXT` makes the key from a text.

use std::ffi::OsStr;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::source::ask::{Abilities, AskError, DECKS_DEFAULT, Opened, Source};
use crate::source::kind::{self, Kind, KindFacts};
use crate::source::record::{RecordError, SourceRecord};
use crate::source::settings::{Settings, SourceSetting};
use crate::source::{DeckSource, SourceError};
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_deck::key::AuditKey;
use deckproof_deck::shuffle::lanes::{PreparedAuditKey, audit_block};
use deckproof_deck::text::visible;

/// The kind, as it is in the list.
pub(super) struct AuditKind;

const SEED: SourceSetting = SourceSetting::new(
    "seed",
    "TEXT",
    "Of the certified shuffle: make its key from this text, so that the same decks can be had again by hand. Never for play",
);

/// The longest text that a key is made from, in bytes.
const SEED_BYTES_MAX: usize = 256;

impl Kind for AuditKind {
    fn facts(&self) -> KindFacts {
        KindFacts { settings: &[SEED], is_certified: true, ..KindFacts::new("audit", "audit or audit:KEY") }
    }

    fn parse(&self, rest: Option<&OsStr>, settings: &Settings) -> Result<Box<dyn Source>, AskError> {
        let key = rest.map(|_| kind::key(self, rest)).transpose()?;
        let Some(seed) = settings.text(SEED.name) else { return Ok(Box::new(Asked { key, seed: None })) };
        if key.is_some() {
            return Err(AskError::new("found a key and a --seed, wanted one of them", "Leave one out."));
        }
        let key = key_of_seed(seed).map_err(|error| AskError::new(format!("--seed: {error}"), ""))?;
        Ok(Box::new(Asked { key: Some(key), seed: Some(seed.to_owned()) }))
    }

    fn of_record(&self, record: &SourceRecord) -> Result<Box<dyn Source>, AskError> {
        Ok(Box::new(Asked { key: Some(key_of(record)?), seed: record.shown(SEED.name) }))
    }

    fn check(&self, record: &SourceRecord) -> Result<(), RecordError> {
        key_of(record).map(drop)
    }

    fn words(&self, record: &SourceRecord) -> Result<String, RecordError> {
        let seed = record.shown(SEED.name).map(|seed| format!(", made from the text {:?}", visible(&seed)));
        Ok(format!(
            "the certified shuffle, audit path, key {}{}",
            record.text("key")?,
            seed.unwrap_or_default()
        ))
    }
}

/// The key that a text leads to: `SHA-256("deckproof/seed/v1\n" ‖ text)`. The text gives every deck: such a
/// key is for examples and audits, never for play.
///
/// # Errors
/// What was found, for a text that is empty or longer than 256 bytes.
pub fn key_of_seed(text: &str) -> Result<AuditKey, String> {
    if !(1..=SEED_BYTES_MAX).contains(&text.len()) {
        return Err(format!("found a text of {} bytes, wanted 1 to {SEED_BYTES_MAX}", text.len()));
    }
    let hash = Sha256::new_with_prefix("deckproof/seed/v1\n").chain_update(text).finalize();
    Ok(AuditKey::from_bytes(hash.into()))
}

fn key_of(record: &SourceRecord) -> Result<AuditKey, RecordError> {
    record.only(&["key", SEED.name])?;
    let key = record.hexadecimal("key")?;
    if record.shown(SEED.name).is_some() {
        let seed = record.text(SEED.name)?;
        if key_of_seed(seed).map_or(true, |made| made.disclose().as_str() != key) {
            return Err(record.wrong("key", key, "the key that is made from the text of the seed"));
        }
    }
    key.parse().map_err(|error| record.wrong("key", error, "64 hexadecimal digits"))
}

/// The audit path; without a key a fresh one is made.
struct Asked {
    key: Option<AuditKey>,
    seed: Option<String>,
}

impl Source for Asked {
    fn abilities(&self) -> Abilities {
        let shard = match self.key {
            Some(_) => Ok(()),
            None => Err("shards of a fresh key would have different keys; give audit:KEY"),
        };
        Abilities { shard, ..AuditKind.facts().abilities }
    }

    fn open(self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError> {
        let key = self.key.map_or_else(AuditKey::fresh, Ok);
        let key = key.map_err(|error| AskError::new(error.to_string(), ""))?;
        let decks = decks.unwrap_or(DECKS_DEFAULT);
        let record = SourceRecord::new("audit").with("key", key.disclose().as_str());
        let record = self.seed.iter().fold(record, |record, seed| record.with(SEED.name, seed.as_str()));
        Ok(Opened::of(Box::new(Audit::new(&key, decks)), record, decks))
    }

    fn go_on_from(&mut self, saved: &SourceRecord) {
        let is_fresh = self.key.is_none() && saved.kind() == AuditKind.facts().record_kind;
        if let Some(key) = key_of(saved).ok().filter(|_| is_fresh) {
            *self = Asked { key: Some(key), seed: saved.shown(SEED.name) };
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
