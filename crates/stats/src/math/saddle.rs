//! Point probabilities as a saddle point, without differences of large logarithms.
//!
//! Loader (2000), "Fast and accurate computation of binomial probabilities", writes every such
//! probability as `exp(−δ(n) … − D(x, np))/√(2πx…)`: δ is the error of Stirling's formula and D the
//! deviance; both are small where the probability is not, so no digits are lost.

use crate::math::gamma::ln_gamma;
use std::f64::consts::{LN_2, PI};

/// From here on the asymptotic series of Stirling's error is exact to a double (16^-15/156 ≈ 6e-21).
const STIRLING_SERIES_FROM: f64 = 16.0;

/// `δ(x) = ln Γ(x+1) − (x + ½) ln x + x − ½ ln 2π` for x > 0 (Loader 2000, section 2).
pub(super) fn stirling_error(x: f64) -> f64 {
    if x < STIRLING_SERIES_FROM {
        return ln_gamma(x + 1.0) - (x + 0.5) * libm::log(x) + x - 0.5 * (LN_2 + libm::log(PI));
    }
    // Abramowitz & Stegun (1964), 6.1.40: B_2k / (2k(2k−1) x^(2k−1)).
    const TERMS: [f64; 7] =
        [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360360.0, 1.0 / 156.0];
    let square = x * x;
    TERMS.iter().rev().fold(0.0, |sum, term| sum / square + term) / x
}

/// Below this part of x, `1 + d` would keep too few digits of `m/x`.
const SMALL: f64 = 0.1;

/// `D = x ln(x/m) + m − x` for `m − x = x·d`: the deviance, which is `x·(d − ln(1 + d))`.
fn deviance_of(x: f64, m: f64, d: f64) -> f64 {
    if m < SMALL * x {
        return x * (d - libm::log(m / x));
    }
    if d.abs() > 0.3 {
        return x * (d - libm::log1p(d));
    }
    // d − ln(1+d) = d²/2 − d³/3 + …; with s = d/(2+d), ln(1+d) = 2(s + s³/3 + s⁵/5 + …) and d − 2s = d·s.
    let s = d / (2.0 + d);
    let square = s * s;
    let (mut power, mut sum, mut k) = (s * square, 0.0, 3.0);
    loop {
        let next = sum + power / k;
        if next == sum {
            return x * (d * s - 2.0 * sum);
        }
        (sum, power, k) = (next, power * square, k + 2.0);
    }
}

/// `x ln(x/m) + m − x`.
fn deviance(x: f64, m: f64) -> f64 {
    deviance_of(x, m, (m - x) / x)
}

/// `x ln(x/(n·p)) + n·p − x`, with the product carried in two doubles.
fn deviance_of_product(x: f64, n: f64, p: f64) -> f64 {
    let high = n * p;
    let low = n.mul_add(p, -high);
    deviance_of(x, high, ((high - x) + low) / x)
}

/// `m^x e^(−m) / Γ(x+1)`: the Poisson probability, for real x ≥ 0 and m > 0.
pub(super) fn poisson_point(x: f64, m: f64) -> f64 {
    if x <= 0.0 {
        return libm::exp(-m);
    }
    libm::exp(-stirling_error(x) - deviance(x, m)) / (2.0 * PI * x).sqrt()
}

/// `C(n, x) p^x (1−p)^(n−x)` for whole 0 ≤ x ≤ n and 0 < p < 1.
pub(super) fn binomial_point(n: f64, p: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return libm::exp(n * libm::log1p(-p));
    }
    if x >= n {
        return libm::exp(n * libm::log(p));
    }
    let rest = n - x;
    // n·q − (n−x) = x − n·p exactly, so that 1 − p is never rounded.
    let high = n * p;
    let low = n.mul_add(p, -high);
    let exponent = stirling_error(n)
        - stirling_error(x)
        - stirling_error(rest)
        - deviance_of_product(x, n, p)
        - deviance_of(rest, n * (1.0 - p), ((x - high) - low) / rest);
    libm::exp(exponent) * (n / (2.0 * PI * x * rest)).sqrt()
}

/// `1 + r(k) + r(k)·r(k ± 1) + …`: what a tail is of the point that it begins with.
pub(super) fn series(k: f64, ratio: impl Fn(f64) -> f64, direction: f64) -> f64 {
    let (mut sum, mut term, mut j) = (1.0, 1.0, k);
    while term > sum * 1e-17 {
        term *= ratio(j);
        sum += term;
        j += direction;
    }
    sum
}
