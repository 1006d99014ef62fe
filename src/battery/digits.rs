//! Digits: the numbers a Fisher–Yates dealer must have drawn, six ways, and the biases of cheap draws.
//!
//! Null: the digits of base m = 2..=52 are independent and uniform. Parts: `total`, the sum of the χ²(m−1)
//! of all bases, χ²(1326) with exact mean and variance 2652(1 − 1/N); `each-base`, the worst of the exact
//! multinomials that N can feed; `modulo-b` and `scaling-b`, matched filters for draws from b-bit words: with weights
//! `w_m(d) = m·q_m(d) − 1` of the known faulty law q, `z = Σ w·n/√(N Σ_m (1/m) Σ_d w²)` is N(0,1), seven
//! times sharper than χ². Needs 10 decks, `each-base` about 60, filters 100. It sees faulty draws of a swapping or bag dealer:
//! wrong ranges, rounding, modulo bias.

use std::sync::OnceLock;

use crate::battery::undone::{self, DIGIT_CELLS, Digits, digit_offset};
use crate::battery::walk::{self, Order};
use crate::battery::{About, Exhibit, Outcome, Spread, Statistic, Tail, Tier, common_sum, table};
use crate::card::DECK_CARDS;
use crate::deck::block::DeckBlock;
use crate::math::multinomial::Cells;
use crate::math::normal;

/// One way to undo the shuffle.
pub(super) struct DigitsOf {
    about: &'static About,
    undo: fn(&Order) -> Digits,
}

/// Fewer decks than this and the normal law of the filters is not good to p = 0.001.
const FILTER_DECKS_MIN: u64 = 100;

const fn about(id: &'static str, title: &'static str) -> About {
    About {
        id,
        version: 1,
        tier: Tier::Deep,
        title,
        null: "The numbers a Fisher–Yates shuffle must have drawn are independent and uniform.",
        source: "bijection of orders and digits (Lehmer 1960; Durstenfeld 1964); total: Σ_m χ²(m−1) ~ χ²(1326), \
                 exact mean and variance; each-base: Pearson χ², bound by Agrawal (2020); filters: \
                 Neyman & Pearson (1933) score z = Σ w·n/√(N Σ_m (1/m) Σ_d w²), bound by Chernoff (1952)",
        sees: "Faulty draws of a swapping or bag dealer: wrong ranges, rounding, modulo bias, scaled words.",
        decks_min: 10,
    }
}

pub(super) static DOWN: DigitsOf =
    DigitsOf { about: &about("digits-down", "digits, downward swaps"), undo: undone::down };
pub(super) static DOWN_INVERSE: DigitsOf = DigitsOf {
    about: &about("digits-down-inverse", "digits, downward swaps, inverse deck"),
    undo: undone::down_inverse,
};
pub(super) static UP: DigitsOf =
    DigitsOf { about: &about("digits-up", "digits, upward swaps"), undo: undone::up };
pub(super) static UP_INVERSE: DigitsOf = DigitsOf {
    about: &about("digits-up-inverse", "digits, upward swaps, inverse deck"),
    undo: undone::up_inverse,
};
pub(super) static BAG: DigitsOf =
    DigitsOf { about: &about("digits-bag", "digits, drawn from a bag"), undo: undone::lehmer };
pub(super) static BAG_INVERSE: DigitsOf = DigitsOf {
    about: &about("digits-bag-inverse", "digits, drawn from a bag, inverse deck"),
    undo: undone::lehmer_inverse,
};

impl Statistic for DigitsOf {
    fn about(&self) -> &'static About {
        self.about
    }

    /// The six ways are functions of the same deck and share one level.
    fn family(&self) -> &'static str {
        "digits"
    }

    fn cells(&self) -> usize {
        DIGIT_CELLS
    }

    /// `counts[m(m−1)/2 + d]` for digit d of base m; base 1 has one cell and counts the decks.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        for order in walk::orders(blocks) {
            let digits = (self.undo)(&order);
            for base in 1..=DECK_CARDS {
                counts[digit_offset(base) + usize::from(digits[base])] += 1;
            }
        }
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        common_sum((1..=DECK_CARDS).map(|base| cells(counts, base).iter().copied()))
    }

    fn finish(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        assert_eq!(counts.len(), self.cells());
        if decks < self.about.decks_min {
            return Vec::new();
        }
        let mut outcomes = vec![total(counts)];
        let bases: Vec<Vec<u64>> = (2..=DECK_CARDS).map(|base| cells(counts, base).to_vec()).collect();
        outcomes.extend(table::worst_line("each-base", &bases));
        if decks >= FILTER_DECKS_MIN {
            let weighted = FILTERS.iter().zip(weights());
            outcomes.extend(weighted.map(|(filter, weights)| filter.outcome(weights, counts, decks)));
        }
        outcomes
    }
}

fn cells(counts: &[u64], base: usize) -> &[u64] {
    &counts[digit_offset(base)..digit_offset(base) + base]
}

fn total(counts: &[u64]) -> Outcome {
    let score = (2..=DECK_CARDS).map(|base| Cells::uniform(cells(counts, base)).pearson()).sum();
    let decks: u64 = counts[0];
    table::quadratic("total", score, (DIGIT_CELLS - DECK_CARDS) as f64, decks as f64 / DECK_CARDS as f64)
}

/// How a b-bit word becomes a digit of base m.
#[derive(Clone, Copy)]
enum Draw {
    /// `word mod m`.
    Modulo,
    /// `⌊word·m/2^b⌋`.
    Scaling,
}

/// The faulty law that a matched filter listens for.
struct Filter {
    part: &'static str,
    draw: Draw,
    bits: u32,
}

const fn modulo(part: &'static str, bits: u32) -> Filter {
    Filter { part, draw: Draw::Modulo, bits }
}

const fn scaling(part: &'static str, bits: u32) -> Filter {
    Filter { part, draw: Draw::Scaling, bits }
}

const FILTERS: [Filter; 16] = [
    modulo("modulo-8", 8),
    modulo("modulo-10", 10),
    modulo("modulo-12", 12),
    modulo("modulo-15", 15),
    modulo("modulo-16", 16),
    modulo("modulo-20", 20),
    modulo("modulo-24", 24),
    modulo("modulo-31", 31),
    scaling("scaling-8", 8),
    scaling("scaling-10", 10),
    scaling("scaling-12", 12),
    scaling("scaling-15", 15),
    scaling("scaling-16", 16),
    scaling("scaling-20", 20),
    scaling("scaling-24", 24),
    scaling("scaling-31", 31),
];

impl Filter {
    /// `2^b·q_m(d)`: how many words give the digit.
    fn words(&self, base: u64, digit: u64) -> u64 {
        let words = 1u64 << self.bits;
        match self.draw {
            Draw::Modulo => words / base + u64::from(digit < words % base),
            Draw::Scaling => ((digit + 1) * words).div_ceil(base) - (digit * words).div_ceil(base),
        }
    }

    /// `w_m(d) = m·q_m(d) − 1`, exact before the one division.
    fn weight(&self, base: u64, digit: u64) -> f64 {
        self.weight_of(base, self.words(base, digit))
    }

    fn weight_of(&self, base: u64, words: u64) -> f64 {
        let all = 1i64 << self.bits;
        (words as i64 * base as i64 - all) as f64 / all as f64
    }

    /// The law of a weight under the null: a digit is fed by `⌊2^b/m⌋` words or by one more.
    fn law(&self, base: u64) -> WeightLaw {
        let words = 1u64 << self.bits;
        WeightLaw {
            low: self.weight_of(base, words / base),
            high: self.weight_of(base, words / base + 1),
            high_share: (words % base) as f64 / base as f64,
        }
    }

    fn outcome(&self, weights: &[f64], counts: &[u64], decks: u64) -> Outcome {
        assert_eq!(weights.len(), counts.len());
        let sum: f64 = weights.iter().zip(counts).map(|(weight, &count)| weight * count as f64).sum();
        let laws: Vec<WeightLaw> = (2..=DECK_CARDS as u64).map(|base| self.law(base)).collect();
        let variance = decks as f64 * laws.iter().map(|law| law.mean(|w| w * w)).sum::<f64>();
        let z = sum / variance.sqrt();
        Outcome {
            part: self.part,
            score_name: "z".to_owned(),
            score: z,
            p_value: normal::two_sided(z),
            tail: Tail::Asymptotic,
            p_value_bound: Some((2.0 * bound(&laws, decks as f64, sum, variance)).min(1.0)),
            spread: Spread::Uniform,
            exhibit: Exhibit::None,
        }
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
/// the normal law's `θ = s/σ²` is near the best, smaller ones serve far tails.
fn bound(laws: &[WeightLaw], decks: f64, sum: f64, variance: f64) -> f64 {
    let exponent = |theta: f64| {
        let cumulant = |law: &WeightLaw| law.mean(|w| (theta * w).exp_m1()).ln_1p();
        decks * laws.iter().map(cumulant).sum::<f64>() - theta * sum
    };
    let best = [1.0, 0.7, 0.5, 0.3, 0.1].map(|share| exponent(share * sum / variance));
    best.into_iter().filter(|x| x.is_finite()).fold(0.0, f64::min).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_count_every_word_once() {
        for filter in FILTERS.iter().filter(|filter| filter.bits <= 12) {
            for base in 2..=52u64 {
                let mut words = vec![0; base as usize];
                for word in 0..1u64 << filter.bits {
                    let digit = match filter.draw {
                        Draw::Modulo => word % base,
                        Draw::Scaling => (word * base) >> filter.bits,
                    };
                    words[digit as usize] += 1;
                }
                let counted: Vec<u64> = (0..base).map(|digit| filter.words(base, digit)).collect();
                assert_eq!(counted, words, "{} base {base}", filter.part);
                let square = |d: u64| filter.weight(base, d).powi(2) / base as f64;
                let variance: f64 = (0..base).map(square).sum();
                assert!((filter.law(base).mean(|w| w * w) - variance).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn filter_bound_lies_above_its_normal_tail_but_not_by_much() {
        let laws: Vec<WeightLaw> = (2..=52).map(|base| FILTERS[0].law(base)).collect();
        let variance = 1e6 * laws.iter().map(|law| law.mean(|w| w * w)).sum::<f64>();
        for z in [4.0f64, 8.0, 12.0] {
            let bound = bound(&laws, 1e6, z * variance.sqrt(), variance);
            assert!(bound >= normal::upper(z), "{z}: {bound:e}");
            assert!((bound.ln() + z * z / 2.0).abs() < 0.02 * z * z, "{z}: {bound:e}");
        }
    }
}
