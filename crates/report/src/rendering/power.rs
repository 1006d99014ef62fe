//! The power table as a terminal shows it.

use crate::rendering::columns::columns;
use deckproof_audit::power::Cell;
use deckproof_audit::power::faults::faults;
use deckproof_audit::power::table::{DealerPower, PowerTable};
use deckproof_deck::text::decimal::thousands;
use deckproof_stats::battery;

/// One search that has ended.
pub fn line_of(cell: &Cell) -> String {
    let name = format!("{}:{}", cell.dealer, cell.seed);
    match &cell.caught {
        Some(catch) => format!("{name} is caught with {} decks by {}", thousands(catch.decks), catch.by),
        None => format!("{name} is not caught with {} decks", thousands(cell.decks_max)),
    }
}

/// The whole table, what the dealers do, and what is wrong.
pub fn text_of(table: &PowerTable) -> String {
    let heads = ["dealer", "decks, all seeds", "decks, median", "caught", "by", "expected"];
    let drawn = columns(heads, table.rows.iter().map(cells_of), 1..=3);
    let mut text = format!(
        "Decks until the family p-value falls below 0.000001, up to {} decks.\n\n{}\n\nThe dealers:\n",
        thousands(table.made.decks_max),
        drawn.trim_fmt()
    );
    table.rows.iter().for_each(|row| text += &format!("{}: {}\n", row.dealer, row.mechanism));
    faults(table).iter().for_each(|fault| text += &format!("\nFAULT: {fault}"));
    text + "\n"
}

/// The evidence, and how many decks it reads where it does not read all of them.
fn with_reads(id: &str) -> String {
    match battery::catalogue::reads_at_most(id) {
        Some(decks) => format!("{id} (reads {} decks at most)", thousands(decks)),
        None => id.to_owned(),
    }
}

fn cells_of(row: &DealerPower) -> [String; 6] {
    let decks = |decks: Option<u64>| decks.map_or_else(|| "-".to_owned(), thousands);
    [
        row.dealer.clone(),
        decks(row.decks_in_all()),
        decks(row.decks_median()),
        format!("{} of {}", row.caught(), row.decks.len()),
        row.caught_by.as_deref().map_or_else(String::new, with_reads),
        row.expected.clone(),
    ]
}
