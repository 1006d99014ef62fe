//! One day's outcome as it stands in the store.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::monitoring::begun_run::BegunRun;
use crate::monitoring::by_table::TablesSeen;
use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::completeness::LogSeen;
use crate::monitoring::correction::{self, Correction};
use crate::monitoring::drift::tables::Drift;
use crate::monitoring::event::Event;
use crate::monitoring::export_line::{DealtSeen, ExportSeen};
use crate::monitoring::known_line::KnownLine;
use crate::monitoring::replay::HandsSeen;
use crate::monitoring::seats::SeatsSeen;
use deckproof_audit::certificate::{AuditResult, Certificate, bad_record_opening};
use deckproof_audit::source::record::SourceRecord;
use deckproof_files::file::sha256;

/// A day of UTC, in seconds.
pub const DAY_SECONDS: i64 = 86_400;

/// One day's outcome.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DayLine {
    /// The day, UTC.
    pub day: String,
    /// What the shuffler is called.
    pub name: String,
    /// `pass`, `investigate`, `fail`, `inconclusive`, or `could not say`.
    pub verdict: String,
    /// Why nothing could be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How many decks were judged.
    pub decks: u64,
    /// What was examined, so that another day can see whether it is new; absent where nothing was.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub examined: Option<Examined>,
    /// The p-value of the whole family.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family_p_value: Option<f64>,
    /// Proof against the shuffler.
    pub proofs: Vec<String>,
    /// SHA-256 of the certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate_sha256: Option<String>,
    /// Where the certificate stands, relative to this file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// SHA-256 of the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_sha256: Option<String>,
    /// Version of the program.
    pub version: String,
    /// What all steps say together; absent in a statement about a day.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub overall: Option<CheckResult>,
    /// Every step.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub checks: Vec<DayCheck>,
    /// The first and last moment of the gaming day, UTC, where one is configured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub window: Option<(String, String)>,
    /// When the day was checked, UTC.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub checked: Option<String>,
    /// The evidence over all days.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub drift: Option<DriftLine>,
    /// The log as it was.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub log: Option<LogSeen>,
    /// The last hand of each table.
    #[serde(skip_serializing_if = "HandsSeen::is_empty", default)]
    pub hands: HandsSeen,
    /// The seats of each table until this day.
    #[serde(skip_serializing_if = "SeatsSeen::is_empty", default)]
    pub seats: SeatsSeen,
    /// The files that hold the decks of all days until this one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub known: Option<KnownLine>,
    /// Certificates of days before this date may be gone: the retention of the configuration.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub kept_from: Option<String>,
    /// The decks of each table, where the configuration asks for them.
    #[serde(skip_serializing_if = "TablesSeen::is_empty", default)]
    pub by_table: TablesSeen,
    /// The report and the incident of the row before by their SHA-256, as they stood when this row was added.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub files_before: BTreeMap<String, String>,
    /// What somebody states of an earlier row: then this row is no day.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub correction: Option<Correction>,
    /// What two people state that changes the state of the record: then this row is no day.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub event: Option<Event>,
    /// What the export of the day was, judged or not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub export: Option<ExportSeen>,
    /// The hands by their dealt cards.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub dealt: Option<DealtSeen>,
    /// SHA-256 of the list by which the step of code identity compared.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub listed: Option<String>,
    /// The commit of the program.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub program: Option<String>,
    /// The row that judged these decks, where this one is another run of its day.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub judged: Option<usize>,
    /// The row whose bets have a part of these decks, where this one added those of the others.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rest_of: Option<usize>,
    /// Runs of this day that read other bytes before and left no row.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub begun: Vec<BegunRun>,
    /// SHA-256 of the line before this one, so that none can be taken out unseen; empty for the first.
    pub previous_sha256: String,
}

/// The evidence against the shuffler after a day.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DriftLine {
    /// Days that were counted.
    pub days: u64,
    /// Its natural logarithm.
    pub ln_evidence: f64,
    /// The most it ever was.
    pub ln_highest: f64,
    /// SHA-256 of the counts and bets from which the next day goes on.
    pub state_sha256: String,
}

/// A time of a row in POSIX seconds.
pub(super) fn seconds(time: &str) -> Option<i64> {
    time.parse::<Timestamp>().ok().map(Timestamp::as_second)
}

/// What a day's decks were, without a key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Examined {
    /// SHA-256 of the files or the stream, or of the record of a source that gives the same decks each time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_sha256: Option<String>,
    /// The records that were read, where they are a part of those of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<(u64, u64)>,
    /// SHA-256 of the counts: equal counts are counts of the same decks, in whatever file they stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts_sha256: Option<String>,
}

/// What the step of new decks begins with where an earlier row has them.
pub const NOTHING_NEW: &str = "nothing new was examined";

impl Examined {
    /// As far as a source tells before its first deck.
    pub fn of_source(record: &SourceRecord) -> Examined {
        // Of a stream the hash is empty until it was read.
        let own = record.text("sha256").ok().filter(|_| record.abilities().is_supplied).map(str::to_owned);
        let named = || {
            let is_same_each_time = record.abilities().rerun.is_ok() && !record.abilities().is_supplied;
            is_same_each_time.then(|| sha256(serde_json::to_string(record).expect("a record is plain data")))
        };
        let range = record.number("first_record").ok().zip(record.number("last_record").ok());
        let source_sha256 = own.or_else(named).filter(|sha256| !sha256.is_empty());
        Examined { source_sha256, records: range, counts_sha256: None }
    }

    /// The same of decks that were counted.
    pub fn of_result(result: &AuditResult) -> Examined {
        // One record that is no deck leaves no counts.
        let counts_sha256 = (!result.first.tallies.is_empty()).then(|| result.first.integers_sha256.clone());
        Examined { counts_sha256, ..Examined::of_source(&result.source) }
    }

    /// Whether these are the decks of another row, all of them and no other; of a source that has not been read, with so many
    /// decks as the other had.
    pub fn is_same(&self, other: &Examined) -> bool {
        let is_file = self.source_sha256.is_some() && self.source_sha256 == other.source_sha256;
        let is_counted = self.counts_sha256.is_some() && self.counts_sha256 == other.counts_sha256;
        is_file && self.records == other.records || is_counted
    }

    /// The same without what the decks count to: where hands have ids, these say whether equal decks are the same hands or a
    /// shuffler that began again.
    pub fn of_file(&self) -> Examined {
        Examined { counts_sha256: None, ..self.clone() }
    }

    /// Whether another day examined some of the same decks.
    pub fn overlaps(&self, other: &Examined) -> bool {
        let is_same = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
        let shares_records = match (self.records, other.records) {
            (Some((first, last)), Some((other_first, other_last))) => {
                first <= other_last && other_first <= last
            }
            _ => true,
        };
        (is_same(&self.source_sha256, &other.source_sha256) && shares_records)
            || is_same(&self.counts_sha256, &other.counts_sha256)
    }
}

impl DayLine {
    /// The line of a day that was judged.
    pub fn of_certificate(
        day: &str,
        name: &str,
        certificate: &Certificate,
        path: &str,
        previous_sha256: &str,
    ) -> DayLine {
        DayLine {
            certificate_sha256: Some(certificate.sha256()),
            certificate: Some(path.to_owned()),
            ..DayLine::empty(day, name, "", previous_sha256).saying(certificate)
        }
    }

    /// The same line with what a certificate says. Its hash is not what it says: printed again, a number may end in another digit.
    pub(super) fn saying(self, Certificate { result, tool }: &Certificate) -> DayLine {
        let look = result.deciding();
        DayLine {
            verdict: result.verdict.name().to_owned(),
            reason: None,
            decks: look.decks,
            examined: Some(Examined::of_result(result)),
            family_p_value: Some(look.family_p_value),
            proofs: look.proofs.clone(),
            plan_sha256: Some(result.plan_sha256.clone()),
            version: tool.version.clone(),
            correction: None,
            event: None,
            ..self
        }
    }

    /// The line of a day about which nothing could be said: a gap must be seen too.
    pub fn of_failure(day: &str, name: &str, version: &str, reason: &str, previous_sha256: &str) -> DayLine {
        DayLine {
            verdict: "could not say".to_owned(),
            reason: Some(reason.to_owned()),
            ..DayLine::empty(day, name, version, previous_sha256)
        }
    }

    /// A day of which nothing is known yet.
    fn empty(day: &str, name: &str, version: &str, previous_sha256: &str) -> DayLine {
        let [day, name, version, previous_sha256] = [day, name, version, previous_sha256].map(str::to_owned);
        DayLine { day, name, version, previous_sha256, ..DayLine::default() }
    }

    /// What somebody states of an earlier row, as a row of its day that is written at this time.
    pub fn of_correction(correction: Correction, of: &DayLine, time: &str, previous_sha256: &str) -> DayLine {
        let line = DayLine::stated(correction::VERDICT, of, time, previous_sha256);
        DayLine { correction: Some(correction), ..line }
    }

    /// What two people state of an earlier row, as a row of its day that is written at this time.
    pub fn of_event(event: Event, of: &DayLine, time: &str, previous_sha256: &str) -> DayLine {
        let line = DayLine::stated(event.kind.word(), of, time, previous_sha256);
        DayLine { event: Some(event), ..line }
    }

    fn stated(verdict: &str, of: &DayLine, time: &str, previous_sha256: &str) -> DayLine {
        let (verdict, checked) = (verdict.to_owned(), Some(time.to_owned()));
        let version = env!("CARGO_PKG_VERSION");
        DayLine { verdict, checked, ..DayLine::empty(&of.day, &of.name, version, previous_sha256) }
    }

    /// Names the bets after this row, and gives the text that holds them.
    pub fn set_drift(&mut self, drift: &Drift) -> String {
        let state = serde_json::to_string(drift).expect("counts are plain data");
        self.drift = Some(DriftLine {
            days: drift.days(),
            ln_evidence: drift.ln_evidence(),
            ln_highest: drift.ln_highest(),
            state_sha256: sha256(&state),
        });
        state
    }

    /// Another run of a day, whose decks a row of it has judged.
    pub fn of_judged(&mut self, row: usize, line: &DayLine) {
        self.judged = Some(row);
        self.reason = None;
        self.verdict.clone_from(&line.verdict);
        self.decks = line.decks;
        self.family_p_value = line.family_p_value;
        self.proofs.clone_from(&line.proofs);
    }

    /// Whether decks were judged, in this row or in one of the same day.
    pub fn has_judged_decks(&self) -> bool {
        self.certificate.is_some() || self.judged.is_some()
    }

    /// Whether reading ended at a record that is no deck: how many follow it nobody knows.
    pub fn ends_at_bad_record(&self) -> bool {
        let is_in_words = |export: &ExportSeen| {
            let opening = bad_record_opening(export.records);
            self.proofs.iter().any(|proof| proof.starts_with(&opening))
        };
        self.export.as_ref().is_some_and(|export| export.is_cut || is_in_words(export))
    }

    /// Whether it is a day, and not what somebody states of one.
    pub fn is_day(&self) -> bool {
        self.correction.is_none() && self.event.is_none()
    }

    /// When it was checked, in POSIX seconds.
    pub fn checked_seconds(&self) -> Option<i64> {
        seconds(self.checked.as_deref()?)
    }

    /// When its date begins in UTC, in POSIX seconds.
    pub fn midnight(&self) -> Option<i64> {
        seconds(&format!("{}T00:00:00Z", self.day))
    }

    /// When the day ends, in POSIX seconds; one that ran on when it was checked ends then.
    pub fn end_seconds(&self) -> Option<i64> {
        match &self.window {
            Some((_, end)) => seconds(end),
            None => Some(self.midnight()? + DAY_SECONDS),
        }
    }

    /// Until when its result says anything, in POSIX seconds: the end of the day, or the moment of the check where the day ran on.
    pub fn result_end(&self) -> Option<i64> {
        Some(self.checked_seconds()?.min(self.end_seconds()?))
    }

    /// The line as it is in the store.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a line is plain data")
    }

    /// What all steps say together.
    pub fn result(&self) -> CheckResult {
        self.overall.unwrap_or(CheckResult::CouldNotSay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_audit::source::os;

    #[test]
    fn a_correction_is_no_result() {
        let day = DayLine::of_failure("2026-11-22", "a", "0", "no disk", "");
        let correction = Correction::new(1, "ab", "a", "b").expect("words");
        let line = DayLine::of_correction(correction, &day, "now", "cd");
        assert_eq!((line.result(), line.previous_sha256.as_str()), (CheckResult::CouldNotSay, "cd"));
    }

    #[test]
    fn only_what_gives_other_decks_each_time_is_always_new() {
        assert_eq!(Examined::of_source(&os::record()).source_sha256, None);
        let keyed = SourceRecord::new("audit").with("key", "00".repeat(32));
        let examined = Examined::of_source(&keyed);
        assert!(examined.overlaps(&examined));
        let file = |first: u64, last: u64| {
            let record = SourceRecord::new("recorded").with("sha256", "ab".repeat(32));
            Examined::of_source(&record.with("first_record", first).with("last_record", last))
        };
        assert_eq!(file(1, 9).source_sha256, Some("ab".repeat(32)));
        assert!(file(1, 9).overlaps(&file(9, 12)) && !file(1, 9).overlaps(&file(10, 12)));
        let whole = Examined::of_source(&SourceRecord::new("recorded").with("sha256", "ab".repeat(32)));
        assert!(whole.overlaps(&file(3, 4)) && file(3, 4).overlaps(&whole));
    }
}
