//! Tails of the Poisson distribution.

use crate::math::saddle::poisson_point;
use crate::math::two_sided;

/// `P(X ≤ k)` and `P(X ≥ k)` of a Poisson count of mean `mean` > 0.
pub fn tails(mean: f64, k: u64) -> (f64, f64) {
    let x = k as f64;
    let point = poisson_point(x, mean);
    if x > mean {
        let upper = (point * upper_sum(mean, x)).min(1.0);
        (1.0 - upper + point, upper)
    } else {
        let lower = (point * lower_sum(mean, x)).min(1.0);
        (lower, 1.0 - lower + point)
    }
}

/// The two-sided p-value of a count.
pub fn p_value(mean: f64, k: u64) -> f64 {
    let (lower, upper) = tails(mean, k);
    two_sided(lower, upper)
}

/// `1 + m/(k+1) + m²/((k+1)(k+2)) + …`
fn upper_sum(mean: f64, k: f64) -> f64 {
    let (mut sum, mut term, mut j) = (1.0, 1.0, k);
    while term > sum * 1e-17 {
        j += 1.0;
        term *= mean / j;
        sum += term;
    }
    sum
}

/// `1 + k/m + k(k−1)/m² + …`
fn lower_sum(mean: f64, k: f64) -> f64 {
    let (mut sum, mut term, mut j) = (1.0, 1.0, k);
    while term > sum * 1e-17 && j > 0.0 {
        term *= j / mean;
        sum += term;
        j -= 1.0;
    }
    sum
}
