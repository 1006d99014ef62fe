//! Tails of the χ² distribution.

use crate::math::saddle::{poisson_point, series};
use crate::math::two_sided;

/// `P(X ≤ x)` and `P(X ≥ x)` of χ² with `freedom` > 0 degrees of freedom: `P(a, y)` and `Q(a, y)` of the
/// incomplete gamma function at `a = freedom/2`, `y = x/2`.
///
/// Series of P below a + 1 (Abramowitz & Stegun 1964, 6.5.29), continued fraction of Q above (6.5.31, by
/// Lentz's method), both times the Poisson probability in Loader's form.
pub fn tails(freedom: f64, x: f64) -> (f64, f64) {
    let (a, y) = (0.5 * freedom, 0.5 * x);
    if y.is_nan() || y.is_infinite() {
        return if y.is_nan() { (f64::NAN, f64::NAN) } else { (1.0, 0.0) };
    }
    if y <= 0.0 {
        return (0.0, 1.0);
    }
    if y < a + 1.0 {
        let lower = (poisson_point(a, y) * series(a, |j| y / (j + 1.0), 1.0)).min(1.0);
        (lower, 1.0 - lower)
    } else {
        let upper = (poisson_point(a, y) * a * fraction(a, y)).min(1.0);
        (1.0 - upper, upper)
    }
}

/// `P(X ≥ x)`.
pub fn upper(freedom: f64, x: f64) -> f64 {
    tails(freedom, x).1
}

/// `P(X ≤ x)`.
pub fn lower(freedom: f64, x: f64) -> f64 {
    tails(freedom, x).0
}

/// The two-sided p-value of a score.
pub fn p_value(freedom: f64, x: f64) -> f64 {
    let (lower, upper) = tails(freedom, x);
    two_sided(lower, upper)
}

/// `1/(y + 1 − a − 1(1−a)/(y + 3 − a − 2(2−a)/(y + 5 − a − …)))`
fn fraction(a: f64, y: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let mut b = y + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b.max(TINY);
    let (mut value, mut i) = (d, 0.0);
    loop {
        i += 1.0;
        let numerator = -i * (i - a);
        b += 2.0;
        let away = |x: f64| if x.abs() < TINY { TINY } else { x };
        d = 1.0 / away(numerator * d + b);
        c = away(b + numerator / c);
        let step = c * d;
        value *= step;
        if (step - 1.0).abs() < 2e-16 {
            return value;
        }
    }
}
