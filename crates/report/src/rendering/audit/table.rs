//! The outcome as tables in a terminal.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use crate::rendering::audit::verdict::plain;
use deckproof_audit::certificate::look::Look;
use deckproof_audit::certificate::{AuditResult, StatisticRecord};
use deckproof_stats::math::decimal::{p_value, thousands};

/// The tables of every look as text.
pub fn tables(result: &AuditResult) -> String {
    result.looks().map(look_text).collect()
}

/// How to read the table.
const TABLE_NOTES: &str = "\
How to read it: deck is the decks as they were dealt, inverse the place of each card in them; relative is where each place's\n\
card lies in the next deck, relative-cards which card takes each card's place.\n\
A p-value is the probability that a fair shuffle looks at least as odd, on either side. Where a part looks at many\n\
cells, places or waves, the value shown is that of the oddest, and its p-value is multiplied by their number.\n\
The tail says how far a small p-value can be trusted: exact, bound and large expectations may convict, asymptotic may not.\n\n";

fn look_text(look: &Look) -> String {
    let mut text = String::new();
    if look.first_deck > 0 {
        text += &format!("The repeat, from deck number {} on:\n\n", thousands(look.first_deck));
    }
    if !look.statistics.is_empty() {
        text += &format!("{}\n\n", statistics_table(look).trim_fmt());
        text += TABLE_NOTES;
        text += "Each regulator's names at its own level (they never change the verdict):\n";
        text += &format!("{}\n\n", standards_table(look).trim_fmt());
    }
    for part in &look.not_run {
        text += &format!("Not run: {} ({}).\n", part.id, part.reason);
    }
    if let Some(sentence) = look.seed_space_sentence() {
        text += &format!("{sentence}\n");
    }
    text + "\n"
}

/// Every p-value with its test's name, n and how far it can be trusted, the smallest first.
fn statistics_table(look: &Look) -> Table {
    let header = ["statistic", "n decks", "score", "value", "p-value", "tail"];
    let mut records: Vec<&StatisticRecord> = look.statistics.iter().collect();
    records.sort_by(|a, b| a.p_value.total_cmp(&b.p_value));
    table_of(&header, records.into_iter().map(row), &[1, 3, 4])
}

/// Every regulator's standard in one line.
fn standards_table(look: &Look) -> Table {
    let header = ["standard", "confidence", "says", "names run", "family p-value"];
    let rows = look.standards.iter().map(|record| {
        vec![
            Cell::new(&record.name),
            Cell::new(format!("{} %", record.confidence_percent)),
            Cell::new(record.verdict.name()),
            Cell::new(format!("{} of {}", record.names_run, record.tests.len())),
            Cell::new(record.family_p_value.map_or("none".to_owned(), p_value)),
        ]
    });
    table_of(&header, rows, &[1, 3, 4])
}

fn table_of(header: &[&str], rows: impl Iterator<Item = Vec<Cell>>, right_columns: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header.to_vec());
    rows.for_each(|row| {
        table.add_row(row);
    });
    for &column in right_columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn row(record: &StatisticRecord) -> Vec<Cell> {
    vec![
        Cell::new(&record.id),
        Cell::new(thousands(record.decks)),
        Cell::new(&record.score_name),
        Cell::new(plain(record.score)),
        Cell::new(p_value(record.p_value)),
        Cell::new(record.tail.name()),
    ]
}
