//! Results: raw output, decks, dealt hands.

use crate::external::listing::Cells;
use crate::project::content::{Said, section, table};
use crate::project::facts::AuditFacts;
use crate::project::raw::RawTest;
use crate::project::settings::supplied::ByteOrder;
use crate::project::supplied::WordsRecord;
use deckproof_audit::certificate::look::Look;
use deckproof_audit::certificate::standards::{StandardRecord, TestRecord};
use deckproof_audit::certificate::{AuditResult, Judged};
use deckproof_report::document::figure::{Axis, Drawing, Figure};
use deckproof_report::document::words::ResultWords;
use deckproof_report::document::words::Words;
use deckproof_report::document::{Block, Column, Section, Value};
use deckproof_stats::battery::stud::table::River;
use deckproof_stats::battery::{Exhibit, View};
use deckproof_stud::stud::rules::RuleSet;

pub(super) fn raw(said: &Said) -> Section {
    let words = &said.words.result;
    let mut blocks = Vec::new();
    for (facts, record) in said.facts.raw.iter().zip(&said.inputs.raw) {
        let judgement = record.judge();
        let p_value = said.words.joint_p_value(facts.family_p_value);
        let verdict = said.verdict(facts.verdict);
        blocks.push(Block::paragraph(words.raw_text(&facts.item, facts.words, &p_value, verdict)));
        blocks.push(raw_tests(said, &facts.item, &judgement.tests, words.raw_places));
        if let Some(first) = record.first_family_p_value() {
            let p_value = said.words.joint_p_value(first);
            blocks.push(Block::paragraph(words.raw_repeated(&facts.item, &p_value)));
        }
        let last = record.repeat.as_ref().unwrap_or(&record.first);
        blocks.push(Block::paragraph(words.raw_health(last.longest_run, last.most_in_window)));
    }
    blocks.extend(said.inputs.words().flat_map(|(item, record)| supplied_words(said, item, record)));
    if blocks.is_empty() {
        blocks.push(Block::paragraph(words.raw_none));
    }
    section("raw-output", words.raw, blocks)
}

fn raw_tests(said: &Said, item: &str, tests: &[RawTest], places: &str) -> Block {
    let words = &said.words.result;
    let name = |test: &RawTest| match test.id {
        "ones" => words.raw_ones,
        "changes" => words.raw_changes,
        "differences" => words.raw_differences,
        "bit-places" => places,
        _ => words.raw_bytes,
    };
    let counted = |test: &RawTest| match test.of {
        0 => [Value::text(said.words.decimal(test.score, 1)), Value::text("–")],
        of => [said.number(test.count), said.number(of)],
    };
    let columns: &[Cells<&RawTest>] = &[
        (Column::words(words.test, 5), &|test| Value::text(name(test))),
        (Column::numbers(words.count, 2), &|test| counted(test)[0].clone()),
        (Column::numbers(words.of, 2), &|test| counted(test)[1].clone()),
        (Column::numbers(said.words.cover.p_value, 2), &|test| said.p_value(test.p_value)),
    ];
    table(words.raw_caption(item), columns, tests, "")
}

/// The words that the customer handed in of an item.
fn supplied_words(said: &Said, item: &str, record: &WordsRecord) -> Vec<Block> {
    let (own, counts, judgement) = (&said.words.supplied, &record.counts, record.counts.judge());
    let p_value = said.words.joint_p_value(judgement.family_p_value);
    let (layout, verdict) = (layout(said.words, record), said.verdict(judgement.verdict));
    let text = own.words_text(item, &record.file, counts.words, &layout, &p_value, verdict);
    let filled = counts
        .filled_bits()
        .map(|bits| own.not_filled(item, record.word_bits, bits, record.word_bits - bits));
    let mut blocks = vec![Block::paragraph(text)];
    blocks.extend(filled.map(Block::paragraph));
    blocks.extend([
        Block::paragraph(own.words_file(&record.file, &record.sha256)),
        raw_tests(said, item, &judgement.tests, &own.places(record.word_bits)),
        Block::paragraph(said.words.result.raw_health(counts.longest_run, counts.most_in_window)),
    ]);
    blocks
}

/// How the words of a file lie in it.
pub fn layout(words: &Words, record: &WordsRecord) -> String {
    let own = &words.supplied;
    match (record.word_bits, record.order) {
        (8, _) => own.layout_byte.to_owned(),
        (bits, ByteOrder::Little) => own.layout_little(bits),
        (bits, ByteOrder::Big) => own.layout_big(bits),
    }
}

pub(super) fn decks(said: &Said) -> Section {
    let words = &said.words.result;
    let own: Vec<usize> = places(said, false);
    let mut blocks = vec![audits(said, &own, words.outcomes_caption)];
    blocks.extend(repeats(said, &own));
    for place in own {
        let (facts, result) = (&said.facts.audits[place], &said.inputs.certificates[place].result);
        let proofs: Vec<String> = facts.proofs.iter().map(|proof| words.proof(proof)).collect();
        if !proofs.is_empty() {
            blocks.push(Block::List(proofs));
        }
        if !result.deciding().statistics.is_empty() {
            blocks.push(standards(said, facts, result));
            blocks.extend(figures(said, facts, result).into_iter().map(Block::Figure));
        }
    }
    section("final-outcomes", words.outcomes, blocks)
}

pub(super) fn hands(said: &Said) -> Section {
    let words = &said.words.result;
    let own: Vec<usize> = places(said, true);
    if own.is_empty() {
        return section("dealt-hands", words.stud, vec![Block::paragraph(words.stud_none)]);
    }
    let mut blocks = vec![Block::paragraph(words.stud_text(own.len() as u64))];
    blocks.extend(rules(said, &own));
    blocks.push(audits(said, &own, words.stud_caption));
    blocks.extend(repeats(said, &own));
    let proofs = own.iter().flat_map(|&place| &said.facts.audits[place].proofs);
    let proofs: Vec<String> = proofs.map(|proof| words.proof(proof)).collect();
    if !proofs.is_empty() {
        blocks.push(Block::List(proofs));
    }
    section("dealt-hands", words.stud, blocks)
}

/// By whose rules hands were dealt, and what could not be judged where the deck runs short.
fn rules(said: &Said, own: &[usize]) -> Vec<Block> {
    let words = &said.words.result;
    let dealt = |rules: &str| {
        let tables = own.iter().filter_map(|&place| said.facts.audits[place].table.as_ref());
        tables.into_iter().any(|table| table.rules == rules)
    };
    let told = RuleSet::ALL.iter().filter(|rules| dealt(rules.name)).map(|rules| rules_of(words, rules.name));
    let short = |river: River| {
        let tables = own.iter().filter_map(|&place| said.facts.audits[place].table.as_ref());
        let short = tables.filter(move |table| table.table().is_some_and(|own| own.river() == river));
        short.map(|table| words.players(&table.rules, table.players as u64)).collect::<Vec<_>>()
    };
    let (shared, reshuffled) = (short(River::Shared), short(River::Reshuffled));
    let shared = (!shared.is_empty()).then(|| words.river_shared(&said.words.series(&shared)));
    let reshuffled =
        (!reshuffled.is_empty()).then(|| words.river_reshuffled(&said.words.series(&reshuffled)));
    let list = told.map(str::to_owned).chain(shared).chain(reshuffled).collect();
    vec![Block::paragraph(words.rules), Block::List(list)]
}

/// What a reader must know of a rule set; its name alone where it is not told.
fn rules_of(words: &ResultWords, name: &'static str) -> &'static str {
    match name {
        "stud-hi" => words.rules_stud_hi,
        "stud-8b" => words.rules_stud_8b,
        "espacejeux" => words.rules_espacejeux,
        _ => name,
    }
}

/// What the first look showed where a repeat decides: a table of the repeat alone would hide it.
fn repeats(said: &Said, own: &[usize]) -> Option<Block> {
    let told: Vec<String> = own
        .iter()
        .filter_map(|&place| {
            let (facts, result) = (&said.facts.audits[place], &said.inputs.certificates[place].result);
            let p_value = said.words.joint_p_value(result.first.family_p_value);
            let repeat = facts.decks_repeat?;
            Some(said.words.result.repeated(&name(said, facts), facts.decks_first, &p_value, repeat))
        })
        .collect();
    (!told.is_empty()).then_some(Block::List(told))
}

/// The places of the audits of decks, or of hands.
fn places(said: &Said, is_of_hands: bool) -> Vec<usize> {
    let all = said.facts.audits.iter().enumerate();
    all.filter(|(_, audit)| audit.table.is_some() == is_of_hands).map(|(place, _)| place).collect()
}

fn audits(said: &Said, own: &[usize], caption: &str) -> Block {
    let words = &said.words.result;
    let repeat =
        |own: &AuditFacts| own.decks_repeat.map_or(Value::text(words.no_repeat), |decks| said.number(decks));
    let smallest = |own: &AuditFacts| match (&own.smallest, own.smallest_p_value) {
        (Some(id), Some(p_value)) => Value::text(said.words.about(id, &said.words.p_value(p_value))),
        _ => Value::text("–"),
    };
    let columns: &[Cells<&AuditFacts>] = &[
        (Column::words(said.words.method.audit, 3), &|own| Value::text(name(said, own))),
        (Column::numbers(words.first_look, 2), &|own| said.number(own.decks_first)),
        (Column::numbers(words.repeat, 2), &|own| repeat(own)),
        (Column::numbers(words.p_values, 2), &|own| said.number(own.p_values as u64)),
        (Column::words(words.smallest, 4), &|own| smallest(own)),
        (Column::numbers(words.family_p, 2), &|own| said.p_value(own.family_p_value)),
        (Column::words(said.words.cover.verdict, 2), &|own| Value::text(said.verdict(own.verdict))),
    ];
    table(caption, columns, own.iter().map(|&place| &said.facts.audits[place]), words.p_note)
}

/// An audit by its table; one of decks by its id.
fn name(said: &Said, facts: &AuditFacts) -> String {
    match &facts.table {
        None => facts.id.clone(),
        Some(table) => {
            let players = said.words.result.players(&table.rules, table.players as u64);
            said.words.about(&facts.item, &players)
        }
    }
}

/// Every name of every standard of the project, with what answers to it.
fn standards(said: &Said, facts: &AuditFacts, result: &AuditResult) -> Block {
    let words = &said.words.result;
    let is_asked = |name: &str| said.inputs.project.standards().any(|standard| standard.name == name);
    let asked = result.deciding().standards.iter().filter(|record| is_asked(&record.name));
    let rows = asked.flat_map(|record| record.tests.iter().map(move |test| (record, test)));
    let named = |own: &StandardRecord| {
        format!("{} ({})", said.words.standard_name(&own.name), said.level(own.confidence_percent))
    };
    let p_value = |test: &TestRecord| match test.p_value {
        Some(p_value) => said.p_value(p_value),
        None => Value::text(said.words.cover.not_assessed),
    };
    let columns: &[Cells<(&StandardRecord, &TestRecord)>] = &[
        (Column::words(words.named, 3), &|(own, _)| Value::text(named(own))),
        (Column::words(words.test, 5), &|(own, test)| Value::text(said.words.test(&own.name, &test.name))),
        (Column::numbers(words.answers, 2), &|(_, test)| said.number(test.p_values as u64)),
        (Column::numbers(said.words.cover.p_value, 2), &|(_, test)| p_value(test)),
    ];
    table(words.standards_caption(&facts.id, result.deciding().decks), columns, rows, words.standards_note)
}

/// The p-values of an audit, cards by places, and one histogram with its null.
fn figures(said: &Said, facts: &AuditFacts, result: &AuditResult) -> Vec<Figure> {
    let look: &Look = result.deciding();
    let id = |kind: &str| format!("{kind}-{}", facts.id.replace('.', "-"));
    let p_values = look.statistics.iter().map(|record| record.p_value).collect();
    let all = Figure {
        id: id("p-values"),
        title: said.words.result.all_p(&facts.id),
        drawing: Drawing::PValues { p_values, level: result.plan.level },
    };
    let judged = look.judged(&result.plan);
    let drawn = ["card-place", "adjacency", "cycles"].iter().filter_map(|wanted| {
        let own = judged.iter().filter(|judged| judged.view == View::Deck && judged.about.id == *wanted);
        own.into_iter().find_map(|judged| figure(said, judged, id(wanted)))
    });
    [all].into_iter().chain(drawn).collect()
}

fn figure(said: &Said, judged: &Judged, id: String) -> Option<Figure> {
    let drawing = match &judged.outcome.exhibit {
        Exhibit::None => return None,
        Exhibit::Table { row_axis, column_axis, side, observed, expected, deviation } => Drawing::HeatMap {
            rows: axis(row_axis)?,
            columns: axis(column_axis)?,
            side: *side,
            observed: observed.clone(),
            expected: *expected,
            deviation: *deviation,
        },
        Exhibit::Histogram { axis, values, observed, expected } => Drawing::Histogram {
            axis: (*axis).to_owned(),
            values: values.clone(),
            observed: observed.clone(),
            expected: expected.clone(),
        },
    };
    let title = said.words.statistic(judged.about.id).map_or(judged.about.title, |own| own.title);
    Some(Figure { id, title: title.to_owned(), drawing })
}

/// What a row or column of a table of single decks is, by the word of the battery.
fn axis(word: &str) -> Option<Axis> {
    match word {
        "card" => Some(Axis::Card),
        "place" => Some(Axis::Place),
        "card that follows" => Some(Axis::CardThatFollows),
        _ => None,
    }
}
