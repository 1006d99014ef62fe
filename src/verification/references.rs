//! What a reader kept beside the files that are judged.

use deckproof_verify::log::receipt::Receipt;
use deckproof_verify::log::trust::Trust;
use deckproof_verify::verify::before::Saved;

/// What the player gives beside the files.
pub struct Given {
    /// What was saved before the hand.
    pub committed: Vec<Saved>,
    /// Open entries that were held before the own seed was given, or before the beacon's round was due.
    pub opened: Vec<Saved>,
    /// Receipts of the log, with the names of their files.
    pub receipts: Vec<(String, Receipt)>,
    /// Which log is trusted.
    pub trust: Option<Trust>,
}
