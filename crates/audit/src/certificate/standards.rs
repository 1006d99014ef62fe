//! What each regulator's standard says of the same p-values, at its own level.
//!
//! The names a standard lists are its families: `min(1, K·min_f min(1, m_f·min p in f))` over the K names
//! that ran, as for the verdict (Holm 1979), so that a standard of many names does not reject more often
//! than its level says.

use serde::{Deserialize, Serialize};

use crate::audit::verdict::joint_p_value;
use crate::certificate::{StatisticRecord, six_digits};
use crate::standards::{self, NamedTest, Standard};
use deckproof_deck::text::decimal::thousands;
use deckproof_deck::text::named::named;

named! {
    /// What a standard says.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Conformity {
        /// Every name ran, and none speaks against the shuffler at this level.
        Met = "tests met",
        /// Some name that ran does.
        NotMet = "tests not met",
        /// No name that ran speaks against it, but not all ran: the standard is neither met nor broken.
        Incomplete = "incomplete",
        /// No name ran.
        NotRun = "not run",
    }
    /// The words of tables.
    pub fn name;
}

/// One standard at one level.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandardRecord {
    /// Its name.
    pub name: String,
    /// Where it names its tests.
    pub clause: String,
    /// Confidence in percent: the level is 1 − this.
    pub confidence_percent: u32,
    /// What it says.
    pub verdict: Conformity,
    /// The p-value of all its names that ran, to 6 digits.
    pub family_p_value: Option<f64>,
    /// How many of its names ran.
    pub names_run: usize,
    /// Which names did not run, and why.
    pub reason: Option<String>,
    /// Its names.
    pub tests: Vec<TestRecord>,
}

/// One name of a standard.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestRecord {
    /// The regulator's name.
    pub name: String,
    /// How many p-values answer to it.
    pub p_values: usize,
    /// The smallest of them times their number, to 6 digits.
    pub p_value: Option<f64>,
    /// `not built`, or that its statistics had not enough decks.
    pub not_run: Option<String>,
}

/// Every standard at each of its levels. What is too few decks for the verdict to pass is too few to meet a standard.
pub(super) fn judge_all(statistics: &[StatisticRecord], scarce: Option<Scarce>) -> Vec<StandardRecord> {
    judge_table(standards::all(), statistics, scarce)
}

/// The same by the table that a certificate names: the present one, or that of the builds before.
pub(super) fn judge_as_named(
    stated: &[StandardRecord],
    statistics: &[StatisticRecord],
    scarce: Option<Scarce>,
) -> Vec<StandardRecord> {
    let earlier = judge_table(standards::earlier(), statistics, scarce);
    let names = |records: &[StandardRecord]| {
        let name = |own: &StandardRecord| (own.name.clone(), own.clause.clone(), own.confidence_percent);
        records.iter().map(name).collect::<Vec<_>>()
    };
    if names(stated) == names(&earlier) { earlier } else { judge_all(statistics, scarce) }
}

fn judge_table(
    table: &'static [Standard],
    statistics: &[StatisticRecord],
    scarce: Option<Scarce>,
) -> Vec<StandardRecord> {
    let of_standard = |standard: &'static Standard| {
        let answers: Vec<Answers> = standard.tests.iter().map(|test| Answers::of(test, statistics)).collect();
        let were_dealt = answers.iter().any(|answers| !answers.p_values.is_empty());
        let percents = standard.confidence_percent.iter().filter(|_| !standard.is_of_hands || were_dealt);
        percents.map(|&percent| judge(standard, percent, &answers, scarce)).collect::<Vec<_>>()
    };
    table.iter().flat_map(of_standard).collect()
}

/// The p-values that answer to a name, looked for once: a small audit would wait for every other time.
struct Answers {
    test: &'static NamedTest,
    p_values: Vec<f64>,
}

impl Answers {
    fn of(test: &'static NamedTest, statistics: &[StatisticRecord]) -> Answers {
        let own = statistics.iter().filter(|record| test.is_answered_by(&record.id));
        Answers { test, p_values: own.map(|record| record.p_value).collect() }
    }
}

/// Fewer decks than the verdict needs to pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scarce {
    decks: u64,
    decks_min: u64,
}

impl Scarce {
    /// If they are fewer.
    pub(super) fn of(decks: u64, decks_min: u64) -> Option<Scarce> {
        (decks < decks_min).then_some(Scarce { decks, decks_min })
    }

    fn reason(self) -> String {
        format!(
            "{} decks are fewer than the {} that a pass needs.",
            thousands(self.decks),
            thousands(self.decks_min)
        )
    }
}

fn judge(
    standard: &Standard,
    confidence_percent: u32,
    answers: &[Answers],
    scarce: Option<Scarce>,
) -> StandardRecord {
    let named = answers.iter().flat_map(|own| own.p_values.iter().map(|&p_value| (own.test.name, p_value)));
    let family_p_value = joint_p_value(named);
    let tests: Vec<TestRecord> = answers.iter().map(record_of).collect();
    let names_run = tests.iter().filter(|test| test.p_values > 0).count();
    let level = f64::from(100 - confidence_percent) / 100.0;
    let verdict = match names_run {
        0 => Conformity::NotRun,
        _ if family_p_value < level => Conformity::NotMet,
        _ if names_run < tests.len() || scarce.is_some() => Conformity::Incomplete,
        _ => Conformity::Met,
    };
    StandardRecord {
        name: standard.name.to_owned(),
        clause: standard.clause.to_owned(),
        confidence_percent,
        verdict,
        family_p_value: (names_run > 0).then(|| six_digits(family_p_value)),
        names_run,
        reason: scarce
            .map(Scarce::reason)
            .into_iter()
            .chain(reason(&tests))
            .reduce(|a, b| format!("{a} {b}")),
        tests,
    }
}

fn record_of(Answers { test, p_values }: &Answers) -> TestRecord {
    let count = p_values.len();
    let smallest = p_values.iter().copied().reduce(f64::min);
    let not_run = match (count, test.is_built()) {
        (0, false) => Some("not built"),
        (0, true) => Some("its statistics did not run"),
        _ => None,
    };
    TestRecord {
        name: test.name.to_owned(),
        p_values: count,
        p_value: smallest.map(|smallest| six_digits((count as f64 * smallest).min(1.0))),
        not_run: not_run.map(str::to_owned),
    }
}

fn reason(tests: &[TestRecord]) -> Option<String> {
    let missing: Vec<String> = tests
        .iter()
        .filter_map(|test| test.not_run.as_ref().map(|why| format!("{} ({why})", test.name)))
        .collect();
    (!missing.is_empty())
        .then(|| format!("{} of {} names did not run: {}.", missing.len(), tests.len(), missing.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text asks for more than its named tests, such as unpredictability (25 CFR 547.14(a)): none is ever just met.
    #[test]
    fn no_word_says_that_a_whole_text_is_met() {
        let words = [Conformity::Met, Conformity::NotMet, Conformity::Incomplete, Conformity::NotRun]
            .map(Conformity::name);
        assert_eq!(words, ["tests met", "tests not met", "incomplete", "not run"]);
    }

    fn verdicts(statistics: &[StatisticRecord], name: &str) -> Vec<(u32, Conformity)> {
        let records = judge_all(statistics, None);
        let own = records.into_iter().filter(|record| record.name == name);
        own.map(|record| (record.confidence_percent, record.verdict)).collect()
    }

    #[test]
    fn rows_worked_by_hand() {
        use Conformity::{Incomplete, Met, NotMet, NotRun};
        // One name of two p-values, one of one: 2 · min(2 · 0.006, 0.5) = 0.024, below the one level that it names.
        let rows = [("deck.runs.total", 0.006), ("deck.runs.mean", 0.3), ("deck.parity.even", 0.5)];
        let rows: Vec<StatisticRecord> = rows.iter().map(|&(id, p)| StatisticRecord::exact(id, p)).collect();
        assert_eq!(verdicts(&rows, "Pennsylvania"), [(95, NotMet)]);
        // GLI-19 names runs, not permutations: 1 · 2 · 0.006.
        assert_eq!(verdicts(&rows, "GLI-19"), [(99, Incomplete)]);
        let gli = judge_all(&rows, None).into_iter().find(|record| record.name == "GLI-19");
        assert_eq!(gli.and_then(|record| record.family_p_value), Some(0.012));
        assert_eq!(verdicts(&[], "25 CFR 547.14"), [(99, NotRun)]);
        // All seven names ran.
        let all = standards::all()[0]
            .tests
            .iter()
            .map(|test| StatisticRecord::exact(&format!("{}.part", test.statistics[0]), 0.4));
        let all: Vec<StatisticRecord> = all.collect();
        assert_eq!(verdicts(&all, "GLI-19"), [(99, Met)]);
        // Of ten decks they say no more than the verdict does.
        let scarce = judge_all(&all, Scarce::of(10, 1_000));
        let gli = scarce.iter().find(|record| record.name == "GLI-19").expect("it is in the list");
        assert_eq!(gli.verdict, Incomplete);
        assert_eq!(gli.reason.as_deref(), Some("10 decks are fewer than the 1,000 that a pass needs."));
        assert!(Scarce::of(1_000, 1_000).is_none());
        // Hands were not dealt, or some were.
        assert!(verdicts(&rows, "Stud set").is_empty());
        assert_eq!(
            verdicts(&[StatisticRecord::exact("deck.winner.total", 0.001)], "Stud set"),
            [(99, NotMet)]
        );
    }
}
