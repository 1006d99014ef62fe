//! The rows R1 to R24: what the project itself shows of each requirement, what people found, and what follows.

use serde::{Deserialize, Serialize};

use crate::project::facts::observation::RowWitness;
use crate::project::facts::{AuditFacts, Conformance, Facts, StandardFacts, common};
use crate::project::package::inputs::Inputs;
use crate::project::settings::item::Item;
use crate::project::settings::people::{FoundBy, RowEvidence, RowFinding};
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::certificate::look::Look;
use deckproof_audit::selftest::DRAWS_CLAIM;
use deckproof_audit::standards;
use deckproof_stats::battery::{RECOVERED, Tier};

/// How many rows there are.
pub const ROWS: usize = 24;

/// The state of a requirement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowStatus {
    /// Somebody other than the customer found that it is met.
    Met,
    /// The tests of this project that speak about it are met.
    TestsMet,
    /// Some test or somebody speaks against it.
    NotMet,
    /// It does not apply.
    NotApplicable,
    /// Nothing here shows it.
    NotAssessed,
}

/// A requirement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowFacts {
    /// 1 to 24.
    pub row: usize,
    /// What follows from everything below.
    pub status: RowStatus,
    /// What the project itself shows.
    pub campaign: RowStatus,
    /// Who speaks against it; nobody where nobody does.
    pub against: Vec<RowWitness>,
    /// Items for which somebody found it met, where that is not all of them.
    pub met_for: Vec<String>,
}

/// Every row, from the other facts.
pub fn rows(inputs: &Inputs, facts: &Facts) -> Vec<RowFacts> {
    let shown = shown(inputs, facts);
    shown.into_iter().zip(1..).map(|(campaign, row)| with_findings(inputs, row, campaign)).collect()
}

/// The findings of people about a row, in the order of the project.
pub fn findings(inputs: &Inputs, row: usize) -> impl Iterator<Item = &RowEvidence> {
    let name = format!("R{row}");
    inputs.project.evidence.iter().filter(move |evidence| evidence.row == name)
}

/// A finding against the item is never outweighed: the customer, too, knows what he says against himself.
/// What he says for himself decides nothing.
fn with_findings(inputs: &Inputs, row: usize, campaign: RowStatus) -> RowFacts {
    let found: Vec<&RowEvidence> = findings(inputs, row).collect();
    let mut against = Vec::new();
    if campaign == RowStatus::NotMet {
        against.push(RowWitness::Campaign);
    }
    for evidence in found.iter().filter(|evidence| evidence.finding == RowFinding::NotMet) {
        let witness = match evidence.by {
            FoundBy::Laboratory => RowWitness::Laboratory,
            FoundBy::External => RowWitness::External,
            FoundBy::Customer => RowWitness::Customer,
        };
        if !against.contains(&witness) {
            against.push(witness);
        }
    }
    let items: Vec<&str> = inputs.project.item.iter().map(|item| item.id.as_str()).collect();
    let found_for = |finding: RowFinding| {
        let own = found.iter().filter(|own| own.finding == finding && own.by != FoundBy::Customer);
        let own: Vec<&&RowEvidence> = own.collect();
        items.iter().copied().filter(|item| own.iter().any(|own| own.is_of(item))).collect::<Vec<_>>()
    };
    let (met, unneeded) = (found_for(RowFinding::Met), found_for(RowFinding::NotApplicable));
    let is_all = |own: &[&str]| !own.is_empty() && own.len() == items.len();
    let is_answered = |item: &&str| met.contains(item) || unneeded.contains(item);
    let status = match campaign {
        _ if !against.is_empty() => RowStatus::NotMet,
        RowStatus::NotAssessed if is_all(&unneeded) && met.is_empty() => RowStatus::NotApplicable,
        RowStatus::NotAssessed if !met.is_empty() && items.iter().all(is_answered) => RowStatus::Met,
        own => own,
    };
    let met_for = if is_all(&met) { Vec::new() } else { met.into_iter().map(str::to_owned).collect() };
    RowFacts { row, status, campaign, against, met_for }
}

/// What the project itself shows of each requirement.
fn shown(inputs: &Inputs, facts: &Facts) -> [RowStatus; ROWS] {
    use RowStatus::NotAssessed;
    let mut rows = [NotAssessed; ROWS];
    let mut set = |row: usize, status: RowStatus| rows[row - 1] = status;
    set(3, scaling(inputs));
    set(5, of_standards(inputs, facts));
    // Five tests of ours are not the batteries that regulators name; a fail of one is a fail all the same.
    set(6, against(facts.raw.iter().any(|raw| raw.verdict == Verdict::Fail)));
    let of_decks = if in_part_of_tiers(inputs).is_empty() {
        tests(&of_decks(facts))
    } else {
        open(tests(&of_decks(facts)))
    };
    set(7, independence(of_decks, is_predicted(inputs) || is_repeated_by_item(inputs)));
    set(8, tests(&of_hands(facts)));
    set(9, against(is_predicted(inputs)));
    set(10, against(is_repeated_by_item(inputs)));
    set(12, unneeded(is_certified(inputs)));
    set(14, against(is_broken_by_item(inputs)));
    set(23, unneeded(is_certified(inputs)));
    set(24, if has_every_table(facts) { tests(&of_hands(facts)) } else { NotAssessed });
    // Decks that may stand in two audits meet nothing that decks are tested for.
    if !common::between(inputs, &facts.audits).is_empty() {
        for row in [5, 7, 8, 24] {
            rows[row - 1] = open(rows[row - 1]);
        }
    }
    rows
}

fn against(is_against: bool) -> RowStatus {
    if is_against { RowStatus::NotMet } else { RowStatus::NotAssessed }
}

fn unneeded(is_unneeded: bool) -> RowStatus {
    if is_unneeded { RowStatus::NotApplicable } else { RowStatus::NotAssessed }
}

/// The audits of decks.
pub fn of_decks(facts: &Facts) -> Vec<&AuditFacts> {
    facts.audits.iter().filter(|audit| audit.table.is_none()).collect()
}

/// The audits of dealt hands.
pub fn of_hands(facts: &Facts) -> Vec<&AuditFacts> {
    facts.audits.iter().filter(|audit| audit.table.is_some()).collect()
}

/// What audits say together: one that fails is enough, and without a pass nothing is met.
fn tests(audits: &[&AuditFacts]) -> RowStatus {
    if audits.iter().any(|audit| audit.verdict_in_family == Verdict::Fail) {
        RowStatus::NotMet
    } else if !audits.is_empty() && audits.iter().all(|audit| audit.verdict_in_family == Verdict::Pass) {
        RowStatus::TestsMet
    } else {
        RowStatus::NotAssessed
    }
}

/// What tests say that were not all that was to be tried: a fail is one all the same.
fn open(status: RowStatus) -> RowStatus {
    match status {
        RowStatus::TestsMet => RowStatus::NotAssessed,
        other => other,
    }
}

/// The items whose decks not every tier judged: the core alone looks for no generator.
pub fn in_part_of_tiers(inputs: &Inputs) -> Vec<String> {
    let lacks = |item: &&Item| !Tier::OF_DECKS.iter().all(|tier| item.tiers().contains(tier));
    inputs.project.item.iter().filter(lacks).map(|item| item.id.clone()).collect()
}

/// Audits test uniformity and independence together: only decks that follow from earlier ones show which of them is missing.
fn independence(audits: RowStatus, is_dependent: bool) -> RowStatus {
    match audits {
        _ if is_dependent => RowStatus::NotMet,
        RowStatus::NotMet => RowStatus::NotAssessed,
        other => other,
    }
}

/// The levels of row R5, as confidence in percent.
const LEVELS: [u32; 2] = [99, 95];

/// The standards about decks, for each item at each level.
pub fn about_decks(facts: &Facts) -> Vec<&StandardFacts> {
    let names: Vec<&str> =
        standards::all().iter().filter(|own| !own.is_of_hands).map(|own| own.name).collect();
    facts.standards.iter().filter(|standard| names.contains(&standard.standard.as_str())).collect()
}

/// The levels of row R5 at which no standard about decks was applied.
pub fn levels_missing(facts: &Facts) -> Vec<u32> {
    let own = about_decks(facts);
    LEVELS.into_iter().filter(|level| !own.iter().any(|own| own.confidence_percent == *level)).collect()
}

/// What all standards about decks say together, at each of their levels. A fair shuffle misses a level of 95 % in one campaign of
/// twenty: only where the p-values of an audit fail as well is the row not met, as rarely as that.
fn of_standards(inputs: &Inputs, facts: &Facts) -> RowStatus {
    let own = about_decks(facts);
    let is_met = |own: &&StandardFacts| own.conformance == Conformance::TestsMet;
    let has_failed = |item: &str| {
        let audits = facts.audits.iter().zip(&inputs.certificates);
        let own = audits.filter(|(audit, _)| audit.item == item && audit.table.is_none());
        // A proof says nothing of levels, and an export that holds hands twice spoils every p-value.
        own.into_iter().any(|(audit, certificate)| {
            audit.verdict_in_family == Verdict::Fail
                && audit.family_p_value < facts.family.level
                && ExportSlip::of(&certificate.result) != Some(ExportSlip::HeldTwice)
        })
    };
    if own.iter().any(|own| own.conformance == Conformance::NotMet && has_failed(&own.item)) {
        RowStatus::NotMet
    } else if levels_missing(facts).is_empty() && own.iter().all(is_met) {
        RowStatus::TestsMet
    } else {
        RowStatus::NotAssessed
    }
}

/// Whether the generator behind an audit was recovered, so that its next cards are known.
pub fn is_predicted(inputs: &Inputs) -> bool {
    inputs.certificates.iter().any(|certificate| certificate.result.looks().any(Look::is_predicted))
}

/// Whether every audit tried to recover a generator.
pub fn is_generator_tried(inputs: &Inputs) -> bool {
    let tries = |look: &Look| look.tallies.iter().any(|tally| tally.id == RECOVERED);
    inputs.certificates.iter().all(|certificate| certificate.result.looks().any(tries))
}

/// What an export of recorded decks may have done, so that an audit fails by no fault of the shuffler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportSlip {
    /// It cut or changed a record.
    BadRecord,
    /// It holds a hand twice, and no id tells.
    HeldTwice,
    /// It left hands out, or sorted or changed rows.
    Other,
}

impl ExportSlip {
    /// That of an audit which fails; none where it does not, or where the program drew the decks itself.
    pub fn of(result: &AuditResult) -> Option<ExportSlip> {
        let is_open = result.verdict == Verdict::Fail && result.source.abilities().is_supplied;
        is_open.then(|| match result {
            _ if result.looks().any(Look::ends_at_bad_record) => ExportSlip::BadRecord,
            _ if result.may_hold_twice() => ExportSlip::HeldTwice,
            _ => ExportSlip::Other,
        })
    }
}

/// Whether two decks of an audit are equal.
fn has_repeat(result: &AuditResult) -> bool {
    result.looks().any(|look| look.duplicates.iter().any(|record| record.pairs > 0))
}

/// Whether two decks of one audit are equal, by the dealer or by copying.
pub fn is_repeated(inputs: &Inputs) -> bool {
    inputs.certificates.iter().any(|certificate| has_repeat(&certificate.result))
}

/// The same where no export may hold one hand twice.
fn is_repeated_by_item(inputs: &Inputs) -> bool {
    let all = inputs.certificates.iter().map(|certificate| &certificate.result);
    all.filter(|result| ExportSlip::of(result) != Some(ExportSlip::HeldTwice)).any(has_repeat)
}

/// Whether a record was no full deck, for any reason.
pub fn has_broken_record(inputs: &Inputs) -> bool {
    let mut all = inputs.certificates.iter().flat_map(|certificate| certificate.result.looks());
    all.any(Look::ends_at_bad_record)
}

/// The same where no export may have cut or changed it.
fn is_broken_by_item(inputs: &Inputs) -> bool {
    let all = inputs.certificates.iter().map(|certificate| &certificate.result);
    let mut own = all.filter(|result| ExportSlip::of(result).is_none()).flat_map(AuditResult::looks);
    own.any(Look::ends_at_bad_record)
}

/// Whether every deck examined is of the certified shuffle.
pub fn is_certified(inputs: &Inputs) -> bool {
    inputs.frozen.audits.iter().all(|audit| audit.plan.source.is_certified())
}

/// The selftest counts the scaling of the certified shuffle out; of any other it knows nothing.
fn scaling(inputs: &Inputs) -> RowStatus {
    let mut checks = inputs.selftest.checks.iter();
    if is_certified(inputs) && checks.any(|check| check.claim == DRAWS_CLAIM && check.has_passed) {
        RowStatus::TestsMet
    } else {
        RowStatus::NotAssessed
    }
}

/// Whether hands were dealt to every number of players.
pub fn has_every_table(facts: &Facts) -> bool {
    let audits = of_hands(facts);
    let has = |players: usize| {
        audits.iter().any(|audit| audit.table.as_ref().is_some_and(|table| table.players == players))
    };
    (2..=8).all(has)
}
