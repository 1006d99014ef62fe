//! The Dirichlet mixture of multinomials against one of them: a likelihood ratio, which is an e-value.

/// `ln e(S) = lnΓ(κ) − lnΓ(κ+n) + Σ_i [lnΓ(κp_i + x_i) − lnΓ(κp_i)] − Σ_i x_i ln p_i`: how much more likely counts are
/// when the probabilities were drawn from Dirichlet(κp) than when they are p. Its expectation under p is exactly 1.
///
/// Written with Stirling's series so that nothing cancels: with `δ_i = (κp_i + x_i)/((κ+n)p_i) − 1` it is
/// `(k−1)/2·ln(κ/(κ+n)) + Σ(κp_i + x_i − ½)·ln(1+δ_i) + Σ[c(κp_i + x_i) − c(κp_i)] + c(κ) − c(κ+n)`,
/// `c(z) = 1/(12z) − 1/(360z³) + 1/(1260z⁵)` (Abramowitz & Stegun 1964, 6.1.41), good to 1e-10 for κp_i ≥ 10.
///
/// # Panics
/// If the lists differ in length or some κp_i is below 10.
pub fn ln_mixture_ratio(counts: &[u64], points: &[f64], kappa: f64) -> f64 {
    assert_eq!(counts.len(), points.len());
    let n = counts.iter().map(|&count| count as f64).sum::<f64>();
    let after = kappa + n;
    let cell = |(&count, &p): (&u64, &f64)| {
        let prior = kappa * p;
        assert!(prior >= PRIOR_MIN, "found a prior count of {prior}, wanted at least {PRIOR_MIN}");
        let posterior = prior + count as f64;
        // δ without the difference of two large numbers.
        let delta = (count as f64 - n * p) / (after * p);
        (posterior - 0.5) * libm::log1p(delta) + correction(posterior) - correction(prior)
    };
    let cells: f64 = counts.iter().zip(points).map(cell).sum();
    let ends = correction(kappa) - correction(after);
    0.5 * (points.len() as f64 - 1.0) * libm::log(kappa / after) + cells + ends
}

/// Smallest prior count of a cell for which the series is good to 1e-10.
const PRIOR_MIN: f64 = 10.0;

/// What `lnΓ(z)` is above `(z − ½)·ln z − z + ½·ln 2π`.
fn correction(z: f64) -> f64 {
    let inverse = 1.0 / z;
    let square = inverse * inverse;
    inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0)))
}

/// `ln Σ e^x` of some numbers, without overflow; −∞ of none.
pub fn ln_sum_exp(terms: impl IntoIterator<Item = f64>) -> f64 {
    let terms: Vec<f64> = terms.into_iter().collect();
    let highest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if highest.is_infinite() {
        return highest;
    }
    highest + libm::log(terms.iter().map(|term| libm::exp(term - highest)).sum::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::gamma::{ln_factorial, ln_gamma};

    /// The formula as the literature has it.
    fn plain(counts: &[u64], points: &[f64], kappa: f64) -> f64 {
        let n: u64 = counts.iter().sum();
        let cell = |(&x, &p): (&u64, &f64)| {
            ln_gamma(kappa * p + x as f64) - ln_gamma(kappa * p) - x as f64 * libm::log(p)
        };
        ln_gamma(kappa) - ln_gamma(kappa + n as f64) + counts.iter().zip(points).map(cell).sum::<f64>()
    }

    #[test]
    fn the_series_is_the_formula_of_gamma_functions() {
        let points = [0.5, 0.2, 0.2, 0.1];
        for (counts, kappa) in [
            ([0, 0, 0, 0], 100.0),
            ([7, 0, 0, 0], 100.0),
            ([0, 0, 0, 9], 150.0),
            ([50, 20, 21, 9], 1000.0),
            ([4000, 2100, 1900, 950], 4e4),
        ] {
            let (found, wanted) = (ln_mixture_ratio(&counts, &points, kappa), plain(&counts, &points, kappa));
            assert!((found - wanted).abs() < 1e-9 * wanted.abs().max(1.0), "{counts:?}: {found}, {wanted}");
        }
    }

    /// All outcomes of n draws, each with its probability: the mean of e is 1.
    #[test]
    fn the_expectation_is_one() {
        let points = [0.5, 0.3, 0.2];
        for (n, kappa) in [(1u64, 50.0), (12, 60.0), (30, 1000.0)] {
            let mut mean = 0.0;
            for a in 0..=n {
                for b in 0..=n - a {
                    let counts = [a, b, n - a - b];
                    let ln_p = ln_factorial(n)
                        + counts
                            .iter()
                            .zip(points)
                            .map(|(&x, p)| x as f64 * libm::log(p) - ln_factorial(x))
                            .sum::<f64>();
                    mean += libm::exp(ln_p + ln_mixture_ratio(&counts, &points, kappa));
                }
            }
            assert!((mean - 1.0).abs() < 1e-9, "{n} draws: {mean}");
        }
    }

    #[test]
    fn sums_of_exponentials_neither_overflow_nor_vanish() {
        assert!((ln_sum_exp([1000.0, 1000.0]) - 1000.0 - libm::log(2f64)).abs() < 1e-12);
        assert!((ln_sum_exp([f64::NEG_INFINITY, -3.0]) + 3.0).abs() < 1e-12);
        assert_eq!(ln_sum_exp([f64::INFINITY, 0.0]), f64::INFINITY);
        assert_eq!(ln_sum_exp([]), f64::NEG_INFINITY);
    }
}
