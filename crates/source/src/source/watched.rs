//! A source whose decks somebody else sees too, block by block, as they are counted.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::source::ask::{Abilities, AskError, Opened, Source};
use crate::source::marks::Marks;
use crate::source::record::SourceRecord;
use crate::source::{Consumed, DeckSource, FileEnd, SourceError};
use deckproof_deck::deck::block::DeckBlock;

/// Sees a block, whose first deck has this number; on any thread, in no order.
pub type Onlooker = Arc<dyn Fn(u64, &DeckBlock) + Send + Sync>;

/// Who looks at the decks of a source is known once it is open.
pub type Begin = Box<dyn FnOnce(&Opened) -> Onlooker + Send>;

/// The source, whose decks the watcher of `begin` sees, too.
pub fn watched(source: Box<dyn Source>, begin: Begin) -> Box<dyn Source> {
    Box::new(Watched { source, begin })
}

struct Watched {
    source: Box<dyn Source>,
    begin: Begin,
}

impl Source for Watched {
    fn abilities(&self) -> Abilities {
        self.source.abilities()
    }

    fn open(self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError> {
        let Watched { source, begin } = *self;
        let opened = source.open(decks)?;
        let onlooker = begin(&opened);
        Ok(Opened { source: seen(opened.source, onlooker), ..opened })
    }

    fn record(self: Box<Self>, decks: Option<u64>) -> Result<(SourceRecord, Option<u64>), AskError> {
        self.source.record(decks)
    }

    fn go_on_from(&mut self, saved: &SourceRecord) {
        self.source.go_on_from(saved);
    }

    fn warning(&self) -> Option<&'static str> {
        self.source.warning()
    }

    fn program_sha256(&self) -> Result<Option<String>, AskError> {
        self.source.program_sha256()
    }
}

/// An open source, whose decks are also seen.
pub(super) fn seen(source: Box<dyn DeckSource>, onlooker: Onlooker) -> Box<dyn DeckSource> {
    Box::new(Reading { source, onlooker })
}

struct Reading {
    source: Box<dyn DeckSource>,
    onlooker: Onlooker,
}

impl DeckSource for Reading {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        self.source.fill(first, block)?;
        (self.onlooker)(first, block);
        Ok(())
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        Some(Box::new(Reading { source: self.source.fork()?, onlooker: Arc::clone(&self.onlooker) }))
    }

    fn go_on(&mut self, decks: u64) -> bool {
        self.source.go_on(decks)
    }

    fn check_end(&mut self) -> Result<(), SourceError> {
        self.source.check_end()
    }

    fn files(&self) -> Vec<FileEnd> {
        self.source.files()
    }

    fn place_of(&mut self, deck: u64) -> Option<String> {
        self.source.place_of(deck)
    }

    fn marks(&self) -> Option<Marks> {
        self.source.marks()
    }

    fn arrivals(&self) -> Option<Arc<AtomicU64>> {
        self.source.arrivals()
    }

    fn consumed(&self) -> Option<Consumed> {
        self.source.consumed()
    }

    fn resume(&mut self, consumed: &Consumed) -> Result<(), SourceError> {
        self.source.resume(consumed)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::source::list::CATALOGUE;
    use crate::source::settings::Settings;

    #[test]
    fn every_deck_is_seen_once_by_forks_too_and_nothing_else_changes() {
        let asked = || {
            let key = format!("audit:{}", "07".repeat(32));
            CATALOGUE.ask(key.as_ref(), &Settings::default()).expect("a key")
        };
        let plain = asked().open(Some(200)).expect("any deck of it");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let own = Arc::clone(&seen);
        let begin = move |opened: &Opened| -> Onlooker {
            assert_eq!(opened.decks, Some(200));
            Arc::new(move |first, block: &DeckBlock| {
                seen.lock().expect("nobody panics").push((first, block.hands()));
            })
        };
        let opened = watched(asked(), Box::new(begin)).open(Some(200)).expect("the same");
        assert_eq!((opened.record, opened.decks), (plain.record, plain.decks));
        let (mut source, mut block) = (opened.source, DeckBlock::default());
        source.fill(0, &mut block).expect("it has them");
        let mut fork = source.fork().expect("any deck, any time");
        fork.fill(64, &mut block).expect("it has them");
        let (mut same, mut other) = (plain.source, DeckBlock::default());
        same.fill(64, &mut other).expect("it has them");
        assert_eq!(block.deck(5), other.deck(5));
        assert_eq!(*own.lock().expect("nobody panics"), [(0, 64), (64, 64)]);
    }
}
