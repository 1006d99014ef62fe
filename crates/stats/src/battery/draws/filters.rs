//! Matched filters: the biases of cheap draws, each listened for on its own.
//!
//! A draw from a b-bit word, or from a decimal fraction, by remainder or by scaling has a known faulty distribution q. With weights `w_m(d) = m·q_m(d) − 1`
//! the score `z = Σ w·n/√(N Σ_m (1/m) Σ_d w²)` is N(0,1) under the null, and seven times sharper than χ².

use std::sync::OnceLock;

use crate::battery::outcome::Outcome;
use crate::battery::tail::Tail;
use crate::math::{bonferroni, normal};
use deckproof_deck::card::DECK_CARDS;

/// Fewer decks than this and the normal distribution of the filters is not good to p = 0.001.
const DECKS_MIN: u64 = 100;

/// How one of w equally likely words becomes a digit of base m.
#[derive(Clone, Copy)]
enum Draw {
    /// `word mod m`.
    Modulo,
    /// `⌊word·m/w⌋`.
    Scaling,
}

/// The faulty distribution that a matched filter listens for.
struct Filter {
    draw: Draw,
    words: u64,
}

const fn modulo(words: u64) -> Filter {
    Filter { draw: Draw::Modulo, words }
}

const fn scaling(words: u64) -> Filter {
    Filter { draw: Draw::Scaling, words }
}

/// In the order of [`Parts`].
const FILTERS: [Filter; 20] = [
    modulo(1 << 8),
    modulo(1 << 10),
    modulo(1 << 12),
    modulo(1 << 15),
    modulo(1 << 16),
    modulo(1 << 20),
    modulo(1 << 24),
    modulo(1 << 31),
    scaling(1 << 8),
    scaling(1 << 10),
    scaling(1 << 12),
    scaling(1 << 15),
    scaling(1 << 16),
    scaling(1 << 20),
    scaling(1 << 24),
    scaling(1 << 31),
    modulo(1_000),
    modulo(10_000),
    scaling(1_000),
    scaling(10_000),
];

/// What the filters of one table are called.
pub(in crate::battery) type Parts = [&'static str; 20];

/// The names of the filters behind a prefix.
macro_rules! filter_parts {
    ($way:literal) => {
        [
            concat!($way, "modulo-8"),
            concat!($way, "modulo-10"),
            concat!($way, "modulo-12"),
            concat!($way, "modulo-15"),
            concat!($way, "modulo-16"),
            concat!($way, "modulo-20"),
            concat!($way, "modulo-24"),
            concat!($way, "modulo-31"),
            concat!($way, "scaling-8"),
            concat!($way, "scaling-10"),
            concat!($way, "scaling-12"),
            concat!($way, "scaling-15"),
            concat!($way, "scaling-16"),
            concat!($way, "scaling-20"),
            concat!($way, "scaling-24"),
            concat!($way, "scaling-31"),
            concat!($way, "modulo-of-1000"),
            concat!($way, "modulo-of-10000"),
            concat!($way, "scaling-of-1000"),
            concat!($way, "scaling-of-10000"),
        ]
    };
}
pub(in crate::battery) use filter_parts;

/// A bias that would move its filter by less than so many standard deviations is not listened for: that takes ten times as
/// many decks at least, and the others need not share the level with it.
const Z_LEAST: f64 = 2.0;

/// What every filter hears in a digit table that can hear anything in so many decks.
pub(in crate::battery) fn outcomes(parts: &Parts, counts: &[u64]) -> Vec<Outcome> {
    let decks = counts[0];
    if decks < DECKS_MIN {
        return Vec::new();
    }
    let weighted = FILTERS.iter().zip(weights()).zip(parts);
    let heard = weighted.filter(|((filter, _), _)| filter.hears(decks));
    heard.map(|((filter, weights), part)| filter.outcome(part, weights, counts, decks)).collect()
}

/// How many filters can hear anything in so many decks.
pub(in crate::battery) fn heard_in(decks: u64) -> u64 {
    FILTERS.iter().filter(|filter| decks >= DECKS_MIN && filter.hears(decks)).count() as u64
}

impl Filter {
    /// `w·q_m(d)`: how many words give the digit.
    fn words_for(&self, base: u64, digit: u64) -> u64 {
        let words = self.words;
        match self.draw {
            Draw::Modulo => words / base + u64::from(digit < words % base),
            Draw::Scaling => ((digit + 1) * words).div_ceil(base) - (digit * words).div_ceil(base),
        }
    }

    /// `w_m(d) = m·q_m(d) − 1`, exact before the one division.
    fn weight(&self, base: u64, digit: u64) -> f64 {
        self.weight_of(base, self.words_for(base, digit))
    }

    fn weight_of(&self, base: u64, words: u64) -> f64 {
        let all = self.words as i64;
        (words as i64 * base as i64 - all) as f64 / all as f64
    }

    /// The distribution of a weight under the null: a digit is fed by `⌊w/m⌋` words or by one more.
    fn distribution(&self, base: u64) -> WeightLaw {
        let words = self.words;
        WeightLaw {
            low: self.weight_of(base, words / base),
            high: self.weight_of(base, words / base + 1),
            high_share: (words % base) as f64 / base as f64,
        }
    }

    fn distributions(&self) -> Vec<WeightLaw> {
        (2..=DECK_CARDS as u64).map(|base| self.distribution(base)).collect()
    }

    /// The variance of `Σ w·n` under the null, which is its mean under the bias.
    fn variance(&self, decks: u64) -> f64 {
        decks as f64 * self.distributions().iter().map(|digit| digit.mean(|w| w * w)).sum::<f64>()
    }

    /// Whether so many decks with the bias would move the score by [`Z_LEAST`]; the number of decks alone decides.
    fn hears(&self, decks: u64) -> bool {
        self.variance(decks) >= Z_LEAST * Z_LEAST
    }

    fn outcome(&self, part: &'static str, weights: &[f64], counts: &[u64], decks: u64) -> Outcome {
        assert_eq!(weights.len(), counts.len());
        let sum: f64 = weights.iter().zip(counts).map(|(weight, &count)| weight * count as f64).sum();
        let (distributions, variance) = (self.distributions(), self.variance(decks));
        let z = sum / variance.sqrt();
        Outcome::smooth(part, "z", z, normal::two_sided(z), Tail::Asymptotic)
            .bounded_by(bonferroni(2.0, bound(&distributions, decks as f64, sum, variance)))
    }
}

/// For every filter the weight of every cell of a digit table.
fn weights() -> &'static [Vec<f64>] {
    static WEIGHTS: OnceLock<Vec<Vec<f64>>> = OnceLock::new();
    let of = |filter: &Filter| -> Vec<f64> {
        (1..=DECK_CARDS as u64).flat_map(|base| (0..base).map(move |d| filter.weight(base, d))).collect()
    };
    WEIGHTS.get_or_init(|| FILTERS.iter().map(of).collect())
}

/// Two weights and how often the higher comes.
struct WeightLaw {
    low: f64,
    high: f64,
    high_share: f64,
}

impl WeightLaw {
    /// `E f(w)` under the null.
    fn mean(&self, f: impl Fn(f64) -> f64) -> f64 {
        (1.0 - self.high_share) * f(self.low) + self.high_share * f(self.high)
    }
}

/// Proven: `P(S ≥ s) ≤ exp(N Σ_m ln((1/m) Σ_d e^{θ w}) − θs)` for any θ > 0, and mirrored (Chernoff 1952);
/// the normal distribution's `θ = s/σ²` is near the best, smaller ones serve far tails.
fn bound(distributions: &[WeightLaw], decks: f64, sum: f64, variance: f64) -> f64 {
    let exponent = |theta: f64| {
        let cumulant = |distribution: &WeightLaw| libm::log1p(distribution.mean(|w| libm::expm1(theta * w)));
        decks * distributions.iter().map(cumulant).sum::<f64>() - theta * sum
    };
    let best = [1.0, 0.7, 0.5, 0.3, 0.1].map(|share| exponent(share * sum / variance));
    libm::exp(best.into_iter().filter(|x| x.is_finite()).fold(0.0, f64::min))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_count_every_word_once() {
        for filter in FILTERS.iter().filter(|filter| filter.words <= 10_000) {
            for base in 2..=52u64 {
                let mut words = vec![0; base as usize];
                for word in 0..filter.words {
                    let digit = match filter.draw {
                        Draw::Modulo => word % base,
                        Draw::Scaling => word * base / filter.words,
                    };
                    words[digit as usize] += 1;
                }
                let counted: Vec<u64> = (0..base).map(|digit| filter.words_for(base, digit)).collect();
                assert_eq!(counted, words, "{} words, base {base}", filter.words);
                let square = |d: u64| filter.weight(base, d).powi(2) / base as f64;
                let variance: f64 = (0..base).map(square).sum();
                assert!((filter.distribution(base).mean(|w| w * w) - variance).abs() < 1e-14);
            }
        }
    }

    /// A draw of b bits is off by 52/2^b of itself: 8 bits are heard in the first hundred decks, 31 bits never.
    #[test]
    fn filters_listen_as_soon_as_they_could_hear() {
        let heard = |decks: u64| FILTERS.iter().filter(|filter| filter.hears(decks)).count();
        let counts = [100, 1_000, 10_000, 1_000_000, 1_000_000_000].map(heard);
        assert!(counts.is_sorted() && (1..8).contains(&counts[0]) && counts[4] >= 14, "{counts:?}");
        assert!(FILTERS[0].hears(100) && FILTERS[2].hears(30_000) && !FILTERS[2].hears(1_000));
        assert!(!FILTERS[7].hears(1_000_000_000) && !FILTERS[15].hears(1_000_000_000));
    }

    #[test]
    fn filter_bound_lies_above_its_normal_tail_but_not_by_much() {
        let distributions: Vec<WeightLaw> = (2..=52).map(|base| FILTERS[0].distribution(base)).collect();
        let variance =
            1e6 * distributions.iter().map(|distribution| distribution.mean(|w| w * w)).sum::<f64>();
        for z in [4.0f64, 8.0, 12.0] {
            let bound = bound(&distributions, 1e6, z * variance.sqrt(), variance);
            assert!(bound >= normal::upper(z), "{z}: {bound:e}");
            assert!((libm::log(bound) + z * z / 2.0).abs() < 0.02 * z * z, "{z}: {bound:e}");
        }
    }
}
