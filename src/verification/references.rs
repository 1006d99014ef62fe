//! What a reader kept beside the files that are judged.

use deckproof_verify::log::receipt::Receipt;
use deckproof_verify::log::trust::Trust;
use deckproof_verify::verify::before::Saved;

/// What the player gives beside the files.
#[derive(Default)]
pub struct Given {
    /// What was saved before the hand: each text as it was given, and what is in it.
    pub committed: Vec<(String, Vec<Saved>)>,
    /// Open entries that were held before the own seed was given, or before the beacon's round was due.
    pub opened: Vec<Saved>,
    /// Receipts of the log, with the names of their files.
    pub receipts: Vec<(String, Receipt)>,
    /// Which log is trusted.
    pub trust: Option<Trust>,
}

impl Given {
    /// All that was saved before the hand.
    pub fn saved(&self) -> impl Iterator<Item = &Saved> {
        self.committed.iter().flat_map(|(_, saved)| saved)
    }
}
