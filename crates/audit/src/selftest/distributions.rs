//! The exact distributions and special functions against closed forms and frozen values.

use crate::selftest::Check;
use deckproof_stats::math::distribution::Distribution;
use deckproof_stats::math::{binomial, chi_squared, normal, permutation, poisson};

/// Largest relative error borne.
const ERROR_MAX: f64 = 1e-11;

/// Mean and variance of the exact distributions for 52 cards, from their closed forms.
pub(super) fn moments() -> Check {
    let n = 52.0;
    let harmonic = |power: i32| (1..=52).map(|k| f64::from(k).powi(-power)).sum::<f64>();
    // Feller (1968, X.6); Stanley, EC1; Levene & Wolfowitz (1944); David & Barton (1962, 10); Diaconis & Graham (1977).
    let rows: [(&str, &Distribution, f64, f64); 8] = [
        ("fixed points", permutation::fixed_points(), 1.0, 1.0),
        ("cycles", permutation::cycles(), harmonic(1), harmonic(1) - harmonic(2)),
        ("descents", permutation::descents(), (n - 1.0) / 2.0, (n + 1.0) / 12.0),
        ("rising sequences", permutation::rising_sequences(), (n + 1.0) / 2.0, (n + 1.0) / 12.0),
        (
            "inversions",
            permutation::inversions(),
            n * (n - 1.0) / 4.0,
            n * (n - 1.0) * (2.0 * n + 5.0) / 72.0,
        ),
        ("peaks", permutation::peaks(), (n - 2.0) / 3.0, 2.0 * (n + 1.0) / 45.0),
        (
            "half the footrule",
            permutation::half_footrule(),
            (n * n - 1.0) / 6.0,
            (n + 1.0) * (2.0 * n * n + 7.0) / 180.0,
        ),
        ("runs up and down", permutation::runs_up_down(), (2.0 * n - 1.0) / 3.0, (16.0 * n - 29.0) / 90.0),
    ];
    let faults = rows.iter().filter_map(|(name, distribution, mean, variance)| {
        let is_right = is_near(distribution.mean(), *mean) && is_near(distribution.variance(), *variance);
        (!is_right).then(|| {
            format!("{name} have mean {} and variance {}", distribution.mean(), distribution.variance())
        })
    });
    Check::new(
        "The exact distributions have the means and variances of their closed forms.",
        faults.collect(),
        format!("{} distributions of 52 cards", rows.len()),
    )
}

/// Tails against values of mpmath at 60 digits: rows of the project's table.
pub(super) fn tails() -> Check {
    let rows = [
        ("χ²(2601) below 2240", chi_squared::lower(2601.0, 2240.375541594861), 7.92377230437386e-8),
        ("χ²(9) above 149", chi_squared::upper(9.0, 149.0071426749364), 1.4160861432531411e-27),
        ("χ²(1326) below 296", chi_squared::lower(1326.0, 296.0485448333013), 1.6518374423525075e-210),
        ("Bin(1000, 1/52) from 150", binomial::tails(1000, 1.0 / 52.0, 150).1, 4.075484102858594e-83),
        ("Bin(10⁶, 1/52) to 19093", binomial::tails(1_000_000, 1.0 / 52.0, 19_093).0, 0.1587712234449983),
        ("Poisson(0.001) from 1", poisson::tails(0.001, 1).1, 9.995001666250083e-4),
        ("Poisson(0.3) from 134", poisson::tails(0.3, 134).1, 3.2020722172058747e-299),
        ("χ²(51) below 1e-9", chi_squared::lower(51.0, 1e-9), 8.466240146167302e-264),
        ("χ²(51) above 1596", chi_squared::upper(51.0, 1595.7914118438493), 1.2589259876369157e-300),
        ("normal above 37.04", normal::upper(37.04090459831059), 1.258011473013478e-300),
    ];
    let faults = rows.iter().filter(|(_, found, wanted)| !is_near(*found, *wanted));
    let faults = faults.map(|(name, found, wanted)| format!("{name} is {found:e}, wanted {wanted:e}"));
    Check::new(
        "Tail probabilities agree with arbitrary precision down to 1e-300.",
        faults.collect(),
        format!("{} tails within {ERROR_MAX:e} of themselves", rows.len()),
    )
}

fn is_near(found: f64, wanted: f64) -> bool {
    (found / wanted - 1.0).abs() <= ERROR_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_and_tails_hold() {
        for check in [moments(), tails()] {
            assert!(check.has_passed, "{}", check.found);
        }
    }
}
