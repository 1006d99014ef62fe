//! The table of premises: what the report rests on, whose word it is, and whether these data could contradict it.

use crate::external::listing::Cells;
use crate::project::content::{Basis, table};
use crate::project::facts::premises::{Premise, Refutable, premises};
use deckproof_report::document::words::PremiseWords;
use deckproof_report::document::{Block, Column, Section, Value};
use deckproof_verify::claim::{Claim, ClaimGap, ClaimState, ClaimSubject, Party};

pub(super) fn section(basis: &Basis) -> Section {
    let words = &basis.words.premise;
    let refutable = |premise: &Premise| match premise.refutable {
        Refutable::Yes => words.yes,
        Refutable::Partly => words.partly,
        Refutable::No => words.no,
    };
    let columns: &[Cells<Premise>] = &[
        (Column::words(words.premise, 6), &|own| Value::text(subject(words, own.claim.subject))),
        (Column::words(words.state, 5), &|own| Value::text(state(words, &own.claim))),
        (Column::words(words.refutable, 4), &|own| Value::text(refutable(own))),
    ];
    let rows = table(words.caption, columns, premises(basis.inputs, basis.facts), words.note);
    super::section("premises", words.section, vec![Block::paragraph(words.text), rows])
}

/// What is claimed; a subject that no report rests on has no sentence here.
fn subject(words: &PremiseWords, subject: ClaimSubject) -> &'static str {
    match subject {
        ClaimSubject::Verdict => words.verdict,
        ClaimSubject::Permutation => words.permutation,
        ClaimSubject::Counts => words.counts,
        ClaimSubject::NextDeckUnknown => words.next_deck_unknown,
        ClaimSubject::BuildInProduction => words.build_in_production,
        ClaimSubject::DecksOfTheTable => words.decks_of_the_table,
        ClaimSubject::PlanFixed => words.plan_fixed,
        ClaimSubject::DecksNotChosen => words.decks_not_chosen,
        _ => "",
    }
}

fn state(words: &PremiseWords, claim: &Claim) -> String {
    match &claim.state {
        ClaimState::NotLookedAt { .. } if claim.subject == ClaimSubject::PlanFixed => {
            words.plan_after.to_owned()
        }
        ClaimState::Shown => words.shown.to_owned(),
        ClaimState::Claimed { by: Party::Customer } => words.by_customer.to_owned(),
        ClaimState::Claimed { .. } => words.by_laboratory.to_owned(),
        ClaimState::Contradicted { code, .. } => words.contradicted(code),
        ClaimState::NotLookedAt { why: ClaimGap::NotCountedAgain } => words.not_counted_again.to_owned(),
        ClaimState::NotLookedAt { .. } => words.not_by_these_data.to_owned(),
    }
}
