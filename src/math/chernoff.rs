//! Tails of the sum of many independent values of a known law: a proven bound and a saddle point.

use crate::math::law::Law;
use crate::math::normal;

/// The law tilted by `e^{θ(X − x)}`: what a sum of N values `N·x` says about one of them.
#[derive(Clone, Copy)]
struct Tilt {
    /// `ln E e^{θ(X − x)}`; its minimum over θ is −I(x).
    cumulant: f64,
    /// Mean of `X − x` under the tilt, zero at the minimum.
    mean: f64,
    /// Variance of `X` under the tilt.
    variance: f64,
}

fn tilt(law: &Law, x: f64, theta: f64) -> Tilt {
    let exponent = |(value, point): (u64, f64)| point.ln() + theta * (value as f64 - x);
    let largest = law.iter().map(exponent).fold(f64::NEG_INFINITY, f64::max);
    let (mut mass, mut first, mut second) = (0.0, 0.0, 0.0);
    for (value, point) in law.iter() {
        let weight = (exponent((value, point)) - largest).exp();
        let away = value as f64 - x;
        mass += weight;
        first += weight * away;
        second += weight * away * away;
    }
    let mean = first / mass;
    Tilt { cumulant: largest + mass.ln(), mean, variance: (second / mass - mean * mean).max(0.0) }
}

/// Largest tilt tried: `e^θ` per unit; beyond it the bound no longer improves.
const THETA_MAX: f64 = 256.0;

/// The θ at which the tilted mean is `x`, or an end of ±[`THETA_MAX`] if none is.
fn saddle(law: &Law, x: f64) -> (f64, Tilt) {
    let (mut low, mut high) = (-THETA_MAX, THETA_MAX);
    let mut theta = ((x - law.mean()) / law.variance()).clamp(-1.0, 1.0);
    for _ in 0..100 {
        let here = tilt(law, x, theta);
        if here.mean.abs() <= 1e-13 * (1.0 + x.abs()) || high - low < 1e-13 {
            return (theta, here);
        }
        if here.mean < 0.0 {
            low = theta
        } else {
            high = theta
        }
        let newton = theta - here.mean / here.variance.max(1e-300);
        theta = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
    }
    (theta, tilt(law, x, theta))
}

/// Proven: `P(S ≥ s) ≤ exp(−n·I(s/n))` for `s` above the mean of the sum S of `n` independent values, and
/// the same for `P(S ≤ s)` below it, with `I(x) = sup_θ (θx − ln E e^{θX})` (Chernoff 1952, "A measure of
/// asymptotic efficiency", theorem 1). Any θ of the right sign gives a true bound, so rounding θ is harmless.
pub fn bound(law: &Law, n: u64, sum: u64) -> f64 {
    if n == 0 {
        return 1.0;
    }
    let x = sum as f64 / n as f64;
    let (theta, tilt) = saddle(law, x);
    if theta * (x - law.mean()) <= 0.0 { 1.0 } else { (n as f64 * tilt.cumulant).exp().min(1.0) }
}

/// `P(S ≤ s)` and `P(S ≥ s)` of the sum of `n` independent values, by the saddle point with Daniels's
/// continuity correction (Lugannani & Rice 1980; Daniels 1987, "Tail probability approximations",
/// equation 6.4). Close to 1e-3 of the value from `n` = 10 on, but an approximation.
pub fn sum_tails(law: &Law, n: u64, sum: u64) -> (f64, f64) {
    let (first, last) = (law.first() * n, (law.first() + law.points().len() as u64 - 1) * n);
    let s = sum as f64;
    let lower = if sum >= last { 1.0 } else { tail(law, n, s + 0.5, -1.0) };
    let upper = if sum <= first { 1.0 } else { tail(law, n, s - 0.5, 1.0) };
    (lower, upper)
}

/// `1 − Φ(w) + φ(w)(1/u − 1/w)` with `w² = 2n·I(s/n)` and `u = 2 sinh(θ/2)·√(n K″(θ))`, for `sign` −1
/// mirrored to the lower tail.
fn tail(law: &Law, n: u64, s: f64, sign: f64) -> f64 {
    let trials = n as f64;
    let (theta, tilt) = saddle(law, s / trials);
    let w = sign * theta.signum() * (-2.0 * trials * tilt.cumulant).max(0.0).sqrt();
    if w.abs() < 1e-4 {
        return 0.5;
    }
    let u = sign * 2.0 * (0.5 * theta).sinh() * (trials * tilt.variance).sqrt();
    (normal::upper(w) + normal::density(w) * (1.0 / u - 1.0 / w)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::binomial;

    /// Sums of coins are binomial, whose tails are checked elsewhere.
    #[test]
    fn bound_covers_and_saddle_point_meets_binomial_tails() {
        for p in [0.1, 0.5] {
            let coin = Law::new(0, vec![1.0 - p, p]);
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

    #[test]
    fn bound_is_the_textbook_divergence_of_coins() {
        // Cramér: I(x) = x ln(x/p) + (1−x) ln((1−x)/(1−p)); x = 3/4, p = 1/2, n = 100.
        let coin = Law::new(0, vec![0.5, 0.5]);
        let rate = 0.75 * 1.5f64.ln() + 0.25 * 0.5f64.ln();
        assert!((bound(&coin, 100, 75).ln() + 100.0 * rate).abs() < 1e-9);
        assert!((bound(&coin, 100, 25).ln() + 100.0 * rate).abs() < 1e-9);
        assert_eq!(bound(&coin, 100, 50), 1.0);
        // All heads: the bound is the probability itself.
        assert!((bound(&coin, 20, 20) * 2f64.powi(20) - 1.0).abs() < 1e-9);
    }
}
