//! The outcome as tables in a terminal.

use comfy_table::{Cell, Table};

use crate::document::words::Words;
use crate::rendering::audit::verdict::plain;
use crate::rendering::columns::columns;
use crate::report::page::capitalised;
use deckproof_audit::certificate::look::Look;
use deckproof_audit::certificate::{AuditResult, StatisticRecord};

/// The tables of every look as text.
pub fn tables(result: &AuditResult, words: &Words) -> String {
    result.looks().map(|look| look_text(look, words)).collect()
}

fn look_text(look: &Look, words: &Words) -> String {
    let own = &words.sheet;
    let mut text = String::new();
    if look.first_deck > 0 {
        text += &format!("{}\n\n", own.table_repeat(look.first_deck));
    }
    if !look.statistics.is_empty() {
        text += &format!("{}\n\n{}\n\n", statistics_table(look, words).trim_fmt(), own.table_notes);
        text += &format!("{}\n{}\n\n", own.table_standards, standards_table(look, words).trim_fmt());
    }
    for part in &look.not_run {
        let reason = words.verdict.own_words(&part.reason);
        text += &format!("{}\n", own.table_not_run(&part.id, &reason));
    }
    if let Some((count, decks)) = look.equal_decks() {
        text += &format!("{}\n", capitalised(&words.seed_space(&count, decks)));
    }
    text + "\n"
}

/// Every p-value with its test's name, n and how far it can be trusted, the smallest first.
fn statistics_table(look: &Look, words: &Words) -> Table {
    let mut records: Vec<&StatisticRecord> = look.statistics.iter().collect();
    records.sort_by(|a, b| a.p_value.total_cmp(&b.p_value));
    let rows = records.into_iter().map(|record| row(record, words));
    columns(words.sheet.table_head.split(" | "), rows, [1, 3, 4])
}

/// Every regulator's standard in one line.
fn standards_table(look: &Look, words: &Words) -> Table {
    let own = &words.sheet;
    let rows = look.standards.iter().map(|record| {
        vec![
            Cell::new(words.standard_name(&record.name)),
            Cell::new(own.percent(record.confidence_percent.into())),
            Cell::new(words.conformity(record.verdict)),
            Cell::new(own.some_of(record.names_run as u64, record.tests.len() as u64)),
            Cell::new(words.p_value_or_none(record.family_p_value)),
        ]
    });
    columns(own.table_standards_head.split(" | "), rows, [1, 3, 4])
}

fn row(record: &StatisticRecord, words: &Words) -> Vec<Cell> {
    vec![
        Cell::new(&record.id),
        Cell::new(words.number(record.decks)),
        Cell::new(&record.score_name),
        Cell::new(words.figures(&plain(record.score))),
        Cell::new(words.p_value(record.p_value)),
        Cell::new(record.tail.name()),
    ]
}
