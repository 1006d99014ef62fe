//! What is asked of a source, besides the source itself, and the plan it makes.

use crate::audit::plan::Plan;
use crate::audit::plan::subject::Subject;
use crate::audit::selection::Selection;
use crate::source::record::SourceRecord;
use deckproof_deck::deck::Deck;

/// What is asked of a source.
pub struct ResolvedOptions {
    /// How many decks in the first look; `None`: what the kind of source gives by default.
    pub decks: Option<u64>,
    /// What runs.
    pub selection: Selection,
    /// The dealer's start order, if it is not the usual one.
    pub start_order: Option<Deck>,
    /// What becomes of a first look that says investigate.
    pub repetition: Repetition,
    /// SHA-256 of the words of the program that deals, if one does.
    pub program_sha256: Option<String>,
    /// What is examined, for whom and by whom; it may be empty.
    pub subject: Subject,
}

/// What becomes of a first look that says investigate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Repetition {
    /// It is repeated once, where the source can go on.
    #[default]
    Planned,
    /// The plan has no repeat.
    Off,
}

impl ResolvedOptions {
    /// As many decks as the kind of source gives, once, by these statistics.
    pub fn once(selection: Selection, program_sha256: Option<String>) -> ResolvedOptions {
        ResolvedOptions {
            decks: None,
            selection,
            start_order: None,
            repetition: Repetition::Off,
            program_sha256,
            subject: Subject::default(),
        }
    }

    /// The plan of this request for a source that gives so many decks.
    pub fn plan(&self, source: SourceRecord, decks: Option<u64>) -> Plan {
        let plan = Plan::of_selection(source, decks, &self.selection);
        let plan = plan.of_program(self.program_sha256.as_deref()).about(self.subject.clone());
        let plan = match self.repetition {
            Repetition::Planned => plan,
            Repetition::Off => plan.without_repeat(),
        };
        match &self.start_order {
            Some(order) => plan.with_start_order(order),
            None => plan,
        }
    }
}
