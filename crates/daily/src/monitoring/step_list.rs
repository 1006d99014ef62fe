//! The steps of a day, each once: what it claims, whether decks decide it, and how the first line of a mail names its stop.

use crate::monitoring::check::DayCheck;
use crate::monitoring::judge::{CHAIN, DRIFT, FRESH, LIVE};
use crate::monitoring::{
    comparison, completeness, dealt, entropy, fresh_output, identity, known, replay, restart, seats,
};
use deckproof_report::document::words::MailWords;
use deckproof_verify::claim::ClaimSubject;

/// The name of the step of the files of a day, which a day has only if it could not write them.
pub const RESULTS: &str = "certificate";

/// A step of the day.
#[derive(Clone, Copy)]
pub struct ListedStep {
    /// Its name in rows, mails and reports.
    pub name: &'static str,
    /// What it claims if it passes.
    pub subject: ClaimSubject,
    /// Whether its stop is of decks: a shuffler that is repaired leaves it behind, and no file that is put back ends it.
    pub is_of_decks: bool,
    /// What is wrong where it says stop; `None` of a step that never does.
    pub wrong: Option<fn(&MailWords) -> &'static str>,
}

const fn of_decks(
    name: &'static str,
    subject: ClaimSubject,
    wrong: fn(&MailWords) -> &'static str,
) -> ListedStep {
    ListedStep { name, subject, is_of_decks: true, wrong: Some(wrong) }
}

const fn beside(
    name: &'static str,
    subject: ClaimSubject,
    wrong: fn(&MailWords) -> &'static str,
) -> ListedStep {
    ListedStep { name, subject, is_of_decks: false, wrong: Some(wrong) }
}

const fn without_stop(name: &'static str, subject: ClaimSubject) -> ListedStep {
    ListedStep { name, subject, is_of_decks: false, wrong: None }
}

/// Every step.
pub const STEPS: [ListedStep; 16] = [
    without_stop(FRESH, ClaimSubject::NewDecks),
    beside(CHAIN, ClaimSubject::RecordUnchanged, |words| words.record_changed),
    beside(identity::NAME, ClaimSubject::BuildInProduction, |words| words.wrong_files),
    beside(fresh_output::KNOWN_ANSWERS, ClaimSubject::ToolSound, |words| words.wrong_program),
    beside(entropy::NAME, ClaimSubject::EntropyHealthy, |words| words.wrong_noise),
    beside(restart::NAME, ClaimSubject::RestartsDiffer, |words| words.wrong_restarts),
    beside(completeness::NAME, ClaimSubject::WholeLog, |words| words.wrong_log),
    beside(seats::NAME, ClaimSubject::SeatsAlike, |words| words.wrong_seats),
    beside(replay::NAME, ClaimSubject::Derivation, |words| words.wrong_replay),
    of_decks(LIVE, ClaimSubject::NoDeparture, |words| words.wrong_decks),
    of_decks(comparison::NAME, ClaimSubject::NoDifference, |words| words.wrong_comparison),
    beside(dealt::NAME, ClaimSubject::NoDeparture, |words| words.wrong_dealt),
    beside(fresh_output::NAME, ClaimSubject::FreshOutput, |words| words.wrong_program),
    of_decks(known::NAME, ClaimSubject::NotDealtBefore, |words| words.wrong_repeat),
    of_decks(DRIFT, ClaimSubject::NoDrift, |words| words.wrong_drift),
    without_stop(RESULTS, ClaimSubject::ResultsWritten),
];

/// The step of this name; `None` of a row that another version wrote.
pub fn listed(name: &str) -> Option<ListedStep> {
    STEPS.into_iter().find(|step| step.name == name)
}

/// Whether a step is of this program on this machine, and says nothing of the decks and their record.
pub fn is_of_machine(check: &DayCheck) -> bool {
    match check.name.as_str() {
        fresh_output::KNOWN_ANSWERS | fresh_output::NAME | RESULTS => true,
        entropy::NAME => check.evidence.contains(entropy::OPERATING_SYSTEM),
        _ => false,
    }
}

/// Whether the stop of this step is of decks.
pub fn is_of_decks(name: &str) -> bool {
    listed(name).is_some_and(|step| step.is_of_decks)
}
