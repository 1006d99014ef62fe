//! Tails of the binomial distribution.

use crate::math::distribution::Distribution;
use crate::math::saddle::{binomial_point, series};
use crate::math::two_sided;

/// `P(X ≤ k)` and `P(X ≥ k)` of the successes in `n` trials of probability `p`, 0 < p < 1.
///
/// The smaller side is summed away from `k`, where every term is positive and below the last; the other
/// is its complement.
pub fn tails(n: u64, p: f64, k: u64) -> (f64, f64) {
    if k > n {
        return (1.0, 0.0);
    }
    let (trials, x) = (n as f64, k as f64);
    let point = binomial_point(trials, p, x);
    if x > trials * p {
        let odds = p / (1.0 - p);
        let upper = (point * series(x, |j| odds * (trials - j) / (j + 1.0), 1.0)).min(1.0);
        (1.0 - upper + point, upper)
    } else {
        let odds = (1.0 - p) / p;
        let lower = (point * series(x, |j| odds * j / (trials - j + 1.0), -1.0)).min(1.0);
        (lower, 1.0 - lower + point)
    }
}

/// The two-sided p-value of a count.
pub fn p_value(n: u64, p: f64, k: u64) -> f64 {
    let (lower, upper) = tails(n, p, k);
    two_sided(lower, upper)
}

/// The distribution of `min(X, most)` for the successes X in `n` trials of probability `p`, 0 < p < 1, 1 ≤ most ≤ n.
pub fn capped(n: u64, p: f64, most: usize) -> Distribution {
    let points = (0..most).map(|k| binomial_point(n as f64, p, k as f64));
    Distribution::new(0, points.chain([tails(n, p, most as u64).1]).collect())
}
