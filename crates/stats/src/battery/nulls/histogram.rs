//! Three p-values from the histogram of a number whose exact distribution for one deck is known.

use crate::battery::outcome::{Exhibit, Outcome, Spread};
use crate::math::distribution::Distribution;
use crate::math::multinomial::Cells;
use crate::math::{at_least_one, bonferroni, chernoff, none_of};

/// What the parts of one histogram are called.
pub(in crate::battery) struct Names {
    /// χ² of the pooled cells.
    pub(in crate::battery) histogram: &'static str,
    /// The mean over the decks.
    pub(in crate::battery) mean: &'static str,
    /// The deck deepest in a tail.
    pub(in crate::battery) extreme: &'static str,
    /// The number itself.
    pub(in crate::battery) axis: &'static str,
}

/// The [`Names`] of a number: its axis, and before it the word with which those of its parts begin, where there are more.
macro_rules! names {
    ($axis:literal) => {
        $crate::battery::nulls::histogram::Names {
            histogram: "histogram",
            mean: "mean",
            extreme: "extreme",
            axis: $axis,
        }
    };
    ($number:literal, $axis:literal) => {
        $crate::battery::nulls::histogram::Names {
            histogram: concat!($number, "-histogram"),
            mean: concat!($number, "-mean"),
            extreme: concat!($number, "-extreme"),
            axis: $axis,
        }
    };
}
pub(in crate::battery) use names;

/// From here on the saddle point of the mean is good to a percent.
const MEAN_DECKS_MIN: u64 = 10;

/// Most bars drawn.
const BARS_MAX: usize = 60;

/// χ² of the histogram, the mean, and the most extreme deck, as far as `Σ counts` decks can feed them.
pub(in crate::battery) fn outcomes(
    distribution: &Distribution,
    counts: &[u64],
    names: &Names,
) -> Vec<Outcome> {
    let decks: u64 = counts.iter().sum();
    let pooled = Cells::of_distribution(distribution, counts).pooled();
    let mut outcomes = Vec::new();
    if pooled.is_smooth() {
        let exhibit = bars(distribution, counts, names.axis);
        outcomes.push(Outcome { exhibit, ..Outcome::pearson(names.histogram, &pooled) });
    }
    if decks >= MEAN_DECKS_MIN {
        let sum = counts.iter().zip(distribution.iter()).map(|(&count, (value, _))| count * value).sum();
        outcomes.push(mean(names.mean, distribution, decks, sum));
    }
    if decks >= 1 {
        outcomes.push(extreme(distribution, counts, decks, names));
    }
    outcomes
}

/// `z = (mean − μ)/(σ/√N)` of so many values that add up to `sum`; its p-value by the saddle point of the sum, with
/// Chernoff's bound for each side, twice.
pub(in crate::battery) fn mean(
    part: &'static str,
    distribution: &Distribution,
    decks: u64,
    sum: u64,
) -> Outcome {
    let n = decks as f64;
    let z = (sum as f64 - n * distribution.mean()) / (n * distribution.variance()).sqrt();
    let (lower, upper) = chernoff::sum_tails(distribution, decks, sum);
    Outcome::exact(part, "z", z, lower, upper)
        .bounded_by(bonferroni(2.0, chernoff::bound(distribution, decks, sum)))
}

/// The smallest `min(P(X ≤ x), P(X ≥ x))` of any deck; if one deck comes below it with probability q, one of
/// N does with `1 − (1 − q)^N`. Exact on both sides: that no deck is extreme is a fault too.
fn extreme(distribution: &Distribution, counts: &[u64], decks: u64, names: &Names) -> Outcome {
    let (value, [lower, upper]) =
        deepest(distribution, counts, decks).expect("at least one deck was counted");
    Outcome::exact(names.extreme, names.axis, value as f64, lower, upper)
}

/// The value of the deck deepest in a tail, with the probabilities that one of so many decks comes as deep, and that none
/// comes deeper.
fn deepest(distribution: &Distribution, counts: &[u64], decks: u64) -> Option<(u64, [f64; 2])> {
    let seen = counts.iter().zip(distribution.iter()).filter(|(count, _)| **count > 0);
    let depth = |value: u64| distribution.depth(value);
    let value = seen.map(|(_, (value, _))| value).min_by(|a, b| depth(*a).total_cmp(&depth(*b)))?;
    let (below, within) = distribution.depth_tails(depth(value));
    Some((value, [at_least_one(within, decks), none_of(below, decks)]))
}

/// The place of the value of the most extreme deck among the counts, with the probability of one as extreme; nothing where it is
/// more remarkable that no deck is more extreme.
pub(in crate::battery) fn extreme_cell(distribution: &Distribution, counts: &[u64]) -> Option<(usize, f64)> {
    let (value, [lower, upper]) = deepest(distribution, counts, counts.iter().sum())?;
    (lower < upper).then_some(((value - distribution.first()) as usize, lower))
}

/// At most [`BARS_MAX`] bars; a bar that joins several values is at their middle.
fn bars(distribution: &Distribution, counts: &[u64], axis: &'static str) -> Exhibit {
    let width = counts.len().div_ceil(BARS_MAX);
    let middle =
        |i: usize, len: usize| (distribution.first() as usize + i * width) as f64 + (len - 1) as f64 / 2.0;
    let cells = Cells::of_distribution(distribution, counts);
    Exhibit::Histogram {
        axis,
        values: counts.chunks(width).enumerate().map(|(i, chunk)| middle(i, chunk.len())).collect(),
        observed: cells.observed.chunks(width).map(|chunk| chunk.iter().sum()).collect(),
        expected: cells.expected.chunks(width).map(|chunk| chunk.iter().sum()).collect(),
    }
}

/// The worst of each part, by Bonferroni over the lists that have it.
pub(in crate::battery) fn worst_of_each(lists: Vec<Vec<Outcome>>) -> Vec<Outcome> {
    let mut parts: Vec<(f64, Outcome)> = Vec::new();
    for outcome in lists.into_iter().flatten() {
        match parts.iter_mut().find(|(_, worst)| worst.part == outcome.part) {
            None => parts.push((1.0, outcome)),
            Some((chances, worst)) => {
                *chances += 1.0;
                let bound = worst.p_value_bound.zip(outcome.p_value_bound).map(|(a, b)| a.min(b));
                if outcome.p_value < worst.p_value {
                    *worst = outcome;
                }
                worst.p_value_bound = bound;
            }
        }
    }
    let allowed_for = |(chances, worst): (f64, Outcome)| Outcome {
        p_value: bonferroni(chances, worst.p_value),
        p_value_bound: worst.p_value_bound.map(|bound| bonferroni(chances, bound)),
        // The steps of one lag say nothing of the worst of several.
        spread: if chances > 1.0 { Spread::Conservative } else { worst.spread },
        ..worst
    };
    parts.into_iter().map(allowed_for).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::permutation;

    const NAMES: Names = names!("descents");

    fn counts_of(values: &[usize]) -> Vec<u64> {
        let mut counts = vec![0; 52];
        values.iter().for_each(|&value| counts[value] += 1);
        counts
    }

    #[test]
    fn parts_appear_as_decks_suffice() {
        let parts = |decks: usize| -> Vec<&str> {
            let outcomes = outcomes(permutation::descents(), &counts_of(&vec![25; decks]), &NAMES);
            outcomes.iter().map(|outcome| outcome.part).collect()
        };
        assert!(parts(0).is_empty());
        assert_eq!(parts(1), ["extreme"]);
        assert_eq!(parts(10), ["mean", "extreme"]);
        assert_eq!(parts(100), ["histogram", "mean", "extreme"]);
    }

    #[test]
    fn one_sorted_deck_is_its_exact_probability() {
        // Of 3 decks one has no descent: two-sided depth 2/52!, three chances, doubled.
        let outcomes = outcomes(permutation::descents(), &counts_of(&[25, 0, 26]), &NAMES);
        let wanted = 2.0 * 3.0 * 2.0 * 1.239_799_930_857_148_6e-68;
        assert!((outcomes[0].p_value / wanted - 1.0).abs() < 1e-9, "{}", outcomes[0].p_value);
        // Its cell is that of no descent; decks that are too even have none.
        let cell = |values: &[usize]| {
            extreme_cell(permutation::descents(), &counts_of(values)).map(|(cell, _)| cell)
        };
        assert_eq!((cell(&[25, 0, 26]), cell(&[25; 200]), cell(&[])), (Some(0), None, None));
    }

    #[test]
    fn a_stuck_number_is_too_even() {
        // 200 decks with 25 descents each: mean and extremes are too good to be true.
        let outcomes = outcomes(permutation::descents(), &counts_of(&[25; 200]), &NAMES);
        assert!(outcomes[0].p_value < 1e-100 && outcomes[2].p_value < 1e-20);
    }
}
