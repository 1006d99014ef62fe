//! What a reader kept and says beside the files that are judged, and what else they are judged by.

use crate::verification::{Inspector, Rerun};
use deckproof_audit::manifest::signature::Signers;
use deckproof_report::document::words::{Language, Words};
use deckproof_verify::log::receipt::Receipt;
use deckproof_verify::log::trust::Trust;
use deckproof_verify::verify::Statements;
use deckproof_verify::verify::before::Saved;
use deckproof_verify::verify::seats::SeenAtSeat;

/// What the player gives beside the files.
#[derive(Default)]
pub struct Given {
    /// What was saved before the hand: each text as it was given, and what is in it.
    pub committed: Vec<(String, Vec<Saved>)>,
    /// Open entries that were held before the own seed was given, or before the beacon's round was due, and the deck entries beside them.
    pub opened: Vec<Saved>,
    /// Receipts of the log, with the names of their files.
    pub receipts: Vec<(String, Receipt)>,
    /// Which log is trusted.
    pub trust: Option<Trust>,
    /// The name of its file.
    pub trust_name: String,
}

impl Given {
    /// All that was saved before the hand.
    pub fn saved(&self) -> impl Iterator<Item = &Saved> {
        self.committed.iter().flat_map(|(_, saved)| saved)
    }
}

/// What the player saw and gave.
#[derive(Default)]
pub struct PlayerWords {
    /// By dealt position, and the own seed.
    pub own: Statements,
    /// By seat.
    pub at_seats: Vec<SeenAtSeat>,
}

impl PlayerWords {
    /// Whether the player states anything, which is of one hand.
    pub(super) fn is_about_one_hand(&self) -> bool {
        !(self.own.seen.is_empty() && self.own.own_seeds.is_empty() && self.at_seats.is_empty())
    }
}

/// What the files are judged by.
pub struct JudgedBy<'a> {
    /// What the player saved.
    pub saved: Given,
    /// Whether a bundle that is not accepted could not be judged.
    pub is_acceptance_required: bool,
    /// What the player saw and gave.
    pub statements: PlayerWords,
    /// Whether certificates and packages are run again.
    pub rerun: Rerun<'a>,
    /// Who may sign packages, where that is known.
    pub signers: Option<Signers>,
    /// The language of the sentences.
    pub words: &'static Words,
    /// The program that judges.
    pub by: Inspector<'a>,
}

impl<'a> JudgedBy<'a> {
    /// A file by itself, in English: nothing is given beside it or wanted of it.
    pub fn itself(by: Inspector<'a>) -> JudgedBy<'a> {
        JudgedBy {
            saved: Given::default(),
            is_acceptance_required: false,
            statements: PlayerWords::default(),
            rerun: Rerun { is_wanted: false, sources: &[] },
            signers: None,
            words: Language::English.words(),
            by,
        }
    }
}
