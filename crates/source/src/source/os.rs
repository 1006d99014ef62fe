//! `os`: the certified shuffle under a fresh operating-system key for each hand; nothing to replay.

use std::ffi::OsStr;

use crate::source::ask::{Abilities, AskError, DECKS_DEFAULT, Opened, Source};
use crate::source::kind::{self, Kind, KindFacts};
use crate::source::record::{RecordError, SourceRecord};
use crate::source::settings::Settings;
use crate::source::{DeckSource, SourceError};
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_deck::key::HandKey;
use deckproof_deck::shuffle::lanes::{HandKeys, shuffle_block};

/// The kind, as it is in the list.
pub(super) struct OsKind;

impl Kind for OsKind {
    fn facts(&self) -> KindFacts {
        KindFacts {
            abilities: Abilities {
                resume: Err("fresh operating-system keys cannot be drawn again"),
                shard: Err("fresh operating-system keys are different in every shard"),
                rerun: Err("an audit of fresh operating-system keys cannot be run again"),
                ..Abilities::ALL
            },
            is_certified: true,
            ..KindFacts::new("os", "os")
        }
    }

    fn parse(&self, rest: Option<&OsStr>, _: &Settings) -> Result<Box<dyn Source>, AskError> {
        kind::nothing(self, rest)?;
        Ok(Box::new(OperatingSystem::new(DECKS_DEFAULT)))
    }

    fn of_record(&self, _: &SourceRecord) -> Result<Box<dyn Source>, AskError> {
        Ok(Box::new(OperatingSystem::new(DECKS_DEFAULT)))
    }

    fn check(&self, record: &SourceRecord) -> Result<(), RecordError> {
        record.only(&[])
    }

    fn words(&self, _: &SourceRecord) -> Result<String, RecordError> {
        Ok("the certified shuffle with a fresh operating-system key for each deck".to_owned())
    }
}

/// What the public record says of fresh operating-system keys.
pub fn record() -> SourceRecord {
    SourceRecord::new("os")
}

impl Source for OperatingSystem {
    fn abilities(&self) -> Abilities {
        OsKind.facts().abilities
    }

    fn open(mut self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError> {
        self.decks = decks.unwrap_or(DECKS_DEFAULT);
        let decks = self.decks;
        Ok(Opened::of(self, record(), decks))
    }
}

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
