//! The requirements R1 to R24 with what answers them.

use crate::external::listing::Cells;
use crate::project::content::{Basis, table};
use crate::project::facts::identity::{ItemFiles, item_files};
use crate::project::facts::rows::{self, ExportSlip, RowFacts, RowStatus};
use crate::project::facts::{AuditFacts, Conformance};
use crate::project::frozen::FrozenAudit;
use crate::project::settings::people::{FoundBy, RowEvidence, RowFinding};
use deckproof_audit::audit::verdict::Verdict;
use deckproof_report::document::words::Words;
use deckproof_report::document::{Block, Column, Section, Value};

pub(super) fn section(basis: &Basis) -> Section {
    let words = &basis.words.demand;
    let columns: &[Cells<(&RowFacts, String)>] = &[
        (Column::words(words.row, 2), &|(row, _)| Value::text(format!("R{}", row.row))),
        (Column::words(words.what, 7), &|(row, _)| Value::text(title(basis.words, row.row))),
        (Column::words(words.status, 5), &|(row, _)| Value::text(status(basis, row.status))),
        (Column::words(words.evidence, 12), &|(row, own)| Value::text(with_findings(basis, row, own))),
    ];
    let rows = table(words.caption, columns, basis.facts.rows.iter().zip(evidence(basis)), "");
    super::section("requirements", words.section, vec![Block::paragraph(words.intro), rows])
}

fn status(basis: &Basis, status: RowStatus) -> &'static str {
    let words = &basis.words.cover;
    match status {
        RowStatus::Met => words.met,
        RowStatus::TestsMet => words.tests_met,
        RowStatus::NotMet => words.not_met,
        RowStatus::NotApplicable => words.not_applicable,
        RowStatus::NotAssessed => words.not_assessed,
    }
}

/// What people found comes before what the project shows, each with whose it is and what it comes to.
fn with_findings(basis: &Basis, row: &RowFacts, evidence: &str) -> String {
    let words = &basis.words.demand;
    let found = rows::findings(basis.inputs, row.row).map(|own| finding(basis, own));
    let partly = (!row.met_for.is_empty() && row.status == RowStatus::NotAssessed)
        .then(|| words.met_for(&basis.words.list(&row.met_for)));
    let all: Vec<String> =
        found.chain(partly).chain([evidence.to_owned()]).filter(|text| !text.is_empty()).collect();
    all.join(" ")
}

fn finding(basis: &Basis, own: &RowEvidence) -> String {
    let (words, cover) = (&basis.words.demand, &basis.words.cover);
    let text = if own.items.is_empty() {
        own.text.clone()
    } else {
        words.of_items(&basis.words.list(&own.items), &own.text)
    };
    let found = match own.finding {
        RowFinding::Met => cover.met,
        RowFinding::NotMet => cover.not_met,
        RowFinding::NotApplicable => cover.not_applicable,
    };
    match (own.by, own.finding) {
        (FoundBy::Laboratory, _) => words.by_laboratory(found, &text),
        (FoundBy::External, _) => words.by_external(found, &text),
        (FoundBy::Customer, RowFinding::NotMet) => words.customer_against(&text),
        (FoundBy::Customer, _) => words.by_customer(found, &text),
    }
}

/// What a row asks for.
pub(super) fn title(words: &Words, row: usize) -> &'static str {
    let w = &words.demand;
    [
        w.r1, w.r2, w.r3, w.r4, w.r5, w.r6, w.r7, w.r8, w.r9, w.r10, w.r11, w.r12, w.r13, w.r14, w.r15,
        w.r16, w.r17, w.r18, w.r19, w.r20, w.r21, w.r22, w.r23, w.r24,
    ][row - 1]
}

/// What the project has to say of each row.
fn evidence(basis: &Basis) -> Vec<String> {
    let (words, facts) = (&basis.words.demand, basis.facts);
    let is_certified = rows::is_certified(basis.inputs);
    let tables = rows::of_hands(facts).len() as u64;
    let shown = |row: usize| facts.rows[row - 1].campaign;
    let either = |row: usize, status: RowStatus, yes: &str, no: &str| {
        if shown(row) == status { yes.to_owned() } else { no.to_owned() }
    };
    let texts: [String; rows::ROWS] = [
        files(basis),
        words.r2_no.to_owned(),
        either(3, RowStatus::TestsMet, words.r3_yes, words.r3_no),
        words.r4_no(facts.audits.len() as u64),
        of_standards(basis),
        raw(basis),
        independent(basis),
        if tables == 0 { words.r8_no.to_owned() } else { decided(basis, 8, words.r8_yes(tables)) },
        predicted(basis),
        repeated(basis),
        words.r11_no.to_owned(),
        if is_certified { words.r12_none } else { words.r12_no }.to_owned(),
        words.r13_no.to_owned(),
        exported(
            basis,
            rows::has_broken_record(basis.inputs),
            ExportSlip::BadRecord,
            [words.r14_broken, words.r14_no],
        ),
        words.r15_no.to_owned(),
        words.r16_no.to_owned(),
        words.r17_no.to_owned(),
        again(basis).to_owned(),
        words.r19_no.to_owned(),
        words.r20_no.to_owned(),
        words.r21_no.to_owned(),
        words.r22_no.to_owned(),
        if is_certified { words.r23_none } else { words.r23_no }.to_owned(),
        usages(basis, tables),
    ];
    texts.into()
}

/// Whether a generator was recovered; where none was, that is no answer to the row.
fn predicted(basis: &Basis) -> String {
    let words = &basis.words.demand;
    match (rows::is_predicted(basis.inputs), rows::is_generator_tried(basis.inputs)) {
        (true, _) => words.r9_recovered.to_owned(),
        (false, true) => format!("{} {}", words.r9_no, words.r9_tried),
        (false, false) => words.r9_no.to_owned(),
    }
}

/// What an export may have done, and what to look at.
pub(super) fn slip_sentence(slip: ExportSlip, words: &Words) -> &'static str {
    match slip {
        ExportSlip::BadRecord => words.cover.slip_bad_record,
        ExportSlip::HeldTwice => words.cover.slip_held_twice,
        ExportSlip::Other => words.cover.slip_other,
    }
}

/// What was found, with what of an export would explain it, or that nothing was.
fn exported(basis: &Basis, is_found: bool, slip: ExportSlip, [found, none]: [&str; 2]) -> String {
    let all = &basis.inputs.certificates;
    match is_found {
        true if all.iter().any(|own| ExportSlip::of(&own.result) == Some(slip)) => {
            format!("{found} {}", slip_sentence(slip, basis.words))
        }
        true => found.to_owned(),
        false => none.to_owned(),
    }
}

/// What was examined, and that it decided nothing where it did not.
fn decided(basis: &Basis, row: usize, evidence: String) -> String {
    match basis.facts.rows[row - 1].campaign {
        RowStatus::NotAssessed => format!("{evidence} {}", basis.words.demand.tests_open),
        _ => evidence,
    }
}

/// Whether decks came again, in an audit or from one to another, and where that was looked for.
fn repeated(basis: &Basis) -> String {
    let words = &basis.words.demand;
    let found = match &basis.inputs.runs.between {
        _ if rows::is_repeated(basis.inputs) => {
            return exported(basis, true, ExportSlip::HeldTwice, [words.r10_repeated, words.r10_no]);
        }
        Some(between) if !between.common.is_empty() => words.r10_common.to_owned(),
        _ if basis.facts.audits.len() == 1 => words.r10_one.to_owned(),
        Some(between) if between.compared.len() == basis.facts.audits.len() => match between.halvings {
            0 => words.r10_none.to_owned(),
            halvings => words.r10_share(1u64 << halvings.min(63)),
        },
        _ => words.r10_inside.to_owned(),
    };
    format!("{found} {}", words.r10_no)
}

/// What the standards say, which of them are missed, and at which levels of the row the project applies none.
fn of_standards(basis: &Basis) -> String {
    let own = rows::about_decks(basis.facts).into_iter().filter(|own| own.conformance == Conformance::NotMet);
    let missed = own.map(|own| {
        let level = basis.level(own.confidence_percent);
        basis.words.about(basis.words.standard_name(&own.standard), &format!("{level}, {}", own.item))
    });
    let missed: Vec<String> = missed.collect();
    let missed = (!missed.is_empty()).then(|| basis.words.demand.r5_missed(&basis.words.series(&missed)));
    missed.into_iter().chain([levels(basis)]).collect::<Vec<_>>().join(" ")
}

fn levels(basis: &Basis) -> String {
    let evidence = decided(basis, 5, counted(basis).to_owned());
    let missing = rows::levels_missing(basis.facts);
    if basis.facts.rows[5 - 1].campaign != RowStatus::NotAssessed || missing.is_empty() {
        return evidence;
    }
    let levels: Vec<String> = missing.iter().map(|level| basis.level(*level)).collect();
    let no_level = basis.words.demand.r5_level(&basis.words.list(&levels));
    let own = rows::about_decks(basis.facts).iter().any(|own| own.conformance != Conformance::TestsMet);
    if own { format!("{evidence} {no_level}") } else { format!("{} {no_level}", counted(basis)) }
}

/// A failed audit says that uniformity or independence is missing, not which.
fn independent(basis: &Basis) -> String {
    let words = &basis.words.demand;
    let is_failed = |audit: &&AuditFacts| audit.verdict_in_family == Verdict::Fail;
    match basis.facts.rows[7 - 1].campaign {
        RowStatus::NotAssessed if rows::of_decks(basis.facts).iter().any(is_failed) => {
            format!("{} {}", words.r7_yes, words.r7_failed)
        }
        RowStatus::NotMet => words.r7_dependent.to_owned(),
        RowStatus::NotAssessed if !rows::in_part_of_tiers(basis.inputs).is_empty() => {
            format!(
                "{} {}",
                words.r7_yes,
                words.r7_tiers(&basis.words.list(&rows::in_part_of_tiers(basis.inputs)))
            )
        }
        _ => decided(basis, 7, words.r7_yes.to_owned()),
    }
}

/// Where the numbers stand; evidence never names a file that the package does not hold.
fn counted(basis: &Basis) -> &'static str {
    let words = &basis.words.demand;
    if basis.inputs.project.package.omit_counts { words.r5_omitted } else { words.r5_yes }
}

/// A list says which files there were. That the decks came from them, no list says.
fn files(basis: &Basis) -> String {
    let words = &basis.words.demand;
    let listed = basis.inputs.project.item.iter().map(|item| item_files(basis.inputs, item));
    let listed: Vec<ItemFiles> = listed.collect();
    if listed.contains(&ItemFiles::None) {
        words.r1_no.to_owned()
    } else if listed.contains(&ItemFiles::OnlyData) {
        words.r1_only_data.to_owned()
    } else {
        words.r1_listed(basis.inputs.manifests.iter().map(|manifest| manifest.files().len() as u64).sum())
    }
}

fn raw(basis: &Basis) -> String {
    let words = &basis.words.demand;
    let own = if basis.facts.raw.is_empty() { words.r6_no } else { words.r6_yes };
    match basis.inputs.project.external.len() as u64 {
        0 => own.to_owned(),
        attached => format!("{own} {}", words.r6_external(attached)),
    }
}

/// That it can be recomputed is no verification by anybody yet.
fn again(basis: &Basis) -> &'static str {
    let words = &basis.words.demand;
    let can = |audit: &FrozenAudit| audit.plan.source.abilities().rerun.is_ok();
    if basis.inputs.frozen.audits.iter().all(can) { words.r18_ready } else { words.r18_no }
}

fn usages(basis: &Basis, tables: u64) -> String {
    let words = &basis.words.demand;
    match (tables, rows::has_every_table(basis.facts)) {
        (0, _) => words.r8_no.to_owned(),
        (_, true) => decided(basis, 24, words.r24_yes(tables)),
        (_, false) => words.r24_part(tables),
    }
}
