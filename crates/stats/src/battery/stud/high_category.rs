//! High categories of every seat, from high card to royal flush.
//!
//! Null: the hand of a seat is one of the 133,784,560 sets of seven cards (20,358,520 of six), exact. Parts:
//! `each-seat`, χ² of the worst seat; `cell`, the deepest of all seats and categories, exact; `pooled`, all seats
//! together: `(S − Nμ)ᵀ(NΣ)⁻¹(S − Nμ)` with exact μ and the covariance of two seats of one deck; `quads`, seats
//! with four of a kind or better.

use std::ops::Range;

use crate::battery::lists::List;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, common_sum};
use crate::battery::stud::deals::{Deals, count_row};
use crate::battery::stud::distributions::{CATEGORIES, categories};
use crate::battery::stud::table::StudTable;
use crate::battery::stud::{HandStatistic, parts, reference};
use crate::battery::tail::Tail;
use crate::battery::tier::Tier;
use crate::math::multinomial::{Cells, EXPECTATION_MIN};
use crate::math::{binomial, bonferroni, chernoff};
use deckproof_stud::stud::rank::Category;

pub(super) struct HighCategory;

pub(super) const ABOUT: About = About {
    id: "high-category",
    version: 1,
    tier: Tier::Stud,
    title: "high categories by seat",
    null: "Every seat gets each high category as often as sets of cards have it.",
    source: "exact counts of all sets of seven (six) cards; each-seat: Pearson (1900) χ² pooled to expectations of 10, \
             bound by Agrawal (2020), Bonferroni (1936) over seats; cell: exact binomials; pooled: quadratic form with \
             the covariance of two seats from a reference sample of the certified shuffle; quads: binomial as if seats \
             were independent (variance wrong by less than 1 %), bound by Hoeffding (1963), section 5, and Chernoff (1952)",
    detects: "Big hands that come too seldom or too often, at one seat or at all.",
    decks_min: 10,
    design: Design { parts: 4, ..Design::OF_DECKS },
};

impl HandStatistic for HighCategory {
    fn cells(&self, table: &StudTable) -> usize {
        table.players() * CATEGORIES
    }

    /// `counts[10·seat + category]`.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        for hands in deals.hands {
            for (row, own) in hands.category.iter().zip(counts.chunks_mut(CATEGORIES)) {
                count_row(row, own);
            }
        }
    }

    fn decks_in(&self, _: &StudTable, counts: &[u64]) -> Option<u64> {
        common_sum(counts.chunks(CATEGORIES).map(|own| own.iter().copied()))
    }

    fn lists(&self, table: &StudTable) -> Vec<List> {
        let words = |category: usize| Category::ALL[category].id().replace('_', " ");
        let of_seat = |seat: usize| {
            let cells = CATEGORIES * seat..CATEGORIES * (seat + 1);
            List::new(format!("seat {} ends with", seat + 1), cells, words)
        };
        (0..table.players()).map(of_seat).collect()
    }

    fn outcomes(&self, table: &StudTable, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let points = categories(table);
        let lines: Vec<&[u64]> = counts.chunks(CATEGORIES).collect();
        let every: Vec<f64> = points.iter().copied().cycle().take(counts.len()).collect();
        let sums: Vec<u64> =
            (0..CATEGORIES).map(|category| parts::sum(lines.iter().map(|own| &own[category]))).collect();
        let mut outcomes = vec![parts::deepest_cell("cell", counts, &every, decks)];
        outcomes.extend(parts::worst_of("each-seat", &lines, &points));
        outcomes.extend(pooled(table, &sums, &points, decks));
        outcomes.push(quads(table, &sums, &points, decks));
        outcomes
    }
}

/// Neighbouring categories that together expect at least 10.
fn groups(expected: &[f64]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    let mut first = 0;
    for last in 1..=expected.len() {
        if expected[first..last].iter().sum::<f64>() >= EXPECTATION_MIN {
            groups.push(first..last);
            first = last;
        }
    }
    if let Some(last) = groups.last_mut() {
        last.end = expected.len();
    }
    groups
}

/// All seats together, with the covariance of a deck's seats.
fn pooled(table: &StudTable, sums: &[u64], points: &[f64], decks: u64) -> Option<Outcome> {
    let (n, seats) = (decks as f64, table.players() as f64);
    let expected: Vec<f64> = points.iter().map(|p| n * seats * p).collect();
    let groups = groups(&expected);
    let cells = Cells {
        observed: groups.iter().map(|group| parts::sum(&sums[group.clone()])).collect(),
        expected: groups.iter().map(|group| expected[group.clone()].iter().sum()).collect(),
    };
    if !cells.is_smooth() {
        return None;
    }
    let pair = reference::pair_covariance(table.river());
    let covariance = |i: usize, j: usize| {
        let own = if i == j { points[i] } else { 0.0 } - points[i] * points[j];
        n * (seats * own + seats * (seats - 1.0) * pair[i * CATEGORIES + j])
    };
    let of_groups = |a: &Range<usize>, b: &Range<usize>| -> f64 {
        a.clone().flat_map(|i| b.clone().map(move |j| (i, j))).map(|(i, j)| covariance(i, j)).sum()
    };
    // The counts of a deck add up to its seats: the last group follows from the others.
    let free = &groups[..groups.len() - 1];
    let matrix = free.iter().map(|a| free.iter().map(|b| of_groups(a, b)).collect()).collect();
    let away =
        cells.observed.iter().zip(&cells.expected).map(|(&o, e)| o as f64 - e).take(free.len()).collect();
    let score = quadratic_form(matrix, away);
    let name = format!("χ²({})", cells.freedom());
    // The covariance is known to four digits: enough to ask, not to convict.
    let outcome = Outcome::smooth("pooled", name, score, cells.p_value_of(score), Tail::Asymptotic);
    Some(Outcome { exhibit: parts::bars("high category", sums, points), ..outcome })
}

/// `dᵀM⁻¹d` of a positive definite matrix, by Cholesky's factor L: the squared length of the solution of `Lz = d`.
fn quadratic_form(mut matrix: Vec<Vec<f64>>, mut away: Vec<f64>) -> f64 {
    let mut score = 0.0;
    for k in 0..away.len() {
        let root = matrix[k][k].max(f64::MIN_POSITIVE).sqrt();
        let z = away[k] / root;
        score += z * z;
        let column: Vec<f64> = matrix.iter().map(|row| row[k] / root).collect();
        for i in k + 1..away.len() {
            away[i] -= column[i] * z;
            for j in k + 1..away.len() {
                matrix[i][j] -= column[i] * column[j];
            }
        }
    }
    score
}

/// Seats with four of a kind or better.
fn quads(table: &StudTable, sums: &[u64], points: &[f64], decks: u64) -> Outcome {
    let from = Category::FourOfAKind as usize;
    let (seen, p) = (parts::sum(&sums[from..]), points[from..].iter().sum());
    let trials = decks.saturating_mul(table.players() as u64);
    let seen = seen.min(trials);
    let (lower, upper) = binomial::tails(trials, p, seen);
    Outcome::exact("quads", format!("seats of {trials}"), seen as f64, lower, upper).bounded_by(bonferroni(
        2.0,
        chernoff::bound(&parts::seats_distribution(table.players(), p), decks, seen),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quadratic_form_of_two_dimensions_is_the_textbook_one() {
        // M = (4 2; 2 3), M⁻¹ = (3 −2; −2 4)/8; d = (1, 2): (3 − 8 + 16)/8.
        let score = quadratic_form(vec![vec![4.0, 2.0], vec![2.0, 3.0]], vec![1.0, 2.0]);
        assert!((score - 11.0 / 8.0).abs() < 1e-15);
    }

    #[test]
    fn groups_expect_ten_and_leave_no_category_out() {
        assert_eq!(groups(&[20.0, 3.0, 8.0, 11.0, 2.0]), [0..1, 1..3, 3..5]);
        assert!(groups(&[1.0, 2.0]).is_empty());
    }
}
