//! The requirements R1 to R24 with what answers them.

use crate::campaign::content::{Said, table};
use crate::campaign::facts::{AuditFacts, Conformance};
use crate::campaign::frozen::FrozenAudit;
use crate::campaign::project::people::{FoundBy, RowFinding};
use crate::document::{Block, Column, Section, Value};
use crate::standards;
use crate::trials::selftest::DRAWS_CLAIM;

/// What is said of a requirement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Met,
    TestsMet,
    NotMet,
    NotApplicable,
    NotAssessed,
}

/// A requirement as the report answers it.
struct Answer {
    row: usize,
    what: &'static str,
    status: Status,
    evidence: String,
}

pub(super) fn section(said: &Said) -> Section {
    let words = &said.words.demand;
    let rows = answers(said).into_iter().map(|answer| {
        vec![
            Value::text(format!("R{}", answer.row)),
            Value::text(answer.what),
            Value::text(status(said, answer.status)),
            Value::text(answer.evidence),
        ]
    });
    let columns = vec![
        Column::words(words.row, 2),
        Column::words(words.what, 7),
        Column::words(words.status, 5),
        Column::words(words.evidence, 12),
    ];
    let rows = table(words.caption, columns, rows.collect(), "");
    super::section("requirements", words.section, vec![Block::paragraph(words.intro), rows])
}

/// How many requirements are not assessed.
pub(super) fn open_rows(said: &Said) -> u64 {
    answers(said).iter().filter(|answer| answer.status == Status::NotAssessed).count() as u64
}

fn status(said: &Said, status: Status) -> &'static str {
    let words = &said.words.cover;
    match status {
        Status::Met => words.met,
        Status::TestsMet => words.tests_met,
        Status::NotMet => words.not_met,
        Status::NotApplicable => words.not_applicable,
        Status::NotAssessed => words.not_assessed,
    }
}

/// What people found stands beside what the campaign shows; a finding against the item is never outweighed.
fn answers(said: &Said) -> Vec<Answer> {
    let own = shown(said).into_iter().zip(titles(said)).zip(1..);
    own.map(|(((status, evidence), what), row)| {
        let (status, evidence) = with_findings(said, row, status, evidence);
        Answer { row, what, status, evidence }
    })
    .collect()
}

fn with_findings(said: &Said, row: usize, own: Status, evidence: String) -> (Status, String) {
    let words = &said.words.demand;
    let name = format!("R{row}");
    let found: Vec<_> = said.inputs.project.evidence.iter().filter(|evidence| evidence.row == name).collect();
    let texts = found.iter().map(|evidence| {
        let words = match evidence.by {
            FoundBy::Laboratory => words.by_laboratory,
            FoundBy::Customer => words.by_customer,
            FoundBy::External => words.by_external,
        };
        words(&evidence.text)
    });
    let all: Vec<String> = texts.chain([evidence]).filter(|text| !text.is_empty()).collect();
    // What the customer says of himself is shown and decides nothing.
    let says = |finding: RowFinding| {
        found.iter().any(|evidence| evidence.finding == finding && evidence.by != FoundBy::Customer)
    };
    let status = match own {
        Status::NotMet => Status::NotMet,
        _ if says(RowFinding::NotMet) => Status::NotMet,
        Status::NotAssessed if says(RowFinding::Met) => Status::Met,
        Status::NotAssessed if says(RowFinding::NotApplicable) => Status::NotApplicable,
        own => own,
    };
    (status, all.join(" "))
}

fn titles(said: &Said) -> [&'static str; 24] {
    let w = &said.words.demand;
    [
        w.r1, w.r2, w.r3, w.r4, w.r5, w.r6, w.r7, w.r8, w.r9, w.r10, w.r11, w.r12, w.r13, w.r14, w.r15,
        w.r16, w.r17, w.r18, w.r19, w.r20, w.r21, w.r22, w.r23, w.r24,
    ]
}

/// What the campaign itself shows of each requirement.
fn shown(said: &Said) -> Vec<(Status, String)> {
    let words = &said.words.demand;
    let not_assessed = |text: &str| (Status::NotAssessed, text.to_owned());
    vec![
        files(said),
        not_assessed(words.r2_no),
        scaling(said),
        (Status::NotAssessed, (words.r4_no)(said.facts.audits.len() as u64)),
        told(said, standards(said), counted(said).to_owned()),
        raw(said),
        told(said, tests(&of_decks(said)), words.r7_yes.to_owned()),
        hands(said),
        not_assessed(words.r9_no),
        repeated(said),
        not_assessed(words.r11_no),
        cycling(said),
        not_assessed(words.r13_no),
        records(said),
        not_assessed(words.r15_no),
        not_assessed(words.r16_no),
        not_assessed(words.r17_no),
        again(said),
        not_assessed(words.r19_no),
        not_assessed(words.r20_no),
        not_assessed(words.r21_no),
        not_assessed(words.r22_no),
        mechanical(said),
        usages(said),
    ]
}

fn of_decks<'a>(said: &'a Said) -> Vec<&'a AuditFacts> {
    said.facts.audits.iter().filter(|audit| audit.table.is_none()).collect()
}

fn of_hands<'a>(said: &'a Said) -> Vec<&'a AuditFacts> {
    said.facts.audits.iter().filter(|audit| audit.table.is_some()).collect()
}

/// What audits say together: one that fails is enough, and without a pass nothing is met.
fn tests(audits: &[&AuditFacts]) -> Status {
    use crate::audit::verdict::Verdict::{Fail, Pass};
    match () {
        () if audits.iter().any(|audit| audit.verdict == Fail) => Status::NotMet,
        () if !audits.is_empty() && audits.iter().all(|audit| audit.verdict == Pass) => Status::TestsMet,
        () => Status::NotAssessed,
    }
}

/// What was examined, and that it decided nothing where it did not.
fn told(said: &Said, status: Status, evidence: String) -> (Status, String) {
    match status {
        Status::NotAssessed => (status, format!("{evidence} {}", said.words.demand.tests_open)),
        _ => (status, evidence),
    }
}

/// What all standards about decks say together, at each of their levels.
fn standards(said: &Said) -> Status {
    let names: Vec<&str> =
        standards::all().iter().filter(|own| !own.is_of_hands).map(|own| own.name).collect();
    let own = said.facts.standards.iter().filter(|standard| names.contains(&standard.standard.as_str()));
    let said: Vec<Conformance> = own.map(|standard| standard.conformance).collect();
    match () {
        () if said.contains(&Conformance::NotMet) => Status::NotMet,
        () if !said.is_empty() && said.iter().all(|own| *own == Conformance::TestsMet) => Status::TestsMet,
        () => Status::NotAssessed,
    }
}

/// Where the numbers stand; evidence never names a file that the package does not hold.
fn counted(said: &Said) -> &'static str {
    let words = &said.words.demand;
    if said.inputs.project.package.omit_counts { words.r5_omitted } else { words.r5_yes }
}

fn files(said: &Said) -> (Status, String) {
    let words = &said.words.demand;
    match said.facts.items.iter().all(|item| item.manifest_sha256.is_some()) {
        true => {
            let count = said.inputs.manifests.iter().map(|manifest| manifest.files().len() as u64).sum();
            (Status::Met, (words.r1_yes)(count))
        }
        false => (Status::NotAssessed, words.r1_no.to_owned()),
    }
}

/// Raw output is what a regulator names batteries for; five tests of ours do not meet that.
fn raw(said: &Said) -> (Status, String) {
    use crate::audit::verdict::Verdict::Fail;
    let words = &said.words.demand;
    let status = match said.facts.raw.iter().any(|raw| raw.verdict == Fail) {
        true => Status::NotMet,
        false => Status::NotAssessed,
    };
    let own = if said.facts.raw.is_empty() { words.r6_no } else { words.r6_yes };
    let attached = said.inputs.project.external.len() as u64;
    match attached {
        0 => (status, own.to_owned()),
        _ => (status, format!("{own} {}", (words.r6_external)(attached))),
    }
}

fn hands(said: &Said) -> (Status, String) {
    let words = &said.words.demand;
    let audits = of_hands(said);
    match audits.is_empty() {
        true => (Status::NotAssessed, words.r8_no.to_owned()),
        false => told(said, tests(&audits), (words.r8_yes)(audits.len() as u64)),
    }
}

fn repeated(said: &Said) -> (Status, String) {
    let words = &said.words.demand;
    let is_repeated = said.inputs.certificates.iter().any(|certificate| {
        certificate.result.looks().any(|look| look.duplicates.iter().any(|record| record.pairs > 0))
    });
    match is_repeated {
        true => (Status::NotMet, words.r10_repeated.to_owned()),
        false => (Status::NotAssessed, words.r10_no.to_owned()),
    }
}

fn records(said: &Said) -> (Status, String) {
    let words = &said.words.demand;
    let is_broken = |audit: &AuditFacts| audit.p_values == 0 && !audit.proofs.is_empty();
    match said.facts.audits.iter().any(is_broken) {
        true => (Status::NotMet, words.r14_broken.to_owned()),
        false => (Status::NotAssessed, words.r14_no.to_owned()),
    }
}

fn again(said: &Said) -> (Status, String) {
    let words = &said.words.demand;
    let can = |audit: &FrozenAudit| audit.plan.source.abilities().rerun.is_ok();
    match said.inputs.frozen.audits.iter().all(can) {
        // That it can be recomputed is no verification by anybody yet.
        true => (Status::NotAssessed, words.r18_ready.to_owned()),
        false => (Status::NotAssessed, words.r18_no.to_owned()),
    }
}

/// Whether every deck examined is of the certified shuffle.
fn is_certified(said: &Said) -> bool {
    said.inputs.frozen.audits.iter().all(|audit| audit.plan.source.is_certified())
}

/// The selftest counts the scaling of the certified shuffle out; of any other it knows nothing.
fn scaling(said: &Said) -> (Status, String) {
    let words = &said.words.demand;
    let mut checks = said.inputs.selftest.checks.iter();
    match is_certified(said) && checks.any(|check| check.claim == DRAWS_CLAIM && check.has_passed) {
        true => (Status::TestsMet, words.r3_yes.to_owned()),
        false => (Status::NotAssessed, words.r3_no.to_owned()),
    }
}

/// A deck that is a function of its key and number has no generator that could run on.
fn cycling(said: &Said) -> (Status, String) {
    let words = &said.words.demand;
    match is_certified(said) {
        true => (Status::NotApplicable, words.r12_none.to_owned()),
        false => (Status::NotAssessed, words.r12_no.to_owned()),
    }
}

/// What the certified shuffle dealt, no machine did.
fn mechanical(said: &Said) -> (Status, String) {
    let words = &said.words.demand;
    match is_certified(said) {
        true => (Status::NotApplicable, words.r23_none.to_owned()),
        false => (Status::NotAssessed, words.r23_no.to_owned()),
    }
}

fn usages(said: &Said) -> (Status, String) {
    let words = &said.words.demand;
    let audits = of_hands(said);
    let tables = audits.len() as u64;
    let has = |players: usize| {
        audits.iter().any(|audit| audit.table.as_ref().is_some_and(|table| table.players == players))
    };
    match (tables, (2..=8).all(has)) {
        (0, _) => (Status::NotAssessed, words.r8_no.to_owned()),
        (_, true) => told(said, tests(&audits), (words.r24_yes)(tables)),
        (_, false) => (Status::NotAssessed, (words.r24_part)(tables)),
    }
}
