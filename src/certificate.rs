//! The certificate: the public record of an audit, from which anybody can judge again.
//!
//! `{result, tool}`: only `result` is compared between two runs. It holds no clock time, thread count
//! or machine name, so the same question to the same executable gives the same bytes.

pub mod rejudge;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::audit::evidence::Evidence;
use crate::audit::plan::{Plan, SourceRecord};
use crate::audit::verdict::{Finding, Rule, Verdict, judge};
use crate::battery::duplicates::{self, DuplicatesCount};
use crate::battery::{self, About, Outcome, View};

/// The version of the record.
pub const CERTIFICATE_FORMAT: &str = "deckproof/certificate/v1";

/// The decision rule, as every certificate states it (ISO/IEC 17025, 7.8.6).
pub const RULE: &str = "The family p-value is K times the smallest of the K families' p-values, and a family's \
    p-value is its number of p-values times the smallest of them (Holm, 1979). Fail: proof (a record that is no \
    deck, a repeated deck), or a family p-value below 0.000001 of p-values that rest on an exact law, a proven \
    bound or chi-squared with every expectation at least 1,000. Investigate: a family p-value below 0.01. \
    Inconclusive: fewer than 1,000 decks and nothing found. Pass: anything else. A perfect shuffle is not passed \
    with probability at most 0.01.";

/// An audit's record and the tool that made it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// What was asked, counted and found.
    pub result: AuditResult,
    /// What made it.
    pub tool: Tool,
}

/// The program that made a certificate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Version of the package.
    pub version: String,
    /// Git commit it was built from, or `unknown`.
    pub commit: String,
    /// SHA-256 of the executable file, or `unknown`.
    pub executable_sha256: String,
}

/// What was asked, counted and found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditResult {
    /// [`CERTIFICATE_FORMAT`].
    pub format: String,
    /// What was asked, frozen before the first deck.
    pub plan: Plan,
    /// SHA-256 of the plan.
    pub plan_sha256: String,
    /// Where the decks came from; for a stream with the SHA-256 of what was read.
    pub source: SourceRecord,
    /// How many decks were judged.
    pub decks: u64,
    /// The verdict.
    pub verdict: Verdict,
    /// The decision rule.
    pub rule: String,
    /// The p-value of the whole family, to 6 digits.
    pub family_p_value: f64,
    /// The same over the p-values that may convict.
    pub family_p_value_convicting: f64,
    /// What proves the shuffler wrong whatever the p-values say.
    pub proofs: Vec<String>,
    /// Every p-value.
    pub statistics: Vec<StatisticRecord>,
    /// Parts of the plan that did not run, and why.
    pub not_run: Vec<NotRun>,
    /// Looking for repeated decks.
    pub duplicates: Vec<DuplicateRecord>,
    /// The integers everything above follows from.
    pub tallies: Vec<TallyRecord>,
}

/// One p-value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatisticRecord {
    /// View, statistic and part, such as `deck.card-place.total`.
    pub id: String,
    /// The family it shares its level with.
    pub family: String,
    /// How many decks it saw.
    pub decks: u64,
    /// What the score is, such as `χ²(2601)`.
    pub score_name: String,
    /// The score, to 6 digits.
    pub score: f64,
    /// Two-sided p-value, to 6 digits.
    pub p_value: f64,
    /// How far its tail can be trusted.
    pub tail: String,
    /// A proven upper bound on the p-value, where the p-value is an approximation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub p_value_bound: Option<f64>,
}

/// A part of the plan that did not run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotRun {
    /// View and statistic.
    pub id: String,
    /// Why.
    pub reason: String,
}

/// How the look for repeated decks ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DuplicateRecord {
    /// Which decks.
    pub view: String,
    /// How many.
    pub decks: u64,
    /// How many fingerprints were kept.
    pub kept: u64,
    /// How many of them differ.
    pub distinct: u64,
    /// The kept ones are those below 2^(96 − halvings).
    pub halvings: u32,
    /// Pairs of equal fingerprints among them.
    pub pairs: u64,
}

/// The counts of one statistic on one view.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TallyRecord {
    /// Which decks.
    pub view: String,
    /// The statistic.
    pub id: String,
    /// How many decks were counted.
    pub decks: u64,
    /// The counts, in the order of the statistic's documentation.
    pub counts: Vec<u64>,
}

/// An outcome with the statistic and the decks it belongs to.
pub struct Judged {
    /// The statistic.
    pub about: &'static About,
    /// Its family.
    pub family: &'static str,
    /// Which decks.
    pub view: View,
    /// How many.
    pub decks: u64,
    /// What it says.
    pub outcome: Outcome,
}

impl Judged {
    /// View, statistic and part, such as `deck.card-place.total`.
    pub fn id(&self) -> String {
        format!("{}.{}.{}", self.view.name(), self.about.id, self.outcome.part)
    }

    fn record(&self) -> StatisticRecord {
        StatisticRecord {
            id: self.id(),
            family: self.family.to_owned(),
            decks: self.decks,
            score_name: self.outcome.score_name.clone(),
            score: six_digits(self.outcome.score),
            p_value: six_digits(self.outcome.p_value),
            tail: self.outcome.tail.name().to_owned(),
            p_value_bound: self.outcome.p_value_bound.map(six_digits),
        }
    }

    fn finding(&self) -> Finding {
        let own = self.outcome.tail.may_convict().then_some(self.outcome.p_value);
        let p_value_convicting = own.or(self.outcome.p_value_bound).unwrap_or(1.0);
        Finding { family: self.family, p_value: self.outcome.p_value, p_value_convicting }
    }
}

impl AuditResult {
    /// Judges evidence. `source` differs from the plan's only in what a stream's bytes hash to.
    pub fn of_evidence(plan: &Plan, source: SourceRecord, evidence: &Evidence) -> AuditResult {
        let selection = plan.selection();
        let tallies = evidence.views.iter().flat_map(|view| {
            selection.iter().zip(&view.counts).map(|(statistic, counts)| TallyRecord {
                view: view.view.name().to_owned(),
                id: statistic.about().id.to_owned(),
                decks: view.decks,
                counts: counts.clone(),
            })
        });
        let duplicates = evidence.views.iter().map(|view| {
            let DuplicatesCount { kept, distinct, halvings, pairs } = view.duplicates.count();
            DuplicateRecord {
                view: view.view.name().to_owned(),
                decks: view.decks,
                kept,
                distinct,
                halvings,
                pairs,
            }
        });
        AuditResult::of_integers(plan, source, tallies.collect(), duplicates.collect())
    }

    /// Judges counted integers: the same for a fresh run and for a certificate read back.
    pub fn of_integers(
        plan: &Plan,
        source: SourceRecord,
        tallies: Vec<TallyRecord>,
        duplicates: Vec<DuplicateRecord>,
    ) -> AuditResult {
        let decks = tallies.first().map_or(0, |tally| tally.decks);
        let judged = judged(&tallies, &duplicates);
        let findings: Vec<Finding> = judged.iter().map(Judged::finding).collect();
        let proofs: Vec<String> = duplicates.iter().filter_map(proof_of).collect();
        let rule = Rule { level: plan.level, level_fail: plan.level_fail, decks_min: plan.decks_min };
        let judgement = judge(&rule, !proofs.is_empty(), decks, &findings);
        AuditResult {
            format: CERTIFICATE_FORMAT.to_owned(),
            plan: plan.clone(),
            plan_sha256: plan.sha256(),
            source,
            decks,
            verdict: judgement.verdict,
            rule: RULE.to_owned(),
            family_p_value: six_digits(judgement.family_p_value),
            family_p_value_convicting: six_digits(judgement.family_p_value_convicting),
            proofs,
            statistics: judged.iter().map(Judged::record).collect(),
            not_run: not_run(&tallies, &judged),
            duplicates,
            tallies,
        }
    }

    /// A record that is not a deck ends the audit: no statistic is needed, and none is judged.
    pub fn of_bad_record(plan: &Plan, source: SourceRecord, decks_before: u64, proof: String) -> AuditResult {
        let mut result = AuditResult::of_integers(plan, source, Vec::new(), Vec::new());
        let reason = "a record that is not a deck ended the audit before the statistics were judged";
        result.decks = decks_before;
        result.verdict = Verdict::Fail;
        result.proofs = vec![proof];
        result.not_run = vec![NotRun { id: "all statistics".to_owned(), reason: reason.to_owned() }];
        result
    }

    /// The outcomes with their pictures, recomputed from the tallies.
    pub fn judged(&self) -> Vec<Judged> {
        judged(&self.tallies, &self.duplicates)
    }

    /// The size of the seed space that the absence of repeated decks shows, in words.
    pub fn seed_space_sentence(&self) -> Option<String> {
        let own = self.duplicates.iter().find(|record| record.view == View::Deck.name())?;
        Some(duplicates::seed_space_sentence(&own.count(), own.decks))
    }
}

impl DuplicateRecord {
    fn count(&self) -> DuplicatesCount {
        DuplicatesCount {
            kept: self.kept,
            distinct: self.distinct,
            halvings: self.halvings,
            pairs: self.pairs,
        }
    }
}

impl Certificate {
    /// The bytes of `certificate.json`.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string(self).expect("a certificate is plain data");
        text.push('\n');
        text
    }

    /// SHA-256 of the bytes.
    pub fn sha256(&self) -> String {
        base16ct::lower::encode_string(&Sha256::digest(self.to_json()))
    }
}

/// How the proof of a record that is no deck begins. It names the record by number only: the same
/// records prove the same wherever they are kept.
pub fn bad_record_opening(decks_before: u64) -> String {
    format!("Record {} is not a deck: ", decks_before.saturating_add(1))
}

fn judged(tallies: &[TallyRecord], duplicates: &[DuplicateRecord]) -> Vec<Judged> {
    let of_tally = |tally: &TallyRecord| {
        let view = View::ALL.into_iter().find(|view| view.name() == tally.view)?;
        let statistic = battery::all().iter().find(|statistic| statistic.about().id == tally.id)?;
        let enough = tally.decks >= statistic.about().decks_min;
        let outcomes = if enough { statistic.finish(&tally.counts, tally.decks) } else { Vec::new() };
        let (about, family, decks) = (statistic.about(), statistic.family(), tally.decks);
        Some(outcomes.into_iter().map(move |outcome| Judged { about, family, view, decks, outcome }))
    };
    let of_duplicates = |record: &DuplicateRecord| {
        let view = View::ALL.into_iter().find(|view| view.name() == record.view)?;
        let outcome = duplicates::outcome(&record.count(), record.decks);
        let about = &duplicates::ABOUT;
        Some(Judged { about, family: about.id, view, decks: record.decks, outcome })
    };
    let counted = tallies.iter().filter_map(of_tally).flatten();
    counted.chain(duplicates.iter().filter_map(of_duplicates)).collect()
}

fn proof_of(record: &DuplicateRecord) -> Option<String> {
    let what = if record.view == View::Deck.name() { "deck" } else { "step from one deck to the next" };
    (record.pairs > 0).then(|| {
        format!(
            "The same {what} came up again: {} equal pairs among {} fingerprints of 96 bits.",
            record.pairs, record.kept
        )
    })
}

fn not_run(tallies: &[TallyRecord], judged: &[Judged]) -> Vec<NotRun> {
    let has_run = |tally: &TallyRecord| {
        judged.iter().any(|judged| judged.about.id == tally.id && judged.view.name() == tally.view)
    };
    let silent = tallies.iter().filter(|tally| !has_run(tally));
    silent
        .map(|tally| {
            let statistic = battery::all().iter().find(|statistic| statistic.about().id == tally.id);
            let needed = statistic.map_or(0, |statistic| statistic.about().decks_min);
            NotRun {
                id: format!("{}.{}", tally.view, tally.id),
                reason: format!("not enough decks: needs {needed}, got {}", tally.decks),
            }
        })
        .collect()
}

/// Rounds to 6 significant digits, so that the last bits of a library's logarithm never show.
fn six_digits(value: f64) -> f64 {
    format!("{value:.5e}").parse().expect("a printed number parses")
}
