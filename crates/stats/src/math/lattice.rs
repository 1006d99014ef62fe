//! Squares of whole counts: χ² takes every value, a lattice has a likeliest point and steps around it.
//!
//! Counts of a fixed total are points of a lattice. Their normal limit has the covariance `spread` in every direction of
//! the lattice, so `Q/spread` is χ² of `freedom` for the squared distance Q from the expectation, and one point has the
//! probability `covolume·(2π·spread)^{−freedom/2}·e^{−Q/2·spread}` (Gnedenko 1948, the local limit theorem). Few
//! dimensions have heavy points: four suits that come exactly equally often are no miracle.

use std::f64::consts::PI;

use crate::math::chi_squared;
use crate::math::gamma::ln_factorial;

/// `ln` of the probability of one point at the squared distance `squares`.
pub fn ln_point(freedom: f64, ln_covolume: f64, spread: f64, squares: f64) -> f64 {
    ln_covolume - 0.5 * freedom * libm::log(2.0 * PI * spread) - squares / (2.0 * spread)
}

/// `ln` of the covolume of tables of whole numbers whose rows and columns all add up to 0: of the product of the root
/// lattices A_{rows−1} and A_{columns−1}, whose covolumes are the roots of their sides (Conway & Sloane 1999, chapter 4).
pub fn ln_covolume_of_tables(rows: usize, columns: usize) -> f64 {
    let (a, b) = (rows as f64, columns as f64);
    0.5 * ((b - 1.0) * libm::log(a) + (a - 1.0) * libm::log(b))
}

/// Counts of equally probable cells with a fixed total.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EqualCells {
    /// How many cells.
    pub cells: usize,
    /// What their counts add up to.
    pub total: u64,
    /// Variance along the lattice: `total/cells` in a multinomial, less in draws without replacement.
    pub spread: f64,
}

impl EqualCells {
    /// `P(Q ≤ q)` and `P(Q ≥ q)` of `Q = Σ(C − total/cells)²`. All Q have one parity: the square of a whole number is
    /// as odd as the number, so the next value is 2 away and χ² changes halfway (Yates 1934). No lower tail is
    /// thinner than the most even counts.
    pub fn tails(&self, squares: f64) -> (f64, f64) {
        let freedom = self.cells as f64 - 1.0;
        let lower = chi_squared::lower(freedom, (squares + 1.0) / self.spread);
        let upper = chi_squared::upper(freedom, (squares - 1.0) / self.spread);
        (lower.max(self.most_even()), upper)
    }

    /// How likely counts are that differ by no more than one: `r` of the `k` cells have one more.
    pub fn most_even(&self) -> f64 {
        let (k, r) = (self.cells as u64, self.total % self.cells as u64);
        let ways = ln_factorial(k) - ln_factorial(r) - ln_factorial(k - r);
        let squares = (r * (k - r)) as f64 / k as f64;
        let ln_covolume = 0.5 * libm::log(k as f64);
        libm::exp(ways + ln_point(k as f64 - 1.0, ln_covolume, self.spread, squares)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Four suits among the three cards that a deal of 49 leaves: the distribution of the counts of N decks, deck by deck.
    fn suits_left(decks: usize) -> BTreeMap<[u16; 3], f64> {
        let choose = |n: u32, k: u32| (0..k).fold(1.0, |ways, i| ways * f64::from(n - i) / f64::from(i + 1));
        let mut one = Vec::new();
        for a in 0..=3u16 {
            for b in 0..=3 - a {
                for c in 0..=3 - a - b {
                    let ways = [a, b, c, 3 - a - b - c].map(|suit| choose(13, u32::from(suit)));
                    one.push(([a, b, c], ways.iter().product::<f64>() / choose(52, 3)));
                }
            }
        }
        let mut sum = BTreeMap::from([([0; 3], 1.0)]);
        for _ in 0..decks {
            let mut next = BTreeMap::new();
            for (at, mass) in sum.iter().filter(|(_, mass)| **mass > 1e-18) {
                for (step, point) in &one {
                    *next.entry([0, 1, 2].map(|suit| at[suit] + step[suit])).or_insert(0.0) += mass * point;
                }
            }
            sum = next;
        }
        sum
    }

    /// Exactly: whatever the value seen, its p-value is no smaller than the chance of one as extreme on its side.
    #[test]
    fn suits_of_the_cards_left_have_no_smaller_p_value_than_is_their_right() {
        for decks in [14u64, 16, 17] {
            let expected = 0.75 * decks as f64;
            let mut by_squares: BTreeMap<u64, f64> = BTreeMap::new();
            for (at, mass) in suits_left(decks as usize) {
                let last = 3 * decks - at.iter().map(|&suit| u64::from(suit)).sum::<u64>();
                let counts = at.iter().map(|&suit| u64::from(suit)).chain([last]);
                let squares: f64 = counts.map(|count| (count as f64 - expected).powi(2)).sum();
                *by_squares.entry((4.0 * squares).round() as u64).or_insert(0.0) += mass;
            }
            let cells = EqualCells { cells: 4, total: 49 * decks, spread: expected * 49.0 / 51.0 };
            let all: f64 = by_squares.values().sum();
            let mut below = 0.0;
            for (&squares, &mass) in &by_squares {
                let (exact_lower, exact_upper) = (below + mass, all - below);
                below += mass;
                let (lower, upper) = cells.tails(squares as f64 / 4.0);
                assert!(
                    2.0 * lower.min(1.0) >= exact_lower.min(0.9),
                    "{decks} decks: {lower} for {exact_lower}"
                );
                // The one most even point counts for its half of the way to the next.
                let ratio = lower / exact_lower;
                assert!((0.8..2.2).contains(&ratio), "{decks} decks: {lower} for {exact_lower}");
                if exact_upper > 1e-3 {
                    let ratio = upper / exact_upper;
                    assert!((0.9..1.4).contains(&ratio), "{decks} decks: {upper} for {exact_upper}");
                }
            }
        }
    }

    /// The multinomial itself, for every number of trials: k!/(r!(k−r)!) times n!/(Π c!·kⁿ).
    #[test]
    fn the_most_even_counts_are_as_likely_as_a_multinomial_has_them() {
        for k in [2u64, 3, 4, 5, 8, 13, 26, 52] {
            for n in 10 * k..=2_000.max(20 * k) {
                let (each, over) = (n / k, n % k);
                let ways = ln_factorial(k) - ln_factorial(over) - ln_factorial(k - over);
                let counts = (k - over) as f64 * ln_factorial(each) + over as f64 * ln_factorial(each + 1);
                let exact = ways + ln_factorial(n) - counts - n as f64 * libm::log(k as f64);
                let cells = EqualCells { cells: k as usize, total: n, spread: n as f64 / k as f64 };
                let found = libm::log(cells.most_even());
                assert!(
                    found > exact - 0.002 && found < exact + 0.1 * k as f64,
                    "{n} in {k}: {found} {exact}"
                );
            }
        }
    }

    /// Tables of 2 × 2 are one number, of 3 × 3 four: summed over the lattice the points make 1.
    #[test]
    fn the_points_of_a_table_add_up_to_one() {
        let spread = 4.0;
        let ln_covolume = ln_covolume_of_tables(3, 3);
        let mut total = 0.0;
        let range = -9i32..=9;
        for a in range.clone() {
            for b in range.clone() {
                for c in range.clone() {
                    for d in range.clone() {
                        let rows = [[a, b, -a - b], [c, d, -c - d], [-a - c, -b - d, a + b + c + d]];
                        let squares: i32 = rows.iter().flatten().map(|cell| cell * cell).sum();
                        total += libm::exp(ln_point(4.0, ln_covolume, spread, f64::from(squares)));
                    }
                }
            }
        }
        assert!((total - 1.0).abs() < 1e-3, "{total}");
    }
}
