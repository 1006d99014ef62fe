//! A source whose decks are remembered, and counted by table, as they are judged.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::deck::block::DeckBlock;
use crate::monitoring::by_table::ByTable;
use crate::monitoring::known::day::{Day, key};
use crate::source::ask::{Abilities, AskError, Opened, Source};
use crate::source::record::SourceRecord;
use crate::source::{Consumed, DeckSource, FileEnd, SourceError};

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
    /// The day, where decks are remembered.
    pub day: Option<Shared>,
    /// The tables, where each is counted by itself.
    pub tables: Option<ByTable>,
}

impl Source for Watched {
    fn abilities(&self) -> Abilities {
        self.source.abilities()
    }

    fn open(self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError> {
        let Watched { source, day, tables } = *self;
        let opened = source.open(decks)?;
        if let Some(tables) = &tables {
            tables.set_files(opened.source.files());
        }
        Ok(Opened { source: Box::new(Reading { source: opened.source, day, tables }), ..opened })
    }

    fn record(self: Box<Self>, decks: Option<u64>) -> Result<(SourceRecord, Option<u64>), AskError> {
        self.source.record(decks)
    }

    fn continued(self: Box<Self>, saved: &SourceRecord) -> Box<dyn Source> {
        let Watched { source, day, tables } = *self;
        Box::new(Watched { source: source.continued(saved), day, tables })
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
    day: Option<Shared>,
    tables: Option<ByTable>,
}

impl DeckSource for Reading {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        self.source.fill(first, block)?;
        if let Some(tables) = &self.tables {
            tables.add(first, block);
        }
        let Some(day) = &self.day else { return Ok(()) };
        // Hashed before the lock, so that threads wait for a push only.
        let keys: Vec<_> = (0..block.hands()).map(|lane| key(&block.deck(lane))).collect();
        let mut day = day.day();
        keys.iter().zip(first..).for_each(|(key, place)| day.add(key, place));
        Ok(())
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        let source = self.source.fork()?;
        Some(Box::new(Reading { source, day: self.day.clone(), tables: self.tables.clone() }))
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
