//! Sums of unit vectors in whole numbers, and how unlikely a long one is.

use std::f64::consts::PI;

use crate::battery::outcome::Outcome;
use crate::math::{binomial, bonferroni};

/// Length of a unit vector: sums are kept in whole numbers.
const UNIT: f64 = 16_384.0;

/// The sum of one wave.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(in crate::battery::draws) struct Peak {
    way: u64,
    wave: u64,
    roots: u64,
    weight: u64,
    terms: u64,
    re: i64,
    im: i64,
}

/// Directions among which a long sum has a neighbour.
const NEIGHBOURS: f64 = 64.0;

impl Peak {
    /// Counts it is kept in.
    pub(in crate::battery::draws) const CELLS: usize = 7;

    /// A sum in units, rounded to their 16,384th parts.
    pub(in crate::battery::draws) fn of_sum(
        sum: [f64; 2],
        terms: u64,
        wave: usize,
        roots: u64,
        weight: u64,
    ) -> Peak {
        let [re, im] = sum.map(|part| (UNIT * part).round() as i64);
        Peak { way: 0, wave: wave as u64, roots, weight, terms, re, im }
    }

    /// The same on one way of undoing.
    pub(in crate::battery::draws) fn on(self, way: usize) -> Peak {
        Peak { way: way as u64, ..self }
    }

    /// Adds to the cells the highest peak of each part, of all ways.
    pub(in crate::battery::draws) fn write_highest<'a>(
        of_ways: impl Iterator<Item = &'a [Peak]> + Clone,
        cells: &mut [u64],
    ) {
        for (part, cells) in cells.chunks_mut(Peak::CELLS).enumerate() {
            let mut highest = Peak::default();
            of_ways.clone().for_each(|peaks| highest.raise(peaks[part]));
            highest.write(cells);
        }
    }

    /// Whether so many decks could have given all peaks in these cells.
    pub(in crate::battery::draws) fn are_sound(cells: &[u64], decks: u64) -> bool {
        cells.chunks(Peak::CELLS).all(|cells| Peak::read(cells).is_sound(decks))
    }

    /// The longest of so many sums.
    pub(in crate::battery::draws) fn outcome(&self, part: &'static str, chances: usize) -> Outcome {
        Outcome::of_worst(part, "|Z|²/n", self.height(), chances, libm::exp(-self.height()))
            .bounded_by(bonferroni(chances as f64, self.bound()))
    }

    /// The same where the terms are ±1.
    pub(in crate::battery::draws) fn coin_outcome(&self, part: &'static str, chances: usize) -> Outcome {
        let p_value = binomial::p_value(self.terms, 0.5, self.plus());
        Outcome::of_worst(part, "|Z|²/n", self.height(), chances, p_value)
    }

    pub(in crate::battery::draws) fn write(&self, cells: &mut [u64]) {
        let own = [self.way, self.wave, self.roots, self.weight, self.terms, self.re as u64, self.im as u64];
        cells.iter_mut().zip(own).for_each(|(cell, value)| *cell = cell.wrapping_add(value));
    }

    pub(in crate::battery::draws) fn read(cells: &[u64]) -> Peak {
        Peak {
            way: cells[0],
            wave: cells[1],
            roots: cells[2],
            weight: cells[3],
            terms: cells[4],
            re: cells[5] as i64,
            im: cells[6] as i64,
        }
    }

    /// Takes the other's place in `self` if its `|Z|²/n` is higher; of equal ones the first stays.
    pub(in crate::battery::draws) fn raise(&mut self, other: Peak) {
        let power = |peak: &Peak| i128::from(peak.re).pow(2) + i128::from(peak.im).pow(2);
        let is_higher = power(&other) * i128::from(self.terms) > power(self) * i128::from(other.terms);
        if other.terms > 0 && (self.terms == 0 || is_higher) {
            *self = other;
        }
    }

    /// Whether one of so many terms and at most this length may be higher or equally high.
    pub(super) fn may_be_passed(&self, length: f64, terms: u64) -> bool {
        length * length * self.terms as f64 >= 0.999_999 * self.power() * terms as f64
    }

    /// Which of equals was scanned first.
    pub(super) fn wave(&self) -> u64 {
        self.wave
    }

    /// Whether so many decks could have given it: at most 51 terms a deck, each hardly longer than a unit.
    fn is_sound(&self, decks: u64) -> bool {
        self.terms <= decks.saturating_mul(51) && self.length() <= 1.001 * self.terms as f64
    }

    /// Which wave, its sum and its terms.
    #[cfg(test)]
    pub(in crate::battery::draws) fn parts(&self) -> (usize, [f64; 2], u64) {
        (self.wave as usize, [self.re, self.im].map(|part| part as f64 / UNIT), self.terms)
    }

    /// How many of terms ±1 are +1.
    fn plus(&self) -> u64 {
        let excess = self.re as f64 / UNIT;
        (0.5 * (self.terms as f64 + excess)).round().max(0.0) as u64
    }

    /// The square of its length.
    fn power(&self) -> f64 {
        let [re, im] = [self.re, self.im].map(|part| part as f64 / UNIT);
        re * re + im * im
    }

    fn length(&self) -> f64 {
        libm::hypot(self.re as f64, self.im as f64) / UNIT
    }

    /// `|Z|²/n`, at most n.
    pub(in crate::battery::draws) fn height(&self) -> f64 {
        let n = self.terms as f64;
        if self.terms == 0 { 0.0 } else { (self.length().powi(2) / n).min(n) }
    }

    /// Proven: one of 64 directions lies within π/64 of Z, so `P(|Z| ≥ r) ≤ 64·M(θ)^n e^{−θ r cos(π/64)}`; what
    /// rounding phases and vectors and adding in 32 bits can add to Z is taken off r first.
    pub(in crate::battery::draws) fn bound(&self) -> f64 {
        let n = self.terms as f64;
        let rounding = 2.0 * PI * self.weight as f64 / 65_536.0 + PI / 4096.0 + 1e-4;
        let r = (self.length() - rounding * n).clamp(0.0, n) * libm::cos(PI / NEIGHBOURS);
        if self.terms == 0 || !(1..=52).contains(&self.roots) {
            return 1.0;
        }
        let exponent = |theta: f64| n * ln_moment(self.roots, theta) - theta * r;
        // For small r the best θ is 2r/n; near n it grows without end.
        let best = [0.5, 0.7, 1.0, 1.3, 1.8, 2.5, 4.0, 8.0].map(|share| exponent(2.0 * share * r / n));
        (NEIGHBOURS * libm::exp(best.into_iter().fold(0.0, f64::min))).min(1.0)
    }
}

/// `ln (1/q)Σ_k e^{θ cos 2πk/q}`: of all turns of the q roots this one has the largest sum, for its Fourier
/// series has the coefficients I_jq(θ) > 0 (Abramowitz & Stegun 1964, 9.6.34).
fn ln_moment(roots: u64, theta: f64) -> f64 {
    let term = |k: u64| libm::exp(theta * (libm::cos(2.0 * PI * k as f64 / roots as f64) - 1.0));
    theta + libm::log((0..roots).map(term).sum::<f64>() / roots as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peak(roots: u64, terms: u64, length: f64) -> Peak {
        Peak { roots, terms, weight: 2, re: (UNIT * length) as i64, ..Peak::default() }
    }

    #[test]
    fn bound_lies_above_the_exponential_tail_but_not_by_much() {
        for length in [200.0, 300.0, 400.0, 900.0] {
            let peak = peak(27, 2_000, length);
            let (bound, tail) = (libm::log(peak.bound()), -peak.height());
            let beyond = if length < 500.0 { tail } else { tail * 1.2 };
            assert!(bound >= beyond && bound <= 0.93 * tail + 4.2, "{length}: {bound} for {tail}");
        }
    }

    /// Sums of 12 fourth roots, by their exact distribution.
    #[test]
    fn bound_covers_the_walk_on_the_grid() {
        let mut distribution = std::collections::BTreeMap::from([((0i32, 0i32), 1.0f64)]);
        for _ in 0..12 {
            let mut next = std::collections::BTreeMap::new();
            for ((x, y), p) in distribution {
                for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                    *next.entry((x + dx, y + dy)).or_insert(0.0) += 0.25 * p;
                }
            }
            distribution = next;
        }
        for r in 1..=12 {
            let length = |(x, y): &(i32, i32)| f64::from(x * x + y * y).sqrt();
            let exact: f64 =
                distribution.iter().filter(|(z, _)| length(z) >= f64::from(r)).map(|(_, p)| p).sum();
            assert!(peak(4, 12, f64::from(r)).bound() >= exact, "{r}");
        }
        assert!(peak(4, 12, 12.0).bound() < 1e-4);
    }

    #[test]
    fn half_turns_count_exactly() {
        assert_eq!(Peak::of_sum([1.0, 0.0], 5, 0, 2, 2).plus(), 3);
    }
}
