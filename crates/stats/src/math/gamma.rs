//! The logarithm of the gamma function.

/// `ln Γ(x)` for x > 0, to 1e-13 of max(1, |ln Γ(x)|).
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// `ln n!`.
pub fn ln_factorial(n: u64) -> f64 {
    ln_gamma(n as f64 + 1.0)
}
