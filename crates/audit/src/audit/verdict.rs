//! The verdict: the one place where p-values become words.
//!
//! A perfect shuffle that is audited with the repeat is failed in the end with probability at most
//! 1e-6 + 0.01·0.01 ≈ 1.01e-4: the first look fails at once with at most 1e-6 and asks for the repeat with
//! at most 0.01 (union over families and their p-values); the repeat sees fresh decks, independent of the
//! first, and fails with at most 0.01. Nothing else ends in a fail: proof cannot arise from a perfect
//! shuffle except by a repeated deck, of probability below N²/2·2⁻⁹⁶.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use deckproof_deck::text::named::named;
use deckproof_verify::claim::{Claim, ClaimGap, ClaimSubject, Claims, Headline, Otherwise, Witness};

named! {
    /// What an audit says.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Verdict {
        /// Nothing was found.
        Pass = "pass",
        /// Something is unlikely under a fair shuffle, not yet proof.
        Investigate = "investigate",
        /// Proof, or evidence that can carry a conviction.
        Fail = "fail",
        /// Too little data to say anything.
        Inconclusive = "inconclusive",
    }
    /// The word in certificates and tables.
    pub fn name;
}

impl Verdict {
    /// What statistics claim of a subject; `place` is what they rest on.
    pub fn claim(self, subject: ClaimSubject, place: &str) -> Claim {
        match self {
            Verdict::Pass => Claim::shown(subject, Witness::Computation),
            Verdict::Fail => Claim::contradicted(subject, self.name(), place),
            Verdict::Investigate => Claim::contradicted(subject, self.name(), place).or(Otherwise::Chance),
            Verdict::Inconclusive => Claim::not_looked_at(subject, ClaimGap::TooFew),
        }
    }

    /// The word over claims: a pass only if all that is needed is shown, whatever the statistics alone would say.
    pub fn of(claims: &Claims) -> Verdict {
        match claims.headline() {
            Headline::Refused if claims.is_question() => Verdict::Investigate,
            Headline::Refused => Verdict::Fail,
            Headline::Accepted => Verdict::Pass,
            Headline::Partly | Headline::Consistent => Verdict::Inconclusive,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One p-value as the verdict sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The family it shares its level with.
    pub family: &'static str,
    /// Two-sided p-value.
    pub p_value: f64,
    /// The p-value that may convict: itself, a proven bound in its stead, or 1.
    pub p_value_convicting: f64,
}

/// The K families of a verdict, each with m_f, the number of p-values that share its part of the level.
pub type Families = BTreeMap<String, u64>;

/// The families that findings have by themselves, where no plan states them.
pub fn families_of(findings: &[Finding]) -> Families {
    let mut families = Families::new();
    findings.iter().for_each(|finding| *families.entry(finding.family.to_owned()).or_default() += 1);
    families
}

/// What the rule needs besides the findings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rule {
    /// Family p-values below this are not a pass.
    pub level: f64,
    /// Family p-values below this are a fail at once, if they can carry it.
    pub level_fail: f64,
    /// With fewer decks and nothing found the verdict is inconclusive.
    pub decks_min: u64,
}

/// A verdict and the two family p-values it hangs on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// `min(1, K·min_f min(1, m_f·min p in f))` over all p-values.
    pub family_p_value: f64,
    /// The same over the p-values that may convict.
    pub family_p_value_convicting: f64,
}

/// Judges findings: equal shares of the level for the K families, and inside a family Holm over its
/// m_f p-values, of which the smallest decides (see [`crate::audit`]). Order does not matter. Families may have more
/// p-values than were found, never fewer.
pub fn judge(
    rule: &Rule,
    has_proof: bool,
    decks: u64,
    findings: &[Finding],
    families: &Families,
) -> Judgement {
    let family_p_value = family_p_value(findings, families, |finding| finding.p_value);
    let family_p_value_convicting = family_p_value_of_convicting(findings, families);
    let verdict = if has_proof || family_p_value_convicting < rule.level_fail {
        Verdict::Fail
    } else if family_p_value < rule.level {
        Verdict::Investigate
    } else if decks < rule.decks_min {
        Verdict::Inconclusive
    } else {
        Verdict::Pass
    };
    Judgement { verdict, family_p_value, family_p_value_convicting }
}

/// Judges the one repeat on fresh decks: below its level it fails, otherwise it passes, and that is final.
pub fn judge_repeat(level: f64, has_proof: bool, findings: &[Finding], families: &Families) -> Judgement {
    let family_p_value = family_p_value(findings, families, |finding| finding.p_value);
    let family_p_value_convicting = family_p_value_of_convicting(findings, families);
    let is_fail = has_proof || family_p_value < level;
    let verdict = if is_fail { Verdict::Fail } else { Verdict::Pass };
    Judgement { verdict, family_p_value, family_p_value_convicting }
}

/// The final verdict: that of the repeat, where the first look asked for it and it was had. Too few
/// decks in both looks together pass nobody.
pub fn final_verdict(first: Verdict, repeat: Option<Verdict>, has_enough_decks: bool) -> Verdict {
    match (first, repeat) {
        (Verdict::Investigate, Some(Verdict::Pass)) if !has_enough_decks => Verdict::Inconclusive,
        (Verdict::Investigate, Some(repeat)) => repeat,
        (first, _) => first,
    }
}

fn family_p_value_of_convicting(findings: &[Finding], families: &Families) -> f64 {
    family_p_value(findings, families, |finding| finding.p_value_convicting)
}

fn family_p_value(findings: &[Finding], families: &Families, p_value: impl Fn(&Finding) -> f64) -> f64 {
    joint_p_value_in(families, findings.iter().map(|finding| (finding.family, p_value(finding))))
}

/// `min(1, K·min_f min(1, m_f·min p in f))` of p-values with their families, in any order.
pub fn joint_p_value<'a>(p_values: impl Iterator<Item = (&'a str, f64)> + Clone) -> f64 {
    let mut families = Families::new();
    p_values.clone().for_each(|(family, _)| *families.entry(family.to_owned()).or_default() += 1);
    joint_p_value_in(&families, p_values)
}

fn joint_p_value_in<'a>(families: &Families, p_values: impl Iterator<Item = (&'a str, f64)>) -> f64 {
    // A family without a share has none of the level: the judge checks that there is no such one.
    let allowed_for =
        |(family, p_value)| families.get(family).map_or(1.0, |&members| members as f64 * p_value);
    let smallest = p_values.map(allowed_for).fold(1.0, f64::min);
    // Without any finding there is nothing to multiply, and nothing against the shuffler either.
    (families.len().max(1) as f64 * smallest).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::text::exit::Exit;
    use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};
    use proptest::test_runner::Config;
    use rand::rngs::ChaCha20Rng;
    use rand::{RngExt, SeedableRng};

    /// As without a plan.
    fn judge(rule: &Rule, has_proof: bool, decks: u64, findings: &[Finding]) -> Judgement {
        super::judge(rule, has_proof, decks, findings, &families_of(findings))
    }

    fn judge_repeat(level: f64, has_proof: bool, findings: &[Finding]) -> Judgement {
        super::judge_repeat(level, has_proof, findings, &families_of(findings))
    }

    #[test]
    fn over_all_claims_the_word_is_no_better_than_what_is_needed_and_fails_without_chance() {
        let other = ClaimSubject::AllRead;
        for statistics in Verdict::ALL {
            for also in Verdict::ALL {
                for is_needed in [false, true] {
                    let claims =
                        vec![statistics.claim(ClaimSubject::NoDeparture, "p"), also.claim(other, "q")];
                    let needed = [ClaimSubject::NoDeparture, other];
                    let claims = Claims::new(claims, &needed[..1 + usize::from(is_needed)]);
                    // The worse of both; what nobody could say of what is not needed takes nothing away.
                    let is_open = also == Verdict::Inconclusive && !is_needed;
                    let order = [Verdict::Pass, Verdict::Inconclusive, Verdict::Investigate, Verdict::Fail];
                    let place = |verdict| order.iter().position(|own| *own == verdict);
                    let wanted = if place(statistics) >= place(also) || is_open { statistics } else { also };
                    assert_eq!(Verdict::of(&claims), wanted, "{claims:?}");
                    let exit = match wanted {
                        Verdict::Pass => Exit::Passed,
                        Verdict::Inconclusive => Exit::CouldNotSay,
                        Verdict::Investigate => Exit::Investigate,
                        Verdict::Fail => Exit::Refused,
                    };
                    assert_eq!(claims.exit(), exit, "{claims:?}");
                }
            }
        }
    }

    const RULE: Rule = Rule { level: 0.01, level_fail: 1e-6, decks_min: 1_000 };
    const FAMILIES: [&str; 4] = ["cycles", "inversions", "adjacency", "duplicates"];

    fn check(findings: &[(&'static str, f64, f64)], decks: u64, verdict: Verdict, family_p_value: f64) {
        let findings: Vec<Finding> = findings
            .iter()
            .map(|&(family, p_value, p_value_convicting)| Finding { family, p_value, p_value_convicting })
            .collect();
        let judgement = judge(&RULE, false, decks, &findings);
        assert_eq!(judgement.verdict, verdict);
        assert!((judgement.family_p_value - family_p_value).abs() < 1e-12, "{judgement:?}");
    }

    #[test]
    fn rows_worked_by_hand() {
        check(&[], 5_000, Verdict::Pass, 1.0);
        check(&[("a", 0.5, 0.5)], 999, Verdict::Inconclusive, 0.5);
        // Two families, one of two p-values: 2 · (2 · 0.004) = 0.016.
        check(&[("a", 0.004, 1.0), ("a", 0.9, 1.0), ("b", 0.5, 1.0)], 5_000, Verdict::Pass, 0.016);
        check(&[("a", 0.002, 1.0), ("a", 0.9, 1.0), ("b", 0.5, 1.0)], 5_000, Verdict::Investigate, 0.008);
        // Strong but approximate: a question, not a conviction.
        check(&[("a", 1e-20, 1.0)], 5_000, Verdict::Investigate, 1e-20);
        check(&[("a", 1e-20, 1e-9)], 10, Verdict::Fail, 1e-20);
    }

    #[test]
    fn the_level_is_shared_as_the_plan_says_whatever_was_found() {
        let finding = |family, p_value| Finding { family, p_value, p_value_convicting: p_value };
        // Four families, five p-values in the first: 4 · 5 · 0.001, of which only two were found.
        let families: Families =
            [("a", 5), ("b", 1), ("c", 2), ("d", 1)].map(|(name, held)| (name.to_owned(), held)).into();
        let found = [finding("a", 0.001), finding("b", 0.5)];
        let judged = super::judge(&RULE, false, 5_000, &found, &families);
        assert!(
            (judged.family_p_value - 0.02).abs() < 1e-12 && judged.verdict == Verdict::Pass,
            "{judged:?}"
        );
        assert_eq!(judge(&RULE, false, 5_000, &found).verdict, Verdict::Investigate);
        let judged = super::judge_repeat(0.01, false, &found, &families);
        assert!((judged.family_p_value_convicting - 0.02).abs() < 1e-12, "{judged:?}");
        assert_eq!(judged.verdict, Verdict::Pass);
    }

    #[test]
    fn proof_fails_whatever_the_p_values_say() {
        assert_eq!(judge(&RULE, true, 10, &[]).verdict, Verdict::Fail);
    }

    #[test]
    fn a_perfect_shuffle_is_failed_in_the_end_no_more_often_than_promised() {
        // Levels 0.2 in the place of 0.01, so that the rate can be counted: at most 0.001 + 0.2·0.2.
        let rule = Rule { level: 0.2, level_fail: 0.001, decks_min: 0 };
        let mut rng = ChaCha20Rng::seed_from_u64(11);
        let mut look = || -> Vec<Finding> {
            let finding = |at: usize| {
                let p_value: f64 = rng.random();
                Finding { family: FAMILIES[at % 4], p_value, p_value_convicting: p_value }
            };
            (0..10).map(finding).collect()
        };
        let (audits, mut fails) = (20_000, 0);
        for _ in 0..audits {
            let first = judge(&rule, false, 1, &look()).verdict;
            let repeat = judge_repeat(rule.level, false, &look()).verdict;
            fails += u32::from(final_verdict(first, Some(repeat), true) == Verdict::Fail);
        }
        // Six standard deviations of a count around 820 above what is promised, and not idle either.
        assert!((400..=820 + 170).contains(&fails), "{fails} of {audits}");
    }

    #[test]
    fn too_few_decks_in_both_looks_pass_nobody() {
        let verdict_after = |repeat| final_verdict(Verdict::Investigate, Some(repeat), false);
        assert_eq!(verdict_after(Verdict::Pass), Verdict::Inconclusive);
        assert_eq!(verdict_after(Verdict::Fail), Verdict::Fail);
    }

    fn findings() -> impl Strategy<Value = Vec<Finding>> {
        let finding = (0..FAMILIES.len(), 0.0..1.0f64, 0.0..12.0f64).prop_map(|(family, p_value, power)| {
            let p_value = p_value * libm::pow(10f64, -power);
            Finding { family: FAMILIES[family], p_value, p_value_convicting: p_value }
        });
        proptest::collection::vec(finding, 1..12)
    }

    fn severity(verdict: Verdict) -> u8 {
        match verdict {
            Verdict::Pass | Verdict::Inconclusive => 0,
            Verdict::Investigate => 1,
            Verdict::Fail => 2,
        }
    }

    fn config() -> Config {
        Config {
            rng_seed: proptest::test_runner::RngSeed::Fixed(7),
            failure_persistence: None,
            ..Config::default()
        }
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn a_smaller_p_value_never_helps_the_rejected(mut findings in findings(), which in 0..12usize, factor in 0.0..1.0f64) {
            let before = judge(&RULE, false, 5_000, &findings);
            let which = which % findings.len();
            findings[which].p_value *= factor;
            findings[which].p_value_convicting *= factor;
            let after = judge(&RULE, false, 5_000, &findings);
            prop_assert!(after.family_p_value <= before.family_p_value);
            prop_assert!(severity(before.verdict) <= severity(after.verdict));
        }

        #[test]
        fn a_repeat_ends_in_pass_or_fail_and_a_smaller_p_value_never_helps(mut findings in findings(), which in 0..12usize, factor in 0.0..1.0f64) {
            let before = judge_repeat(RULE.level, false, &findings);
            prop_assert!(matches!(before.verdict, Verdict::Pass | Verdict::Fail));
            let which = which % findings.len();
            findings[which].p_value *= factor;
            let after = judge_repeat(RULE.level, false, &findings);
            prop_assert!(severity(before.verdict) <= severity(after.verdict));
            // Only a first look that asks is answered.
            for first in Verdict::ALL {
                let verdict = final_verdict(first, Some(after.verdict), true);
                prop_assert_eq!(verdict, if first == Verdict::Investigate { after.verdict } else { first });
                prop_assert_eq!(final_verdict(first, None, true), first);
            }
        }

        #[test]
        fn the_order_of_findings_does_not_matter(mut findings in findings(), turn in 0..12usize) {
            let before = judge(&RULE, false, 5_000, &findings);
            let turn = turn % findings.len();
            findings.rotate_left(turn);
            findings.reverse();
            prop_assert_eq!(before, judge(&RULE, false, 5_000, &findings));
        }
    }
}
