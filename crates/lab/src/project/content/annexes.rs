//! The annexes: plan, p-values by family, power, selftest, vectors, reproduction, files, revisions.

use std::collections::BTreeMap;

use crate::external::listing::{self, Cells};
use crate::project::content::{Basis, annex, fact, reproduce, table};
use crate::project::facts::AuditFacts;
use crate::project::package::inputs::amendments::Amendment;
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::power::steps;
use deckproof_audit::power::table::{DealerPower, Power};
use deckproof_audit::selftest::Check;
use deckproof_files::file::sha256;
use deckproof_report::document::figure::{Drawing, Figure, PowerCurve};
use deckproof_report::document::{Block, Column, Section, Value};

/// Flawed dealers that are drawn.
const CURVES: usize = 6;

pub(super) fn plan(basis: &Basis) -> Section {
    let words = &basis.words.result;
    let blocks = vec![
        Block::paragraph(words.plan_annex_text),
        Block::Facts(vec![fact(basis.words.cover.root, Value::hash(&basis.facts.campaign_sha256))]),
    ];
    annex("plan", words.plan_annex, blocks)
}

pub(super) fn p_values(basis: &Basis) -> Section {
    let words = &basis.words.result;
    let lines = basis
        .sheets
        .get("p-values.csv")
        .map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count());
    let mut blocks = vec![Block::paragraph(words.p_annex_text((lines as u64).saturating_sub(1)))];
    for (facts, certificate) in basis.facts.audits.iter().zip(&basis.inputs.certificates) {
        if !certificate.result.deciding().statistics.is_empty() {
            blocks.push(families(basis, facts, &certificate.result));
        }
    }
    annex("p-values", words.p_annex, blocks)
}

/// A family, how many p-values were planned and had, the id of the smallest, and the smallest.
type FamilyRow<'a> = (&'a str, u64, u64, &'a str, f64);

/// The families of the look that decides, each with its smallest p-value.
fn families(basis: &Basis, facts: &AuditFacts, result: &AuditResult) -> Block {
    let words = &basis.words.result;
    let planned = match (&result.repeat, &result.plan.repeat) {
        (Some(_), Some(repeat)) => &repeat.families,
        _ => &result.plan.families,
    };
    let mut own: BTreeMap<&str, (u64, f64, &str)> = BTreeMap::new();
    for record in &result.deciding().statistics {
        let entry = own.entry(&record.family).or_insert((0, f64::INFINITY, ""));
        entry.0 += 1;
        if record.p_value < entry.1 {
            (entry.1, entry.2) = (record.p_value, &record.id);
        }
    }
    let rows = own.into_iter().map(|(family, (had, smallest, id))| {
        (family, planned.get(family).copied().unwrap_or(had), had, id, smallest)
    });
    let columns: &[Cells<FamilyRow>] = &[
        (Column::words(words.family, 3), &|(family, ..)| Value::text(*family)),
        (Column::numbers(words.planned, 2), &|(_, planned, ..)| basis.number(*planned)),
        (Column::numbers(words.had, 2), &|(_, _, had, ..)| basis.number(*had)),
        (Column::words(words.statistic_id, 6), &|(.., id, _)| Value::text(*id)),
        (Column::numbers(words.smallest, 2), &|(.., p)| basis.p_value(*p)),
        (Column::numbers(words.adjusted, 2), &|(_, many, .., p)| basis.p_value((*many as f64 * p).min(1.0))),
    ];
    table(words.p_caption(&facts.id), columns, rows, "")
}

pub(super) fn power(basis: &Basis) -> Section {
    let words = &basis.words.result;
    // One table for all plans that share it; power.csv has every plan.
    let measured =
        basis.facts.audits.iter().zip(&basis.inputs.certificates).find_map(|(facts, certificate)| {
            let power = Power::of_plan(&certificate.result.plan);
            let rows: Vec<&DealerPower> = power.faulty().collect();
            (!rows.is_empty()).then_some((facts, power, rows))
        });
    let Some((facts, power, rows)) = measured else {
        return annex("power", words.power_annex, vec![Block::paragraph(words.no_power)]);
    };
    let needed = |row: &DealerPower| {
        row.decks_in_all().map_or(Value::text(words.not_detected), |decks| basis.number(decks))
    };
    let columns: &[Cells<&&DealerPower>] = &[
        (Column::words(words.dealer, 4), &|row| Value::hash(&row.dealer)),
        (Column::words(words.mechanism, 10), &|row| Value::text(&row.mechanism)),
        (Column::numbers(words.needed, 3), &|row| needed(row)),
    ];
    let blocks = vec![
        Block::paragraph(words.power_of(&facts.id, power.seeds_min(), power.decks_max())),
        Block::Figure(curves(basis, &rows, facts.decks_first)),
        table(words.power_caption, columns, &rows, words.power_note),
    ];
    annex("power", words.power_annex, blocks)
}

/// A few dealers from the easiest to the hardest: the share of seeds under which so many decks detect each.
fn curves(basis: &Basis, rows: &[&DealerPower], decks: u64) -> Figure {
    let mut detected: Vec<&DealerPower> =
        rows.iter().copied().filter(|row| row.decks_in_all().is_some()).collect();
    detected.sort_by_key(|row| row.decks_in_all());
    let step = (detected.len() / CURVES).max(1);
    let chosen: Vec<&&DealerPower> = detected.iter().skip(step / 2).step_by(step).take(CURVES).collect();
    let decks_max = chosen.iter().flat_map(|row| row.decks.iter().flatten()).max().copied().unwrap_or(1);
    let sizes = steps(decks_max);
    let curve = |row: &&&DealerPower| {
        let seeds = row.decks.len().max(1) as f64;
        let share =
            |size: u64| row.decks.iter().flatten().filter(|&&needed| needed <= size).count() as f64 / seeds;
        PowerCurve {
            name: row.dealer.clone(),
            points: sizes.iter().map(|&size| (size, share(size))).collect(),
        }
    };
    let curves = chosen.iter().map(curve).collect();
    Figure {
        id: "power-curves".to_owned(),
        title: basis.words.result.power_caption.to_owned(),
        drawing: Drawing::Power { curves, decks },
    }
}

pub(super) fn calibration(basis: &Basis) -> Section {
    let words = &basis.words.result;
    annex("calibration", words.calibration, vec![Block::paragraph(words.calibration_text)])
}

pub(super) fn selftest(basis: &Basis) -> Section {
    let words = &basis.words.result;
    let result = |has_passed: bool| if has_passed { words.yes } else { words.no };
    let columns: &[Cells<&Check>] = &[
        (Column::words(words.claim, 4), &|check| Value::text(basis.words.selftest_claim(&check.claim))),
        (Column::words(words.found, 5), &|check| Value::text(words.selftest_found(&check.found))),
        (Column::words(basis.words.cover.result, 1), &|check| Value::text(result(check.has_passed))),
    ];
    let checks = table(words.selftest_caption, columns, &basis.inputs.selftest.checks, words.selftest_note);
    annex("selftest", words.selftest, vec![checks])
}

pub(super) fn vectors(basis: &Basis) -> Section {
    let words = &basis.words.result;
    let has_some = basis
        .sheets
        .get("vectors.csv")
        .is_some_and(|bytes| bytes.iter().filter(|&&byte| byte == b'\n').count() > 1);
    let text = if has_some { words.vectors_text } else { words.vectors_none };
    annex("vectors", words.vectors, vec![Block::paragraph(text)])
}

pub(super) fn reproduction(basis: &Basis) -> Section {
    let words = &basis.words.result;
    let commands = Block::Code(reproduce::commands(basis.inputs).join("\n"));
    annex("reproduction", words.reproduce, vec![Block::paragraph(words.reproduce_text), commands])
}

pub(super) fn files(basis: &Basis) -> Section {
    let words = &basis.words.result;
    let columns: &[Cells<(&String, &Vec<u8>)>] = &[
        (Column::words(words.file, 3), &|(name, _)| Value::hash(*name)),
        (Column::numbers(basis.words.method.bytes, 1), &|(_, bytes)| basis.number(bytes.len() as u64)),
        (Column::words("SHA-256", 4), &|(_, bytes)| Value::hash(sha256(bytes))),
    ];
    let files = basis.inputs.files();
    let inputs = table(words.inputs_caption, columns, &files, words.inputs_note);
    let note = if basis.inputs.project.package.omit_counts { words.sheet_omitted } else { "" };
    annex("files", words.inputs, vec![inputs, table(words.sheet_caption, columns, basis.sheets, note)])
}

/// Every result that others list; nothing where nobody does.
pub(super) fn external(basis: &Basis) -> Option<Section> {
    let blocks = listing::results(&basis.inputs.attached, basis.words);
    (!blocks.is_empty()).then(|| annex("external-results", basis.words.external.annex, blocks))
}

pub(super) fn revisions(basis: &Basis) -> Section {
    let words = &basis.words.result;
    let all = &basis.inputs.amendments;
    if all.is_empty() {
        return annex("revisions", words.revisions, vec![Block::paragraph(words.no_revisions)]);
    }
    let columns: &[Cells<&Amendment>] = &[
        (Column::numbers(words.revision, 1), &|own| basis.number(u64::from(own.revision))),
        (Column::words(words.reason, 4), &|own| Value::text(&own.reason)),
        (Column::words(words.changes, 5), &|own| Value::hash(own.changes.join(" "))),
        (Column::words(words.previous, 3), &|own| Value::hash(&own.previous_sha256sums)),
    ];
    annex("revisions", words.revisions, vec![table(words.revisions, columns, all, "")])
}
