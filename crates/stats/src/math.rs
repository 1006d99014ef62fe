//! Special functions, exact distributions, multiplicity: the only door to `statrs`.
//!
//! Tails are accurate to 1e-12 of themselves down to 1e-300 (`fixtures/math/tails.csv`, mpmath at 60
//! digits). statrs 0.19 reaches that for ln Γ. On the same file its erfc is off by up to 9e-11 of
//! the value, its χ² tails by 1.5e-10, its binomial tails by 7e-5 (a million trials), so those tails are
//! our own, on the point probabilities of Loader (2000).

pub mod binomial;
pub mod chernoff;
pub mod chi_squared;
pub mod dirichlet;
pub mod distribution;
pub mod gamma;
pub mod hypergeometric;
pub mod kolmogorov;
pub mod lattice;
pub mod multinomial;
pub mod normal;
pub mod permutation;
pub mod poisson;
pub mod product_sums;
mod saddle;
pub mod sampling;

/// `min(1, 2·min(P(X ≤ x), P(X ≥ x)))`: "too good" counts, once.
///
/// ```
/// assert_eq!(deckproof_stats::math::two_sided(0.001, 0.9995), 0.002);
/// ```
pub fn two_sided(lower: f64, upper: f64) -> f64 {
    bonferroni(2.0, lower.min(upper))
}

/// `min(1, m·p)`: the smallest of `m` p-values is `p` (Bonferroni 1936, "Teoria statistica delle classi").
pub fn bonferroni(m: f64, p: f64) -> f64 {
    (m * p).min(1.0)
}

/// `1 − (1 − p)^n` without loss for small `p`: at least one of `n` independent events of probability `p`.
pub fn at_least_one(p: f64, n: u64) -> f64 {
    -none(p, n).1
}

/// `(1 − p)^n` and that number minus one.
fn none(p: f64, n: u64) -> (f64, f64) {
    let exponent = n as f64 * libm::log1p(-p);
    (libm::exp(exponent), libm::expm1(exponent))
}

/// `(1 − p)^n`: none of `n` independent events of probability `p`.
pub fn none_of(p: f64, n: u64) -> f64 {
    if n == 0 { 1.0 } else { none(p, n).0 }
}

/// The greatest common divisor.
pub fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_events_in_many_trials_keep_their_digits() {
        // 1 − (1 − 1e-20)^1000 = 1e-17 up to 5e-35.
        assert!((at_least_one(1e-20, 1000) / 1e-17 - 1.0).abs() < 1e-14);
        assert_eq!(at_least_one(1.0, 3), 1.0);
        assert_eq!((at_least_one(0.25, 0), none_of(0.25, 0), none_of(1.0, 0)), (0.0, 1.0, 1.0));
    }
}
