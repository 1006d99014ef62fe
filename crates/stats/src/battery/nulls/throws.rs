//! Colliding pairs: how often keys thrown into equally likely cells fall together, and how surely that is too often.

use crate::battery::outcome::Outcome;
use crate::math::{bonferroni, poisson};

/// How keys fell: what a list of keys adds to the counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::battery) struct Fallen {
    /// `Σ k(k−1)/2` over the cells with k keys.
    pub(in crate::battery) pairs: u64,
    /// `Σ (k−1)` over the cells that have any: keys that came where one was before.
    pub(in crate::battery) repeats: u64,
}

impl Fallen {
    /// Of these cells' numbers of keys.
    pub(in crate::battery) fn of_cells(cells: impl Iterator<Item = u64>) -> Fallen {
        let none = Fallen { pairs: 0, repeats: 0 };
        cells.fold(none, |Fallen { pairs, repeats }, keys| Fallen {
            pairs: pairs.saturating_add(keys.saturating_mul(keys.saturating_sub(1)) / 2),
            repeats: repeats.saturating_add(keys.saturating_sub(1)),
        })
    }

    /// Of a list of keys, which is sorted on the way.
    pub(in crate::battery) fn of_keys<Key: radsort::Key + Eq>(keys: &mut [Key]) -> Fallen {
        radsort::sort(keys);
        Fallen::of_cells(keys.chunk_by(|a, b| a == b).map(|equal| equal.len() as u64))
    }

    /// Whether `keys` keys of which so many pairs were compared can have fallen so.
    pub(in crate::battery) fn is_sound(self, keys: u64, compared: u128) -> bool {
        let Fallen { pairs, repeats } = self;
        // The keys of one cell give the most pairs, twos in different cells the fewest.
        let pairs_max = u128::from(repeats) * (u128::from(repeats) + 1) / 2;
        repeats <= keys.saturating_sub(1) && repeats <= pairs && u128::from(pairs) <= pairs_max.min(compared)
    }
}

/// `keys` keys in `cells` equally likely cells, of which pairs are compared within lots.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::battery) struct Throws {
    /// All keys.
    pub(in crate::battery) keys: f64,
    /// How many pairs were compared: `Σ n(n−1)/2` over the lots.
    pub(in crate::battery) compared: f64,
    /// Equally likely cells.
    pub(in crate::battery) cells: f64,
}

impl Throws {
    /// `λ = Σ n(n−1)/2M`, the exact mean of the pairs; their variance is λ(1 − 1/M), for the events are
    /// independent in twos.
    pub(in crate::battery) fn mean(self) -> f64 {
        self.compared / self.cells
    }

    /// The p-value of the pairs as a Poisson count: off by at most 4n/M for lots of n keys (Arratia,
    /// Goldstein & Gordon 1989, theorem 1), which says nothing about far tails, hence asymptotic.
    pub(in crate::battery) fn outcome(self, part: &'static str, fallen: Fallen) -> Outcome {
        let (lower, upper) = poisson::tails(self.mean(), fallen.pairs);
        Outcome::exact(part, "colliding pairs", fallen.pairs as f64, lower, upper)
            .bounded_by(self.bound(fallen.repeats))
    }

    /// Proven, on both sides: key number i of a lot repeats with probability (i − 1 − earlier repeats)/M,
    /// whatever came before. So r or more repeats are at most as likely as for independent events of
    /// probability (i−1)/M, of mean λ in all; r or fewer at most as likely as for events of probability
    /// (i−1−r)⁺/M, of mean at least λ − Nr/M. Sums of independent events have lighter tails than the
    /// binomial (Hoeffding 1956, theorem 4) and that than the Poisson distribution (Anderson & Samuels 1967,
    /// theorem 2.1) from one beyond the mean on.
    pub(in crate::battery) fn bound(self, repeats: u64) -> f64 {
        let (r, mean) = (repeats as f64, self.mean());
        let mean_least = mean - self.keys * r / self.cells;
        let upper = if r >= mean + 1.0 { poisson::tails(mean, repeats).1 } else { 1.0 };
        let lower = if r <= mean_least - 1.0 { poisson::tails(mean_least, repeats).0 } else { 1.0 };
        bonferroni(2.0, upper.min(lower))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::outcome::Spread;

    /// The distribution of the repeats among n keys in m cells, key by key (Knuth, TAOCP 2, 3.3.2 I).
    fn repeats_distribution(keys: usize, cells: f64) -> Vec<f64> {
        let mut distribution = vec![0.0; keys];
        distribution[0] = 1.0;
        for thrown in 0..keys {
            let before = distribution.clone();
            for (repeats, chance) in distribution.iter_mut().enumerate() {
                let here = |repeats: usize| (thrown as f64 - repeats as f64).max(0.0) / cells;
                let came = if repeats > 0 { before[repeats - 1] * here(repeats - 1) } else { 0.0 };
                *chance = before[repeats] * (1.0 - here(repeats)) + came;
            }
        }
        distribution
    }

    /// A lot thrown twice: the distribution of the sum.
    fn twice(distribution: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; 2 * distribution.len() - 1];
        for (i, p) in distribution.iter().enumerate() {
            distribution.iter().enumerate().for_each(|(j, q)| sum[i + j] += p * q);
        }
        sum
    }

    #[test]
    fn the_bound_covers_the_exact_distribution_of_the_repeats() {
        for (keys, cells) in [(20, 400.0), (60, 365.0), (100, 2_000.0), (300, 3_000.0), (23, 365.0)] {
            let one = repeats_distribution(keys, cells);
            assert!((one.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            for (distribution, lots) in [(one.clone(), 1.0), (twice(&one), 2.0)] {
                let n = keys as f64;
                let throws = Throws { keys: lots * n, compared: lots * n * (n - 1.0) / 2.0, cells };
                let (mut reaches_up, mut reaches_down) = (1.0, 1.0);
                for repeats in 0..distribution.len() {
                    let (lower, upper): (f64, f64) =
                        (distribution[..=repeats].iter().sum(), distribution[repeats..].iter().sum());
                    let bound = throws.bound(repeats as u64);
                    // Half of it bounds the smaller side.
                    let is_covered = bound >= 1.0 || lower.min(upper) <= bound / 2.0 * (1.0 + 1e-9) + 1e-280;
                    assert!(is_covered, "{keys} keys in {cells} cells, {repeats} repeats");
                    if upper < lower {
                        reaches_up = bound.min(reaches_up);
                    } else {
                        reaches_down = bound.min(reaches_down);
                    }
                }
                assert!(reaches_up < 1e-12, "{keys} keys: the bound must convict somewhere");
                assert!(throws.mean() < 12.0 || reaches_down < 0.1, "{keys} keys: {reaches_down}");
            }
        }
    }

    #[test]
    fn a_birthday_of_twenty_three_people() {
        // von Mises (1939): P(no common birthday) = 0.4927 with 23 people.
        assert!((repeats_distribution(23, 365.0)[0] - 0.4927).abs() < 1e-4);
        let throws = Throws { keys: 23.0, compared: 253.0, cells: 365.0 };
        let Spread::Steps { lower, .. } = throws.outcome("", Fallen { pairs: 0, repeats: 0 }).spread else {
            unreachable!("a count has steps")
        };
        // Off by at most 4·23/365; in truth by 0.007.
        assert!((lower - 0.4927).abs() < 0.01, "{lower}");
    }

    #[test]
    fn equal_keys_are_counted_in_pairs_and_in_repeats() {
        assert_eq!(Fallen::of_keys(&mut [7, 1, 7, 3, 1, 7]), Fallen { pairs: 4, repeats: 3 });
        assert_eq!(Fallen::of_cells([0, 1, 5, 0].into_iter()), Fallen { pairs: 10, repeats: 4 });
        assert!(Fallen { pairs: 4, repeats: 3 }.is_sound(6, 15));
        for (pairs, repeats) in [(2, 3), (7, 3), (16, 6), (15, 6)] {
            assert!(!Fallen { pairs, repeats }.is_sound(6, 15), "{pairs} pairs of {repeats} repeats");
        }
    }
}
