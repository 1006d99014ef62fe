//! What a verdict rests on, as values: the p-value that decided, the weakest, and whether the records were sorted.

use crate::audit::verdict::Verdict;
use crate::certificate::look::Look;
use crate::certificate::{AuditResult, StatisticRecord};

/// The direction in which all records of a file are sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SortOrder {
    /// Each record comes behind the one before it in a dictionary.
    Ascending,
    /// Before it.
    Descending,
}

/// Chance puts records in order more rarely than this.
const SORTED_P_VALUE: f64 = 1e-6;

/// How the records were sorted, where all of them were.
pub fn sort_order(look: &Look) -> Option<SortOrder> {
    let record = look.statistics.iter().find(|record| record.id == "deck.sorted-records.pairs");
    let record = record.filter(|record| record.p_value < SORTED_P_VALUE)?;
    let pairs = record.score_name.rsplit(' ').next().and_then(|pairs| pairs.parse::<f64>().ok());
    match record.score {
        score if score < 0.5 => Some(SortOrder::Descending),
        score if pairs.is_some_and(|pairs| score > pairs - 0.5) => Some(SortOrder::Ascending),
        _ => None,
    }
}

/// Whether a family p-value below the level of a fail is none, because approximations convict nobody.
pub fn is_approximate(result: &AuditResult) -> bool {
    result.verdict == Verdict::Investigate && result.deciding().family_p_value < result.plan.level_fail
}

/// The record with the smallest p-value.
pub fn weakest(look: &Look) -> Option<&StatisticRecord> {
    look.statistics.iter().min_by(|a, b| a.p_value.total_cmp(&b.p_value))
}

/// The p-value that may convict, as the verdict counts it: one whose tail is trusted, else a proven bound, or none.
fn carries(record: &StatisticRecord) -> f64 {
    record.tail.may_convict().then_some(record.p_value).or(record.p_value_bound).unwrap_or(1.0)
}

/// What convicts, where the smallest p-value is an approximation that may not: the record whose p-value is the smallest of
/// those that are exact or proven, with that p-value.
pub fn convicting(look: &Look) -> Option<(&StatisticRecord, f64)> {
    let smallest = look.statistics.iter().min_by(|a, b| carries(a).total_cmp(&carries(b)))?;
    weakest(look).filter(|weakest| weakest.id != smallest.id).map(|_| (smallest, carries(smallest)))
}

/// The p-value on which a verdict hangs that is not a pass, with the joint p-value that was compared with the level.
#[derive(Clone, PartialEq, Debug)]
pub struct DecidingPValue {
    /// `view.statistic.part`.
    pub id: String,
    /// How many decks it rests on.
    pub decks: u64,
    /// It, or the proven bound that convicts in its stead.
    pub p_value: f64,
    /// Corrected for all p-values of the look.
    pub family_p_value: f64,
    /// Below this the verdict is what it is.
    pub level: f64,
    /// Whether only what is exact or proven was counted.
    pub is_convicting: bool,
    /// Whether it is one of the declared repeat.
    pub is_repeat: bool,
}

/// What decided, where p-values did and nothing was passed.
pub fn deciding_p_value(result: &AuditResult) -> Option<DecidingPValue> {
    let look = result.deciding();
    let is_found = matches!(result.word(), Verdict::Fail | Verdict::Investigate) && look.proofs.is_empty();
    let repeat = result.repeat.as_ref().and(result.plan.repeat.as_ref());
    let (level, shares) = match (repeat, result.verdict) {
        (Some(repeat), _) => (repeat.level, &repeat.families),
        (None, Verdict::Fail) => (result.plan.level_fail, &result.plan.families),
        (None, _) => (result.plan.level, &result.plan.families),
    };
    let is_convicting = repeat.is_none() && result.verdict == Verdict::Fail;
    let weight = |record: &StatisticRecord| {
        let own = if is_convicting { carries(record) } else { record.p_value };
        (own, shares.get(&record.family).map_or(f64::INFINITY, |members| *members as f64 * own))
    };
    let all = look.statistics.iter().map(|record| (record, weight(record)));
    let (record, (p_value, _)) = all.min_by(|(_, a), (_, b)| a.1.total_cmp(&b.1)).filter(|_| is_found)?;
    Some(DecidingPValue {
        id: record.id.clone(),
        decks: record.decks,
        p_value,
        family_p_value: if is_convicting { look.family_p_value_convicting } else { look.family_p_value },
        level,
        is_convicting,
        is_repeat: repeat.is_some(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::plan::Plan;
    use crate::audit::selection::Selection;
    use crate::certificate::look::Turn;
    use crate::source::flawed;
    use deckproof_stats::battery::{Tail, Tier};

    /// As the verdict counts it (`Judged::finding`): a looser bound does not take the place of a p-value that may convict.
    #[test]
    fn a_p_value_that_may_convict_goes_before_its_bound() {
        let carried = |tail: Tail, p_value_bound: Option<f64>| {
            let record = StatisticRecord::exact("deck.bring-in.seat-shape", 3e-9);
            carries(&StatisticRecord { tail, p_value_bound, ..record })
        };
        assert_eq!(carried(Tail::LargeExpectations, Some(0.5)), 3e-9);
        assert_eq!((carried(Tail::Asymptotic, Some(0.5)), carried(Tail::Asymptotic, None)), (0.5, 1.0));
    }

    #[test]
    fn sorted_records_are_seen_with_their_direction() {
        let selection = Selection::of_tiers(&Tier::OF_DECKS).only(&["parity".to_owned()]);
        let plan = Plan::of_selection(flawed::record("sattolo", 1), Some(1_000), &selection);
        let order_of = |score: f64, p_value: f64| {
            let mut look = Look::of_bad_record(&plan, Turn::First, 7, String::new());
            let score_name = "ascending of 500".to_owned();
            let record = StatisticRecord::exact("deck.sorted-records.pairs", p_value);
            look.statistics = vec![StatisticRecord { score_name, score, ..record }];
            sort_order(&look)
        };
        assert_eq!(order_of(0.0, 1e-9), Some(SortOrder::Descending));
        assert_eq!(order_of(500.0, 1e-9), Some(SortOrder::Ascending));
        for score in [0.5, 1.0, 250.0, 499.0, 499.5] {
            assert_eq!(order_of(score, 1e-9), None, "{score}: some pairs go the other way");
        }
        assert_eq!(order_of(500.0, 0.5), None, "as by chance");
    }
}
