//! The summary: each item, each standard, and what stays open.

use crate::project::content::{Said, fact, observed, table};
use deckproof_report::document::{Block, Column, Section, Value};

pub(super) fn section(said: &Said) -> Section {
    let words = &said.words.cover;
    let blocks = vec![
        items(said),
        standards(said),
        Block::Heading(words.observations.to_owned()),
        Block::List(observations(said)),
        Block::Facts(vec![fact(words.root, Value::hash(&said.facts.campaign_sha256))]),
    ];
    super::section("summary", words.summary, blocks)
}

fn items(said: &Said) -> Block {
    let words = &said.words.cover;
    let rows = said.facts.items.iter().map(|item| {
        let root = item.manifest_sha256.as_ref().map_or(Value::Empty, Value::hash);
        vec![Value::text(&item.item), said.number(item.decks), Value::text(said.verdict(item.verdict)), root]
    });
    let columns = vec![
        Column::words(words.item, 2),
        Column::numbers(words.decks, 2),
        Column::words(words.verdict, 2),
        Column::words(words.files_root, 5),
    ];
    table(words.items_caption, columns, rows.collect(), "")
}

fn standards(said: &Said) -> Block {
    let words = &said.words.cover;
    let rows = said.facts.standards.iter().map(|standard| {
        let p_value = standard.p_value.map_or(Value::text("–"), |p| said.p_value(p));
        vec![
            Value::text(said.standard(&standard.standard, &standard.clause)),
            Value::text(&standard.item),
            Value::text(said.words.percent(f64::from(standard.confidence_percent) / 100.0, 0)),
            said.number(standard.audits as u64),
            p_value,
            Value::text(said.conformance(standard.conformance)),
        ]
    });
    let columns = vec![
        Column::words(words.standard, 10),
        Column::words(words.item, 4),
        Column::numbers(words.level, 4),
        Column::numbers(words.audits, 3),
        Column::numbers(words.p_value, 4),
        Column::words(words.result, 4),
    ];
    table(words.standards_caption, columns, rows.collect(), words.standards_note)
}

/// Everything that a reader must know before he relies on the first page.
fn observations(said: &Said) -> Vec<String> {
    let all = &said.facts.observations;
    if all.is_empty() {
        vec![said.words.cover.none_open.to_owned()]
    } else {
        all.iter().map(|own| observed::sentence(own, said.words)).collect()
    }
}
