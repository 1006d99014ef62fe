//! The summary: each item, each standard, and what stays open.

use crate::external::listing::Cells;
use crate::project::content::{Basis, fact, observed, table};
use crate::project::facts::{ItemFacts, StandardFacts};
use deckproof_report::document::{Block, Column, Section, Value};

pub(super) fn section(basis: &Basis) -> Section {
    let words = &basis.words.cover;
    let blocks = vec![
        items(basis),
        standards(basis),
        Block::Heading(words.observations.to_owned()),
        Block::List(observations(basis)),
        Block::Facts(vec![fact(words.root, Value::hash(&basis.facts.campaign_sha256))]),
    ];
    super::section("summary", words.summary, blocks)
}

fn items(basis: &Basis) -> Block {
    let words = &basis.words.cover;
    let root = |item: &ItemFacts| item.manifest_sha256.as_ref().map_or(Value::Empty, Value::hash);
    let columns: &[Cells<&ItemFacts>] = &[
        (Column::words(words.item, 2), &|item| Value::text(&item.item)),
        (Column::numbers(words.decks, 2), &|item| basis.number(item.decks)),
        (Column::words(words.verdict, 2), &|item| Value::text(basis.verdict(item.verdict))),
        (Column::words(words.files_root, 5), &|item| root(item)),
    ];
    table(words.items_caption, columns, &basis.facts.items, "")
}

fn standards(basis: &Basis) -> Block {
    let words = &basis.words.cover;
    let p_value = |own: &StandardFacts| own.p_value.map_or(Value::text("–"), |p| basis.p_value(p));
    let columns: &[Cells<&StandardFacts>] = &[
        (Column::words(words.standard, 10), &|own| Value::text(basis.standard(&own.standard, &own.clause))),
        (Column::words(words.item, 4), &|own| Value::text(&own.item)),
        (Column::numbers(words.level, 4), &|own| Value::text(basis.level(own.confidence_percent))),
        (Column::numbers(words.audits, 3), &|own| basis.number(own.audits as u64)),
        (Column::numbers(words.p_value, 4), &|own| p_value(own)),
        (Column::words(words.result, 4), &|own| Value::text(basis.conformance(own.conformance))),
    ];
    table(words.standards_caption, columns, &basis.facts.standards, words.standards_note)
}

/// Everything that a reader must know before he relies on the first page.
fn observations(basis: &Basis) -> Vec<String> {
    let all = &basis.facts.observations;
    if all.is_empty() {
        vec![basis.words.cover.none_open.to_owned()]
    } else {
        all.iter().map(|own| observed::sentence(own, basis.words)).collect()
    }
}
