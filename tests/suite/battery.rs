//! The battery is calibrated on fair decks and catches flawed dealers with few.

use std::collections::BTreeMap;

use deckproof::battery::duplicates::EQUAL;
use deckproof::battery::duplicates::sketch::Sketch;
use deckproof::battery::stud::table::StudTable;
use deckproof::battery::{self, Exhibit, Outcome, Scope, Spread, Statistic, View, stud};
use deckproof::deck::{compose, inverse_of};
use deckproof::math::{binomial, chi_squared};
use rand::rngs::ChaCha20Rng;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};

use crate::common::decks::blocks_of;
use crate::common::lab::deck;

/// Outcomes by family, part and view.
pub type Outcomes = Vec<(&'static str, View, Outcome)>;

/// The decks of a view: `c_t`, `v_{t+1}∘c_t`, `v_t` or `c_{t+1}∘v_t`.
fn of_view(view: View, decks: &[[u8; 52]]) -> Vec<[u8; 52]> {
    let inverses: Vec<[u8; 52]> = decks.iter().map(inverse_of).collect();
    match view {
        View::Deck => decks.to_vec(),
        View::Inverse => inverses,
        View::Relative => decks.iter().zip(&inverses[1..]).map(|(c, v)| compose(v, c)).collect(),
        View::RelativeCards => inverses.iter().zip(&decks[1..]).map(|(v, c)| compose(c, v)).collect(),
    }
}

fn audit(decks: &[[u8; 52]]) -> Outcomes {
    audit_by(decks, &|_| true)
}

/// The same by some statistics only.
fn audit_by(decks: &[[u8; 52]], is_asked: &dyn Fn(&str) -> bool) -> Outcomes {
    let mut outcomes = Vec::new();
    for view in View::ALL {
        let blocks = blocks_of(&of_view(view, decks));
        let decks = blocks.iter().map(|block| block.hands() as u64).sum();
        // Statistics of a prefix take long for few decks: `tests/generators.rs` has their own turn.
        let is_wanted = |statistic: &&&dyn Statistic| {
            statistic.views().contains(&view)
                && statistic.scope() != Scope::Prefix
                && is_asked(statistic.about().id)
        };
        for statistic in battery::all().iter().filter(is_wanted) {
            let mut counts = vec![0; statistic.cells()];
            statistic.observe(&blocks, &mut counts);
            let found = statistic.finish(&counts, decks);
            outcomes.extend(found.into_iter().map(|outcome| (statistic.family(), view, outcome)));
        }
    }
    outcomes
}

/// `min(1, K·min_f m_f·min p in f)` and where it comes from.
pub fn family_p_value(outcomes: &Outcomes) -> (f64, String) {
    let mut families: BTreeMap<&str, Vec<(f64, String)>> = BTreeMap::new();
    for (family, view, outcome) in outcomes {
        let name = format!("{family} {} {}", view.name(), outcome.part);
        families.entry(family).or_default().push((outcome.p_value, name));
    }
    let size = families.len() as f64;
    let smallest = |found: Vec<(f64, String)>| {
        let (m, first) = (found.len() as f64, found.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)));
        first.map(|(p, name)| ((size * m * p).min(1.0), name)).expect("families are not empty")
    };
    families.into_values().map(smallest).min_by(|a, b| a.0.total_cmp(&b.0)).expect("there are families")
}

fn fair_decks(rng: &mut impl Rng, n: usize) -> Vec<[u8; 52]> {
    let mut deck: [u8; 52] = std::array::from_fn(|place| place as u8);
    let mut next = || {
        deck.shuffle(rng);
        deck
    };
    (0..n).map(|_| next()).collect()
}

/// Levels at which rejections are counted.
const LEVELS: [f64; 3] = [0.05, 0.01, 0.001];

/// Chance that a calibrated battery fails the whole check.
const FALSE_ALARM: f64 = 1e-4;

/// How the p-values of one part lie on fair decks.
#[derive(Default)]
struct Record {
    p_values: Vec<f64>,
    /// Discrete or a bound: rejects less than its level, and is checked on the upper side only.
    is_conservative: bool,
    /// What is named χ²(k), less k, in standard deviations √2k: zero in the mean, whatever its p-value is.
    off_freedom: Vec<f64>,
    bars: Vec<Bar>,
}

/// What was seen in one bar or cell of a part's picture, less what is expected there, over all audits.
#[derive(Clone, Default)]
struct Bar {
    expected: f64,
    off: f64,
    off_squared: f64,
    /// Of the audit that expects most: expected, and off squared.
    largest: (f64, f64),
}

impl Bar {
    fn add(&mut self, observed: u64, expected: f64) {
        let off = observed as f64 - expected;
        self.expected += expected;
        self.off += off;
        self.off_squared += off * off;
        if expected > self.largest.0 {
            self.largest = (expected, off * off);
        }
    }

    /// Standard errors from zero. The variance grows as what is expected; how fast, all audits but the largest show.
    fn errors(&self) -> f64 {
        let others = self.expected - self.largest.0;
        let growth = (self.off_squared - self.largest.1) / others;
        if others < 50.0 || self.off == 0.0 { 0.0 } else { self.off / (growth * self.expected).sqrt() }
    }
}

type Records = BTreeMap<String, Record>;

fn record(records: &mut Records, outcomes: Outcomes) {
    for (family, view, outcome) in outcomes {
        let record = records.entry(format!("{family} {} {}", view.name(), outcome.part)).or_default();
        record.p_values.push(outcome.p_value);
        record.is_conservative |= outcome.spread != Spread::Uniform;
        let freedom = outcome.score_name.strip_prefix("χ²(").and_then(|name| name.strip_suffix(')'));
        if let Some(freedom) = freedom.and_then(|freedom| freedom.parse::<f64>().ok()) {
            record.off_freedom.push((outcome.score - freedom) / (2.0 * freedom).sqrt());
        }
        let cells: Vec<(u64, f64)> = match outcome.exhibit {
            Exhibit::None => Vec::new(),
            Exhibit::Histogram { observed, expected, .. } => observed.into_iter().zip(expected).collect(),
            // No symbol follows itself: the diagonal of a table of neighbours is empty.
            Exhibit::Table { side, observed, expected, .. } => {
                let can_be = |cell: &usize| side != 53 || !cell.is_multiple_of(side + 1);
                (0..side * side).filter(can_be).map(|cell| (observed[cell], expected)).collect()
            }
        };
        record.bars.resize(cells.len().max(record.bars.len()), Bar::default());
        for (bar, (observed, expected)) in record.bars.iter_mut().zip(cells) {
            bar.add(observed, expected);
        }
        if let Some(bound) = outcome.p_value_bound {
            // What convicts may be too large, never too small.
            let name = format!("{family} {} {} bound", view.name(), outcome.part);
            let record = records.entry(name).or_default();
            record.p_values.push(bound);
            record.is_conservative = true;
        }
    }
}

/// Parts whose rejections leave the two-sided binomial band of level [`FALSE_ALARM`] over all bands.
fn outside_bands(records: &Records) -> Vec<String> {
    let bands = (records.len() * LEVELS.len()) as f64;
    let mut outside = Vec::new();
    for (part, record) in records {
        for level in LEVELS {
            let n = record.p_values.len() as u64;
            let rejected = record.p_values.iter().filter(|&&p| p <= level).count() as u64;
            let (lower, upper) = binomial::tails(n, level, rejected);
            let depth = if record.is_conservative { upper } else { lower.min(upper) };
            if depth < FALSE_ALARM / bands / 2.0 {
                outside.push(format!("{part}: {rejected} of {n} at {level}"));
            }
        }
    }
    outside
}

/// Parts whose scores do not have the mean that their degrees of freedom say: a wrong number of them moves every p-value a little.
fn off_freedom(records: &Records) -> Vec<String> {
    let is_off = |off: &[f64]| {
        let n = off.len() as f64;
        (off.iter().sum::<f64>() / n).abs() > 6.0 / n.sqrt()
    };
    let off =
        records.iter().filter(|(_, record)| record.off_freedom.len() >= 100 && is_off(&record.off_freedom));
    off.map(|(part, record)| {
        format!("{part}: {:.2}", record.off_freedom.iter().sum::<f64>() / record.off_freedom.len() as f64)
    })
    .collect()
}

/// Parts whose pictures show something else as expected than what is seen in the mean.
fn off_pictures(records: &Records) -> Vec<String> {
    let worst = |bars: &[Bar]| bars.iter().map(|bar| bar.errors().abs()).fold(0.0, f64::max);
    let parts = records.iter().map(|(part, record)| (part, worst(&record.bars)));
    parts.filter(|(_, worst)| *worst > 6.0).map(|(part, worst)| format!("{part}: {worst:.1}")).collect()
}

/// Numbers of decks with how often each is tried: pooled, so that a part that rejects too often at every size is seen.
fn calibrate(sizes: &[(usize, usize)], mut fair: impl FnMut(usize) -> Vec<[u8; 52]>) {
    let mut records = Records::new();
    let (mut rejected, mut audits) = (0, 0);
    for &(replicates, decks) in sizes {
        for _ in 0..replicates {
            let outcomes = audit(&fair(decks));
            rejected += u64::from(family_p_value(&outcomes).0 <= 0.01);
            audits += 1;
            record(&mut records, outcomes);
        }
    }
    assert_eq!(outside_bands(&records), Vec::<String>::new());
    assert_eq!(off_freedom(&records), Vec::<String>::new());
    assert_eq!(off_pictures(&records), Vec::<String>::new());
    assert!(records.values().filter(|record| record.off_freedom.len() >= 100).count() > 20);
    assert!(binomial::tails(audits, 0.01, rejected).1 > FALSE_ALARM, "{rejected} of {audits}");
}

#[test]
fn fair_decks_of_chacha_are_rejected_at_the_level() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    calibrate(&[(150, 10), (100, 17), (50, 100), (5, 1_337)], |n| fair_decks(&mut rng, n));
}

#[test]
fn fair_decks_of_splitmix_are_rejected_at_the_level() {
    // SplitMix64, as unlike ChaCha20 as a good generator can be.
    let mut numbers = 1..;
    calibrate(&[(150, 32), (100, 53), (25, 193), (1, 66_537)], |n| {
        numbers.by_ref().take(n).map(deck).collect()
    });
}

/// A canary: card × place without its factor must be rejected by the same harness, and the moments of the
/// quadratic scores must be the exact ones.
#[test]
fn uncorrected_card_place_is_outside_its_bands() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let mut records = Records::new();
    let mut scores: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for _ in 0..1000 {
        let outcomes = audit_by(&fair_decks(&mut rng, 64), &|id| ["card-place", "adjacency"].contains(&id));
        for (family, view, outcome) in &outcomes {
            if *view == View::Deck
                && ["card-place", "adjacency"].contains(family)
                && ["total", "symmetric", "antisymmetric"].contains(&outcome.part)
            {
                scores.entry(outcome.part).or_default().push(outcome.score);
            }
        }
        let uncorrected = chi_squared::p_value(2601.0, scores["total"].last().expect("pushed") * 52.0 / 51.0);
        records.entry("canary".to_owned()).or_default().p_values.push(uncorrected);
    }
    assert!(!outside_bands(&records).is_empty());
    for (part, freedom) in [("total", 2601.0), ("symmetric", 1325.0), ("antisymmetric", 1326.0)] {
        let n = scores[part].len() as f64;
        let mean = scores[part].iter().sum::<f64>() / n;
        let variance = scores[part].iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let exact = 2.0 * freedom * (1.0 - 1.0 / 64.0);
        assert!((mean - freedom).abs() < 5.0 * (exact / n).sqrt(), "{part}: mean {mean}");
        assert!((variance / exact - 1.0).abs() < 5.0 * (2.0 / n).sqrt(), "{part}: variance {variance}");
    }
}

/// The dealer is caught with family p < 1e-6 by `decks` decks, for every seed.
fn check_caught(name: &str, decks: usize, deal: fn(&mut ChaCha20Rng) -> [u8; 52]) {
    for seed in 0..6 {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let dealt: Vec<[u8; 52]> = (0..decks).map(|_| deal(&mut rng)).collect();
        let (p, from) = family_p_value(&audit(&dealt));
        assert!(p < 1e-6, "{name}, {decks} decks, seed {seed}: family p {p:e} of {from}");
    }
}

fn in_order() -> [u8; 52] {
    std::array::from_fn(|place| place as u8)
}

#[test]
fn flawed_dealers_are_caught_with_the_decks_of_the_prototype() {
    check_caught("skip-last", 10, |rng| {
        let mut deck = in_order();
        deck[..51].shuffle(rng);
        deck
    });
    check_caught("Sattolo", 32, |rng| {
        let mut deck = in_order();
        (1..52).rev().for_each(|i| deck.swap(i, rng.random_range(0..i)));
        deck
    });
    check_caught("naive swap with any of 52", 316, |rng| {
        let mut deck = in_order();
        (0..52).for_each(|i| deck.swap(i, rng.random_range(0..52)));
        deck
    });
    check_caught("three riffles", 10, |rng| riffles(rng, 3));
    check_caught("seven riffles", 100, |rng| riffles(rng, 7));
    check_caught("eight riffles", 316, |rng| riffles(rng, 8));
    check_caught("swap by one of 256 modulo the range", 1000, |rng| {
        let mut deck = in_order();
        (1..52).rev().for_each(|i| deck.swap(i, usize::from(rng.random::<u8>()) % (i + 1)));
        deck
    });
    check_caught("swap by one of 1,024 modulo the range", 10_000, |rng| {
        let mut deck = in_order();
        (1..52).rev().for_each(|i| deck.swap(i, rng.random_range(0..1024) % (i + 1)));
        deck
    });
    check_caught("even permutations", 32, |rng| {
        let mut deck = in_order();
        deck.shuffle(rng);
        let mut cycles = 0;
        let mut seen = [false; 52];
        for start in 0..52 {
            cycles += usize::from(!seen[start]);
            let mut at = start;
            while !seen[at] {
                seen[at] = true;
                at = usize::from(deck[at]);
            }
        }
        deck.swap(0, cycles % 2);
        deck
    });
    check_caught("stuck", 10, |_| {
        let mut deck = in_order();
        deck.shuffle(&mut ChaCha20Rng::seed_from_u64(99));
        deck
    });
}

/// Gilbert–Shannon–Reeds, by its inverse: every card gets a bit, zeros go to the top in order.
fn riffles(rng: &mut ChaCha20Rng, times: usize) -> [u8; 52] {
    let mut order: Vec<u8> = in_order().to_vec();
    for _ in 0..times {
        let (mut top, bottom): (Vec<u8>, Vec<u8>) = order.iter().partition(|_| rng.random::<bool>());
        top.extend(bottom);
        order = top;
    }
    let mut deck = [0; 52];
    order.iter().enumerate().for_each(|(place, &card)| deck[usize::from(card)] = place as u8);
    deck
}

/// Blocks of 52 decks in which every card visits every place once: only the lower tail sees it.
#[test]
fn a_dealer_that_is_too_even_is_caught() {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let mut dealt = Vec::new();
    for _ in 0..20 {
        let (mut base, mut turns) = (in_order(), in_order());
        base.shuffle(&mut rng);
        turns.shuffle(&mut rng);
        dealt.extend(turns.map(|turn| {
            let mut deck = base;
            deck.rotate_left(usize::from(turn));
            deck
        }));
    }
    let outcomes = audit(&dealt);
    let total = outcomes.iter().find(|(_, view, outcome)| *view == View::Deck && outcome.part == "total");
    let outcome = &total.expect("card-place has a total").2;
    assert!(outcome.score < 1.0 && outcome.p_value < 1e-100, "{}", outcome.score);
}

#[test]
fn a_repeated_deck_is_proof() {
    let mut sketch = Sketch::new(&EQUAL);
    [7, 5, 7].iter().zip(0..).for_each(|(&key, number)| sketch.push(key, number));
    let count = sketch.count();
    let outcome = EQUAL.outcome(&count, 3);
    assert!(count.pairs == 1 && outcome.p_value < 1e-27 && outcome.tail.may_convict());
}

/// Tallies come back from certificates that anybody may have written: impossible ones get an answer, too.
#[test]
fn impossible_tallies_neither_hang_nor_panic() {
    let at_tables = StudTable::all().iter().flat_map(stud::at_table);
    for statistic in battery::all().iter().copied().chain(at_tables) {
        for pattern in [[0, 0, 0], [1, 0, 0], [0, 0, 5], [1_000_000, 3, 0]] {
            let counts: Vec<u64> = (0..statistic.cells()).map(|cell| pattern[cell % 3]).collect();
            for decks in [0, 1, 10, 1000, 1_000_000] {
                for outcome in statistic.finish(&counts, decks) {
                    assert!(outcome.p_value <= 1.0, "{} {}", statistic.about().id, outcome.part);
                }
            }
        }
    }
}
