//! Sums of products of independent uniform numbers along a line: a proven bound.
//!
//! Let `S = Σ x_t·x_{t+1}` over a line of m numbers, each uniform on −(k−1), −(k−3), …, k−1, of variance σ² = (k² − 1)/3.
//! Such a number is strictly sub-Gaussian, `E e^{cx} = sinh(kc)/(k·sinh c) ≤ e^{c²σ²/2}`: with
//! `sinh y = y·Π(1 + y²/j²π²)` every factor obeys `ln((1 + k²u)/(1 + u)) ≤ (k² − 1)u`, and Σ 1/j² = π²/6. S is linear in each
//! x_t, so that one after another may be replaced by a normal number of the same variance, and E e^{θS} only grows. For
//! normal numbers it is `D_m^{−1/2}`, `D_m = D_{m−1} − τ²·D_{m−2}` with τ = θσ², the determinant of a tridiagonal matrix,
//! and `D_m ≥ λ^m` with `λ = (1 + √(1 − 4τ²))/2`. Hence (Chernoff 1952) `P(S ≥ s) ≤ e^{−θs}·λ^{−m/2}` for every 0 < τ < 1/2,
//! near the normal tail e^{−z²/2} where Azuma's inequality, which knows only the range, has e^{−0.06·z²}.

/// `ln` of the bound of `P(S ≥ s)`, at most 0, over any number of lines of `numbers` numbers in all, S in units of σ².
pub fn ln_bound(numbers: f64, sum: f64) -> f64 {
    let exponent = |tau: f64| -tau * sum - 0.5 * numbers * libm::log(largest_root(tau));
    // Convex in τ: thirds are cut away, and any τ gives a true bound.
    let (mut low, mut high) = (0.0, 0.5);
    for _ in 0..100 {
        let third = (high - low) / 3.0;
        if exponent(low + third) < exponent(high - third) { high -= third } else { low += third }
    }
    exponent(low).min(0.0)
}

/// `(1 + √(1 − 4τ²))/2`.
fn largest_root(tau: f64) -> f64 {
    0.5 * (1.0 + (1.0 - 4.0 * tau * tau).max(0.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `E e^{θS}` of a line of cards, number by number: the sum over all 52^m lines.
    fn exact(theta: f64, numbers: usize) -> f64 {
        let cards: Vec<f64> = (0..52).map(|card| 2.0 * f64::from(card) - 51.0).collect();
        let mut ahead = vec![1.0; 52];
        for _ in 1..numbers {
            let from = |a: &f64| {
                let terms = cards.iter().zip(&ahead).map(|(b, ahead)| libm::exp(theta * a * b) * ahead);
                terms.sum::<f64>() / 52.0
            };
            ahead = cards.iter().map(from).collect();
        }
        ahead.iter().sum::<f64>() / 52.0
    }

    #[test]
    fn no_line_of_cards_exceeds_the_bound_of_its_moments() {
        let variance = (52.0 * 52.0 - 1.0) / 3.0;
        for numbers in [2, 3, 10, 100] {
            for tau in [0.01, 0.1, 0.2, 0.3, 0.4, 0.45, 0.49] {
                for sign in [1.0, -1.0] {
                    let moment = libm::log(exact(sign * tau / variance, numbers));
                    let bound = -0.5 * numbers as f64 * libm::log(largest_root(tau));
                    assert!(moment <= bound, "{numbers} numbers, τ {tau}: {moment} above {bound}");
                }
            }
            // And it is no wild one: within a tenth at a small τ and many numbers.
        }
        let (moment, bound) = (libm::log(exact(0.1 / variance, 100)), -50.0 * libm::log(largest_root(0.1)));
        assert!(moment > 0.9 * bound, "{moment} {bound}");
    }

    #[test]
    fn the_bound_is_the_least_over_a_fine_grid_and_near_the_normal_tail() {
        for (numbers, z) in [(1_000.0, 3.0), (1_000.0, 8.0), (65_536.0, 5.0), (65_536.0, 20.0), (200.0, 1.0)]
        {
            let sum = z * f64::sqrt(numbers);
            let grid = (1..50_000).map(|i| f64::from(i) * 1e-5);
            let least = grid
                .map(|tau| {
                    -tau * sum - 0.5 * numbers * libm::log(0.5 + 0.5 * f64::sqrt(1.0 - 4.0 * tau * tau))
                })
                .fold(0.0, f64::min);
            let found = ln_bound(numbers, sum);
            assert!((found - least).abs() < 1e-3 * least.abs(), "{numbers}, {z}: {found} for {least}");
            let normal = -0.5 * z * z;
            assert!(found >= normal && found < 0.75 * normal, "{numbers}, {z}: {found} for {normal}");
        }
        assert_eq!(ln_bound(100.0, 0.0), 0.0);
    }
}
