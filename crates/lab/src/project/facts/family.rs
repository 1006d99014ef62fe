//! All audits of a package judged together: one level for all of them, shared after Holm (1979).

use serde::{Deserialize, Serialize};

use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::AuditResult;

/// All audits and raw outputs as one family of tests.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FamilyFacts {
    /// The level of the whole family, as the project froze it.
    pub level: f64,
    /// How many tests share it: audits and raw outputs, each by its family p-value at first look.
    pub tests: u64,
    /// Audits and files of words that say investigate by themselves and have no repeat that decides.
    pub alone: u64,
    /// The probability that at least one of as many independent audits of a fair shuffle says so by itself.
    pub chance_of_alone: f64,
}

/// The p-values of a family, each adjusted: it is at most the level exactly where Holm's procedure rejects it
/// (S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979).
pub fn adjusted(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut highest: f64 = 0.0;
    for (rank, place) in order.into_iter().enumerate() {
        highest = highest.max(((p_values.len() - rank) as f64 * p_values[place]).min(1.0));
        adjusted[place] = highest;
    }
    adjusted
}

/// Whether an audit asks for an investigation and nothing of it can answer: recorded decks without a rest. A stream that
/// ended in its repeat has no such excuse.
pub fn is_open(result: &AuditResult) -> bool {
    result.verdict == Verdict::Investigate && result.repeat.is_none() && result.repeat_missing.is_none()
}

/// What an audit says among all audits of its package.
pub fn verdict_in_family(result: &AuditResult, adjusted_p_value: f64, level: f64) -> Verdict {
    if is_open(result) {
        open_in_family(adjusted_p_value, level, result.first.decks >= result.plan.decks_min)
    } else {
        result.verdict
    }
}

/// What becomes of a question that nothing can answer: it remains only where it remains among all (Holm).
pub fn open_in_family(adjusted_p_value: f64, level: f64, is_enough: bool) -> Verdict {
    match (adjusted_p_value < level, is_enough) {
        (true, _) => Verdict::Investigate,
        (false, true) => Verdict::Pass,
        (false, false) => Verdict::Inconclusive,
    }
}

/// The probability that at least one of so many independent tests says something at a level by chance.
pub fn chance_of_any(tests: u64, level: f64) -> f64 {
    1.0 - libm::pow(1.0 - level, tests as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values: R 4.3, `p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")` gives 0.03 0.06 0.06 0.02, the example of its
    /// manual's definition worked by hand.
    #[test]
    fn p_values_are_adjusted_after_holm() {
        let found = adjusted(&[0.01, 0.04, 0.03, 0.005]);
        for (found, wanted) in found.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        }
        assert_eq!(adjusted(&[0.7, 0.9]), [1.0, 1.0]);
        assert!(adjusted(&[]).is_empty());
    }

    /// By hand: the smallest of three has to be below a third of the level, 0.0033.
    #[test]
    fn a_question_remains_only_where_it_remains_among_all() {
        let judged = |p_value: f64, is_enough| {
            let adjusted = adjusted(&[0.4, 0.7, p_value]);
            open_in_family(adjusted[2], 0.01, is_enough)
        };
        assert_eq!(judged(0.003, true), Verdict::Investigate);
        assert_eq!(judged(0.004, true), Verdict::Pass);
        assert_eq!(judged(0.004, false), Verdict::Inconclusive);
    }

    #[test]
    fn one_of_thirty_fair_audits_says_something_in_a_quarter_of_all_projects() {
        // 1 - 0.99^30 = 0.2603 (bc -l).
        assert!((chance_of_any(30, 0.01) - 0.2603).abs() < 1e-4);
        assert!((chance_of_any(1, 0.01) - 0.01).abs() < 1e-12);
    }
}
