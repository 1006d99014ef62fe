//! On what a report rests: claims, how far each is shown, and whether the data examined could have contradicted it.

use crate::project::facts::Facts;
use crate::project::facts::observation::Observation;
use crate::project::facts::rows::{RowStatus, has_broken_record, is_predicted};
use crate::project::package::inputs::Inputs;
use crate::project::settings::people::{DeclarationAbout, FoundBy, RowFinding};
use deckproof_audit::source::record::SourceRecord;
use deckproof_verify::claim::{Claim, ClaimGap, ClaimSubject, Party, Witness};

/// Whether data could contradict a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refutable {
    /// If it were false, these data would show it.
    Yes,
    /// Some ways in which it could be false would show.
    Partly,
    /// Whatever the data are: it is assumed.
    No,
}

/// A claim that a report rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Premise {
    /// What, and how far.
    pub claim: Claim,
    /// Whether these data could contradict it.
    pub refutable: Refutable,
}

/// Every premise, what the data could contradict first.
pub fn premises(inputs: &Inputs, facts: &Facts) -> Vec<Premise> {
    let premise = |claim, refutable| Premise { claim, refutable };
    vec![
        premise(Claim::shown(ClaimSubject::Verdict, Witness::Computation), Refutable::Yes),
        premise(permutation(inputs), Refutable::Yes),
        premise(Claim::not_looked_at(ClaimSubject::Counts, ClaimGap::NotCountedAgain), Refutable::Yes),
        premise(next_deck_unknown(inputs), Refutable::Partly),
        premise(build(inputs, facts), Refutable::No),
        premise(decks_of_the_table(inputs, facts), Refutable::No),
        plan_fixed(inputs),
        premise(decks_not_chosen(inputs, facts), Refutable::No),
    ]
}

/// Whether a planned source names the hash of its decks.
pub fn holds_decks(source: &SourceRecord) -> bool {
    source.as_planned().shown("sha256").is_some_and(|sha256| !sha256.is_empty())
}

/// A plan cannot hold the hash of decks that are still to come: of recorded ones it was made after them.
fn plan_fixed(inputs: &Inputs) -> Premise {
    let subject = ClaimSubject::PlanFixed;
    if inputs.frozen.audits.iter().any(|audit| holds_decks(&audit.plan.source)) {
        let claim = Claim::not_looked_at(subject, ClaimGap::NotByTheseData);
        Premise { claim, refutable: Refutable::Yes }
    } else {
        Premise { claim: Claim::claimed(subject, Party::Laboratory), refutable: Refutable::No }
    }
}

fn permutation(inputs: &Inputs) -> Claim {
    if has_broken_record(inputs) {
        Claim::contradicted(ClaimSubject::Permutation, "R14", "certificates")
    } else {
        // The package holds counts: the decks are elsewhere.
        Claim::not_looked_at(ClaimSubject::Permutation, ClaimGap::NotCountedAgain)
    }
}

/// A generator that was recovered tells its next deck; that none was recovered shows nothing.
fn next_deck_unknown(inputs: &Inputs) -> Claim {
    let subject = ClaimSubject::NextDeckUnknown;
    if is_predicted(inputs) {
        Claim::contradicted(subject, "R9", "certificates")
    } else {
        Claim::not_looked_at(subject, ClaimGap::NotByTheseData)
    }
}

/// That the program examined is the one in production is somebody's word or nobody's.
fn build(inputs: &Inputs, facts: &Facts) -> Claim {
    let subject = ClaimSubject::BuildInProduction;
    let is_found = inputs
        .project
        .evidence
        .iter()
        .any(|own| own.row == "R1" && own.finding == RowFinding::Met && own.by != FoundBy::Customer);
    let mut declared = inputs.project.declaration.iter();
    if facts.rows[0].status == RowStatus::NotMet {
        Claim::contradicted(subject, "R1", "project.toml")
    } else if is_found {
        Claim::claimed(subject, Party::Laboratory)
    } else if declared.any(|own| own.about == DeclarationAbout::Build) {
        Claim::claimed(subject, Party::Customer)
    } else {
        Claim::not_looked_at(subject, ClaimGap::NotByTheseData)
    }
}

/// Recorded decks are a table's as far as their recorder states; what was drawn for a test is no table's.
fn decks_of_the_table(inputs: &Inputs, facts: &Facts) -> Claim {
    let subject = ClaimSubject::DecksOfTheTable;
    let is_recorded = inputs.frozen.audits.iter().any(|audit| audit.plan.source.records_left().is_some());
    if is_recorded && !facts.observations.iter().any(Observation::is_of_part) {
        Claim::claimed(subject, taken_by(inputs))
    } else {
        Claim::not_looked_at(subject, ClaimGap::NotByTheseData)
    }
}

/// That nobody chose among decks is nobody's word where the project itself took a part of them.
fn decks_not_chosen(inputs: &Inputs, facts: &Facts) -> Claim {
    let subject = ClaimSubject::DecksNotChosen;
    if facts.observations.iter().any(Observation::is_of_part) {
        Claim::not_looked_at(subject, ClaimGap::NotByTheseData)
    } else {
        Claim::claimed(subject, taken_by(inputs))
    }
}

/// Whose word the decks are: the customer's as soon as he took some.
fn taken_by(inputs: &Inputs) -> Party {
    if inputs.project.by_customer().next().is_some() { Party::Customer } else { Party::Laboratory }
}
