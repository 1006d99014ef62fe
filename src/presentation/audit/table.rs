//! The outcome as tables in a terminal.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use crate::certificate::StatisticRecord;
use crate::certificate::look::Look;
use crate::certificate::words::plain;
use crate::math::decimal::{p_value, thousands};

/// Every p-value with its test's name, n and how far it can be trusted, the smallest first.
pub fn statistics_table(look: &Look) -> Table {
    let header = ["statistic", "n decks", "score", "value", "p-value", "tail"];
    let mut records: Vec<&StatisticRecord> = look.statistics.iter().collect();
    records.sort_by(|a, b| a.p_value.total_cmp(&b.p_value));
    table_of(&header, records.into_iter().map(row), &[1, 3, 4])
}

/// Every regulator's standard in one line.
pub fn standards_table(look: &Look) -> Table {
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
