//! Results: raw output, decks, dealt hands.

use crate::external::listing::Cells;
use crate::project::content::{Basis, section, table};
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

pub(super) fn raw(basis: &Basis) -> Section {
    let words = &basis.words.result;
    let mut blocks = Vec::new();
    for (facts, record) in basis.facts.raw.iter().zip(&basis.inputs.raw) {
        let judgement = record.judge();
        let p_value = basis.words.joint_p_value(facts.family_p_value);
        let verdict = basis.verdict(facts.verdict);
        blocks.push(Block::paragraph(words.raw_text(&facts.item, facts.words, &p_value, verdict)));
        blocks.push(raw_tests(basis, &facts.item, &judgement.tests, words.raw_places));
        if let Some(first) = record.first_family_p_value() {
            let p_value = basis.words.joint_p_value(first);
            blocks.push(Block::paragraph(words.raw_repeated(&facts.item, &p_value)));
        }
        let last = record.repeat.as_ref().unwrap_or(&record.first);
        blocks.push(Block::paragraph(words.raw_health(last.longest_run, last.most_in_window)));
    }
    blocks.extend(basis.inputs.words().flat_map(|(item, record)| supplied_words(basis, item, record)));
    if blocks.is_empty() {
        blocks.push(Block::paragraph(words.raw_none));
    }
    section("raw-output", words.raw, blocks)
}

fn raw_tests(basis: &Basis, item: &str, tests: &[RawTest], places: &str) -> Block {
    let words = &basis.words.result;
    let name = |test: &RawTest| match test.id {
        "ones" => words.raw_ones,
        "changes" => words.raw_changes,
        "differences" => words.raw_differences,
        "bit-places" => places,
        _ => words.raw_bytes,
    };
    let counted = |test: &RawTest| match test.of {
        0 => [Value::text(basis.words.decimal(test.score, 1)), Value::text("–")],
        of => [basis.number(test.count), basis.number(of)],
    };
    let columns: &[Cells<&RawTest>] = &[
        (Column::words(words.test, 5), &|test| Value::text(name(test))),
        (Column::numbers(words.count, 2), &|test| counted(test)[0].clone()),
        (Column::numbers(words.of, 2), &|test| counted(test)[1].clone()),
        (Column::numbers(basis.words.cover.p_value, 2), &|test| basis.p_value(test.p_value)),
    ];
    table(words.raw_caption(item), columns, tests, "")
}

/// The words that the customer handed in of an item.
fn supplied_words(basis: &Basis, item: &str, record: &WordsRecord) -> Vec<Block> {
    let (own, counts, judgement) = (&basis.words.supplied, &record.counts, record.counts.judge());
    let p_value = basis.words.joint_p_value(judgement.family_p_value);
    let (layout, verdict) = (layout(basis.words, record), basis.verdict(judgement.verdict));
    let text = own.words_text(item, &record.file, counts.words, &layout, &p_value, verdict);
    let filled = counts
        .filled_bits()
        .map(|bits| own.not_filled(item, record.word_bits, bits, record.word_bits - bits));
    let mut blocks = vec![Block::paragraph(text)];
    blocks.extend(filled.map(Block::paragraph));
    blocks.extend([
        Block::paragraph(own.words_file(&record.file, &record.sha256)),
        raw_tests(basis, item, &judgement.tests, &own.places(record.word_bits)),
        Block::paragraph(basis.words.result.raw_health(counts.longest_run, counts.most_in_window)),
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

pub(super) fn decks(basis: &Basis) -> Section {
    let words = &basis.words.result;
    let own: Vec<usize> = places(basis, false);
    let mut blocks = vec![audits(basis, &own, words.outcomes_caption)];
    blocks.extend(repeats(basis, &own));
    for place in own {
        let (facts, result) = (&basis.facts.audits[place], &basis.inputs.certificates[place].result);
        let proofs: Vec<String> = facts.proofs.iter().map(|proof| words.proof(proof)).collect();
        if !proofs.is_empty() {
            blocks.push(Block::List(proofs));
        }
        if !result.deciding().statistics.is_empty() {
            blocks.push(standards(basis, facts, result));
            blocks.extend(figures(basis, facts, result).into_iter().map(Block::Figure));
        }
    }
    section("final-outcomes", words.outcomes, blocks)
}

pub(super) fn hands(basis: &Basis) -> Section {
    let words = &basis.words.result;
    let own: Vec<usize> = places(basis, true);
    if own.is_empty() {
        return section("dealt-hands", words.stud, vec![Block::paragraph(words.stud_none)]);
    }
    let mut blocks = vec![Block::paragraph(words.stud_text(own.len() as u64))];
    blocks.extend(rules(basis, &own));
    blocks.push(audits(basis, &own, words.stud_caption));
    blocks.extend(repeats(basis, &own));
    let proofs = own.iter().flat_map(|&place| &basis.facts.audits[place].proofs);
    let proofs: Vec<String> = proofs.map(|proof| words.proof(proof)).collect();
    if !proofs.is_empty() {
        blocks.push(Block::List(proofs));
    }
    section("dealt-hands", words.stud, blocks)
}

/// By whose rules hands were dealt, and what could not be judged where the deck runs short.
fn rules(basis: &Basis, own: &[usize]) -> Vec<Block> {
    let words = &basis.words.result;
    let dealt = |rules: &str| {
        let tables = own.iter().filter_map(|&place| basis.facts.audits[place].table.as_ref());
        tables.into_iter().any(|table| table.rules == rules)
    };
    let named =
        RuleSet::ALL.iter().filter(|rules| dealt(rules.name)).map(|rules| rules_of(words, rules.name));
    let short = |river: River| {
        let tables = own.iter().filter_map(|&place| basis.facts.audits[place].table.as_ref());
        let short = tables.filter(move |table| table.table().is_some_and(|own| own.river() == river));
        short.map(|table| words.players(&table.rules, table.players as u64)).collect::<Vec<_>>()
    };
    let (shared, reshuffled) = (short(River::Shared), short(River::Reshuffled));
    let shared = (!shared.is_empty()).then(|| words.river_shared(&basis.words.series(&shared)));
    let reshuffled =
        (!reshuffled.is_empty()).then(|| words.river_reshuffled(&basis.words.series(&reshuffled)));
    let list = named.map(str::to_owned).chain(shared).chain(reshuffled).collect();
    vec![Block::paragraph(words.rules), Block::List(list)]
}

/// What a reader must know of a rule set; its name alone where it is not known.
fn rules_of(words: &ResultWords, name: &'static str) -> &'static str {
    match name {
        "stud-hi" => words.rules_stud_hi,
        "stud-8b" => words.rules_stud_8b,
        "espacejeux" => words.rules_espacejeux,
        _ => name,
    }
}

/// What the first look showed where a repeat decides: a table of the repeat alone would hide it.
fn repeats(basis: &Basis, own: &[usize]) -> Option<Block> {
    let sentences: Vec<String> = own
        .iter()
        .filter_map(|&place| {
            let (facts, result) = (&basis.facts.audits[place], &basis.inputs.certificates[place].result);
            let p_value = basis.words.joint_p_value(result.first.family_p_value);
            let repeat = facts.decks_repeat?;
            Some(basis.words.result.repeated(&name(basis, facts), facts.decks_first, &p_value, repeat))
        })
        .collect();
    (!sentences.is_empty()).then_some(Block::List(sentences))
}

/// The places of the audits of decks, or of hands.
fn places(basis: &Basis, is_of_hands: bool) -> Vec<usize> {
    let all = basis.facts.audits.iter().enumerate();
    all.filter(|(_, audit)| audit.table.is_some() == is_of_hands).map(|(place, _)| place).collect()
}

fn audits(basis: &Basis, own: &[usize], caption: &str) -> Block {
    let words = &basis.words.result;
    let repeat =
        |own: &AuditFacts| own.decks_repeat.map_or(Value::text(words.no_repeat), |decks| basis.number(decks));
    let smallest = |own: &AuditFacts| match (&own.smallest, own.smallest_p_value) {
        (Some(id), Some(p_value)) => Value::text(basis.words.about(id, &basis.words.p_value(p_value))),
        _ => Value::text("–"),
    };
    let columns: &[Cells<&AuditFacts>] = &[
        (Column::words(basis.words.method.audit, 3), &|own| Value::text(name(basis, own))),
        (Column::numbers(words.first_look, 2), &|own| basis.number(own.decks_first)),
        (Column::numbers(words.repeat, 2), &|own| repeat(own)),
        (Column::numbers(words.p_values, 2), &|own| basis.number(own.p_values as u64)),
        (Column::words(words.smallest, 4), &|own| smallest(own)),
        (Column::numbers(words.family_p, 2), &|own| basis.p_value(own.family_p_value)),
        (Column::words(basis.words.cover.verdict, 2), &|own| Value::text(basis.verdict(own.verdict))),
    ];
    table(caption, columns, own.iter().map(|&place| &basis.facts.audits[place]), words.p_note)
}

/// An audit by its table; one of decks by its id.
fn name(basis: &Basis, facts: &AuditFacts) -> String {
    match &facts.table {
        None => facts.id.clone(),
        Some(table) => {
            let players = basis.words.result.players(&table.rules, table.players as u64);
            basis.words.about(&facts.item, &players)
        }
    }
}

/// Every name of every standard of the project, with what answers to it.
fn standards(basis: &Basis, facts: &AuditFacts, result: &AuditResult) -> Block {
    let words = &basis.words.result;
    let is_asked = |name: &str| basis.inputs.project.standards().any(|standard| standard.name == name);
    let asked = result.deciding().standards.iter().filter(|record| is_asked(&record.name));
    let rows = asked.flat_map(|record| record.tests.iter().map(move |test| (record, test)));
    let named = |own: &StandardRecord| {
        format!("{} ({})", basis.words.standard_name(&own.name), basis.level(own.confidence_percent))
    };
    let p_value = |test: &TestRecord| match test.p_value {
        Some(p_value) => basis.p_value(p_value),
        None => Value::text(basis.words.cover.not_assessed),
    };
    let columns: &[Cells<(&StandardRecord, &TestRecord)>] = &[
        (Column::words(words.named, 3), &|(own, _)| Value::text(named(own))),
        (Column::words(words.test, 5), &|(own, test)| Value::text(basis.words.test(&own.name, &test.name))),
        (Column::numbers(words.answers, 2), &|(_, test)| basis.number(test.p_values as u64)),
        (Column::numbers(basis.words.cover.p_value, 2), &|(_, test)| p_value(test)),
    ];
    table(words.standards_caption(&facts.id, result.deciding().decks), columns, rows, words.standards_note)
}

/// The p-values of an audit, cards by places, and one histogram with its null.
fn figures(basis: &Basis, facts: &AuditFacts, result: &AuditResult) -> Vec<Figure> {
    let look: &Look = result.deciding();
    let id = |kind: &str| format!("{kind}-{}", facts.id.replace('.', "-"));
    let p_values = look.statistics.iter().map(|record| record.p_value).collect();
    let all = Figure {
        id: id("p-values"),
        title: basis.words.result.all_p(&facts.id),
        drawing: Drawing::PValues { p_values, level: result.plan.level },
    };
    let judged = look.judged(&result.plan);
    let drawn = ["card-place", "adjacency", "cycles"].iter().filter_map(|wanted| {
        let own = judged.iter().filter(|judged| judged.view == View::Deck && judged.about.id == *wanted);
        own.into_iter().find_map(|judged| figure(basis, judged, id(wanted)))
    });
    [all].into_iter().chain(drawn).collect()
}

fn figure(basis: &Basis, judged: &Judged, id: String) -> Option<Figure> {
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
    let title = basis.words.statistic(judged.about.id).map_or(judged.about.title, |own| own.title);
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
