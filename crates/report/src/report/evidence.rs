//! What a person should look at: the strongest result in words.

use crate::document::figure::Axis;
use crate::document::words::Words;
use crate::report::charts;
use crate::report::page::{StatisticRows, TableRow, capitalised};
use deckproof_deck::card::DECK_CARDS;
use deckproof_stats::battery::Exhibit;

/// What the statistic detects, and in words the strongest cell, rank, suit or bar of the part that sees most.
pub(super) fn sentence(
    statistic: &StatisticRows,
    part: &str,
    row: &TableRow,
    words: &'static Words,
) -> String {
    let detects = words.page.detects(&statistic.title, words.page.view(row.view), &statistic.detects);
    match strongest_of(part, row, words) {
        Some(found) => format!("{}. {detects}", capitalised(&found)),
        None => detects,
    }
}

/// What the part of a statistic names, seen in the table that is drawn beside it: a rank or a suit where it looks at those,
/// else the cell farthest off.
pub(super) fn strongest_of(part: &str, drawn: &TableRow, words: &'static Words) -> Option<String> {
    match part {
        "rank-cell" | "rank-place" | "mean-rank" | "first-21-ranks" | "first-49-ranks" => {
            classes(drawn, &RANKS, words)
        }
        "suit-place" | "first-21-suits" | "first-49-suits" => classes(drawn, &SUITS, words),
        _ => strongest(drawn, words),
    }
}

/// Classes of cards that a part looks at.
struct Classes {
    number: usize,
    of_card: fn(usize) -> usize,
    names: fn(&Words) -> &'static str,
}

const RANKS: Classes = Classes { number: 13, of_card: |card| card / 4, names: |words| words.page.ranks };
const SUITS: Classes = Classes { number: 4, of_card: |card| card % 4, names: |words| words.page.suits };

/// The class and place farthest off, of a table of cards and places.
fn classes(drawn: &TableRow, classes: &Classes, words: &'static Words) -> Option<String> {
    let &Exhibit::Table { row_axis, column_axis, side: DECK_CARDS, ref observed, .. } = &drawn.exhibit else {
        return None;
    };
    let axes = [charts::axis(drawn.view, row_axis), charts::axis(drawn.view, column_axis)];
    if axes != [Axis::Card, Axis::Place] {
        return None;
    }
    let mut seen = vec![0u64; classes.number * DECK_CARDS];
    for (card, places) in observed.chunks(DECK_CARDS).enumerate() {
        let own = &mut seen[DECK_CARDS * (classes.of_card)(card)..][..DECK_CARDS];
        own.iter_mut().zip(places).for_each(|(sum, count)| *sum += count);
    }
    let expected = drawn.decks as f64 / classes.number as f64;
    let deviation = (expected * (1.0 - 1.0 / classes.number as f64)).sqrt();
    let off = |at: usize| (seen[at] as f64 - expected) / deviation;
    let at = (0..seen.len()).max_by(|&a, &b| off(a).abs().total_cmp(&off(b).abs()))?;
    let name = (classes.names)(words).split(' ').nth(at / DECK_CARDS)?;
    Some(words.page.class_lay(
        name,
        &words.page.place_words(at % DECK_CARDS),
        seen[at],
        drawn.decks,
        &words.decimal(expected, 1),
        &words.standard_deviations(off(at)),
    ))
}

/// The cell or bar farthest from what is expected, in units of its standard deviation.
pub(super) fn strongest(row: &TableRow, words: &'static Words) -> Option<String> {
    match &row.exhibit {
        Exhibit::None => None,
        Exhibit::Table { .. } => charts::table(row, words)?.furthest(row.decks),
        Exhibit::Histogram { axis, values, observed, expected } => {
            // Poisson's deviation is near enough to choose which bar to name; the p-value is not made from it.
            let off = |at: usize| (observed[at] as f64 - expected[at]) / expected[at].max(1.0).sqrt();
            let furthest = (0..observed.len().min(expected.len()).min(values.len()))
                .max_by(|&a, &b| off(a).abs().total_cmp(&off(b).abs()))?;
            // The name of a score in a certificate, which keeps it; here the text says what it counts.
            let axis = if *axis == "exceedances" { words.page.exceedances } else { axis };
            Some(words.page.bar(
                axis,
                &words.score(values[furthest]),
                observed[furthest],
                observed.iter().sum(),
                &words.decimal(expected[furthest], 1),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::words::Language;
    use deckproof_stats::battery::{Tail, View};

    /// 953 aces in place 3 of 10,000 decks, no card of them standing out: the ace of clubs 290, of others 221 each; all other
    /// cells even.
    fn table() -> TableRow {
        let mut observed = vec![192; DECK_CARDS * DECK_CARDS];
        for (card, count) in [(48, 290), (49, 221), (50, 221), (51, 221)] {
            observed[DECK_CARDS * card + 3] = count;
        }
        observed[DECK_CARDS * 20 + 40] = 300;
        let exhibit = Exhibit::Table {
            row_axis: "card",
            column_axis: "place",
            side: DECK_CARDS,
            observed,
            expected: 10_000.0 / 52.0,
            deviation: (10_000.0 * 51.0f64).sqrt() / 52.0,
        };
        TableRow {
            view: View::Deck,
            part: "total".to_owned(),
            decks: 10_000,
            score_name: String::new(),
            score: 0.0,
            p_value: 0.5,
            p_value_bound: None,
            tail: Tail::Exact,
            exhibit,
        }
    }

    /// Python: (953 − 10000/13)/√(10000/13·12/13) = 6.9.
    #[test]
    fn a_rank_is_named_where_ranks_were_seen_and_a_card_where_cards_were() {
        let words = Language::English.words();
        let of = |part: &str| strongest_of(part, &table(), words).expect("it has a table");
        assert_eq!(
            of("rank-cell"),
            "aces lay in place 3 (the top is 0) in 953 of 10,000 decks; 769.2 are expected (+6.9 standard deviations)"
        );
        assert!(of("max-cell").starts_with("the seven of clubs lay in place 40 "), "{}", of("max-cell"));
        assert!(of("suit-place").starts_with("clubs lay in place "), "{}", of("suit-place"));
        let steps = TableRow { view: View::Relative, ..table() };
        assert_eq!(strongest_of("rank-cell", &steps, words), None, "places have no rank");
        // One base everywhere, and it is named: the columns of this table are places.
        let sentence = strongest_of("max-cell", &steps, words).expect("it has a table");
        assert!(sentence.ends_with("are expected (the top is place 0)"), "{sentence}");
        let places = [0, 1, 51].map(|place| words.page.place_words(place));
        assert_eq!(places, ["on top", "in place 1 (the top is 0)", "at the bottom"]);
    }
}
