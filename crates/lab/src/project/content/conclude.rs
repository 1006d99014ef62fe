//! What follows: unpredictability, controls, conformity with its risks, results of others, deviations, opinions.

use crate::external::listing::{self, Cells};
use crate::project::content::{Basis, section, table, text_or_empty};
use crate::project::facts::rows;
use crate::project::package::inputs::external_name;
use crate::project::settings::people::{External, Opinion};
use crate::project::tested::{RunEnd, RunRecord, RunWords, output_name};
use deckproof_audit::power::table::Power;
use deckproof_files::file::sha256;
use deckproof_report::document::{Block, Column, Section, Value};
use deckproof_stats::battery::duplicates::sketch::SketchCount;

/// Most that one audit fails a perfect shuffle with: 0.000001 at once, and 0.01 of the 0.01 that are repeated.
const RISK_FINAL: f64 = 1e-6 + 0.01 * 0.01;

/// Most that one audit does not pass a perfect shuffle with at first look.
const RISK_FIRST: f64 = 0.01;

pub(super) fn unpredictability(basis: &Basis) -> Section {
    let words = &basis.words.result;
    // Where the generator itself is known, decks did say something.
    let text = if rows::is_predicted(basis.inputs) {
        words.unpredictable_recovered
    } else {
        words.unpredictable_text
    };
    let mut blocks = vec![Block::paragraph(text)];
    // Audits of as many decks say the same.
    let mut alike: Vec<((SketchCount, u64), Vec<String>)> = Vec::new();
    for (facts, certificate) in basis.facts.audits.iter().zip(&basis.inputs.certificates) {
        let Some((count, decks)) = certificate.result.deciding().equal_decks() else { continue };
        let is_same = |own: &(SketchCount, u64)| {
            (own.0.pairs, own.0.halvings, own.1) == (count.pairs, count.halvings, decks)
        };
        match alike.iter_mut().find(|(own, _)| is_same(own)) {
            Some((_, ids)) => ids.push(facts.id.clone()),
            None => alike.push(((count, decks), vec![facts.id.clone()])),
        }
    }
    if !alike.is_empty() {
        let list = alike.iter().map(|((count, decks), ids)| {
            basis.words.about(&basis.words.list(ids), &basis.words.seed_space(count, *decks))
        });
        blocks.push(Block::List(list.collect()));
    }
    section("unpredictability", words.unpredictable, blocks)
}

pub(super) fn controls(basis: &Basis) -> Section {
    let words = &basis.words.result;
    section("controls", words.controls, vec![Block::paragraph(words.controls_text)])
}

pub(super) fn conformity(basis: &Basis) -> Section {
    let words = &basis.words.result;
    // Whatever may end the report with another verdict.
    let audits = (basis.facts.audits.len() + basis.facts.raw.len()) as u64;
    let share = |risk: f64| basis.words.percent((audits as f64 * risk).min(1.0), 2);
    let mut blocks = vec![
        Block::paragraph(words.conformity_text),
        Block::Heading(words.rule.to_owned()),
        Block::paragraph(words.rule_text),
        Block::paragraph(words.level_note(&basis.words.percent(basis.facts.family.level, 0))),
        Block::Heading(words.false_reject.to_owned()),
        Block::paragraph(words.false_reject_text(audits, &share(RISK_FINAL), &share(RISK_FIRST))),
    ];
    if !basis.facts.standards.is_empty() {
        // All share one level; of an audit that was repeated, the second look answers as well, after at most 0.01 of all first ones.
        let risk = basis.facts.family.level * (1.0 + RISK_FIRST);
        blocks.push(Block::paragraph(words.false_reject_standards(&basis.words.percent(risk, 2))));
    }
    blocks.push(Block::Heading(words.false_accept.to_owned()));
    blocks.push(Block::List(power_sentences(basis)));
    section("conformity", words.conformity, blocks)
}

/// The risk of passing a flawed shuffle, for each plan whose power is known, and which are not.
fn power_sentences(basis: &Basis) -> Vec<String> {
    let words = &basis.words.result;
    let (mut sentences, mut unknown) = (Vec::new(), Vec::new());
    for (audit, certificate) in basis.facts.audits.iter().zip(&basis.inputs.certificates) {
        let (id, decks) = (&audit.id, audit.decks_first);
        let (detected, dealers) = (audit.power_detected as u64, audit.power_dealers as u64);
        let seeds = Power::of_plan(&certificate.result.plan).seeds_min();
        match audit.power.as_str() {
            "measured" => sentences.push(words.power_measured(id, detected, dealers, decks, seeds)),
            "measured with other versions" => {
                sentences.push(words.power_other(id, detected, dealers, decks, seeds));
            }
            _ => unknown.push(id.clone()),
        }
    }
    if !unknown.is_empty() {
        sentences.push(words.power_not(&basis.words.list(&unknown)));
    }
    sentences
}

pub(super) fn external(basis: &Basis) -> Section {
    let words = &basis.words.result;
    let all = &basis.inputs.project.external;
    if all.is_empty() && basis.inputs.tests.is_empty() {
        return section("external", words.external, vec![Block::paragraph(words.no_external)]);
    }
    let verdict = basis.facts.verdict;
    let mut blocks = tests(basis);
    let own = listing::blocks(&basis.inputs.attached, verdict.into(), basis.verdict(verdict), basis.words);
    // Where the campaign ran all of them, nothing was run by others.
    let is_by_others = all.iter().any(|external| external.program.is_some());
    blocks.extend(own.into_iter().skip(usize::from(!is_by_others)));
    // What no known program printed is kept and named, and not read.
    let others: Vec<&External> = all.iter().filter(|external| external.program.is_none()).collect();
    if others.is_empty() {
        return section("external", words.external, blocks);
    }
    let named = others.into_iter().map(|own| (external_name(own.name()), own));
    let sha256_of = |name: &String| basis.inputs.external.get(name).map(sha256);
    let columns: &[Cells<(String, &External)>] = &[
        (Column::words(words.file, 3), &|(name, _)| Value::hash(name)),
        (Column::words(words.provider, 2), &|(_, own)| text_or_empty(&own.provider)),
        (Column::words(words.of_what, 3), &|(_, own)| text_or_empty(&own.of)),
        (Column::words(words.made, 2), &|(_, own)| basis.day(own.made)),
        (Column::words("SHA-256", 4), &|(name, _)| sha256_of(name).map_or(Value::Empty, Value::hash)),
    ];
    blocks.push(table(words.external_caption, columns, named, words.external_note));
    section("external", words.external, blocks)
}

/// The test programs that the campaign ran, each with its executable, its end and what it was given.
fn tests(basis: &Basis) -> Vec<Block> {
    let (words, all) = (&basis.words.tested, &basis.inputs.tests);
    if all.is_empty() {
        return Vec::new();
    }
    let end = |record: &RunRecord| match record.end {
        RunEnd::NotInstalled => words.end_not_installed.to_owned(),
        RunEnd::Ended { code } => words.end_code(&code.to_string(), record.seconds),
        RunEnd::Killed => words.end_killed.to_owned(),
        RunEnd::TimeLimit => words.end_time_limit(record.time_limit_s),
    };
    let read = |own: &RunWords| match own {
        RunWords::Key(key) => words.key(key),
        RunWords::File(sha256) => words.file(sha256),
    };
    let hash = |text: Option<String>| text.map_or(Value::text("–"), Value::hash);
    let output = |record: &RunRecord| record.output_sha256.as_ref().map(|_| output_name(&record.id));
    let columns: &[Cells<&RunRecord>] = &[
        (Column::words(words.run, 3), &|record| Value::text(&record.id)),
        (Column::words(words.command, 4), &|record| Value::hash(record.command.join(" "))),
        (Column::words(words.executable, 4), &|record| hash(record.executable_sha256.clone())),
        (Column::words(words.end, 3), &|record| Value::text(end(record))),
        (Column::words(words.words, 4), &|record| Value::hash(read(&record.words))),
        (Column::numbers(words.bytes_given, 3), &|record| basis.number(record.bytes_given)),
        (Column::words(words.output, 3), &|record| hash(output(record))),
    ];
    let records = all.iter().map(|test| &test.record);
    vec![Block::paragraph(words.about), table(words.caption, columns, records, words.note)]
}

pub(super) fn deviations(basis: &Basis) -> Section {
    let words = &basis.words.result;
    let all: Vec<String> =
        basis.inputs.project.deviation.iter().map(|deviation| deviation.text.clone()).collect();
    let block = if all.is_empty() { Block::paragraph(words.no_deviations) } else { Block::List(all) };
    section("deviations", words.deviations, vec![block])
}

pub(super) fn opinions(basis: &Basis) -> Section {
    let words = &basis.words.result;
    let opinion = |opinion: &Opinion| match &opinion.by {
        Some(by) if !by.trim().is_empty() => Block::Opinion(words.opinion_of(by, &opinion.text)),
        _ => Block::Opinion(opinion.text.clone()),
    };
    let mut blocks: Vec<Block> = basis.inputs.project.opinion.iter().map(opinion).collect();
    if blocks.is_empty() {
        blocks.push(Block::paragraph(words.no_opinions));
    }
    section("opinions", words.opinions, blocks)
}
