//! The summary: each item, each standard, and what stays open.

use crate::external::listing::Cells;
use crate::project::content::{Said, fact, observed, table};
use crate::project::facts::{ItemFacts, StandardFacts};
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
    let root = |item: &ItemFacts| item.manifest_sha256.as_ref().map_or(Value::Empty, Value::hash);
    let columns: &[Cells<&ItemFacts>] = &[
        (Column::words(words.item, 2), &|item| Value::text(&item.item)),
        (Column::numbers(words.decks, 2), &|item| said.number(item.decks)),
        (Column::words(words.verdict, 2), &|item| Value::text(said.verdict(item.verdict))),
        (Column::words(words.files_root, 5), &|item| root(item)),
    ];
    table(words.items_caption, columns, &said.facts.items, "")
}

fn standards(said: &Said) -> Block {
    let words = &said.words.cover;
    let p_value = |own: &StandardFacts| own.p_value.map_or(Value::text("–"), |p| said.p_value(p));
    let columns: &[Cells<&StandardFacts>] = &[
        (Column::words(words.standard, 10), &|own| Value::text(said.standard(&own.standard, &own.clause))),
        (Column::words(words.item, 4), &|own| Value::text(&own.item)),
        (Column::numbers(words.level, 4), &|own| Value::text(said.level(own.confidence_percent))),
        (Column::numbers(words.audits, 3), &|own| said.number(own.audits as u64)),
        (Column::numbers(words.p_value, 4), &|own| p_value(own)),
        (Column::words(words.result, 4), &|own| Value::text(said.conformance(own.conformance))),
    ];
    table(words.standards_caption, columns, &said.facts.standards, words.standards_note)
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
