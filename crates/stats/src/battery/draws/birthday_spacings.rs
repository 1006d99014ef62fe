//! Birthday spacings: equal distances between the numbers that begin a shuffle.
//!
//! Null: the first draws of a Fisher–Yates shuffle, read as one number, are birthdays in a year of K days; of n of
//! them, sorted, the n−1 spacings, sorted, hold as many that equal their neighbour as a Poisson count of mean λ =
//! n³/4K, less (3+λ)/n of it. Parts: `short-year`, five draws, K = 311,875,200, lots of 1,024 decks, λ = 0.861;
//! `long-year`, six draws, K = 14,658,134,400, lots of 8,192 decks, λ = 9.376. Each adds the lots of the first
//! 65,536 decks and takes the worst of eight ways to undo a shuffle, by Bonferroni. What may convict is a proven
//! bound of the upper side, see [`Year::bound`].

use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Scope, Statistic, about_and_cells};
use crate::battery::stream::{self, Drawn, WAYS, base_of};
use crate::battery::tier::Tier;
use crate::math::gamma::ln_gamma;
use crate::math::{bonferroni, poisson, two_sided};
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};

pub(in crate::battery) struct BirthdaySpacings;

const ABOUT: About = About {
    id: "birthday-spacings",
    version: 3,
    tier: Tier::Deep,
    title: "birthday spacings of the first draws",
    null: "Distances between the numbers that begin a shuffle come again as rarely as between random days of a year.",
    source: "equal spacings ~ Poisson(n³/4K·(1 − (3+λ)/n)): Marsaglia & Tsang (2002), section 3.1; Knuth, TAOCP 2, \
             3.3.2 J; first 65,536 decks at most; Bonferroni (1936) over eight ways to undo a shuffle; bound: spacings as geometric \
             numbers of a given sum",
    detects: "Generators whose numbers lie on lattices, congruential and lagged ones, by the first draws of each deck.",
    decks_min: SHORT.birthdays as u64,
    design: Design { parts: YEARS.len() as u64, scope: Scope::Prefix, ..Design::PLAIN },
};

/// Draws that make a birthday.
const DRAWS: usize = 6;

/// The base of the last of them, which the short year leaves out.
const LAST_BASE: u64 = 47;

/// One length of the year.
struct Year {
    part: &'static str,
    days: f64,
    /// Birthdays of a lot.
    birthdays: usize,
    /// What a number of six draws is divided by.
    divisor: u64,
}

/// 52·51·50·49·48 days.
const SHORT: Year = Year { part: "short-year", days: 311_875_200.0, birthdays: 1_024, divisor: LAST_BASE };

/// 52·51·50·49·48·47 days.
const LONG: Year = Year { part: "long-year", days: 14_658_134_400.0, birthdays: 8_192, divisor: 1 };

const YEARS: [Year; 2] = [SHORT, LONG];

/// The ways to undo a shuffle, in the order of the counts: of a deck, of its inverse, and of a deck from the end.
const IN_ORDER: [usize; WAYS.len()] = [0, 2, 4, 1, 3, 5, 6, 7];

impl Statistic for BirthdaySpacings {
    about_and_cells!(ABOUT, 1 + YEARS.len() * WAYS.len());

    /// Whole lots.
    fn decks_read(&self, part: &str, counts: &[u64], _decks: u64) -> u64 {
        let year = YEARS.iter().find(|year| year.part == part);
        year.map_or(counts[0], |year| year.lots(counts[0]) * year.birthdays as u64)
    }

    /// Decks of the first segment; then, for the short year and the long one, the equal spacings of the downward
    /// swaps, the upward swaps and the bag, of the decks and of their inverses, and of both swaps of the decks from the end.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        counts[0] += stream::decks_of(blocks);
        let (mut numbers, mut room) = (Vec::new(), Vec::new());
        for (number, way) in IN_ORDER.into_iter().enumerate() {
            numbers.clear();
            for block in blocks {
                numbers.extend_from_slice(&beginnings(&WAYS[way].drawn(block))[..block.hands()]);
            }
            for (year, counts) in YEARS.iter().zip(counts[1..].chunks_mut(WAYS.len())) {
                for lot in numbers.chunks_exact(year.birthdays) {
                    room.clear();
                    room.extend(lot.iter().map(|number| number / year.divisor));
                    counts[number] += equal_spacings(&mut room);
                }
            }
        }
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let (decks, own) = (counts[0], YEARS.iter().zip(counts[1..].chunks(WAYS.len())));
        let mut years =
            own.map(|(year, own)| own.iter().all(|&count| count <= year.equal_spacings_max(decks)));
        years.all(|is_sound| is_sound).then_some(decks)
    }

    fn outcomes(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let with_counts = YEARS.iter().zip(counts[1..].chunks(WAYS.len()));
        let fed = with_counts.filter(|(year, _)| decks >= year.birthdays as u64);
        fed.filter_map(|(year, own)| year.outcome(own, counts[0])).collect()
    }
}

impl Year {
    /// Whole lots among so many decks.
    fn lots(&self, decks: u64) -> u64 {
        decks / self.birthdays as u64
    }

    /// A lot of n has n − 1 spacings, of which the first has no neighbour before it.
    fn equal_spacings_max(&self, decks: u64) -> u64 {
        self.lots(decks).saturating_mul(self.birthdays as u64 - 2)
    }

    /// Of one lot.
    fn mean(&self) -> f64 {
        let n = self.birthdays as f64;
        let rate = n.powi(3) / (4.0 * self.days);
        // n − 1 spacings instead of n take 3/n of it, spacings equal in threes the rest.
        rate * (1.0 - (3.0 + rate) / n)
    }

    /// Proven: `P(equal spacings of all lots ≥ r)`.
    ///
    /// A lot of n days is a multiset of which none has more than `n!/K^n`, so that its probabilities are at most
    /// `Π(1 + i/K) ≤ e^{n²/2K}` those of a uniform multiset, whose n + 1 distances are independent geometric numbers given that
    /// their sum is K − 1. Of such numbers m are at most `F = max P(sum of the other n + 1 − m)/P(sum of all = K − 1)` times
    /// as likely as if they were free. Free ones come again with probability (i − 1)·p at most, so that their repeats are below
    /// a Poisson count of mean p·m(m − 1)/2 from one beyond the mean on (Hoeffding 1956; Anderson & Samuels 1967). With the
    /// spacings in three groups every repeat is one within two of the groups: one of the three twos has r/3 of them.
    fn bound(&self, lots: u64, r: u64) -> f64 {
        let (n, days) = (self.birthdays as f64, self.days);
        let m = 2.0 * ((n - 1.0) / 3.0).ceil();
        let p = (n + 1.0) / (days + n);
        let ln_all = ln_negative_binomial(n + 1.0, p, days - 1.0);
        let others = n + 1.0 - m;
        let mode = ((others - 1.0) * (1.0 - p) / p).floor();
        let ln_more = n * n / (2.0 * days) + ln_negative_binomial(others, p, mode) - ln_all;
        let mean = lots as f64 * p * m * (m - 1.0) / 2.0;
        let third = r.div_ceil(3);
        if (third as f64) < mean + 1.0 {
            return 1.0;
        }
        let ln_tail = libm::log(poisson::tails(mean, third).1) + lots as f64 * ln_more.max(0.0);
        (3.0 * libm::exp(ln_tail)).min(1.0)
    }

    /// The way whose equal spacings are least likely.
    fn outcome(&self, counts: &[u64], decks: u64) -> Option<Outcome> {
        let mean = self.lots(decks) as f64 * self.mean();
        let p_value = |count: u64| {
            let (lower, upper) = poisson::tails(mean, count);
            two_sided(lower, upper)
        };
        let highest = counts.iter().copied().max()?;
        let judged = counts.iter().map(|&count| (p_value(count), count));
        let (p_value, worst) = judged.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(
            Outcome::bound(
                self.part,
                "equal spacings",
                worst as f64,
                bonferroni(counts.len() as f64, p_value),
            )
            .bounded_by(bonferroni(counts.len() as f64, self.bound(self.lots(decks), highest))),
        )
    }
}

/// `ln C(k + x − 1, x) p^k (1 − p)^x`, how likely k geometric numbers add up to x.
fn ln_negative_binomial(k: f64, p: f64, x: f64) -> f64 {
    ln_gamma(k + x) - ln_gamma(k) - ln_gamma(x + 1.0) + k * libm::log(p) + x * libm::log1p(-p)
}

/// The first six draws of every lane as one number; of no meaning where a lane is empty.
fn beginnings(drawn: &Drawn) -> [u64; BLOCK_HANDS] {
    let mut numbers = [0; BLOCK_HANDS];
    for base in (0..DRAWS).map(base_of) {
        let row = drawn.of_base(base);
        numbers
            .iter_mut()
            .zip(row)
            .for_each(|(number, &digit)| *number = *number * base as u64 + u64::from(digit));
    }
    numbers
}

/// How many of the sorted spacings equal the one before, `n − 1 − distinct`; the days are used up.
fn equal_spacings(days: &mut [u64]) -> u64 {
    radsort::sort(days);
    let spacings = days.len().saturating_sub(1);
    for at in 0..spacings {
        days[at] = days[at + 1] - days[at];
    }
    let spacings = &mut days[..spacings];
    radsort::sort(spacings);
    spacings.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::undone;
    use crate::battery::walk::sample::{blocks, counts, dealt};
    use deckproof_deck::keystream::Keystream;

    #[test]
    fn years_are_products_of_bases_and_lots_keep_the_rules() {
        let product = |draws: u32| (0..draws).map(|i| f64::from(52 - i)).product::<f64>();
        assert!((SHORT.days - product(5)).abs() < 0.5 && (LONG.days - product(6)).abs() < 0.5);
        for (year, lots, rate) in [(SHORT, 64.0, 0.861), (LONG, 8.0, 9.376)] {
            let n = year.birthdays as f64;
            let lambda = n.powi(3) / (4.0 * year.days);
            // Enough lots that the error of the mean, −(3+λ)/n of it, stays below a tenth of its deviation.
            assert!((lambda - rate).abs() < 5e-4, "{lambda}");
            assert!(n >= 500.0 * lambda && (3.0 + lambda) * f64::sqrt(lots * lambda) / n <= 0.1);
        }
    }

    #[test]
    fn equal_spacings_by_hand() {
        // Days 1 2 4 5 9 10: spacings 1 2 1 4 1, sorted 1 1 1 2 4: two equal their neighbour.
        assert_eq!(equal_spacings(&mut [9, 1, 5, 2, 10, 4]), 2);
        // A common birthday is a spacing of 0.
        assert_eq!(equal_spacings(&mut [3, 3, 8, 8]), 1);
        assert_eq!((equal_spacings(&mut [5]), equal_spacings(&mut [])), (0, 0));
    }

    /// 64 birthdays in 2^16 days: λ = 1, of which 1/16 is taken off; without that the check would fail.
    #[test]
    fn the_mean_is_right_to_its_second_order() {
        let year = Year { part: "", days: 65_536.0, birthdays: 64, divisor: 1 };
        let (mut keystream, lots) = (Keystream::new(&[5; 32], 0), 200_000);
        let mut lot = || {
            let mut days: [u64; 64] = std::array::from_fn(|_| u64::from(keystream.word() >> 16));
            equal_spacings(&mut days)
        };
        let mean = (0..lots).map(|_| lot()).sum::<u64>() as f64 / f64::from(lots);
        // Five deviations of √(0.94/200,000), and the third order.
        assert!((year.mean() - 0.9375).abs() < 1e-9 && (mean - 0.9375).abs() < 0.0108 + 0.004, "{mean}");
    }

    /// Every way to have 7 birthdays in a year of 8 days, and two lots of 4 in one of 10.
    #[test]
    fn the_bound_covers_the_exact_distribution_of_equal_spacings() {
        for (birthdays, days, lots) in [(7usize, 8u64, 1u32), (5, 12, 1), (4, 10, 2), (3, 40, 2)] {
            let year = Year { part: "", days: days as f64, birthdays, divisor: 1 };
            let ways = days.pow(birthdays as u32);
            let mut of_lot = vec![0.0; birthdays];
            for way in 0..ways {
                let mut lot: Vec<u64> = (0..birthdays as u32).map(|i| way / days.pow(i) % days).collect();
                of_lot[equal_spacings(&mut lot) as usize] += 1.0 / ways as f64;
            }
            let mut exact = of_lot.clone();
            for _ in 1..lots {
                let mut sum = vec![0.0; exact.len() + of_lot.len()];
                for (i, p) in exact.iter().enumerate() {
                    of_lot.iter().enumerate().for_each(|(j, q)| sum[i + j] += p * q);
                }
                exact = sum;
            }
            for r in 0..exact.len() {
                let tail: f64 = exact[r..].iter().sum();
                let bound = year.bound(u64::from(lots), r as u64);
                assert!(bound >= tail * (1.0 - 1e-9), "{birthdays} in {days}, {r}: {bound} for {tail}");
            }
        }
        // And it convicts: 60 of a lot of 1,024, of which one is expected; 700 of 64 lots, of which 55 are.
        assert!(SHORT.bound(1, 60) < 1e-9 && SHORT.bound(64, 700) < 1e-9 && SHORT.bound(64, 100) > 0.01);
        assert!(LONG.bound(8, 900) < 1e-9 && LONG.bound(1, 200) < 1e-9, "{:e}", LONG.bound(8, 900));
    }

    #[test]
    fn beginnings_are_the_first_draws_of_the_plain_ways() {
        let block = &blocks(&dealt("certified", 0..64))[0];
        for (way, plain) in IN_ORDER.into_iter().zip([undone::down, undone::up, undone::lehmer]) {
            let numbers = beginnings(&WAYS[way].drawn(block));
            for (lane, number) in numbers.iter().enumerate() {
                let digits = plain(block.deck(lane).indices());
                let wanted =
                    (47..=52).rev().fold(0, |number, base| number * base + digits[base as usize] as u64);
                assert_eq!(*number, wanted, "lane {lane}");
                assert!(*number < 14_658_134_400);
            }
        }
    }

    #[test]
    fn decks_on_a_lattice_have_equal_spacings_and_decks_are_distinguished() {
        let mut counts = counts(&BirthdaySpacings, &dealt("certified", 0..1_088));
        let parts = BirthdaySpacings.finish(&counts, 1_088);
        assert!(parts.len() == 1 && parts[0].p_value > 1e-3, "{parts:?}");
        counts[3] = 30;
        assert!(BirthdaySpacings.finish(&counts, 1_088)[0].p_value < 1e-20);
        counts[3] = 1_023;
        assert_eq!(BirthdaySpacings.decks_in(&counts), None);
    }
}
