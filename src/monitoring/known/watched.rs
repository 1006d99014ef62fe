//! A source whose decks are remembered as they are counted.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::deck::block::DeckBlock;
use crate::monitoring::known::day::{Day, key};
use crate::source::ask::{Abilities, AskError, Opened, Source};
use crate::source::record::SourceRecord;
use crate::source::{Consumed, DeckSource, SourceError};

/// The day that several readers of a source add to.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<Day>>);

impl Shared {
    /// A day without a deck.
    pub fn new(day: Day) -> Shared {
        Shared(Arc::new(Mutex::new(day)))
    }

    /// The day, for as long as nobody else adds to it.
    pub fn day(&self) -> MutexGuard<'_, Day> {
        // A thread that panicked has added a deck or not: the day is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A source that was asked for, and the day its decks are added to.
pub struct Watched {
    /// The source.
    pub source: Box<dyn Source>,
    /// The day.
    pub day: Shared,
}

impl Source for Watched {
    fn abilities(&self) -> Abilities {
        self.source.abilities()
    }

    fn open(self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError> {
        let Watched { source, day } = *self;
        let opened = source.open(decks)?;
        Ok(Opened { source: Box::new(Reading { source: opened.source, day }), ..opened })
    }

    fn record(self: Box<Self>, decks: Option<u64>) -> Result<(SourceRecord, Option<u64>), AskError> {
        self.source.record(decks)
    }

    fn continued(self: Box<Self>, saved: &SourceRecord) -> Box<dyn Source> {
        let Watched { source, day } = *self;
        Box::new(Watched { source: source.continued(saved), day })
    }

    fn warning(&self) -> Option<&'static str> {
        self.source.warning()
    }

    fn program_sha256(&self) -> Result<Option<String>, AskError> {
        self.source.program_sha256()
    }
}

struct Reading {
    source: Box<dyn DeckSource>,
    day: Shared,
}

impl DeckSource for Reading {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        self.source.fill(first, block)?;
        // Hashed before the lock, so that threads wait for a push only.
        let keys: Vec<_> = (0..block.hands()).map(|lane| key(&block.deck(lane))).collect();
        let mut day = self.day.day();
        keys.iter().zip(first..).for_each(|(key, place)| day.add(key, place));
        Ok(())
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        let source = self.source.fork()?;
        Some(Box::new(Reading { source, day: self.day.clone() }))
    }

    fn go_on(&mut self, decks: u64) -> bool {
        self.source.go_on(decks)
    }

    fn check_end(&mut self) -> Result<(), SourceError> {
        self.source.check_end()
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
