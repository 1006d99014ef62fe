//! What a person should look at: the strongest result in words.

use crate::report::charts;
use crate::report::numbers;
use crate::report::page::{StatisticRows, TableRow};
use deckproof_stats::battery::{Exhibit, View};
use deckproof_stats::math::decimal::thousands;

/// The view in words.
pub(super) fn looked_at(view: View) -> &'static str {
    match view {
        View::Deck => "each deck",
        View::Relative => "deck to deck",
        View::Inverse => "places of the cards",
        View::RelativeCards => "card to card",
    }
}

/// What the statistic detects, and its strongest cell or bar in words.
pub(super) fn sentence(statistic: &StatisticRows, row: &TableRow) -> String {
    let detects = format!("{} ({}) detects: {}", statistic.title, looked_at(row.view), statistic.detects);
    match strongest(row) {
        Some(words) => format!("{}. {detects}", capitalised(&words)),
        None => detects,
    }
}

pub(super) fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The cell or bar farthest from what is expected, in units of its standard deviation.
pub(super) fn strongest(row: &TableRow) -> Option<String> {
    match &row.exhibit {
        Exhibit::None => None,
        &Exhibit::Table { row_axis, column_axis, side, ref observed, expected, deviation } => {
            let table =
                charts::table(row.view, (row_axis, column_axis), side, observed, (expected, deviation));
            table.is_drawable().then(|| table.furthest(row.decks)).flatten()
        }
        Exhibit::Histogram { axis, values, observed, expected } => {
            // Poisson's deviation is near enough to choose which bar to name; the p-value is not made from it.
            let off = |at: usize| (observed[at] as f64 - expected[at]) / expected[at].max(1.0).sqrt();
            let furthest = (0..observed.len().min(expected.len()).min(values.len()))
                .max_by(|&a, &b| off(a).abs().total_cmp(&off(b).abs()))?;
            Some(format!(
                "{axis}: {} was counted {} times of {}; {} are expected",
                numbers::score(values[furthest]),
                thousands(observed[furthest]),
                thousands(observed.iter().sum()),
                numbers::decimal(expected[furthest], 1)
            ))
        }
    }
}
