//! Exact laws of single-deck statistics of a uniform order of 52 cards, by recursion.
//!
//! Every recursion adds and multiplies positive numbers only, so that even 1/52! keeps 13 digits. The
//! tests compare all values with exact integer counts (`fixtures/laws`).

use std::sync::OnceLock;

use crate::math::law::Law;

/// Cards in a deck; this room lies below the cards.
const CARDS: usize = 52;

/// Declares a law that is computed once.
macro_rules! law {
    ($(#[$doc:meta])* $name:ident, $first:expr, $points:expr) => {
        $(#[$doc])*
        pub fn $name() -> &'static Law {
            static LAW: OnceLock<Law> = OnceLock::new();
            LAW.get_or_init(|| Law::new($first, $points(CARDS)))
        }
    };
}

law! {
    /// Fixed points, 0..=52: `P(k) = d_{n−k}/k!` with `d_m` the share of derangements (de Montmort 1713).
    fixed_points, 0, fixed_points_of
}
law! {
    /// Cycles, 0..=52: Stirling numbers of the first kind over n! (Feller 1968, X.6); also records.
    cycles, 0, cycles_of
}
law! {
    /// Descents, 0..=51: Eulerian numbers over n! (Stanley, EC1, section 1.4); also exceedances.
    descents, 0, descents_of
}
law! {
    /// Rising sequences, 1..=52: descents of the inverse plus one (Bayer & Diaconis 1992).
    rising_sequences, 1, descents_of
}
law! {
    /// Inversions, 0..=1326: Mahonian numbers over n!, the sum of uniform digits (Stanley, EC1, 1.3.13).
    inversions, 0, inversions_of
}

fn fixed_points_of(n: usize) -> Vec<f64> {
    // D_m = (m−1)(D_{m−1} + D_{m−2}), so d_m = (m−1)/m · (d_{m−1} + d_{m−2}/(m−1)).
    let mut derangements = vec![1.0, 0.0];
    for m in 2..=n {
        let size = m as f64;
        derangements.push((derangements[m - 1] * (size - 1.0) + derangements[m - 2]) / size);
    }
    let mut factorial = 1.0;
    (0..=n)
        .map(|k| {
            factorial *= k.max(1) as f64;
            derangements[n - k] / factorial
        })
        .collect()
}

fn cycles_of(n: usize) -> Vec<f64> {
    let mut points = vec![1.0];
    for i in 1..=n {
        let size = i as f64;
        // Card i closes a cycle with probability 1/i (Feller's coupling).
        points = (0..=i).map(|k| (at(&points, k) * (size - 1.0) + before(&points, k)) / size).collect();
    }
    points
}

fn descents_of(n: usize) -> Vec<f64> {
    let mut points = vec![1.0];
    for i in 2..=n {
        let from = |k: usize| at(&points, k) * (k + 1) as f64 + before(&points, k) * (i - k) as f64;
        points = (0..i).map(|k| from(k) / i as f64).collect();
    }
    points
}

fn inversions_of(n: usize) -> Vec<f64> {
    let mut points = vec![1.0];
    for i in 2..=n {
        let cells = points.len() + i - 1;
        let window = |k: usize| &points[k.saturating_sub(i - 1)..points.len().min(k + 1)];
        points = (0..cells).map(|k| window(k).iter().sum::<f64>() / i as f64).collect();
    }
    points
}

fn at(points: &[f64], k: usize) -> f64 {
    points.get(k).copied().unwrap_or(0.0)
}

fn before(points: &[f64], k: usize) -> f64 {
    k.checked_sub(1).map_or(0.0, |k| at(points, k))
}
