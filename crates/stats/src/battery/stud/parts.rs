//! P-values shared by the statistics of dealt hands.

use crate::battery::outcome::{Exhibit, Outcome, Spread};
use crate::math::distribution::Distribution;
use crate::math::multinomial::Cells;
use crate::math::{binomial, bonferroni};

/// The sum of counts, that of forged ones too.
pub(super) fn sum<'a>(counts: impl IntoIterator<Item = &'a u64>) -> u64 {
    counts.into_iter().fold(0, |sum, &count| sum.saturating_add(count))
}

/// Counts of an exact multinomial beside its probabilities.
pub(super) fn cells(counts: &[u64], points: &[f64]) -> Cells {
    assert_eq!(counts.len(), points.len(), "one probability a count");
    let trials = counts.iter().sum::<u64>() as f64;
    Cells { observed: counts.to_vec(), expected: points.iter().map(|point| point * trials).collect() }
}

/// Pearson's χ² of an exact multinomial, neighbours pooled to an expectation of 10, if that is smooth enough.
pub(super) fn shape(part: &'static str, counts: &[u64], points: &[f64]) -> Option<Outcome> {
    let pooled = cells(counts, points).pooled();
    pooled.is_smooth().then(|| Outcome::pearson(part, &pooled))
}

/// Bars for the pictures.
pub(super) fn bars(axis: &'static str, counts: &[u64], points: &[f64]) -> Exhibit {
    let Cells { observed, expected } = cells(counts, points);
    Exhibit::Histogram {
        axis,
        values: (0..counts.len()).map(|cell| cell as f64).collect(),
        observed,
        expected,
    }
}

/// The worst of several exact multinomials of one distribution and as many trials each, by Bonferroni.
pub(super) fn worst_of(part: &'static str, lines: &[&[u64]], points: &[f64]) -> Option<Outcome> {
    let pooled: Vec<Cells> = lines.iter().map(|line| cells(line, points).pooled()).collect();
    if pooled.iter().all(Cells::is_smooth) { worst_of_cells(part, &pooled) } else { None }
}

/// The worst of several χ² of pooled cells, by Bonferroni.
pub(super) fn worst_of_cells(part: &'static str, pooled: &[Cells]) -> Option<Outcome> {
    let chances = pooled.len() as f64;
    let worst = pooled
        .iter()
        .map(|cells| Outcome::pearson(part, cells))
        .min_by(|a, b| a.p_value.total_cmp(&b.p_value))?;
    let bound = pooled.iter().map(Cells::bound).fold(1.0, f64::min);
    Some(Outcome {
        p_value: bonferroni(chances, worst.p_value),
        p_value_bound: Some(bonferroni(chances, bound)),
        spread: if pooled.len() > 1 { Spread::Conservative } else { Spread::Uniform },
        ..worst
    })
}

/// The cell deepest in a tail of its own Bin(trials, p), by Bonferroni over all cells and both sides: exact distributions,
/// so it serves from the first deck on. Two cells are one number.
pub(super) fn deepest_cell(part: &'static str, counts: &[u64], points: &[f64], trials: u64) -> Outcome {
    if let (&[first, _], &[p, _]) = (counts, points) {
        return share(part, "decks", first, trials, p);
    }
    let depth = |(&count, &p): (&u64, &f64)| {
        let (lower, upper) = tails(trials, p, count);
        (count, lower.min(upper))
    };
    let deepest = counts.iter().zip(points).map(depth).min_by(|a, b| a.1.total_cmp(&b.1));
    let (score, depth) = deepest.unwrap_or((0, 1.0));
    Outcome {
        exhibit: cell_bars(part, counts, points, trials),
        ..Outcome::bound(part, "decks", score as f64, bonferroni(2.0 * counts.len() as f64, depth))
    }
}

/// Bars of cells each of which is looked at by itself: those of all seats together hold every deck once a seat.
fn cell_bars(part: &str, counts: &[u64], points: &[f64], trials: u64) -> Exhibit {
    let axis = if part.ends_with("seat") { "seat" } else { "cell, seat after seat" };
    Exhibit::Histogram {
        axis,
        values: (1..=counts.len()).map(|cell| cell as f64).collect(),
        observed: counts.to_vec(),
        expected: points.iter().map(|point| point * trials as f64).collect(),
    }
}

/// How often something of probability `p` happened in so many trials: binomial, exact.
pub(super) fn share(part: &'static str, what: &str, count: u64, trials: u64, p: f64) -> Outcome {
    let (lower, upper) = tails(trials, p, count);
    Outcome::exact(part, format!("{what} of {trials}"), count as f64, lower, upper)
}

/// `P(X ≤ k)` and `P(X ≥ k)` of Bin(n, p), also for no trial and for a sure or impossible event; a count above
/// `n`, which only a forged tally holds, is as `n`.
fn tails(n: u64, p: f64, k: u64) -> (f64, f64) {
    if n == 0 { (1.0, 1.0) } else { binomial::tails(n, p, k.min(n)) }
}

/// The distribution that bounds a sum over decks of a number of seats: however the seats of one deck hang together, by convexity
/// `E e^{θΣ1_s} ≤ E e^{θ·n·1}` (Hoeffding 1963, section 5), so that Chernoff's bound holds for n times one seat.
pub(super) fn seats_distribution(seats: usize, p: f64) -> Distribution {
    let mut points = vec![0.0; seats + 1];
    points[0] = 1.0 - p;
    points[seats] += p;
    Distribution::new(0, points)
}

/// Probabilities that add up to 1, from numbers that are in proportion to them.
pub(super) fn normalised(weights: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let weights: Vec<f64> = weights.into_iter().collect();
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}
