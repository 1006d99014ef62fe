//! What a QR code at a table holds before the cards: 64 digits of the hand under way that the log has already.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use deckproof_deck::commitment::digest::Digest;

/// The digits by table.
#[derive(Default)]
pub struct TablesShown {
    tables: Mutex<HashMap<String, (u64, Digest)>>,
}

impl TablesShown {
    /// A thread that panicked has left whole digits behind.
    fn locked(&self) -> MutexGuard<'_, HashMap<String, (u64, Digest)>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what a table shows from now on; nothing once cards were dealt.
    pub fn put(&self, table: &str, shown: Option<(u64, Digest)>) {
        match shown {
            Some(shown) => drop(self.locked().insert(table.to_owned(), shown)),
            None => drop(self.locked().remove(table)),
        }
    }

    /// What is shown of this hand now.
    pub fn get(&self, table: &str, hand: u64) -> Option<Digest> {
        self.locked().get(table).filter(|(number, _)| *number == hand).map(|(_, digest)| *digest)
    }
}
