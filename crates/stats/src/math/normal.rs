//! Tails of the normal distribution.

use std::f64::consts::PI;

use crate::math::chi_squared;

/// `P(Z ≥ z)` of a standard normal Z, as half a χ²(1) tail of z².
///
/// statrs 0.19 has an erfc, but it is off by 9e-11 of itself near 0.7.
pub fn upper(z: f64) -> f64 {
    let (within, beyond) = chi_squared::tails(1.0, z * z);
    if z >= 0.0 { 0.5 * beyond } else { 0.5 + 0.5 * within }
}

/// `P(Z ≤ z)` of a standard normal Z.
pub fn lower(z: f64) -> f64 {
    upper(-z)
}

/// `P(|Z| ≥ |z|)` of a standard normal Z.
pub fn two_sided(z: f64) -> f64 {
    chi_squared::upper(1.0, z * z)
}

/// The density `exp(−z²/2)/√(2π)`.
pub fn density(z: f64) -> f64 {
    libm::exp(-0.5 * z * z) / (2.0 * PI).sqrt()
}
