//! A source whose decks are remembered, and counted by table, as they are judged.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::monitoring::by_table::ByTable;
use crate::monitoring::known::day::{Day, key};
use deckproof_audit::source::ask::{Opened, Source};
use deckproof_audit::source::watched::{Onlooker, watched};
use deckproof_deck::deck::block::DeckBlock;

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

/// The source, whose decks are added to the day, and to the tables, where each is counted by itself.
pub fn remembered(source: Box<dyn Source>, day: Shared, tables: Option<ByTable>) -> Box<dyn Source> {
    let begin = move |opened: &Opened| -> Onlooker {
        if let Some(tables) = &tables {
            tables.set_files(opened.source.files());
            opened.source.marks().iter().for_each(|marks| marks.set_parts(&opened.source.files()));
        }
        day.day().name(opened.source.marks(), opened.source.files());
        let is_remembered = day.day().is_remembered();
        let day = day.clone();
        Arc::new(move |first, block: &DeckBlock| {
            if let Some(tables) = &tables {
                tables.add(first, block);
            }
            if !is_remembered {
                return;
            }
            // Hashed before the lock, so that threads wait for a push only.
            let keys: Vec<_> = (0..block.hands()).map(|lane| key(&block.deck(lane))).collect();
            let mut day = day.day();
            keys.iter().zip(first..).for_each(|(key, place)| day.add(key, place));
        })
    };
    watched(source, Box::new(begin))
}
