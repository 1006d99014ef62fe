//! How large an effect is, with its interval, and how small a one so many decks can show.

use crate::audit::plan::Plan;
use crate::certificate::StatisticRecord;
use crate::certificate::look::Look;
use deckproof_stats::math::binomial;

/// How large an effect is, with its 99 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Effect {
    /// The fullest of many cells against its expectation.
    Cell {
        /// Decks in it.
        count: u64,
        /// Of so many.
        decks: u64,
        /// Decks expected in it.
        expected: f64,
        /// By how many per cent it is off.
        percent: f64,
        /// Which the choice among all cells allows for.
        interval: [f64; 2],
        /// Among how many it was chosen.
        cells: u64,
    },
    /// A mean of one number a deck, off by so many of its standard deviations.
    Mean {
        /// How far.
        shift: f64,
        /// Of the shift.
        interval: [f64; 2],
    },
    /// A sum of squares that is so many times what chance gives.
    Squares {
        /// How many times.
        times: f64,
        /// Nothing where it is less than chance gives, which is too even.
        interval: Option<[f64; 2]>,
    },
}

/// From where on a cell of card × place is seen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CellSight {
    /// Among so many decks.
    pub decks: u64,
    /// From where on it is a question; nothing in a repeat, which convicts at once.
    pub questioned: Option<CellLimits>,
    /// From where on it convicts.
    pub convicted: CellLimits,
}

/// How many per cent a count lies off its expectation from where on its tail is rare enough.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CellLimits {
    /// Above it.
    pub above: f64,
    /// Below it; nothing where not even an empty cell is rare enough.
    pub below: Option<f64>,
}

/// What is left of certainty outside an interval of 99 %.
const OUTSIDE: f64 = 0.01;

/// The 99.5 % point of the standard normal distribution.
const NORMAL_POINT: f64 = 2.575_829;

/// Cells of card × place, and the probability of each.
const CELLS: f64 = 52.0 * 52.0;
const CELL: f64 = 1.0 / 52.0;

/// Fullest cells by the end of their id: how many cells there are, and the probability of each.
const CELL_PARTS: [(&str, f64, f64); 5] = [
    ("card-place.max-cell", CELLS, CELL),
    ("card-place.rank-cell", 52.0 * 13.0, 1.0 / 13.0),
    ("adjacency.max-cell", 53.0 * 52.0, CELL),
    ("place-pairs.same-rank", 1_326.0, 3.0 / 51.0),
    ("place-pairs.same-suit", 1_326.0, 12.0 / 51.0),
];

/// Statistics whose means are over all decks, one number each.
const MEANS: [&str; 12] = [
    "cycles", "inversions", "rising-sequences", "exceedances", "successions", "records", "runs",
    "longest-cycle", "monotone", "footrule", "longest-run", "neighbours",
];

/// How large the effect is that a statistic saw, with its 99 % interval; nothing where a p-value measures no size.
pub fn effect(record: &StatisticRecord) -> Option<Effect> {
    let parts = CELL_PARTS.iter().find(|(end, ..)| record.id.ends_with(end));
    if let Some(&(_, cells, p)) = parts {
        return Some(cell_effect(record, cells, p));
    }
    let mut names = record.id.split('.').skip(1);
    let (statistic, part) = (names.next()?, names.next()?);
    let freedom = record.score_name.strip_prefix("χ²(").and_then(|rest| rest.strip_suffix(')'));
    if let Some(freedom) = freedom.and_then(|text| text.parse::<f64>().ok()) {
        return Some(squares_effect(record.score, freedom));
    }
    (record.score_name == "z" && part.ends_with("mean") && MEANS.contains(&statistic))
        .then(|| mean_effect(record.score, record.decks))
}

/// A cell against its expectation; the interval allows for the choice among all cells (Clopper & Pearson 1934, Bonferroni
/// 1936).
fn cell_effect(record: &StatisticRecord, cells: f64, p: f64) -> Effect {
    let (decks, count) = (record.decks, record.score as u64);
    let side = 0.5 * OUTSIDE / cells;
    let relative = |found: f64| 100.0 * (found / p - 1.0);
    let lower = if count == 0 { 0.0 } else { bisect(|q| binomial::tails(decks, q, count).1 < side) };
    let upper = if count >= decks { 1.0 } else { bisect(|q| binomial::tails(decks, q, count).0 >= side) };
    Effect::Cell {
        count,
        decks,
        expected: decks as f64 * p,
        percent: relative(count as f64 / decks as f64),
        interval: [relative(lower), relative(upper)],
        cells: cells as u64,
    }
}

/// The largest probability for which a condition still holds, which it does below it and not above.
fn bisect(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (1e-12, 1.0 - 1e-12);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if holds(middle) { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// A mean of one number a deck in its standard deviations.
fn mean_effect(z: f64, decks: u64) -> Effect {
    let root = (decks as f64).sqrt();
    let [shift, low, high] = [0.0, -NORMAL_POINT, NORMAL_POINT].map(|away| (z + away) / root);
    Effect::Mean { shift, interval: [low, high] }
}

/// A sum of squares against what chance gives; its interval is that of the non-central χ², by its mean and variance
/// (Johnson, Kotz & Balakrishnan 1995, chapter 29).
fn squares_effect(score: f64, freedom: f64) -> Effect {
    // χ² has mean k + λ and variance 2(k + 2λ): the ends are the λ of which the score lies so many deviations away.
    let end = |sign: f64| {
        let (mut low, mut high) = (0.0, 4.0 * score + 100.0);
        for _ in 0..100 {
            let excess = 0.5 * (low + high);
            let deviations = (score - freedom - excess) / (2.0 * (freedom + 2.0 * excess)).sqrt();
            if deviations > sign * NORMAL_POINT { low = excess } else { high = excess }
        }
        1.0 + 0.5 * (low + high) / freedom
    };
    let interval = (score >= freedom).then(|| [end(1.0), end(-1.0)]);
    Effect::Squares { times: score / freedom, interval }
}

/// How far a cell of card × place must be off before so many decks question or convict.
pub fn sight(plan: &Plan, look: &Look, is_repeat: bool) -> Option<CellSight> {
    let repeat = plan.repeat.as_ref().filter(|_| is_repeat);
    let families = repeat.map_or(&plan.families, |repeat| &repeat.families);
    let chances = families.len() as f64 * *families.get("card-place")? as f64 * 2.0 * CELLS;
    let limits = |level: f64| cell_limits(look.decks, level / chances);
    Some(CellSight {
        decks: look.decks,
        questioned: match repeat {
            Some(_) => None,
            None => Some(limits(plan.level)?),
        },
        convicted: limits(repeat.map_or(plan.level_fail, |repeat| repeat.level))?,
    })
}

/// Where a count of `decks` decks has a tail below `p_value`; nothing where even all decks at one cell are no rarer.
fn cell_limits(decks: u64, p_value: f64) -> Option<CellLimits> {
    let expected = decks as f64 * CELL;
    let per_cent = |count: u64| 100.0 * (count as f64 / expected - 1.0).abs();
    let first_above =
        partition(expected.ceil() as u64, decks, |count| binomial::tails(decks, CELL, count).1 >= p_value);
    let too_low = |count: u64| binomial::tails(decks, CELL, count).0 < p_value;
    let below = too_low(0).then(|| partition(0, expected as u64, too_low) - 1);
    (first_above <= decks).then(|| CellLimits { above: per_cent(first_above), below: below.map(per_cent) })
}

/// The first number from `low` to `high` + 1 of which a condition does not hold that holds up to some number.
fn partition(low: u64, high: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (low, high + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::audit::evidence::Counter;
    use crate::audit::selection::Selection;
    use crate::certificate::AuditResult;
    use crate::certificate::look::Turn;
    use crate::source::flawed;
    use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
    use deckproof_deck::key::AuditKey;
    use deckproof_deck::shuffle::lanes::{PreparedAuditKey, audit_block};
    use deckproof_stats::battery::{Segment, Tier};

    fn record(id: &str, score_name: &str, score: f64, decks: u64) -> StatisticRecord {
        let score_name = score_name.to_owned();
        StatisticRecord { score_name, score, decks, ..StatisticRecord::exact(id, 0.5) }
    }

    /// Clopper and Pearson's ends of 250 in 10,000 at 1 − 0.01/2,704, by sums of binomial terms in Python.
    #[test]
    fn a_cell_has_its_exact_interval() {
        let found = effect(&record("deck.card-place.max-cell", "decks", 250.0, 10_000));
        let Some(Effect::Cell { count: 250, decks: 10_000, expected, percent, interval, cells: 2_704 }) =
            found
        else {
            panic!("{found:?}")
        };
        let figures = [expected, percent, interval[0], interval[1]].map(|value| format!("{value:.1}"));
        assert_eq!(figures, ["192.3", "30.0", "-4.3", "71.5"]);
    }

    #[test]
    fn a_mean_is_given_in_standard_deviations_and_squares_against_chance() {
        let found = effect(&record("relative.cycles.mean", "z", -6.0, 900));
        let Some(Effect::Mean { shift, interval: [low, high] }) = found else { panic!("{found:?}") };
        // −6/30 and (−6 ∓ 2.5758)/30.
        assert_eq!([shift, low, high].map(|value| format!("{value:.4}")), ["-0.2000", "-0.2859", "-0.1141"]);
        let found = effect(&record("deck.card-place.total", "χ²(2601)", 5_202.0, 900));
        let Some(Effect::Squares { times, interval: Some([low, high]) }) = found else { panic!("{found:?}") };
        // The roots of (2601 − λ)² = 2.575829²·(2·2601 + 4λ) are 2,292.21 and 2,936.33.
        assert_eq!([times, low, high].map(|value| format!("{value:.3}")), ["2.000", "1.881", "2.129"]);
        assert_eq!(effect(&record("deck.cycles.extreme", "cycles", 20.0, 900)), None);
    }

    /// Nothing else would notice a new statistic whose effect is never stated.
    #[test]
    fn every_mean_of_the_battery_is_given_as_an_effect_or_is_none_of_one_number_a_deck() {
        /// Of pairs of decks or draws, or the worst of several lags or start orders.
        const OTHERS: [&str; 5] = ["echoes", "matches", "overlaps", "rotation", "start-orders"];
        let key = PreparedAuditKey::new(&AuditKey::from_bytes([3; 32]));
        let mut blocks = vec![DeckBlock::default(); 16];
        for (number, block) in blocks.iter_mut().enumerate() {
            audit_block(&key, (number * BLOCK_HANDS) as u64, BLOCK_HANDS, block);
        }
        let selection = Selection::of_tiers(&Tier::OF_DECKS).without(&["recovered-generator".to_owned()]);
        let plan =
            Plan::of_selection(flawed::record("certified", 1), Some(1_024), &selection).without_repeat();
        let mut counter = Counter::new(&selection);
        counter.count_segment(Segment::ONLY, &blocks);
        let result = AuditResult::of_evidence(&plan, plan.source.clone(), counter.evidence);
        let means = result
            .first
            .statistics
            .iter()
            .filter(|record| record.score_name == "z" && record.id.ends_with("mean"));
        let found: BTreeSet<&str> = means.filter_map(|record| record.id.split('.').nth(1)).collect();
        let known: BTreeSet<&str> = MEANS.into_iter().chain(OTHERS).collect();
        assert_eq!(found, known, "a statistic belongs to MEANS in effects.rs, or to OTHERS here");
    }

    #[test]
    fn a_repeat_convicts_at_once() {
        let plan = Plan::new(flawed::record("sattolo", 1), Some(20_000), &Tier::OF_DECKS);
        let look = Look::of_bad_record(&plan, Turn::First, 20_000, String::new());
        let [first, repeat] =
            [false, true].map(|is_repeat| sight(&plan, &look, is_repeat).expect("it counts cells"));
        assert!(first.questioned.is_some_and(|own| own.above < first.convicted.above), "{first:?}");
        assert!(repeat.questioned.is_none() && repeat.convicted.below.is_some(), "{repeat:?}");
    }

    #[test]
    fn a_limit_is_the_first_count_so_rare() {
        for (decks, p_value) in [(1_000, 1e-6), (100_000, 1e-9), (50, 1e-4)] {
            let CellLimits { above, below } =
                cell_limits(decks, p_value).expect("all decks at one cell are rare");
            let expected = decks as f64 / 52.0;
            let count = |per_cent: f64| (expected * (1.0 + per_cent / 100.0)).round() as u64;
            assert!(binomial::tails(decks, CELL, count(above)).1 < p_value);
            assert!(binomial::tails(decks, CELL, count(above) - 1).1 >= p_value);
            if let Some(below) = below {
                assert!(binomial::tails(decks, CELL, count(-below)).0 < p_value);
                assert!(binomial::tails(decks, CELL, count(-below) + 1).0 >= p_value);
            }
            // (51/52)^1000 is 4e-9, (51/52)^50 is 0.4.
            assert_eq!(below.is_some(), decks >= 1_000);
        }
        assert_eq!(cell_limits(3, 1e-9), None);
    }
}
