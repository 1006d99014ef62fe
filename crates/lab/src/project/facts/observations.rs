//! What a project has to observe: every observation that follows from its facts and its inputs.

use std::collections::BTreeMap;

use crate::external::dieharder;
use crate::project::facts::identity::{ItemFiles, item_files};
use crate::project::facts::observation::{Observation, TestRunGap};
use crate::project::facts::part::parts_examined;
use crate::project::facts::rows::RowStatus;
use crate::project::facts::{AuditFacts, Conformance, Facts, common, fields};
use crate::project::package::inputs::Inputs;
use crate::project::settings::people::Role;
use crate::project::supplied::pairs::PairsVerdict;
use crate::project::tested::RunEnd;
use deckproof_audit::audit::verdict::Verdict;

/// Every observation, what speaks against the item first.
pub fn observations(inputs: &Inputs, facts: &Facts) -> Vec<Observation> {
    let mut all = of_audits(facts);
    all.extend(of_plans(inputs));
    all.extend(common::between(inputs, &facts.audits));
    all.extend(of_standards(facts));
    all.extend(of_rows(facts));
    all.extend(of_external(facts));
    all.extend(of_runs(inputs));
    all.extend(of_people(inputs));
    all.extend(of_files(inputs));
    all.extend(parts_examined(inputs));
    if !facts.selftest_passed {
        all.push(Observation::SelftestFailed);
    }
    let open = fields::open(inputs);
    let (letters, keys) = open.iter().map(|field| (field.letter, field.missing())).unzip();
    all.extend((!open.is_empty()).then_some(Observation::FieldsOpen { letters, keys }));
    let count = facts.rows.iter().filter(|row| row.status == RowStatus::NotAssessed).count() as u64;
    all.extend((count > 0).then_some(Observation::RowsOpen { count }));
    all.sort_by_key(|observation| (!observation.is_against(), !observation.is_on_first_page()));
    all
}

fn of_audits(facts: &Facts) -> Vec<Observation> {
    let mut all = Vec::new();
    for own in &facts.audits {
        let audit = own.id.clone();
        if own.verdict_in_family != Verdict::Pass {
            all.push(Observation::AuditNotPassed { audit: audit.clone(), verdict: own.verdict_in_family });
        } else if own.verdict != Verdict::Pass {
            all.push(Observation::AuditAlone { audit: audit.clone() });
        }
        if own.repeat_missing.is_some() {
            all.push(Observation::RepeatMissing { audit: audit.clone() });
        }
        if own.aborted_runs > 0 {
            all.push(Observation::BeganAgain { audit, times: own.aborted_runs });
        }
    }
    let raw = facts.raw.iter().filter(|raw| raw.verdict != Verdict::Pass);
    all.extend(raw.map(|raw| Observation::RawNotPassed { item: raw.item.clone(), verdict: raw.verdict }));
    let filled = facts.raw.iter().filter_map(|raw| Some((raw.item.clone(), raw.filled?)));
    all.extend(filled.map(|(item, [word_bits, bits])| Observation::WordsNotFilled { item, word_bits, bits }));
    let alone = facts.raw.iter().filter(|raw| raw.verdict == Verdict::Pass).filter_map(|raw| {
        let file = raw.supplied.clone().filter(|_| raw.family_p_value < facts.family.level)?;
        Some(Observation::AuditAlone { audit: file })
    });
    all.extend(alone);
    let differing = facts.pairs.iter().filter(|pairs| pairs.verdict == PairsVerdict::Differs);
    all.extend(differing.map(|own| Observation::PairsDiffer {
        item: own.item.clone(),
        not_given: own.not_given,
        decks: own.decks,
        has_same_words: own.has_same_words,
        method: own.method.name(),
        is_named: !own.named.is_empty(),
    }));
    all
}

/// What no audit of an item runs, each list once: with it, a fail can be left out.
fn of_plans(inputs: &Inputs) -> impl Iterator<Item = Observation> {
    let mut by_list: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for item in &inputs.project.item {
        let audits = inputs.frozen.audits.iter().filter(|audit| audit.item == item.id);
        let common =
            |all: Vec<String>, own: Vec<String>| all.into_iter().filter(|id| own.contains(id)).collect();
        let left_out = audits.map(|audit| audit.plan.left_out()).reduce(common).unwrap_or_default();
        by_list.entry(left_out).or_default().push(item.id.clone());
    }
    let own = by_list.into_iter().filter(|(statistics, _)| !statistics.is_empty());
    own.map(|(statistics, items)| Observation::PlanLeftOut { items, statistics })
}

fn of_standards(facts: &Facts) -> Vec<Observation> {
    let all = facts.standards.len();
    let own = facts.standards.iter().filter_map(|own| {
        let (item, standard) = (own.item.clone(), own.standard.clone());
        match (own.conformance, &own.reason) {
            (Conformance::NotMet, _) => {
                let confidence_percent = own.confidence_percent;
                // Where an audit of the item fails, that is no question any more.
                let is_failed =
                    |audit: &AuditFacts| audit.item == item && audit.verdict_in_family == Verdict::Fail;
                let in_family =
                    own.is_question_among(all, facts.family.level) && !facts.audits.iter().any(is_failed);
                Some(Observation::StandardNotMet { item, standard, confidence_percent, in_family })
            }
            (Conformance::NotAssessed, Some(reason)) => {
                let (names_run, names, reason) = (own.names_run, own.names, reason.clone());
                Some(Observation::StandardNotAssessed { item, standard, names_run, names, reason })
            }
            _ => None,
        }
    });
    let mut all: Vec<Observation> = own.collect();
    // A standard of several levels lacks the same tests at each.
    all.dedup();
    all
}

fn of_rows(facts: &Facts) -> impl Iterator<Item = Observation> + '_ {
    let broken = facts.rows.iter().filter(|row| row.status == RowStatus::NotMet);
    broken.map(|row| Observation::RowNotMet { row: row.row, by: row.against.clone() })
}

fn of_external(facts: &Facts) -> Vec<Observation> {
    let mut all = Vec::new();
    for own in &facts.external {
        let (file, results) = (own.file.clone(), own.results);
        if own.failed > 0 {
            let (program, failed) = (own.program, own.failed);
            all.push(Observation::ExternalFailed { file: file.clone(), program, failed, results });
        }
        if let Some(whole) = own.whole.filter(|whole| results < *whole) {
            all.push(Observation::ExternalIncomplete { file: file.clone(), results, whole });
        }
        if own.contradicts {
            all.push(Observation::ExternalDisagrees { file });
        }
    }
    all
}

fn of_runs(inputs: &Inputs) -> Vec<Observation> {
    let mut all = Vec::new();
    for test in &inputs.tests {
        let record = &test.record;
        let (run, program) = (record.id.clone(), record.command.first().cloned().unwrap_or_default());
        let why = match record.end {
            RunEnd::NotInstalled => Some(TestRunGap::NotInstalled),
            RunEnd::TimeLimit => Some(TestRunGap::TimeLimit { seconds: record.time_limit_s }),
            RunEnd::Killed => Some(TestRunGap::Killed),
            RunEnd::Ended { code } if code != 0 => Some(TestRunGap::Code { code }),
            RunEnd::Ended { .. } if test.unread.is_some() || record.is_cut => Some(TestRunGap::Unread),
            RunEnd::Ended { .. } => None,
        };
        all.extend(why.map(|why| Observation::TestRunOpen { run: run.clone(), program, why }));
        let times = dieharder::rewound(&record.messages);
        all.extend(times.map(|times| Observation::WordsReadAgain { run, times }));
    }
    all
}

/// The items of which no file says what made the decks.
fn of_files(inputs: &Inputs) -> impl Iterator<Item = Observation> + '_ {
    inputs.project.item.iter().filter_map(|own| {
        let item = own.id.clone();
        match item_files(inputs, own) {
            ItemFiles::None => Some(Observation::FilesMissing { item }),
            ItemFiles::OnlyData => Some(Observation::FilesOnlyData { item }),
            ItemFiles::Some => None,
        }
    })
}

/// A person who reviews or authorises his own work is named: there was no second look.
fn of_people(inputs: &Inputs) -> Vec<Observation> {
    let mut by_name: Vec<(String, Vec<Role>)> = Vec::new();
    for person in &inputs.project.person {
        let Some(name) = person.name.as_deref().map(str::trim).filter(|name| !name.is_empty()) else {
            continue;
        };
        let is_same = |other: &str| other.to_lowercase() == name.to_lowercase();
        match by_name.iter_mut().find(|(other, _)| is_same(other)) {
            Some((_, roles)) if roles.contains(&person.role) => {}
            Some((_, roles)) => roles.push(person.role),
            None => by_name.push((name.to_owned(), vec![person.role])),
        }
    }
    let several = by_name.into_iter().filter(|(_, roles)| roles.len() > 1);
    several.map(|(name, roles)| Observation::SamePerson { name, roles }).collect()
}
