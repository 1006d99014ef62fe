//! Echoes: draws that take up again the word that an earlier draw of the deck was made of.
//!
//! Null: digits d of base m and e of base n stand for the intervals [d/m, (d+1)/m) and [e/n, (e+1)/n), and the
//! intervals of independent uniform digits meet with probability `(m + n − gcd(m, n))/mn`. Draws that scale one
//! word always meet. Of two draws k apart, k = 1..=8, those of a deck that share no draw are counted, in two lists:
//! draws i and i + k for even and for odd ⌊i/k⌋; the number that meet is a sum of independent events, its
//! distribution exact by convolution. Bases below 9, which meet too often to tell, are left out. Parts: χ² of the
//! histogram, the mean, the most extreme deck, each the worst of 64 lists (downward and upward swaps of the
//! decks and of the decks from the end, eight distances, two lists) by Bonferroni. Of a segment of 65,536 decks the first 48 blocks of 64 and then every
//! 8th are looked at.

use std::sync::OnceLock;

use multiversion::multiversion;

use crate::battery::nulls::histogram::{self, Names, names};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Scope, Statistic, about_and_cells, common_sum};
use crate::battery::stream::{self, Drawn, Sampling, Undoing, base_of};
use crate::battery::tier::Tier;
use crate::math::distribution::Distribution;
use crate::math::greatest_common_divisor;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, Row};

pub(in crate::battery) struct Echoes;

const ABOUT: About = About {
    id: "echoes",
    version: 2,
    tier: Tier::Deep,
    title: "draws that take up an earlier word again",
    null: "Two numbers that a Fisher–Yates shuffle must have drawn up to 8 draws apart come of one word no more often than by chance.",
    source: "intervals of digits meet with probability (m + n − gcd(m, n))/mn, sums of independent events exact by convolution; \
             histogram: Pearson χ², bound by Agrawal (2020); mean: saddle point (Lugannani & Rice 1980), bound by Chernoff \
             (1952); extreme: 1−(1−q)^N; Bonferroni (1936) over 64 lists",
    detects: "Words that are read twice, now and then: threads that share a buffer, pointers set back; draws that avoid the last.",
    decks_min: 1,
    design: Design { parts: 3, scope: Scope::Segment, ..Design::OF_DECKS },
};

/// Blocks at the beginning of a segment that are all looked at, and the step from there on.
const SAMPLING: Sampling = Sampling { first: 48, every: 8 };

/// Draws apart.
const LAGS: std::ops::RangeInclusive<usize> = 1..=8;

/// Draws of bases 52 to 9.
const DRAWS: usize = 44;

/// Downward and upward swaps, of the decks and of the decks from the end.
const WAYS: [&Undoing; 4] = [&stream::WAYS[0], &stream::WAYS[2], &stream::WAYS[6], &stream::WAYS[7]];

/// Pairs that share no draw: two lists.
const LISTS: usize = 2;

/// Values 0 to 22 of a list.
const VALUES: usize = DRAWS / 2 + 1;

const OF_LAG: usize = LISTS * VALUES;
const OF_WAY: usize = 8 * OF_LAG;

const NAMES: Names = names!("meeting", "draws that meet");

impl Statistic for Echoes {
    about_and_cells!(ABOUT, 1 + WAYS.len() * OF_WAY);

    /// Decks; then for every way, every distance and both lists the decks looked at by how many of their pairs meet.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        counts[0] += stream::decks_of(blocks);
        let seen = blocks.iter().enumerate().filter(|(number, _)| SAMPLING.sees(*number));
        for (_, block) in seen {
            for (way, of_way) in WAYS.iter().zip(counts[1..].chunks_mut(OF_WAY)) {
                let drawn = way.drawn(block);
                for (lag, of_lag) in LAGS.zip(of_way.chunks_mut(OF_LAG)) {
                    for (values, own) in meeting(&drawn, lag).iter().zip(of_lag.chunks_mut(VALUES)) {
                        values[..block.hands()].iter().for_each(|&value| own[usize::from(value)] += 1);
                    }
                }
            }
        }
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let seen = common_sum(counts[1..].chunks(VALUES).map(|own| own.iter().copied()))?;
        let is_possible = |(own, lag): (&[u64], usize)| {
            let [even, odd] = distributions(lag);
            let is_within = |(own, most): (&[u64], usize)| own[most..].iter().all(|&count| count == 0);
            let most = [even, odd].map(|list| list.points().len());
            own.chunks(VALUES).zip(most).all(is_within)
        };
        let mut lags = counts[1..].chunks(OF_LAG).zip(LAGS.cycle());
        (seen <= counts[0] && lags.all(is_possible)).then_some(counts[0])
    }

    /// Those of the blocks that were looked at.
    fn decks_read(&self, _part: &str, counts: &[u64], _decks: u64) -> u64 {
        counts[1..=VALUES].iter().sum()
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let of_lag = |(own, lag): (&[u64], usize)| {
            let lists = distributions(lag).into_iter().zip(own.chunks(VALUES));
            lists
                .map(|(list, own)| histogram::outcomes(list, &own[..list.points().len()], &NAMES))
                .collect::<Vec<_>>()
        };
        histogram::worst_of_each(counts[1..].chunks(OF_LAG).zip(LAGS.cycle()).flat_map(of_lag).collect())
    }
}

/// In which list draws i and i + `lag` are.
const fn list_of(draw: usize, lag: usize) -> usize {
    draw / lag % LISTS
}

/// How many pairs of draws meet in every lane, list by list.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn meeting(drawn: &Drawn, lag: usize) -> [Row; LISTS] {
    let mut meeting = [[0; BLOCK_HANDS]; LISTS];
    for draw in 0..DRAWS - lag {
        let (m, n) = (base_of(draw) as u16, base_of(draw + lag) as u16);
        let (one, other) = (drawn.of_base(usize::from(m)), drawn.of_base(usize::from(n)));
        let sums = &mut meeting[list_of(draw, lag)];
        for lane in 0..BLOCK_HANDS {
            // Both intervals times mn: they meet where either begins before the other ends.
            let (d, e) = (u16::from(one[lane]) * n, u16::from(other[lane]) * m);
            sums[lane] += u8::from(d < e + m) & u8::from(e < d + n);
        }
    }
    meeting
}

/// How many pairs of each list of a deck meet by chance.
fn distributions(lag: usize) -> [&'static Distribution; LISTS] {
    static ALL: OnceLock<Vec<[Distribution; LISTS]>> = OnceLock::new();
    let of_list = |lag: usize, list: usize| {
        let draws = (0..DRAWS - lag).filter(|&draw| list_of(draw, lag) == list);
        let chances: Vec<f64> = draws.map(|draw| chance(base_of(draw), base_of(draw + lag))).collect();
        Distribution::new(0, sum_of_events(&chances))
    };
    let all = ALL.get_or_init(|| LAGS.map(|lag| [0, 1].map(|list| of_list(lag, list))).collect());
    all[lag - 1].each_ref()
}

/// The probability that the intervals of two digits meet: of the borders of both, those inside are where they change.
fn chance(m: usize, n: usize) -> f64 {
    (m + n - greatest_common_divisor(m, n)) as f64 / (m * n) as f64
}

/// How many of some independent events come, of given chances.
fn sum_of_events(chances: &[f64]) -> Vec<f64> {
    let mut points = vec![1.0];
    for chance in chances {
        points.push(0.0);
        for at in (0..points.len()).rev() {
            let one_less = if at > 0 { points[at - 1] } else { 0.0 };
            points[at] = points[at] * (1.0 - chance) + one_less * chance;
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::{blocks, convicting, counts, dealt, outcome};

    #[test]
    fn intervals_meet_as_often_as_they_do_when_counted() {
        for m in 2..=52 {
            for n in 2..=52 {
                let meets = |d: usize, e: usize| d * n < (e + 1) * m && e * m < (d + 1) * n;
                let found =
                    (0..m).flat_map(|d| (0..n).map(move |e| (d, e))).filter(|&(d, e)| meets(d, e)).count();
                assert!((chance(m, n) * (m * n) as f64 - found as f64).abs() < 1e-9, "{m} {n}");
            }
        }
    }

    /// Pairs of every deck by the definition; some hundred of them only touch.
    #[test]
    fn pairs_that_touch_do_not_meet() {
        let mut touching = 0;
        for block in &blocks(&dealt("certified", 0..1_280)) {
            let drawn = WAYS[0].drawn(block);
            for (lag, lane) in LAGS.flat_map(|lag| (0..block.hands()).map(move |lane| (lag, lane))) {
                let mut wanted = [0; LISTS];
                for draw in 0..DRAWS - lag {
                    let digit = |base: usize| usize::from(drawn.of_base(base)[lane]);
                    let (m, n) = (base_of(draw), base_of(draw + lag));
                    let (d, e) = (digit(m), digit(n));
                    wanted[list_of(draw, lag)] += u8::from(d * n < (e + 1) * m && e * m < (d + 1) * n);
                    touching += usize::from(d * n == (e + 1) * m || e * m == (d + 1) * n);
                }
                assert_eq!(meeting(&drawn, lag).map(|list| list[lane]), wanted, "lag {lag}");
            }
        }
        assert!(touching > 100, "{touching}");
    }

    /// Three events of chances 1/2, 1/3 and 1/4, by hand: 6, 11, 6, 1 of 24.
    #[test]
    fn sums_of_events_are_convolutions() {
        let points = sum_of_events(&[1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0]);
        for (point, wanted) in points.iter().zip([6.0, 11.0, 6.0, 1.0]) {
            assert!((point - wanted / 24.0).abs() < 1e-15);
        }
    }

    /// No pair of a list shares a draw with another, and both lists together are all pairs.
    #[test]
    fn the_pairs_of_a_list_share_no_draw() {
        for lag in LAGS {
            let mut pairs = 0;
            for list in 0..LISTS {
                let mut used = [false; DRAWS];
                for draw in (0..DRAWS - lag).filter(|&draw| list_of(draw, lag) == list) {
                    for end in [draw, draw + lag] {
                        assert!(!std::mem::replace(&mut used[end], true), "lag {lag}");
                    }
                    pairs += 1;
                }
            }
            assert_eq!(pairs, DRAWS - lag);
        }
    }

    fn counts_of(name: &str, decks: u64) -> Vec<u64> {
        counts(&Echoes, &dealt(name, 0..decks))
    }

    #[test]
    fn words_that_are_read_twice_are_seen() {
        let outcomes = |name: &str| Echoes.finish(&counts_of(name, 1_000), 1_000);
        assert!(convicting(&outcomes("reread-20"), "meeting-mean") < 1e-12);
        assert!(outcome(&outcomes("certified"), "meeting-mean").p_value > 0.001);
    }

    #[test]
    fn counts_that_no_decks_give_are_refused() {
        let mut counts = counts_of("certified", 70);
        counts[1] += 1;
        assert_eq!(Echoes.decks_in(&counts), None);
        counts[1] -= 1;
        // At distance 8 the odd list has 16 pairs: 22 of them never meet.
        let at = Echoes.cells() - VALUES;
        let full = counts[at..].iter().position(|&count| count > 0).expect("decks were counted");
        let last = counts.len() - 1;
        (counts[at + full], counts[last]) = (counts[at + full] - 1, 1);
        assert_eq!(Echoes.decks_in(&counts), None);
    }
}
