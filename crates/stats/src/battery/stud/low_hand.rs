//! 8-or-better lows of every seat, by their highest card.
//!
//! Null: a seat has no low, an eight, seven, six or five low in 109,253,616 : 13,171,200 : 7,426,560 : 3,151,360 :
//! 781,824 of its sets of seven cards (of six alike), exact. Parts: `each-seat`, χ² of the worst seat; `cell`, the
//! deepest of all seats and lows, exact; `qualifiers`, seats with a low, with the exact covariance of two seats of
//! one deck.

use crate::battery::lists::List;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, common_sum};
use crate::battery::stud::deals::{Deals, NOTHING};
use crate::battery::stud::distributions::{both_low, lows};
use crate::battery::stud::table::StudTable;
use crate::battery::stud::{HandStatistic, parts};
use crate::battery::tier::Tier;
use crate::math::{bonferroni, chernoff, normal};
use deckproof_deck::deck::block::Row;

pub(super) struct LowHand;

pub(super) const ABOUT: About = About {
    id: "low-hand",
    version: 1,
    tier: Tier::Stud,
    title: "8-or-better lows by seat",
    null: "Every seat gets a low, and each kind of low, as often as sets of cards have it.",
    source: "exact counts of all sets of seven (six) cards; each-seat: Pearson (1900) χ², bound by Agrawal (2020), \
             Bonferroni (1936) over seats; cell: exact binomials; qualifiers: normal with exact variance, corrected for \
             continuity, bound by Hoeffding (1963), section 5, and Chernoff (1952)",
    detects: "Low hands that come too seldom or too often, at one seat or at all.",
    decks_min: 10,
    design: Design { parts: 3, ..Design::OF_DECKS },
};

/// None, and the lows by their highest card: the weakest strength of each.
const FROM: [u8; KINDS] = [0, 1, 36, 51, 56];

const KINDS: usize = 5;

/// What people call them.
const LOWS: [&str; KINDS] = ["no low", "an eight low", "a seven low", "a six low", "a five low"];

/// Fewer expected qualifiers than this and their number is not yet normal.
const QUALIFIERS_MIN: f64 = 50.0;

impl HandStatistic for LowHand {
    fn cells(&self, table: &StudTable) -> usize {
        table.players() * KINDS
    }

    /// `counts[5·seat + kind]`: none, eight, seven, six, five low.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        for hands in deals.hands {
            for (row, own) in hands.low.iter().zip(counts.chunks_mut(KINDS)) {
                count_kinds(row, own);
            }
        }
    }

    fn decks_in(&self, _: &StudTable, counts: &[u64]) -> Option<u64> {
        common_sum(counts.chunks(KINDS).map(|own| own.iter().copied()))
    }

    fn lists(&self, table: &StudTable) -> Vec<List> {
        let words = |kind: usize| LOWS[kind].to_owned();
        let of_seat = |seat: usize| {
            List::new(format!("seat {} ends with", seat + 1), KINDS * seat..KINDS * (seat + 1), words)
        };
        (0..table.players()).map(of_seat).collect()
    }

    fn outcomes(&self, table: &StudTable, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let points = kinds(&lows(table));
        let lines: Vec<&[u64]> = counts.chunks(KINDS).collect();
        let every: Vec<f64> = points.iter().copied().cycle().take(counts.len()).collect();
        let mut outcomes = vec![parts::deepest_cell("cell", counts, &every, decks)];
        outcomes.extend(parts::worst_of("each-seat", &lines, &points));
        outcomes.extend(qualifiers(table, &lines, 1.0 - points[0], decks));
        outcomes
    }
}

fn count_kinds(row: &Row, counts: &mut [u64]) {
    let mut above = 0;
    for (&from, count) in FROM.iter().zip(counts).rev() {
        let lanes: u8 = row.iter().map(|&low| u8::from(low >= from && low != NOTHING)).sum();
        *count += u64::from(lanes - above);
        above = lanes;
    }
}

fn kinds(lows: &[f64]) -> Vec<f64> {
    let ends = FROM[1..].iter().map(|&from| usize::from(from)).chain([lows.len()]);
    FROM.iter().zip(ends).map(|(&from, end)| lows[usize::from(from)..end].iter().sum()).collect()
}

/// Seats with a low: variance `N·(n·p(1−p) + n(n−1)·(p₂ − p²))`.
fn qualifiers(table: &StudTable, lines: &[&[u64]], p: f64, decks: u64) -> Option<Outcome> {
    let (n, seats) = (decks as f64, table.players() as f64);
    let mean = n * seats * p;
    if mean < QUALIFIERS_MIN {
        return None;
    }
    let seen = parts::sum(lines.iter().flat_map(|own| &own[1..]));
    let pair = both_low(table.river()) - p * p;
    let deviation = (n * seats * (p * (1.0 - p) + (seats - 1.0) * pair)).sqrt();
    let z = |half: f64| (seen as f64 + half - mean) / deviation;
    let (lower, upper) = (normal::lower(z(0.5)), normal::upper(z(-0.5)));
    let most = decks.saturating_mul(table.players() as u64);
    let bound = chernoff::bound(&parts::seats_distribution(table.players(), p), decks, seen.min(most));
    Some(Outcome::exact("qualifiers", "z", z(0.0), lower, upper).bounded_by(bonferroni(2.0, bound)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_stud::stud::rules::RuleSet;

    #[test]
    fn kinds_have_the_published_probabilities() {
        // Lows of seven cards by highest card, of 133,784,560: the project's exact table.
        let table = StudTable::of(RuleSet::ALL[0], 7).expect("seven play");
        let wanted = [109_253_616.0, 13_171_200.0, 7_426_560.0, 3_151_360.0, 781_824.0];
        for (found, wanted) in kinds(&lows(table)).into_iter().zip(wanted) {
            assert!((found - wanted / 133_784_560.0).abs() < 1e-15);
        }
    }

    #[test]
    fn lanes_fall_into_kinds_and_empty_ones_nowhere() {
        let mut row = [NOTHING; 64];
        row[..8].copy_from_slice(&[0, 0, 1, 35, 36, 50, 55, 56]);
        let mut counts = [0; KINDS];
        count_kinds(&row, &mut counts);
        assert_eq!(counts, [2, 2, 2, 1, 1]);
    }
}
