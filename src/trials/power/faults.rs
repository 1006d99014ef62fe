//! What a power table must not show.

use crate::battery::Tier;
use crate::dealers::Expected;
use crate::trials::power::table::{DealerPower, PowerTable};

/// From here on a dealer that should be caught within a million decks must be.
const DECKS_CATCHABLE: u64 = 1_000_000;

/// Controls that were rejected, and dealers that must be caught and were not.
pub fn faults(table: &PowerTable) -> Vec<String> {
    let rejected = table.rejected_controls().map(|row| {
        format!(
            "{} has no fault and was rejected under {} of {} seeds.",
            row.dealer,
            row.caught(),
            row.decks.len()
        )
    });
    let is_enough = table.made.decks_max >= DECKS_CATCHABLE;
    // Who cheats at seven seats need not be seen by who deals the decks at another table.
    let has_hands = table.made.tiers.iter().any(|tier| tier == Tier::Stud.name());
    let sees_hands = has_hands && table.made.table.as_ref().is_some_and(|table| table.players == 7);
    let must_be_caught = move |row: &DealerPower| {
        row.expected == Expected::Caught.name() || sees_hands && row.expected == Expected::AtTable.name()
    };
    let missed =
        table.rows.iter().filter(move |row| is_enough && must_be_caught(row) && row.decks_in_all().is_none());
    let missed = missed.map(|row| {
        let (caught, seeds) = (row.caught(), row.decks.len());
        format!("{} should be caught and was under {caught} of {seeds} seeds.", row.dealer)
    });
    rejected.chain(missed).collect()
}
