//! Tests of counts in cells of known probabilities: pooling, χ² and a proven bound.

use std::f64::consts::PI;

use crate::math::distribution::Distribution;
use crate::math::lattice::EqualCells;
use crate::math::{chi_squared, two_sided};

/// Expectations below this make the ordinary levels of a small table wrong; see the design of pooling in
/// [`Cells::pooled`].
pub const EXPECTATION_MIN: f64 = 10.0;

/// From here on in every cell a χ² p-value below 1e-6 may be believed.
pub const EXPECTATION_LARGE: f64 = 1000.0;

/// Largest probability of one outcome for χ² to be trusted in its lower tail at a level of 0.001.
const ATOM_MAX: f64 = 2e-4;

/// Lower tails above this decide no verdict, and are those of χ².
const STEPS_BELOW: f64 = 1e-4;

/// Counts beside their expectations.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cells {
    /// How often each cell was seen.
    pub observed: Vec<u64>,
    /// How often it is expected.
    pub expected: Vec<f64>,
}

impl Cells {
    /// The counts of the values of a distribution.
    ///
    /// # Panics
    /// If there is not one count per value of the distribution.
    pub fn of_distribution(distribution: &Distribution, counts: &[u64]) -> Cells {
        assert_eq!(counts.len(), distribution.points().len(), "one count per value");
        let n: u64 = counts.iter().sum();
        Cells {
            observed: counts.to_vec(),
            expected: distribution.points().iter().map(|p| p * n as f64).collect(),
        }
    }

    /// Counts of equally probable cells.
    pub fn uniform(counts: &[u64]) -> Cells {
        let n: u64 = counts.iter().sum();
        Cells { observed: counts.to_vec(), expected: vec![n as f64 / counts.len() as f64; counts.len()] }
    }

    /// Neighbours joined until each cell expects [`EXPECTATION_MIN`]; what is left at the end joins the
    /// last cell. Decided by the expectations alone, never by the counts.
    pub fn pooled(&self) -> Cells {
        let mut pooled = Cells::default();
        let (mut observed, mut expected) = (0, 0.0);
        for (count, expectation) in self.observed.iter().zip(&self.expected) {
            observed += count;
            expected += expectation;
            if expected >= EXPECTATION_MIN {
                pooled.observed.push(observed);
                pooled.expected.push(expected);
                (observed, expected) = (0, 0.0);
            }
        }
        match (pooled.observed.last_mut(), pooled.expected.last_mut()) {
            (Some(last_observed), Some(last_expected)) => {
                *last_observed += observed;
                *last_expected += expected;
                pooled
            }
            _ => Cells { observed: vec![observed], expected: vec![expected] },
        }
    }

    /// `Σ (O − E)²/E` (Pearson 1900); an empty cell that expects nothing adds nothing.
    pub fn pearson(&self) -> f64 {
        let term = |(o, e): (&u64, &f64)| if *o == 0 { *e } else { (*o as f64 - e).powi(2) / e };
        self.observed.iter().zip(&self.expected).map(term).sum()
    }

    /// Cells less one.
    pub fn freedom(&self) -> f64 {
        self.observed.len() as f64 - 1.0
    }

    /// Whether χ² may stand for the score on both sides: with few cells and observations the likeliest
    /// outcome alone, of probability `√(Π 2πE_i)⁻¹·√(2πN)`, makes the score nearly 0 and looks too good.
    pub fn is_smooth(&self) -> bool {
        self.freedom() >= 1.0 && self.ln_atom() <= libm::log(ATOM_MAX)
    }

    /// `ln(√(2πN)/Π √(2πE_i))`: how likely the likeliest outcome is, by Stirling's formula.
    fn ln_atom(&self) -> f64 {
        let ln_mass = |expected: f64| 0.5 * libm::log(2.0 * PI * expected);
        let n: f64 = self.expected.iter().sum();
        ln_mass(n) - self.expected.iter().map(|&e| ln_mass(e)).sum::<f64>()
    }

    /// Two-sided p-value of [`Cells::pearson`] under χ². Counts that equal their expectations have score 0,
    /// which χ² never takes and a multinomial does: no lower tail is thinner than the likeliest outcome, or, where all
    /// cells expect the same, than the most even counts.
    pub fn p_value(&self) -> f64 {
        self.p_value_of(self.pearson())
    }

    /// The same of another score of these cells that is χ² with one degree of freedom less than they are many.
    pub fn p_value_of(&self, score: f64) -> f64 {
        let (lower, upper) = chi_squared::tails(self.freedom(), score);
        two_sided(lower.max(self.stepped(score)).max(self.thinnest()), upper)
    }

    /// At most [`STEPS_BELOW`]: the lower tail up to the next shell of the lattice of counts, one card more here and one less
    /// there. So near to their expectations counts are few shells of points, of which χ² misses more than half. The innermost
    /// shell is [`Cells::thinnest`].
    fn stepped(&self, score: f64) -> f64 {
        let step = 2.0 * self.expected.iter().map(|e| 1.0 / e).sum::<f64>() / self.expected.len() as f64;
        if score < step / 2.0 {
            return 0.0;
        }
        chi_squared::lower(self.freedom(), score + step).min(STEPS_BELOW)
    }

    /// The probability of the counts that lie nearest to their expectations.
    fn thinnest(&self) -> f64 {
        let Some((&first, others)) = self.expected.split_first() else { return 1.0 };
        if others.iter().any(|&expected| (expected - first).abs() > 1e-9 * first) {
            return libm::exp(self.ln_atom()).min(1.0);
        }
        let total = self.observed.iter().sum();
        EqualCells { cells: self.observed.len(), total, spread: first }.most_even()
    }

    /// Whether every expectation reaches [`EXPECTATION_LARGE`].
    pub fn is_large(&self) -> bool {
        self.expected.iter().all(|&e| e >= EXPECTATION_LARGE)
    }

    /// Proven: the probability of a divergence from the expectations at least this large is at most
    /// `e^{−x}·(e·x/(k−1))^{k−1}` for `x = N·KL(p̂‖p) = Σ O ln(O/E) > k−1` (Agrawal 2020, "Finite-sample
    /// concentration of the multinomial in relative entropy", theorem 1.2). Upper side only.
    pub fn bound(&self) -> f64 {
        let term = |(o, e): (&u64, &f64)| if *o == 0 { 0.0 } else { *o as f64 * libm::log(*o as f64 / e) };
        divergence_bound(self.observed.iter().zip(&self.expected).map(term).sum(), self.freedom())
    }
}

/// `e^{−x}·(e·x/f)^f` for `x > f`, else 1.
fn divergence_bound(x: f64, freedom: f64) -> f64 {
    if freedom <= 0.0 || x <= freedom {
        return 1.0;
    }
    libm::exp(freedom * (1.0 + libm::log(x / freedom)) - x).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::gamma::ln_factorial;
    use crate::math::permutation;

    #[test]
    fn pooling_reaches_ten_everywhere_and_loses_nothing() {
        let cells = Cells { observed: vec![1, 2, 30, 4, 5], expected: vec![4.0, 7.0, 25.0, 9.0, 0.5] };
        let pooled = cells.pooled();
        assert_eq!(pooled, Cells { observed: vec![3, 39], expected: vec![11.0, 34.5] });
    }

    #[test]
    fn a_perfect_fit_is_as_rare_as_it_is_and_no_rarer() {
        // 316!/(79!⁴·4³¹⁶), and N = 4,000 alike, where χ² would convict.
        for each in [79u64, 1_000] {
            let ln_exact =
                ln_factorial(4 * each) - 4.0 * ln_factorial(each) - (4 * each) as f64 * libm::log(4f64);
            let p_value = Cells::uniform(&[each; 4]).p_value();
            assert!((p_value / (2.0 * libm::exp(ln_exact)) - 1.0).abs() < 0.01, "{p_value:e}");
        }
    }

    /// Every number of decks and every histogram of one deck's number, pooled as it is judged: the counts nearest to what is
    /// expected are exactly as likely as a multinomial says.
    #[test]
    fn counts_nearest_to_a_distribution_are_no_rarer_than_they_are() {
        for distribution in [
            permutation::cycles(),
            permutation::fixed_points(),
            permutation::descents(),
            permutation::longest_cycle(),
            permutation::successions(),
            permutation::longest_run(),
        ] {
            for decks in 10..=2_000u64 {
                let expected = distribution.points().iter().map(|point| point * decks as f64).collect();
                let pooled = Cells { observed: vec![0; distribution.points().len()], expected }.pooled();
                if !pooled.is_smooth() {
                    continue;
                }
                let mut observed: Vec<u64> = pooled.expected.iter().map(|e| e.floor() as u64).collect();
                let mut by_rest: Vec<usize> = (0..observed.len()).collect();
                by_rest.sort_by(|&a, &b| pooled.expected[b].fract().total_cmp(&pooled.expected[a].fract()));
                let left = decks - observed.iter().sum::<u64>();
                by_rest.iter().take(left as usize).for_each(|&cell| observed[cell] += 1);
                let cells = observed.iter().zip(&pooled.expected);
                let ln_exact = ln_factorial(decks)
                    + cells
                        .map(|(&o, e)| o as f64 * libm::log(e / decks as f64) - ln_factorial(o))
                        .sum::<f64>();
                let p_value = Cells { observed, expected: pooled.expected.clone() }.p_value();
                assert!(p_value >= libm::exp(ln_exact), "{decks} decks: {p_value:e} for e^{ln_exact}");
            }
        }
    }

    /// Every number of observations, and every number of cells that statistics have: the counts nearest to equal.
    #[test]
    fn the_most_even_counts_are_no_rarer_than_they_are() {
        for k in [4u64, 5, 6, 7, 8, 12, 13, 24, 26, 52] {
            for n in 10 * k..=2_000 {
                let (each, over) = (n / k, n % k);
                let counts: Vec<u64> = (0..k).map(|cell| each + u64::from(cell < over)).collect();
                let ways = ln_factorial(k) - ln_factorial(over) - ln_factorial(k - over);
                let ln_counts: f64 = counts.iter().map(|&count| ln_factorial(count)).sum();
                let exact = libm::exp(ways + ln_factorial(n) - ln_counts - n as f64 * libm::log(k as f64));
                let p_value = Cells::uniform(&counts).p_value();
                assert!(p_value >= exact, "{n} in {k} cells: {p_value:e} for {exact:e}");
            }
        }
    }

    /// All counts that are no further from equal than these, one by one: 1 + k(k−1) points where the expectation is whole.
    #[test]
    fn counts_one_step_from_equal_are_no_rarer_than_they_are() {
        for (k, each) in [(6u64, 100u64), (6, 2_000), (6, 2_500), (8, 1_000), (13, 500), (4, 30_000)] {
            let n = k * each;
            let ln_even = ln_factorial(n) - k as f64 * ln_factorial(each) - n as f64 * libm::log(k as f64);
            let one_step = (k * (k - 1)) as f64 * each as f64 / (each as f64 + 1.0);
            let exact = libm::exp(ln_even) * (1.0 + one_step);
            let mut counts = vec![each; k as usize];
            (counts[0], counts[1]) = (each + 1, each - 1);
            let p_value = Cells::uniform(&counts).p_value();
            let ratio = p_value / (2.0 * exact);
            assert!(
                exact > 1e-4 || (1.0..12.0).contains(&ratio),
                "{n} in {k} cells: {p_value:e} for 2·{exact:e}"
            );
        }
    }

    #[test]
    fn too_few_observations_pool_into_one_cell_without_freedom() {
        let pooled = Cells::uniform(&[1, 2, 3]).pooled();
        assert_eq!((pooled.observed.len(), pooled.freedom()), (1, 0.0));
    }

    #[test]
    fn few_cells_are_smooth_only_with_many_observations() {
        let coin = |n: u64| Cells::uniform(&[n, n]);
        // The mode of Bin(2n, 1/2) has probability 1/√(πn): 2e-4 at 8 million.
        assert!(!coin(7_000_000).is_smooth() && coin(9_000_000).is_smooth());
        assert!(!Cells::uniform(&[1_000_000]).is_smooth() && Cells::uniform(&[10; 10]).is_smooth());
    }

    #[test]
    fn pearson_of_a_textbook_die() {
        // Knuth (TAOCP 2, 3.3.1 B): two dice thrown 144 times, V = 7 7/48.
        let observed = vec![2, 4, 10, 12, 22, 29, 21, 15, 14, 9, 6];
        let expected = vec![4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 20.0, 16.0, 12.0, 8.0, 4.0];
        let score = Cells { observed, expected }.pearson();
        assert!((score - (7.0 + 7.0 / 48.0)).abs() < 1e-12);
    }

    /// Every outcome of 30 trials in 4 cells, with its exact probability.
    #[test]
    fn bound_covers_the_exact_distribution_of_the_divergence() {
        const N: u64 = 30;
        let p = [0.4f64, 0.3, 0.2, 0.1];
        let mut distribution: Vec<(f64, f64)> = Vec::new();
        for a in 0..=N {
            for b in 0..=N - a {
                for c in 0..=N - a - b {
                    let observed = vec![a, b, c, N - a - b - c];
                    let ln = |(&o, p): (&u64, &f64)| o as f64 * libm::log(*p) - ln_factorial(o);
                    let ln_p = ln_factorial(N) + observed.iter().zip(&p).map(ln).sum::<f64>();
                    let expected = p.iter().map(|p| p * N as f64).collect();
                    distribution.push((Cells { observed, expected }.bound(), libm::exp(ln_p)));
                }
            }
        }
        distribution.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(distribution[0].0 < 1e-20, "the bound must reach far tails to be tested");
        let mut mass = 0.0;
        for window in distribution.windows(2) {
            mass += window[0].1;
            let ties_to_come = window[1].0 <= window[0].0 * (1.0 + 1e-9);
            assert!(ties_to_come || mass <= window[0].0, "mass {mass} above bound {}", window[0].0);
        }
    }
}
