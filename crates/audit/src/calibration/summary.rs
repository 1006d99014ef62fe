//! What is kept of many p-values of one part: rejections and the distance from the uniform distribution.

use serde::{Deserialize, Serialize};

use crate::calibration::LEVELS;

/// One number of decks of one fair dealer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibratedSize {
    /// The fair dealer.
    pub fair: String,
    /// Decks in every run.
    pub decks: u64,
    /// How many runs.
    pub runs: u64,
    /// How many of them the verdict did not clear.
    pub rejected: u64,
    /// Every part of the battery, and the canary.
    pub parts: Vec<PartSummary>,
}

/// The p-values of one part.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartSummary {
    /// View, statistic and part.
    pub id: String,
    /// P-values at or below each of [`LEVELS`].
    pub rejected: [u64; 3],
    /// Kolmogorov's `D = sup |F(p) − p|`; for a conservative part `D⁺ = sup (F(p) − p)`. To 4 decimals.
    pub distance: f64,
    /// Whether its p-values may be too large, but not too small.
    pub is_conservative: bool,
    /// Of a part with a proven bound, which is what may convict: bounds at or below each of [`LEVELS`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bounds_rejected: Option<[u64; 3]>,
    /// The smallest p-value of all runs as the verdict sees it, not randomised, or a smaller bound: whatever counts it came from, they are not rarer than
    /// that under the null, or else the part convicts the fair.
    pub smallest: f64,
}

impl PartSummary {
    /// Counts and measures.
    pub fn of_p_values(id: String, p_values: &[f64], is_conservative: bool) -> PartSummary {
        let rejected = rejections(p_values);
        let mut sorted = p_values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len() as f64;
        let above = |(rank, p): (usize, &f64)| (rank as f64 + 1.0) / n - p;
        let below = |(rank, p): (usize, &f64)| p - rank as f64 / n;
        let largest = |distances: &mut dyn Iterator<Item = f64>| distances.fold(0.0, f64::max);
        let over = largest(&mut sorted.iter().enumerate().map(above));
        let under = largest(&mut sorted.iter().enumerate().map(below));
        let distance = if is_conservative { over } else { over.max(under) };
        let distance = (distance * 1e4).round() / 1e4;
        PartSummary { id, rejected, distance, is_conservative, bounds_rejected: None, smallest: 1.0 }
    }

    /// The same with the proven bounds of as many runs, if the part has one.
    pub fn with_bounds(self, bounds: Option<&[f64]>) -> PartSummary {
        PartSummary { bounds_rejected: bounds.map(rejections), ..self }
    }

    /// The same with the smallest p-value that a verdict saw.
    pub fn with_smallest(self, seen: impl Iterator<Item = f64>) -> PartSummary {
        PartSummary { smallest: seen.fold(1.0, f64::min), ..self }
    }

    /// How unlikely so small a p-value or bound is in `runs` runs, at most.
    pub fn surprise(&self, runs: u64) -> f64 {
        (2.0 * runs as f64 * self.smallest).min(1.0)
    }

    /// How unlikely the distance is for `runs` uniform p-values.
    pub fn uniformity(&self, runs: u64) -> f64 {
        let root = (runs as f64).sqrt();
        // Stephens (1970, "Use of the Kolmogorov–Smirnov … statistics without extensive tables", table 1A):
        // the limit distribution serves from n = 5 on with this change of scale.
        let x = (root + 0.12 + 0.11 / root) * self.distance;
        let one_sided = libm::exp(-2.0 * x * x);
        if self.is_conservative { one_sided } else { kolmogorov(x) }
    }
}

/// P-values at or below each of [`LEVELS`].
fn rejections(p_values: &[f64]) -> [u64; 3] {
    LEVELS.map(|level| p_values.iter().filter(|&&p| p <= level).count() as u64)
}

/// `2 Σ (−1)^(k−1) e^{−2k²x²}`: the limit of `P(√n·D ≥ x)` (Kolmogorov 1933).
fn kolmogorov(x: f64) -> f64 {
    if x < 0.3 {
        return 1.0;
    }
    let term = |k: i32| libm::exp(-2.0 * f64::from(k * k) * x * x) * f64::from(1 - 2 * ((k + 1) % 2));
    (2.0 * (1..=40).map(term).sum::<f64>()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kolmogorov_has_the_published_quantiles() {
        // Smirnov (1948), "Table for estimating the goodness of fit": 1.3581 at 5 %, 1.6276 at 1 %.
        assert!((kolmogorov(1.3581) - 0.05).abs() < 1e-5 && (kolmogorov(1.6276) - 0.01).abs() < 1e-5);
    }

    #[test]
    fn distances_are_those_of_a_drawing() {
        let p_values = [0.05, 0.25, 0.9, 1.0];
        let both = PartSummary::of_p_values("a".to_owned(), &p_values, false);
        // F jumps to 1/2 at 0.25 and is still 1/2 just below 0.9.
        assert_eq!((both.rejected, both.distance), ([1, 0, 0], 0.4));
        let upper = PartSummary::of_p_values("a".to_owned(), &p_values, true);
        assert_eq!(upper.distance, 0.25);
    }

    #[test]
    fn even_p_values_are_uniform_and_small_ones_are_not() {
        let even: Vec<f64> = (0..1_000).map(|i| (f64::from(i) + 0.5) / 1_000.0).collect();
        assert!(PartSummary::of_p_values("a".to_owned(), &even, false).uniformity(1_000) > 0.99);
        let halved: Vec<f64> = even.iter().map(|p| p / 2.0).collect();
        for is_conservative in [false, true] {
            assert!(
                PartSummary::of_p_values("a".to_owned(), &halved, is_conservative).uniformity(1_000) < 1e-9
            );
        }
        let doubled: Vec<f64> = even.iter().map(|p| (p * 2.0).min(1.0)).collect();
        assert!(PartSummary::of_p_values("a".to_owned(), &doubled, false).uniformity(1_000) < 1e-9);
        assert!(PartSummary::of_p_values("a".to_owned(), &doubled, true).uniformity(1_000) > 0.9);
    }
}
