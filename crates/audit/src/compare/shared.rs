//! Decks that stand in both of two sets: independent shuffles never deal one deck twice.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use crate::source::ask::{Opened, Source};
use crate::source::watched::{Onlooker, watched};
use deckproof_deck::deck::block::DeckBlock;
use deckproof_stats::battery::duplicates::EQUAL;
use deckproof_stats::battery::duplicates::sketch::{KEY_BITS, Sketch};

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
        let seen = self.clone();
        let begin = move |opened: &Opened| -> Onlooker {
            let decks = opened.decks.unwrap_or(u64::MAX);
            Arc::new(move |first, block: &DeckBlock| {
                // A block may be filled beyond the last deck that is asked for.
                let wanted = decks.saturating_sub(first).min(block.hands() as u64);
                let mut own = block.clone();
                own.truncate(wanted as usize);
                seen.sketch().observe(first, &own);
            })
        };
        watched(source, Box::new(begin))
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
