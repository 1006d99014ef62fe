//! Tails of the sum of many independent values of a known distribution: a proven bound and a saddle point.

use crate::math::distribution::Distribution;
use crate::math::normal;

/// The distribution tilted by `e^{θ(X − x)}`: what a sum of N values `N·x` says about one of them.
#[derive(Clone, Copy)]
struct Tilt {
    /// `ln E e^{θ(X − x)}`; its minimum over θ is −I(x).
    cumulant: f64,
    /// Mean of `X − x` under the tilt, zero at the minimum.
    mean: f64,
    /// Variance of `X` under the tilt.
    variance: f64,
}

fn tilt(distribution: &Distribution, x: f64, theta: f64) -> Tilt {
    let values = || {
        distribution.ln_points().iter().zip(distribution.first()..).map(|(ln, value)| (ln, value as f64 - x))
    };
    let largest = values().map(|(ln, away)| ln + theta * away).fold(f64::NEG_INFINITY, f64::max);
    let (mut mass, mut first, mut second) = (0.0, 0.0, 0.0);
    for (ln, away) in values() {
        let exponent = ln + theta * away - largest;
        if exponent > LN_NOTHING {
            let weight = libm::exp(exponent);
            mass += weight;
            first += weight * away;
            second += weight * away * away;
        }
    }
    let mean = first / mass;
    let reach = (distribution.first() as f64 - x)
        .abs()
        .max((distribution.first() + distribution.points().len() as u64) as f64 - x);
    let cumulant = if theta.abs() * reach > 1.0 {
        largest + libm::log(mass)
    } else {
        // Near the mean it is θ²σ²/2, of which the logarithm of a sum near 1 keeps no digit.
        let terms = distribution.iter().map(|(value, point)| point * libm::expm1(theta * (value as f64 - x)));
        libm::log1p(terms.sum::<f64>())
    };
    Tilt { cumulant, mean, variance: (second / mass - mean * mean).max(0.0) }
}

/// What this far below the largest weight no longer reaches a double, over any of our distributions.
const LN_NOTHING: f64 = -60.0;

/// Largest tilt tried: `e^θ` per unit; beyond it the bound no longer improves.
const THETA_MAX: f64 = 256.0;

/// The θ at which the tilted mean is `x`, or an end of ±[`THETA_MAX`] if none is.
fn saddle(distribution: &Distribution, x: f64) -> (f64, Tilt) {
    let (mut low, mut high) = (-THETA_MAX, THETA_MAX);
    let mut theta = ((x - distribution.mean()) / distribution.variance()).clamp(-1.0, 1.0);
    for _ in 0..100 {
        let here = tilt(distribution, x, theta);
        let newton = theta - here.mean / here.variance.max(1e-300);
        if here.mean.abs() <= 1e-11 * (1.0 + x.abs()) {
            // The next step is the last that rounding lets improve it.
            let last = if newton > low && newton < high { newton } else { theta };
            return (last, tilt(distribution, x, last));
        }
        if high - low < 1e-13 {
            return (theta, here);
        }
        if here.mean < 0.0 {
            low = theta
        } else {
            high = theta
        }
        theta = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
    }
    (theta, tilt(distribution, x, theta))
}

/// Proven: `P(S ≥ s) ≤ exp(−n·I(s/n))` for `s` above the mean of the sum S of `n` independent values, and
/// the same for `P(S ≤ s)` below it, with `I(x) = sup_θ (θx − ln E e^{θX})` (Chernoff 1952, "A measure of
/// asymptotic efficiency", theorem 1). Any θ of the right sign gives a true bound, so rounding θ is harmless.
pub fn bound(distribution: &Distribution, n: u64, sum: u64) -> f64 {
    if n == 0 {
        return 1.0;
    }
    let x = sum as f64 / n as f64;
    let (theta, tilt) = saddle(distribution, x);
    if theta * (x - distribution.mean()) <= 0.0 { 1.0 } else { libm::exp(n as f64 * tilt.cumulant).min(1.0) }
}

/// `P(S ≤ s)` and `P(S ≥ s)` of the sum of `n` independent values, by the saddle point with Daniels's
/// continuity correction (Lugannani & Rice 1980; Daniels 1987, "Tail probability approximations",
/// equation 6.4). Close to 1e-3 of the value from `n` = 10 on, but an approximation.
pub fn sum_tails(distribution: &Distribution, n: u64, sum: u64) -> (f64, f64) {
    let (first, last) =
        (distribution.first() * n, (distribution.first() + distribution.points().len() as u64 - 1) * n);
    let s = sum as f64;
    let lower = if sum >= last { 1.0 } else { tail(distribution, n, s + 0.5, -1.0) };
    let upper = if sum <= first { 1.0 } else { tail(distribution, n, s - 0.5, 1.0) };
    (lower, upper)
}

/// So near the mean, in standard deviations, w and u tell nothing of their difference any more.
const MEAN_Z: f64 = 0.01;

/// `1 − Φ(w) + φ(w)(1/u − 1/w)` with `w² = 2n·I(s/n)` and `u = 2 sinh(θ/2)·√(n K″(θ))`, and at the mean, where
/// that is 0/0, Edgeworth's `1 − Φ(z) + φ(z)(z² − 1)·γ/(6√n)` with the skewness γ (Feller 1971, volume 2, XVI.4);
/// for `sign` −1 mirrored to the lower tail.
fn tail(distribution: &Distribution, n: u64, s: f64, sign: f64) -> f64 {
    let trials = n as f64;
    let z = sign * (s - trials * distribution.mean()) / (trials * distribution.variance()).sqrt();
    if z.abs() < MEAN_Z {
        let third: f64 = distribution
            .iter()
            .map(|(value, point)| point * (value as f64 - distribution.mean()).powi(3))
            .sum();
        let skewness = sign * third / libm::pow(distribution.variance(), 1.5);
        return normal::upper(z) + normal::density(z) * (z * z - 1.0) * skewness / (6.0 * trials.sqrt());
    }
    let (theta, tilt) = saddle(distribution, s / trials);
    let w = sign * theta.signum() * (-2.0 * trials * tilt.cumulant).max(0.0).sqrt();
    let u = sign * 2.0 * libm::sinh(0.5 * theta) * (trials * tilt.variance).sqrt();
    (normal::upper(w) + normal::density(w) * (1.0 / u - 1.0 / w)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{binomial, permutation};

    /// Sums of coins are binomial, whose tails are checked elsewhere.
    #[test]
    fn bound_covers_and_saddle_point_meets_binomial_tails() {
        for p in [0.1, 0.5] {
            let coin = Distribution::new(0, vec![1.0 - p, p]);
            for (n, k) in [(10, 1), (10, 9), (10, 10), (100, 70), (1000, 70), (1000, 530), (100_000, 50_400)]
            {
                let (lower, upper) = binomial::tails(n, p, k);
                let (near_lower, near_upper) = sum_tails(&coin, n, k);
                let exact = if (k as f64) < p * n as f64 { lower } else { upper };
                assert!(bound(&coin, n, k) >= exact * (1.0 - 1e-12), "n {n} p {p} k {k}");
                for (near, exact) in
                    [(near_lower, lower), (near_upper, upper)].into_iter().filter(|pair| pair.1 > 1e-290)
                {
                    assert!((near / exact - 1.0).abs() < 0.1, "n {n} p {p} k {k}: {near} for {exact}");
                }
            }
        }
    }

    /// Where the saddle point is 0/0: at and around the mean, from ten coins to a thousand million.
    #[test]
    fn tails_near_the_mean_are_those_of_the_binomial_distribution() {
        for p in [0.5, 0.1, 1.0 / 13.0] {
            let coin = Distribution::new(0, vec![1.0 - p, p]);
            for n in [10u64, 100, 10_000, 562_341, 1_000_000, 100_000_000, 1_000_000_000] {
                let deviation = (n as f64 * p * (1.0 - p)).sqrt();
                for share in [0.0, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 9e-3, 0.011, 0.03, 0.1, 0.5] {
                    for k in
                        [-1.0, 0.0, 1.0].map(|sign| (n as f64 * p + sign * share * deviation).round() as u64)
                    {
                        let (near, exact) = (sum_tails(&coin, n, k), binomial::tails(n, p, k));
                        for (near, exact) in [(near.0, exact.0), (near.1, exact.1)] {
                            let off = (near - exact).abs();
                            assert!(
                                off < 1e-5 + 0.01 / deviation.powi(2),
                                "n {n} p {p} k {k}: {near} for {exact}"
                            );
                        }
                    }
                }
            }
        }
    }

    /// Sum by sum across the mean, the place where one formula takes over from another included.
    #[test]
    fn tails_of_sums_fall_and_rise_without_a_break() {
        let distributions = [permutation::successions(), permutation::descents(), permutation::inversions()];
        for (distribution, n) in distributions
            .iter()
            .flat_map(|distribution| [1_000, 562_341, 100_000_000].map(|n| (distribution, n)))
        {
            let (middle, deviation) =
                (n as f64 * distribution.mean(), (n as f64 * distribution.variance()).sqrt());
            // A ten-thousandth part of a deviation apart, but no less than one.
            let step = (1e-4 * deviation).max(1.0);
            let sums = (-300..=300).map(|i| (middle + f64::from(i) * step).round() as u64);
            let tails: Vec<(f64, f64)> = sums.map(|sum| sum_tails(distribution, n, sum)).collect();
            for pair in tails.windows(2) {
                let [(lower, upper), (next_lower, next_upper)] = [pair[0], pair[1]];
                assert!(next_lower > lower - 2e-6 && next_upper < upper + 2e-6, "n {n}: {pair:?}");
                assert!((0.0..3.0 / deviation).contains(&(lower + upper - 1.0)), "n {n}: {pair:?}");
            }
        }
    }

    /// All values at one end of their distribution: the sum that convicts most is no rarer than that is.
    #[test]
    fn the_furthest_sums_are_as_rare_as_they_are_and_no_rarer() {
        let distributions = [
            permutation::successions(),
            permutation::descents(),
            permutation::inversions(),
            permutation::cycles(),
            permutation::fixed_points(),
        ];
        let rank = Distribution::new(0, vec![1.0 / 13.0; 13]);
        for distribution in distributions.into_iter().chain([&rank]) {
            let points = distribution.points();
            let last = distribution.first() + points.len() as u64 - 1;
            for n in 10..=2_000u64 {
                for (value, point) in [(distribution.first(), points[0]), (last, points[points.len() - 1])] {
                    let exact = libm::pow(point, n as f64).max(1e-300) - 1e-300;
                    let (lower, upper) = sum_tails(distribution, n, n * value);
                    let smaller = lower.min(upper);
                    assert!(2.0 * smaller >= exact, "{n} times {value}: {smaller:e} for {exact:e}");
                    let bound = bound(distribution, n, n * value);
                    assert!(
                        bound >= exact * (1.0 - 1e-9),
                        "{n} times {value}: bound {bound:e} for {exact:e}"
                    );
                }
            }
        }
    }

    #[test]
    fn bound_is_the_textbook_divergence_of_coins() {
        // Cramér: I(x) = x ln(x/p) + (1−x) ln((1−x)/(1−p)); x = 3/4, p = 1/2, n = 100.
        let coin = Distribution::new(0, vec![0.5, 0.5]);
        let rate = 0.75 * libm::log(1.5f64) + 0.25 * libm::log(0.5f64);
        assert!((libm::log(bound(&coin, 100, 75)) + 100.0 * rate).abs() < 1e-9);
        assert!((libm::log(bound(&coin, 100, 25)) + 100.0 * rate).abs() < 1e-9);
        assert_eq!(bound(&coin, 100, 50), 1.0);
        // All heads: the bound is the probability itself.
        assert!((bound(&coin, 20, 20) * 2f64.powi(20) - 1.0).abs() < 1e-9);
    }
}
