//! A table in a terminal, without lines around its cells.

use comfy_table::{CellAlignment, ContentArrangement, Row, Table, presets};

/// A table of these rows as wide as they are; numbers stand at the right of their columns.
pub fn columns<R: Into<Row>>(
    heads: impl Into<Row>,
    rows: impl IntoIterator<Item = R>,
    of_numbers: impl IntoIterator<Item = usize>,
) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(heads);
    rows.into_iter().for_each(|row| _ = table.add_row(row));
    right(&mut table, of_numbers);
    table
}

/// Aligns some columns to the right.
pub(super) fn right(table: &mut Table, columns: impl IntoIterator<Item = usize>) {
    for column in columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}
