//! The Kolmogorov–Smirnov distance of counts in ordered cells, by its exact distribution.
//!
//! The published tables are for continuous distributions; of counts in cells the distance is smaller and takes few
//! values (Conover 1972, "A Kolmogorov goodness-of-fit test for discontinuous distributions").

use std::rc::Rc;

use crate::math::saddle::poisson_point;

/// What is known of a distance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Distance {
    /// `D = max_j |S_j/n − F_j|` over the borders between cells.
    pub distance: f64,
    /// `P(D ≤ d)`.
    pub lower: f64,
    /// `P(D ≥ d)`, exact or bounded.
    pub upper: f64,
    /// Whether `upper` is the bound of Dvoretzky, Kiefer & Wolfowitz with Massart's (1990) constant,
    /// `2·e^{−2nd²}`, which is proven for all distributions.
    pub is_bound: bool,
}

/// Below this the exact distribution would be a small difference of numbers near 1; the bound takes over.
const UPPER_MIN: f64 = 1e-9;

/// Far less than two distances of counts can differ, far more than their rounding.
const ROUNDING: f64 = 1e-6;

/// The distance of counts from cells of the given probabilities, in their order.
///
/// # Panics
/// If there are not as many counts as cells.
pub fn distance(probabilities: &[f64], counts: &[u64]) -> Distance {
    assert_eq!(probabilities.len(), counts.len(), "one count per cell");
    let n: u64 = counts.iter().sum();
    if n == 0 {
        return Distance { distance: 0.0, lower: 1.0, upper: 1.0, is_bound: false };
    }
    let trials = n as f64;
    let (mut seen, mut expected, mut furthest) = (0u64, 0.0, 0.0f64);
    for (count, p) in counts.iter().zip(probabilities).take(counts.len() - 1) {
        seen += count;
        expected += p * trials;
        furthest = furthest.max((seen as f64 - expected).abs());
    }
    let bound = (2.0 * libm::exp(-2.0 * furthest * furthest / trials)).min(1.0);
    let exact = || {
        let cells = steps(probabilities, trials);
        let further = 1.0 - stays_within(&cells, n, furthest - ROUNDING);
        (further >= UPPER_MIN)
            .then(|| (stays_within(&cells, n, furthest + ROUNDING).min(1.0), further.min(bound)))
    };
    let exact = if bound < UPPER_MIN { None } else { exact() };
    let (lower, upper) = exact.unwrap_or((1.0, bound));
    Distance { distance: furthest / trials, lower, upper, is_bound: exact.is_none() }
}

/// `P(|S_j − nF_j| ≤ room at every border)`: multinomial counts are independent Poisson ones of the same means
/// whose sum happens to be n (as in Steck 1969 and Durbin 1973, "Distribution theory for tests based on the
/// sample distribution function", section 2), so that the sums are a chain that must not leave its band.
fn stays_within(cells: &[Rc<Steps>], n: u64, room: f64) -> f64 {
    let trials = n as f64;
    let last = cells.len() - 1;
    let (mut first, mut chain, mut expected) = (0usize, vec![1.0], 0.0);
    for (cell, steps) in cells.iter().enumerate() {
        expected += steps.mean;
        let (low, high) = if cell == last {
            (trials, trials)
        } else {
            ((expected - room).ceil().max(0.0), (expected + room).floor().min(trials))
        };
        if low > high {
            return 0.0;
        }
        let (low, width) = (low as usize, (high - low) as usize + 1);
        let mut next = vec![0.0; width];
        for (here, mass) in (first..).zip(&chain).filter(|(_, mass)| **mass > 0.0) {
            // From the first step of any weight, or the first that reaches the band.
            let skipped = low.saturating_sub(here + steps.first);
            let Some(points) = steps.points.get(skipped..) else { continue };
            let Some(to) = (here + steps.first + skipped).checked_sub(low).filter(|&to| to < width) else {
                continue;
            };
            next[to..].iter_mut().zip(points).for_each(|(next, point)| *next += mass * point);
        }
        (first, chain) = (low, next);
    }
    chain[0] / poisson_point(trials, trials)
}

/// The steps of every cell; of equal cells in a row once, for they take most of the time of few decks.
fn steps(probabilities: &[f64], trials: f64) -> Vec<Rc<Steps>> {
    let mut steps: Vec<Rc<Steps>> = Vec::new();
    for p in probabilities {
        let mean = p * trials;
        let same = steps.last().filter(|last| last.mean.to_bits() == mean.to_bits()).cloned();
        steps.push(same.unwrap_or_else(|| Rc::new(Steps::of(mean))));
    }
    steps
}

/// Poisson probabilities, as far as they matter.
struct Steps {
    mean: f64,
    first: usize,
    points: Vec<f64>,
}

impl Steps {
    fn of(mean: f64) -> Steps {
        // 14 standard deviations and the long tail of small means: what is left out is below 1e-30.
        let reach = 14.0 * mean.sqrt() + 40.0;
        let first = (mean - reach).max(0.0) as usize;
        let points = (first..=(mean + reach) as usize).map(|k| poisson_point(k as f64, mean));
        Steps { mean, first, points: points.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every outcome of seven trials in four unequal cells.
    #[test]
    fn tails_are_those_of_all_outcomes() {
        let p = [0.1, 0.4, 0.3, 0.2];
        let mut distribution: Vec<([u64; 4], f64)> = Vec::new();
        for word in 0..4usize.pow(7) {
            let (mut counts, mut mass) = ([0; 4], 1.0);
            for trial in 0..7 {
                let cell = word / 4usize.pow(trial) % 4;
                counts[cell] += 1;
                mass *= p[cell];
            }
            distribution.push((counts, mass));
        }
        let far = |counts: &[u64; 4]| {
            let borders = [(1, 0.1), (2, 0.5), (3, 0.8)];
            let away = borders.map(|(cells, share)| counts[..cells].iter().sum::<u64>() as f64 / 7.0 - share);
            away.into_iter().fold(0.0f64, |most, away| most.max(away.abs()))
        };
        for counts in [[1, 3, 2, 1], [0, 3, 3, 1], [7, 0, 0, 0], [0, 0, 0, 7], [2, 2, 2, 1]] {
            let found = distance(&p, &counts);
            let here = far(&counts);
            let mass = |is_in: &dyn Fn(f64) -> bool| {
                distribution.iter().filter(|(other, _)| is_in(far(other))).map(|(_, mass)| mass).sum::<f64>()
            };
            let (lower, upper) = (mass(&|far| far <= here + 1e-9), mass(&|far| far >= here - 1e-9));
            assert!((found.distance - here).abs() < 1e-12 && !found.is_bound);
            assert!((found.lower - lower).abs() < 1e-12, "{counts:?}: {} for {lower}", found.lower);
            assert!((found.upper - upper).abs() < 1e-12, "{counts:?}: {} for {upper}", found.upper);
        }
    }

    /// Miller (1956), "Table of percentage points of Kolmogorov statistics": n = 10, D = 0.40925 at 5 %; n = 20,
    /// D = 0.35241 at 1 %. Cells fine enough are as good as a continuous distribution.
    #[test]
    fn many_cells_have_the_published_quantiles() {
        for (n, quantile, level) in [(10u64, 0.40925, 0.05), (20, 0.35241, 0.01)] {
            let cells = 20_000;
            let p = vec![1.0 / cells as f64; cells];
            let nearer = stays_within(&steps(&p, n as f64), n, quantile * n as f64);
            assert!((1.0 - nearer - level).abs() < 0.002 * level + 2e-5, "n {n}: {}", 1.0 - nearer);
        }
    }

    /// Smirnov (1948): P(√n·D > 1.36) tends to 0.049; 52 cells of 40,000 trials lie below it by the grid.
    #[test]
    fn many_trials_in_cells_come_near_the_limit_from_below() {
        let p = vec![1.0 / 52.0; 52];
        let upper = 1.0 - stays_within(&steps(&p, 40_000.0), 40_000, 1.3581 * 200.0);
        assert!((0.030..0.050).contains(&upper), "{upper}");
    }

    /// Ten decks with one card on top: 52·52⁻¹⁰, where the exact sum is nothing but rounding.
    #[test]
    fn no_distance_is_rarer_than_all_in_one_cell() {
        for n in 2..=40u64 {
            let mut counts = [0; 52];
            counts[0] = n;
            let found = distance(&[1.0 / 52.0; 52], &counts);
            let exact = 2.0 * libm::pow(52f64, -(n as f64));
            assert!(found.upper >= exact * (1.0 - 1e-6), "{n}: {:e} for {exact:e}", found.upper);
        }
    }

    #[test]
    fn far_distances_are_bounded() {
        let found = distance(&[0.5, 0.5], &[1_000, 0]);
        assert!(found.is_bound && found.upper < 1e-200 && found.lower == 1.0);
    }
}
