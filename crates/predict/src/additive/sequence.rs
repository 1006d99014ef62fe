//! Words of an additive sequence from their leading bits.
//!
//! `x[t] = Σ c·x[t − lag] mod M`. Where each word is known within a part of its range, the multiple of M in each sum is known for
//! sure, so that the words are *whole numbers* with linear relations and no modulus: a shifted lattice of as many
//! dimensions as a state has words. It is looked at over more and more calls, and its basis kept reduced (Lenstra, Lenstra & Lovász
//! 1982). The basis vectors grow, each call by the entropy of the recurrence, until the words nearest to the draws (Babai 1986) can be no others.
//! A hypothesis that is wrong contradicts one of the first sums.

use crate::lattice::{Basis, Vector};

/// `x[t] = Σ coefficient·x[t − lag] mod M`; the coefficient of the longest lag, the last, is 1 or −1.
pub(super) struct Relation {
    /// Lags and their coefficients, the shortest lag first.
    pub terms: &'static [(usize, i64)],
    /// M.
    pub modulus: i64,
}

/// Where a word lies, as a fraction of M.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Interval {
    /// The middle.
    pub middle: f64,
    /// Half of its length.
    pub half: f64,
}

/// Nothing is known of the word.
pub(super) const ANYWHERE: Interval = Interval { middle: 0.5, half: 0.5 };

/// Rounding, and programs that divide by M − 1.
const SLACK: f64 = 1e-7;

/// Passes over all sums: a word that is known badly is known better from its neighbours.
const PASSES: usize = 3;

/// Calls between two reductions.
const CALLS_EACH: usize = 32;

/// A word misses the middle of its interval by M/√12 weighted units in the mean; six times as much is never seen, and half of the
/// shortest vector must be longer.
const LEAST_LENGTHS: f64 = 3.5;

impl Relation {
    pub fn longest(&self) -> usize {
        self.terms[self.terms.len() - 1].0
    }

    /// The words of a sum that ends at a call, with their coefficients: it is a whole number of turns.
    fn members(&self, call: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let earlier = self.terms.iter().map(move |&(lag, times)| (call - lag, times as f64));
        std::iter::once((call, -1.0)).chain(earlier)
    }

    /// The sum of the middles and of the halves.
    fn sum(&self, words: &[Interval], call: usize) -> (f64, f64) {
        self.members(call).fold((0.0, SLACK), |(total, half), (at, times)| {
            (total + times * words[at].middle, half + times.abs() * words[at].half)
        })
    }

    /// Narrows every interval by the sums that it is in. False if a sum cannot be whole.
    pub fn narrow(&self, words: &mut [Interval]) -> bool {
        (0..PASSES).all(|_| (self.longest()..words.len()).all(|call| self.narrow_at(words, call)))
    }

    fn narrow_at(&self, words: &mut [Interval], call: usize) -> bool {
        let (total, half) = self.sum(words, call);
        let off = total - total.round();
        if off.abs() > half {
            return false;
        }
        for (at, times) in self.members(call).filter(|(_, times)| times.abs() == 1.0) {
            let (own, others) = (words[at], half - words[at].half);
            let derived = own.middle - off / times;
            if own == ANYWHERE {
                let middle = derived.rem_euclid(1.0);
                words[at] = if others < own.half { Interval { middle, half: others } } else { own };
            } else if others < own.half && 1.0 - off.abs() > half {
                let low = (own.middle - own.half).max(derived - others);
                let high = (own.middle + own.half).min(derived + others);
                words[at] = Interval { middle: (low + high) / 2.0, half: ((high - low) / 2.0).max(SLACK) };
            }
        }
        true
    }

    /// The multiple of M by which the sum is too large, if there is one only.
    fn turns(&self, words: &[Interval], call: usize) -> Option<i128> {
        let (total, half) = self.sum(words, call);
        let turns = total.round();
        (1.0 - (total - turns).abs() > half).then_some(turns as i128)
    }

    fn next(&self, words: &[i128], weights: &[i128], call: usize) -> i128 {
        let of_term = |&(lag, times): &(usize, i64)| {
            i128::from(times) * words[call - lag] / weights.get(call - lag).copied().unwrap_or(1)
        };
        self.terms.iter().map(of_term).sum()
    }

    /// The first words, as many as the longest lag, and how many calls decided them; nothing if these calls do not.
    pub fn words(&self, seen: &[Interval]) -> Option<(Vec<u64>, usize)> {
        let (longest, modulus) = (self.longest(), self.modulus as i128);
        let weights: Vec<i128> =
            seen.iter().map(|own| ((0.5 / own.half) as i128).clamp(1, WEIGHT_MAX)).collect();
        let middle = |call: usize| (seen[call].middle * self.modulus as f64).round() as i128;
        let mut words: Vec<i128> = (0..longest.min(seen.len())).map(middle).collect();
        let mut rows: Vec<Vector> = (0..longest)
            .map(|own| {
                (0..longest)
                    .map(|call| i128::from(call == own) * weights.get(call).copied().unwrap_or(1))
                    .collect()
            })
            .collect();
        for call in longest..seen.len() {
            words.push(self.next(&words, &[], call) - self.turns(seen, call)? * modulus);
            for row in &mut rows {
                row.push(self.next(row, &weights, call) * weights[call]);
            }
            if call % CALLS_EACH != 0 {
                continue;
            }
            let basis = Basis::of_rows(rows);
            let errors: Vector =
                words.iter().enumerate().map(|(at, word)| (word - middle(at)) * weights[at]).collect();
            let near = basis.near(&errors);
            words
                .iter_mut()
                .zip(&near)
                .zip(&weights)
                .for_each(|((word, near), weight)| *word -= near / weight);
            if basis.least() > LEAST_LENGTHS * self.modulus as f64 {
                let is_within = |(word, own): (&i128, &Interval)| {
                    let off = *word as f64 / self.modulus as f64 - own.middle;
                    off.abs() <= own.half + SLACK
                };
                let own = words[..longest].iter().map(|word| word.rem_euclid(modulus) as u64).collect();
                return words.iter().zip(seen).all(is_within).then_some((own, call + 1));
            }
            rows = basis.into_rows();
        }
        None
    }

    /// As many words before the first of these.
    pub fn before(&self, words: &[u64]) -> Vec<u64> {
        let (longest, modulus) = (self.longest(), self.modulus as i128);
        let mut all: Vec<i128> = vec![0; longest];
        all.extend(words.iter().map(|&word| i128::from(word)));
        let (last, shorter) = self.terms.split_last().expect("a relation has terms");
        for at in (0..longest).rev() {
            let others: i128 =
                shorter.iter().map(|&(lag, times)| i128::from(times) * all[at + longest - lag]).sum();
            all[at] = (i128::from(last.1) * (all[at + longest] - others)).rem_euclid(modulus);
        }
        all[..longest].iter().map(|&word| word as u64).collect()
    }
}

/// Weights beyond it would be finer than the rounding of middles deserves.
const WEIGHT_MAX: i128 = 1 << 12;
