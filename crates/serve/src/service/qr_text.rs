//! What a QR code at a table holds before the cards: 64 digits of the hand under way that the log has already.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::service::locked;
use deckproof_deck::commitment::digest::Digest;

/// The digits by table.
#[derive(Default)]
pub struct TablesShown {
    tables: Mutex<HashMap<String, (u64, Digest)>>,
}

impl TablesShown {
    /// Notes what a table shows from now on; nothing once cards were dealt.
    pub fn put(&self, table: &str, shown: Option<(u64, Digest)>) {
        match shown {
            Some(shown) => drop(locked(&self.tables).insert(table.to_owned(), shown)),
            None => drop(locked(&self.tables).remove(table)),
        }
    }

    /// What is shown of this hand now.
    pub fn get(&self, table: &str, hand: u64) -> Option<Digest> {
        locked(&self.tables).get(table).filter(|(number, _)| *number == hand).map(|(_, digest)| *digest)
    }
}
