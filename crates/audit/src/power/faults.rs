//! What a power table must not show.

use crate::power::table::{DealerPower, PowerTable};
use deckproof_dealers::dealers::Expected;
use deckproof_stats::battery::Tier;

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
    let is_missed = move |row: &DealerPower| {
        must_be_caught(row) && row.decks_in_all().is_none()
            || Expected::is_mostly(&row.expected) && row.decks_median().is_none()
    };
    let missed = table.rows.iter().filter(move |row| is_enough && is_missed(row));
    let missed = missed.map(|row| {
        let (caught, seeds) = (row.caught(), row.decks.len());
        format!("{} should be caught and was under {caught} of {seeds} seeds.", row.dealer)
    });
    rejected.chain(missed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::power::table::POWER_FORMAT;

    /// What a table of one dealer, expected to be this, is found to show.
    fn found(expected: Expected, decks: [Option<u64>; 4]) -> Vec<String> {
        let row = DealerPower {
            dealer: "somebody".to_owned(),
            mechanism: String::new(),
            expected: expected.name(),
            decks: decks.into(),
            caught_by: None,
        };
        let text = r#"{"command":"","version":"","date":"","tiers":[],"statistics":[],"sketches":[],"decks_max":1000000}"#;
        let made = serde_json::from_str(text).expect("a table's head");
        faults(&PowerTable { format: POWER_FORMAT.to_owned(), made, rows: vec![row] })
    }

    #[test]
    fn controls_and_dealers_are_held_to_what_is_expected_of_them() {
        let (all, most, half) =
            ([Some(10); 4], [Some(10), Some(10), Some(10), None], [Some(10), Some(10), None, None]);
        for (expected, decks, is_fault) in [
            (Expected::Pass, [None; 4], false),
            (Expected::Pass, most, true),
            (Expected::Caught, all, false),
            (Expected::Caught, most, true),
            (Expected::CaughtMostly("it rains"), most, false),
            (Expected::CaughtMostly("it rains"), half, true),
            (Expected::Waiting, half, false),
            (Expected::Hidden("nobody looks"), [None; 4], false),
        ] {
            assert_eq!(!found(expected, decks).is_empty(), is_fault, "{expected:?} {decks:?}");
        }
    }
}
