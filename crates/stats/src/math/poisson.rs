//! Tails of the Poisson distribution.

use crate::math::saddle::{poisson_point, series};
use crate::math::two_sided;

/// `P(X ≤ k)` and `P(X ≥ k)` of a Poisson count of mean `mean` > 0.
pub fn tails(mean: f64, k: u64) -> (f64, f64) {
    let x = k as f64;
    let point = poisson_point(x, mean);
    if x > mean {
        let upper = (point * series(x, |j| mean / (j + 1.0), 1.0)).min(1.0);
        (1.0 - upper + point, upper)
    } else {
        let lower = (point * series(x, |j| j / mean, -1.0)).min(1.0);
        (lower, 1.0 - lower + point)
    }
}

/// The two-sided p-value of a count.
pub fn p_value(mean: f64, k: u64) -> f64 {
    let (lower, upper) = tails(mean, k);
    two_sided(lower, upper)
}
