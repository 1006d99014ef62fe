//! Decks that stand in both of two sets: independent shuffles never deal one deck twice.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use crate::battery::duplicates::EQUAL;
use crate::battery::duplicates::sketch::{KEY_BITS, Sketch};
use crate::deck::block::DeckBlock;
use crate::source::ask::{Abilities, AskError, Opened, Source};
use crate::source::record::SourceRecord;
use crate::source::{Consumed, DeckSource, FileEnd, SourceError};

/// What looking for decks of one set in the other found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SharedDecks {
    /// Different decks that stand in both sets, of those whose fingerprints were kept.
    pub decks: u64,
    /// Fingerprints below 2^(96 − halvings) were kept of both sets.
    pub halvings: u32,
    /// The first of them in the first set, and the same deck in the second, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<[u64; 2]>,
}

/// The fingerprints of one set as its decks are read, thinned as those of repeated decks are.
#[derive(Clone)]
pub struct Seen(Arc<Mutex<Sketch>>);

impl Seen {
    /// No deck yet.
    pub fn new() -> Seen {
        Seen(Arc::new(Mutex::new(Sketch::new(&EQUAL))))
    }

    /// The source, whose decks are remembered here.
    pub fn through(&self, source: Box<dyn Source>) -> Box<dyn Source> {
        Box::new(Watched { source, seen: self.clone() })
    }

    /// The decks that the other set has too.
    pub fn shared(&self, other: &Seen) -> SharedDecks {
        let (mut first, mut second) = (self.sketch(), other.sketch());
        first.settle();
        second.settle();
        shared(&first, &second)
    }

    fn sketch(&self) -> MutexGuard<'_, Sketch> {
        // A thread that panicked has added a deck or not: the sketch is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Seen {
    fn default() -> Seen {
        Seen::new()
    }
}

/// Of two sorted lists of keys with the numbers of their decks.
fn shared(first: &Sketch, second: &Sketch) -> SharedDecks {
    let low_bits = 128 - KEY_BITS;
    let parts = |entry: u128| (entry >> low_bits, (entry & ((1 << low_bits) - 1)) as u64);
    let mut others = second.entries().iter().map(|&entry| parts(entry)).peekable();
    let (mut decks, mut earliest, mut before) = (0, None, None);
    for (key, number) in first.entries().iter().map(|&entry| parts(entry)) {
        while others.next_if(|(other, _)| *other < key).is_some() {}
        // A key that comes again is a repeat within the set, which is for the audit of that set to say.
        if before.replace(key) != Some(key)
            && let Some((_, other)) = others.peek().filter(|(other, _)| *other == key)
        {
            decks += 1;
            earliest = Some(earliest.map_or([number, *other], |least: [u64; 2]| least.min([number, *other])));
        }
    }
    SharedDecks { decks, halvings: first.halvings().max(second.halvings()), first: earliest }
}

struct Watched {
    source: Box<dyn Source>,
    seen: Seen,
}

impl Source for Watched {
    fn abilities(&self) -> Abilities {
        self.source.abilities()
    }

    fn open(self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError> {
        let Watched { source, seen } = *self;
        let opened = source.open(decks)?;
        let decks = opened.decks.unwrap_or(u64::MAX);
        Ok(Opened { source: Box::new(Reading { source: opened.source, seen, decks }), ..opened })
    }

    fn record(self: Box<Self>, decks: Option<u64>) -> Result<(SourceRecord, Option<u64>), AskError> {
        self.source.record(decks)
    }

    fn continued(self: Box<Self>, saved: &SourceRecord) -> Box<dyn Source> {
        let Watched { source, seen } = *self;
        seen.through(source.continued(saved))
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
    seen: Seen,
    /// A block may be filled beyond the last deck that is asked for.
    decks: u64,
}

impl DeckSource for Reading {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        self.source.fill(first, block)?;
        let wanted = self.decks.saturating_sub(first).min(block.hands() as u64);
        let mut own = block.clone();
        own.truncate(wanted as usize);
        self.seen.sketch().observe(first, &own);
        Ok(())
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        let Reading { source, seen, decks } = self;
        Some(Box::new(Reading { source: source.fork()?, seen: seen.clone(), decks: *decks }))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(keys: &[u128]) -> Sketch {
        let mut sketch = Sketch::new(&EQUAL);
        keys.iter().zip(0..).for_each(|(&key, number)| sketch.push(key, number));
        sketch.settle();
        sketch
    }

    #[test]
    fn decks_of_both_sets_are_counted_once_and_the_first_is_named() {
        let found = |a: &[u128], b: &[u128]| shared(&sketch(a), &sketch(b));
        let expected = |decks, first| SharedDecks { decks, halvings: 0, first };
        assert_eq!(found(&[5, 3, 9], &[4, 8]), expected(0, None));
        assert_eq!(found(&[5, 3, 9], &[1, 3, 10]), expected(1, Some([1, 1])));
        // 5 comes twice in either set: one deck that both have, whatever each has of it.
        assert_eq!(found(&[7, 5, 2, 5], &[5, 8, 5, 2]), expected(2, Some([1, 0])));
        assert_eq!(found(&[], &[1]), expected(0, None));
    }
}
