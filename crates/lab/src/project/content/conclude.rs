//! What follows: unpredictability, controls, conformity with its risks, results of others, deviations, opinions.

use crate::external::listing;
use crate::project::content::{Said, section, table};
use crate::project::facts::rows;
use crate::project::package::inputs::{TestMade, external_name};
use crate::project::settings::people::{External, Opinion};
use crate::project::tested::{RunEnd, RunWords, output_name};
use deckproof_audit::power::table::Power;
use deckproof_files::file::sha256;
use deckproof_report::document::{Block, Column, Section, Value};
use deckproof_stats::battery::duplicates::sketch::SketchCount;

/// Most that one audit fails a perfect shuffle with: 0.000001 at once, and 0.01 of the 0.01 that are repeated.
const RISK_FINAL: f64 = 1e-6 + 0.01 * 0.01;

/// Most that one audit does not pass a perfect shuffle with at first look.
const RISK_FIRST: f64 = 0.01;

pub(super) fn unpredictability(said: &Said) -> Section {
    let words = &said.words.result;
    // Where the generator itself is known, decks did say something.
    let text = if rows::is_predicted(said.inputs) {
        words.unpredictable_recovered
    } else {
        words.unpredictable_text
    };
    let mut blocks = vec![Block::paragraph(text)];
    // Audits of as many decks say the same.
    let mut alike: Vec<((SketchCount, u64), Vec<String>)> = Vec::new();
    for (facts, certificate) in said.facts.audits.iter().zip(&said.inputs.certificates) {
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
            said.words.about(&said.words.list(ids), &said.words.seed_space(count, *decks))
        });
        blocks.push(Block::List(list.collect()));
    }
    section("unpredictability", words.unpredictable, blocks)
}

pub(super) fn controls(said: &Said) -> Section {
    let words = &said.words.result;
    section("controls", words.controls, vec![Block::paragraph(words.controls_text)])
}

pub(super) fn conformity(said: &Said) -> Section {
    let words = &said.words.result;
    // Whatever may end the report with another verdict.
    let audits = (said.facts.audits.len() + said.facts.raw.len()) as u64;
    let share = |risk: f64| said.words.percent((audits as f64 * risk).min(1.0), 2);
    let mut blocks = vec![
        Block::paragraph(words.conformity_text),
        Block::Heading(words.rule.to_owned()),
        Block::paragraph(words.rule_text),
        Block::paragraph(words.level_note(&said.words.percent(said.facts.family.level, 0))),
        Block::Heading(words.false_reject.to_owned()),
        Block::paragraph(words.false_reject_text(audits, &share(RISK_FINAL), &share(RISK_FIRST))),
    ];
    if !said.facts.standards.is_empty() {
        // All share one level; of an audit that was repeated, the second look answers as well, after at most 0.01 of all first ones.
        let risk = said.facts.family.level * (1.0 + RISK_FIRST);
        blocks.push(Block::paragraph(words.false_reject_standards(&said.words.percent(risk, 2))));
    }
    blocks.push(Block::Heading(words.false_accept.to_owned()));
    blocks.push(Block::List(power_sentences(said)));
    section("conformity", words.conformity, blocks)
}

/// The risk of passing a flawed shuffle, for each plan whose power is known, and which are not.
fn power_sentences(said: &Said) -> Vec<String> {
    let words = &said.words.result;
    let (mut sentences, mut unknown) = (Vec::new(), Vec::new());
    for (audit, certificate) in said.facts.audits.iter().zip(&said.inputs.certificates) {
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
        sentences.push(words.power_not(&said.words.list(&unknown)));
    }
    sentences
}

pub(super) fn external(said: &Said) -> Section {
    let words = &said.words.result;
    let all = &said.inputs.project.external;
    if all.is_empty() && said.inputs.tests.is_empty() {
        return section("external", words.external, vec![Block::paragraph(words.no_external)]);
    }
    let verdict = said.facts.verdict;
    let mut blocks = tests(said);
    let own = listing::blocks(&said.inputs.attached, verdict.into(), said.verdict(verdict), said.words);
    // Where the campaign ran all of them, nothing was run by others.
    let is_by_others = all.iter().any(|external| external.program.is_some());
    blocks.extend(own.into_iter().skip(usize::from(!is_by_others)));
    // What no known program printed is kept and named, and not read.
    let others: Vec<&External> = all.iter().filter(|external| external.program.is_none()).collect();
    if others.is_empty() {
        return section("external", words.external, blocks);
    }
    let rows = others.iter().map(|external| {
        let name = external_name(external.name());
        let sha256 = said.inputs.external.get(&name).map(sha256);
        let made = external.made.map_or(Value::Empty, |date| Value::text(said.words.date(date)));
        vec![
            Value::hash(&name),
            Value::said(external.provider.as_deref()),
            Value::said(external.of.as_deref()),
            made,
            sha256.map_or(Value::Empty, Value::hash),
        ]
    });
    let columns = vec![
        Column::words(words.file, 3),
        Column::words(words.provider, 2),
        Column::words(words.of_what, 3),
        Column::words(words.made, 2),
        Column::words("SHA-256", 4),
    ];
    blocks.push(table(words.external_caption, columns, rows.collect(), words.external_note));
    section("external", words.external, blocks)
}

/// The test programs that the campaign ran, each with its executable, its end and what it was given.
fn tests(said: &Said) -> Vec<Block> {
    let (words, all) = (&said.words.tested, &said.inputs.tests);
    if all.is_empty() {
        return Vec::new();
    }
    let row = |test: &TestMade| {
        let record = &test.record;
        let end = match record.end {
            RunEnd::NotInstalled => words.end_not_installed.to_owned(),
            RunEnd::Ended { code } => words.end_code(&code.to_string(), record.seconds),
            RunEnd::Killed => words.end_killed.to_owned(),
            RunEnd::TimeLimit => words.end_time_limit(record.time_limit_s),
        };
        let hash = |text: &Option<String>| text.as_ref().map_or(Value::text("–"), Value::hash);
        vec![
            Value::text(&record.id),
            Value::hash(record.command.join(" ")),
            hash(&record.executable_sha256),
            Value::text(end),
            Value::hash(match &record.words {
                RunWords::Key(key) => words.key(key),
                RunWords::File(sha256) => words.file(sha256),
            }),
            said.number(record.bytes_given),
            hash(&record.output_sha256.as_ref().map(|_| output_name(&record.id))),
        ]
    };
    let columns = vec![
        Column::words(words.run, 3),
        Column::words(words.command, 4),
        Column::words(words.executable, 4),
        Column::words(words.end, 3),
        Column::words(words.words, 4),
        Column::numbers(words.bytes_given, 3),
        Column::words(words.output, 3),
    ];
    vec![
        Block::paragraph(words.about),
        table(words.caption, columns, all.iter().map(row).collect(), words.note),
    ]
}

pub(super) fn deviations(said: &Said) -> Section {
    let words = &said.words.result;
    let all: Vec<String> =
        said.inputs.project.deviation.iter().map(|deviation| deviation.text.clone()).collect();
    let block = if all.is_empty() { Block::paragraph(words.no_deviations) } else { Block::List(all) };
    section("deviations", words.deviations, vec![block])
}

pub(super) fn opinions(said: &Said) -> Section {
    let words = &said.words.result;
    let opinion = |opinion: &Opinion| match &opinion.by {
        Some(by) if !by.trim().is_empty() => Block::Opinion(words.opinion_of(by, &opinion.text)),
        _ => Block::Opinion(opinion.text.clone()),
    };
    let mut blocks: Vec<Block> = said.inputs.project.opinion.iter().map(opinion).collect();
    if blocks.is_empty() {
        blocks.push(Block::paragraph(words.no_opinions));
    }
    section("opinions", words.opinions, blocks)
}
