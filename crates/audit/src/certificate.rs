//! The certificate: the public record of an audit, from which anybody can judge again.
//!
//! `{tool, result}`: only `result` is compared between two runs. It holds no clock time, thread count
//! or machine name, so the same question to the same executable gives the same bytes.
//!
//! # The file
//! JSON with one short record a line. It begins with what a person asks first: the tool, the verdict, whose decks, the plan
//! with its K families and the m_f p-values of each, then the p-values under their statistics: part, what the score is, score,
//! p-value, tail and, where there is one, a proven bound. The counts from which everything else follows come last, packed:
//! `N:BASE85` is N counts in blocks of 128, which are equal, or lie around a middle, or go by steps, in a Rice code.
//! Every list has one such text. In Python:
//!
//! ```python
//! def counts(text):
//!     number, packed = text.split(":", 1); out, at = [], 0
//!     bits = "".join(f"{byte:08b}"[::-1] for byte in base64.b85decode(packed))
//!     def take(width):
//!         nonlocal at; at += width
//!         return int(bits[at - width:at][::-1] or "0", 2)
//!     def signed():
//!         u = shift = 0
//!         while True:
//!             byte = take(8); u |= (byte & 127) << shift; shift += 7
//!             if byte < 128: return u >> 1 if u % 2 == 0 else -(u + 1 >> 1)
//!     def rice(k):
//!         nonlocal at; zeros = bits.index("1", at) - at; at += zeros + 1
//!         u = zeros << k | take(k); return u >> 1 if u % 2 == 0 else -(u + 1 >> 1)
//!     while len(out) < int(number):
//!         own, form = min(128, int(number) - len(out)), take(8)
//!         base = (out[-1] if out else 0) + signed()
//!         if form == 128: out += [base] * own
//!         elif form < 64: out += [base + rice(form) for _ in range(own)]
//!         else:
//!             out.append(base)
//!             for _ in range(own - 1): out.append(out[-1] + rice(form - 64))
//!     return out
//! ```
//!
//! A certificate keeps what is asked of its counts ([`Statistic::keep`]): where no p-value depends on which cell has which
//! count, they stand in order, and waves of which only the highest is judged have that one.
//!
//! [`Statistic::keep`]: deckproof_stats::battery::Statistic::keep

mod base85;
mod claims;
pub mod effects;
pub mod findings;
pub mod held_again;
pub mod look;
pub(crate) mod packed;
pub(crate) mod pages;
pub mod rejudge;
#[doc(hidden)]
pub mod standards;
mod written;

use serde::{Deserialize, Serialize};

use crate::audit::evidence::Evidence;
use crate::audit::plan::Plan;
use crate::audit::verdict::{Finding, Verdict, final_verdict};
use crate::certificate::look::{Look, Turn};
use crate::certificate::pages::laid_out;
use crate::source::record::SourceRecord;
use deckproof_deck::json::Limits;
use deckproof_files::file;
use deckproof_stats::battery::duplicates::sketch::{Addresses, Sketch, SketchCount};
use deckproof_stats::battery::duplicates::{self, Equivalence};
use deckproof_stats::battery::{About, Outcome, Tail, View};

/// The version of the record.
pub const CERTIFICATE_FORMAT: &str = "deckproof/certificate/v6";

/// A certificate of all tiers with a repeat, read from outside, takes less than 1 MB; no object of it has many keys.
pub const LIMITS: Limits = Limits { bytes_max: 16 << 20, members_max: 4096 };

/// The decision rule, as every certificate states it (ISO/IEC 17025, 7.8.6).
pub const RULE: &str = "The family p-value is K times the smallest of the K families' p-values, and a family's \
    p-value is its number of p-values times the smallest of them (Holm, 1979); K and the numbers stand in the plan. Fail: proof (a record that is no \
    deck, a repeated deck), or a family p-value below 0.000001 of p-values that rest on an exact distribution, a proven \
    bound or chi-squared with every expectation at least 1,000. Investigate: a family p-value below 0.01. \
    Inconclusive: fewer than 1,000 decks and nothing found. Pass: anything else. If the first look says investigate \
    and the plan declares a repeat, the next decks of the same source, four times as many, are judged once by all \
    statistics again: a family p-value below 0.01, or proof, is a fail, anything else a pass, and that is final. A \
    perfect shuffle is not passed at first look with probability at most 0.01, and is failed in the end with \
    probability at most 0.000001 + 0.01 x 0.01, about 0.0001.";

/// An audit's record and the tool that made it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// What made it.
    pub tool: Tool,
    /// What was asked, counted and found.
    pub result: AuditResult,
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

/// Why bytes are no certificate that this program reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// More bytes than a certificate has.
    #[error("found {0} bytes, wanted at most {most}", most = LIMITS.bytes_max)]
    Long(usize),
    /// Another version of the record: nothing is wrong with it.
    #[error("this program knows {CERTIFICATE_FORMAT}, the certificate is {0:?}")]
    Format(String),
    /// Not the JSON of a certificate.
    #[error("{0}")]
    Text(String),
}

/// What was asked, counted and found: a first look and, where it asked for it, the one declared repeat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditResult {
    /// [`CERTIFICATE_FORMAT`].
    pub format: String,
    /// The verdict: that of the repeat if there was one.
    pub verdict: Verdict,
    /// Why the plan's repeat was due and not had.
    pub repeat_missing: Option<RepeatMissing>,
    /// Where the decks came from; for a stream with the SHA-256 of what was read.
    pub source: SourceRecord,
    /// SHA-256 of the plan.
    pub plan_sha256: String,
    /// What was asked, frozen before the first deck.
    pub plan: Plan,
    /// The decision rule.
    pub rule: String,
    /// The decks from number 0 on.
    pub first: Look,
    /// The next decks, if the first look asked for them and the source went on.
    pub repeat: Option<Look>,
}

/// Why a repeat that was due is missing. What re-judging believes hangs on the source: a failing repeat must not
/// be cut off by a sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepeatMissing {
    /// The stream ended or failed before the last deck of the repeat; believed of streams only.
    StreamEnded,
    /// Nobody counted it; never believed.
    NotRun,
}

impl RepeatMissing {
    /// Whether a record of this source can lack its repeat for this reason.
    pub fn is_possible(self, source: &SourceRecord) -> bool {
        match self {
            RepeatMissing::StreamEnded => source.is_stream(),
            RepeatMissing::NotRun => false,
        }
    }
}

/// One p-value. A file has those of one statistic on one view together.
#[derive(Clone, PartialEq, Debug, Serialize)]
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
    pub tail: Tail,
    /// A proven upper bound on the p-value, where the p-value is an approximation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_value_bound: Option<f64>,
}

#[cfg(test)]
impl StatisticRecord {
    /// An exact p-value of a statistic that is its own family.
    pub(crate) fn exact(id: &str, p_value: f64) -> StatisticRecord {
        StatisticRecord {
            id: id.to_owned(),
            family: id.split('.').nth(1).unwrap_or_default().to_owned(),
            decks: 1_000,
            score_name: String::new(),
            score: 0.0,
            p_value,
            tail: Tail::Exact,
            p_value_bound: None,
        }
    }
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
    pub view: View,
    /// What was looked for.
    pub id: String,
    /// How many.
    pub decks: u64,
    /// How many fingerprints were kept, copies included.
    pub kept: u64,
    /// How many of them differ.
    pub distinct: u64,
    /// The kept ones are those below 2^(96 − halvings).
    pub halvings: u32,
    /// Pairs of equal fingerprints among them.
    pub pairs: u64,
    /// Which decks they are, if there are any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub alike: Option<Addresses>,
}

/// The counts of one statistic on one view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TallyRecord {
    /// Which decks.
    pub view: View,
    /// The statistic.
    pub id: String,
    /// How many decks were counted.
    pub decks: u64,
    /// The counts in the order of the statistic's documentation, as it [keeps](deckproof_stats::battery::Statistic::keep) them.
    pub counts: Vec<u64>,
}

/// An outcome with the statistic and the decks it belongs to.
#[derive(Debug)]
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
            tail: self.outcome.tail,
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
    /// Judges evidence without a repeat. `source` differs from the plan's only in what a stream's bytes
    /// hash to.
    pub fn of_evidence(plan: &Plan, source: SourceRecord, mut evidence: Evidence) -> AuditResult {
        AuditResult::of_looks(plan, source, Look::of_evidence(plan, Turn::First, &mut evidence), None, None)
    }

    /// Puts the looks together. A repeat that was due and not had leaves a reason.
    pub fn of_looks(
        plan: &Plan,
        source: SourceRecord,
        first: Look,
        repeat: Option<Look>,
        repeat_missing: Option<RepeatMissing>,
    ) -> AuditResult {
        let is_missing = first.asks_for_repeat(plan) && repeat.is_none();
        let decks = first.decks.saturating_add(repeat.as_ref().map_or(0, |look| look.decks));
        let has_enough = decks >= plan.decks_min;
        let reason = || repeat_missing.unwrap_or(RepeatMissing::NotRun);
        AuditResult {
            format: CERTIFICATE_FORMAT.to_owned(),
            plan: plan.clone(),
            plan_sha256: plan.sha256(),
            source,
            verdict: final_verdict(first.verdict, repeat.as_ref().map(|look| look.verdict), has_enough),
            rule: RULE.to_owned(),
            repeat_missing: is_missing.then(reason),
            first,
            repeat,
        }
    }

    /// The look the verdict rests on.
    pub fn deciding(&self) -> &Look {
        self.repeat.as_ref().unwrap_or(&self.first)
    }

    /// Both looks, or the only one.
    pub fn looks(&self) -> impl Iterator<Item = &Look> {
        std::iter::once(&self.first).chain(&self.repeat)
    }

    /// How many decks were judged in all looks.
    pub fn decks(&self) -> u64 {
        self.looks().map(|look| look.decks).fold(0, u64::saturating_add)
    }
}

impl DuplicateRecord {
    /// What a sketch of so many decks holds.
    fn of_sketch(sketch: &Sketch, view: View, decks: u64) -> DuplicateRecord {
        let SketchCount { kept, distinct, halvings, pairs } = sketch.count();
        let (id, alike) = (sketch.equivalence().id().to_owned(), (pairs > 0).then(|| sketch.addresses()));
        DuplicateRecord { view, id, decks, kept, distinct, halvings, pairs, alike }
    }

    /// Where was looked and for what, if the battery knows both.
    fn looked_for(&self) -> Option<(View, &'static Equivalence)> {
        let equivalence = duplicates::all().iter().find(|equivalence| equivalence.id() == self.id)?;
        Some((self.view, equivalence))
    }

    /// Whether it counts decks that are equal as they are.
    fn is_of_equal_decks(&self) -> bool {
        self.view == View::Deck && self.id == duplicates::EQUAL.id()
    }

    fn count(&self) -> SketchCount {
        SketchCount { kept: self.kept, distinct: self.distinct, halvings: self.halvings, pairs: self.pairs }
    }
}

impl Certificate {
    /// The bytes of `certificate.json`.
    pub fn to_json(&self) -> String {
        let mut text = laid_out(&serde_json::to_string(self).expect("a certificate is plain data"));
        text.push('\n');
        text
    }

    /// Reads a certificate: one value of JSON in which every field is known and is there once, and no list that
    /// unpacks to more than a certificate holds.
    ///
    /// # Errors
    /// [`ReadError`]; a certificate of another format is distinguished from a broken one.
    pub fn read(bytes: &[u8]) -> Result<Certificate, ReadError> {
        if bytes.len() > LIMITS.bytes_max {
            return Err(ReadError::Long(bytes.len()));
        }
        serde_json::from_slice(bytes).map_err(|error| match other_format(bytes) {
            Some(found) => ReadError::Format(found),
            None => ReadError::Text(error.to_string()),
        })
    }

    /// SHA-256 of the bytes.
    pub fn sha256(&self) -> String {
        file::sha256(self.to_json())
    }
}

/// The format of a certificate that names another one than this program's. Only what could not be read is read again.
fn other_format(bytes: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct AnyResult {
        format: String,
    }
    #[derive(Deserialize)]
    struct AnyCertificate {
        result: AnyResult,
    }
    let any: AnyCertificate = serde_json::from_slice(bytes).ok()?;
    Some(any.result.format).filter(|format| format != CERTIFICATE_FORMAT)
}

/// How the proof of a record that is no deck begins. It names the record by number only: the same
/// records prove the same wherever they are kept.
pub fn bad_record_opening(decks_before: u64) -> String {
    format!("Record {} is not a deck: ", decks_before.saturating_add(1))
}

/// Rounds to 6 significant digits, so that the last bits of a library's logarithm never show.
pub(crate) fn six_digits(value: f64) -> f64 {
    format!("{value:.5e}").parse().expect("a printed number parses")
}
