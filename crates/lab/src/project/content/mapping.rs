//! Results: whether words give the decks that lie beside them, by a named method.

use crate::project::content::{self, Basis, fact, table_of_rows};
use crate::project::supplied::pairs::{PairsFault, PairsMethod, PairsRecord, PairsVerdict, table_name};
use deckproof_report::document::{Block, Column, Section, Value};

/// What of a method can be named; the bits of a word are no choice of it.
const NAMES: [&str; 3] = ["scaling", "loop", "start"];

/// Nothing where no table was handed in.
pub(super) fn section(basis: &Basis) -> Option<Section> {
    let blocks: Vec<Block> =
        basis.inputs.pairs().flat_map(|(item, record, _)| answer(basis, item, record)).collect();
    (!blocks.is_empty()).then(|| content::section("mapping", basis.words.supplied.mapping, blocks))
}

fn answer(basis: &Basis, item: &str, record: &PairsRecord) -> Vec<Block> {
    let words = &basis.words.supplied;
    let mut blocks = vec![
        Block::paragraph(match record.not_given {
            0 => words.mapping_agrees(item, record.given),
            not_given => words.mapping_differs(item, not_given, record.decks),
        }),
        Block::Facts(about(basis, item, record)),
    ];
    let mut sentences = Vec::new();
    if let Some([first, second]) = record.same_words {
        sentences.push(words.mapping_same(first, second));
    }
    sentences.push(named(basis, record));
    if !record.also.is_empty() {
        let names: Vec<String> = record.also.iter().map(|other| name(basis, other)).collect();
        sentences.push(words.also(&names.join("; ")));
    }
    sentences.push(match record.unevenness_max {
        None => words.even.to_owned(),
        Some(share) if record.also.is_empty() => words.uneven(&basis.words.p_value(share)),
        Some(share) => words.uneven_any(&basis.words.p_value(share)),
    });
    if record.not_examined > 0 {
        sentences.push(words.first_not_examined.to_owned());
    }
    if record.verdict == PairsVerdict::Differs {
        sentences.push(words.otherwise.to_owned());
        sentences.extend((!record.named.is_empty()).then(|| words.otherwise_named.to_owned()));
    }
    sentences.push(words.limits.to_owned());
    blocks.push(Block::List(sentences));
    blocks.extend((!record.faults.is_empty()).then(|| faults(basis, item, &record.faults)));
    blocks
}

fn about(basis: &Basis, item: &str, record: &PairsRecord) -> Vec<(String, Value)> {
    let (words, method) = (&basis.words.supplied, &record.method);
    let way = if method.draw_of_one {
        basis.words.about(&method.way, words.draw_of_one)
    } else {
        method.way.clone()
    };
    vec![
        fact(words.scaling, Value::text(&method.scaling)),
        fact(words.way, Value::text(way)),
        fact(words.start, Value::text(&method.start)),
        fact(words.bits, basis.number(u64::from(record.word_bits))),
        fact(words.word_count, basis.number(record.words)),
        fact(words.table, Value::hash(table_name(item))),
        fact("SHA-256", Value::hash(&record.sha256)),
    ]
}

/// Whose word the method is.
fn named(basis: &Basis, record: &PairsRecord) -> String {
    let words = &basis.words.supplied;
    let is_named = |name: &&str| record.named.iter().any(|own| own == *name);
    let own: Vec<&str> = NAMES.into_iter().filter(is_named).collect();
    match own.len() {
        0 => words.mapping_found.to_owned(),
        3 => words.mapping_named.to_owned(),
        _ => words.mapping_partly(&own.join(", ")),
    }
}

fn name(basis: &Basis, method: &PairsMethod) -> String {
    let parts = method.name();
    if method.draw_of_one { basis.words.about(&parts, basis.words.supplied.draw_of_one) } else { parts }
}

fn faults(basis: &Basis, item: &str, faults: &[PairsFault]) -> Block {
    let words = &basis.words.supplied;
    let none = || Value::text("–");
    let rows = faults.iter().map(|fault| match fault {
        PairsFault::Draw { line, draw, range, by_words, by_deck, .. } => {
            let [line, draw, range, by_words, by_deck] =
                [line, draw, range, by_words, by_deck].map(|own| basis.number(*own));
            vec![line, draw, range, by_words, by_deck, none(), none()]
        }
        PairsFault::Short { line, draw, words } => {
            let [line, draw, there] = [line, draw, words].map(|own| basis.number(*own));
            vec![line, draw, none(), none(), none(), there, none()]
        }
        PairsFault::Left { line, taken, words } => {
            let [line, taken, there] = [line, taken, words].map(|own| basis.number(*own));
            vec![line, none(), none(), none(), none(), there, taken]
        }
    });
    let columns = [
        words.line, words.draw, words.below, words.by_words, words.by_deck, words.words_there,
        words.words_used,
    ];
    let columns = columns.map(|name| Column::numbers(name, 2)).to_vec();
    table_of_rows(words.faults_caption(item), columns, rows.collect(), "")
}
