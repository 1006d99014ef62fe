//! Five lines of mail, under 100 characters each: whose decks and what the day says, what was found, the decks, the
//! evidence over all days, and what to do.

use crate::certificate::AuditResult;
use crate::math::decimal::{p_value, thousands};
use crate::monitoring::check::{CheckResult, DayCheck, first_of};
use crate::monitoring::drift::stands_at;
use crate::monitoring::line::DayLine;
use crate::source::record::SourceRecord;
use crate::text::excerpt;

/// Longest line, in letters; mail of cron is read on telephones.
const LETTERS_MAX: usize = 99;

/// What a mail is of.
pub struct Mail<'a> {
    /// The row of the day, with all its steps.
    pub line: &'a DayLine,
    /// What the decks said, where they were judged.
    pub result: Option<&'a AuditResult>,
    /// What the configuration calls the files, such as `export.csv`; empty where it names none.
    pub files: &'a str,
    /// The number of the row, and its hash.
    pub row: usize,
    /// SHA-256 of the row.
    pub row_sha256: &'a str,
    /// Where report.html stands, if there is one.
    pub report: Option<String>,
}

impl Mail<'_> {
    /// The five lines.
    pub fn print(&self) -> String {
        let lines = [self.subject(), self.finding(), self.decks(), self.evidence(), self.next()];
        lines.map(|line| fit(&line) + "\n").concat()
    }

    fn subject(&self) -> String {
        let DayLine { name, day, .. } = self.line;
        let said = match self.line.result() {
            CheckResult::Passed => "PASS",
            CheckResult::Investigate => "INVESTIGATE",
            CheckResult::Refused => "STOP",
            CheckResult::CouldNotSay | CheckResult::NotSetUp => "COULD NOT SAY",
        };
        let whose = match self.result {
            Some(result) => whose(self.files, &result.source, result.decks()),
            None if self.files.is_empty() => "no deck was judged".to_owned(),
            None => format!("{}: no deck was judged", self.files),
        };
        format!("{name}, {day}: {said}, {whose}")
    }

    fn finding(&self) -> String {
        let checks = &self.line.checks;
        match self.line.result() {
            CheckResult::Passed => {
                let passed = checks.iter().filter(|check| check.result == CheckResult::Passed).count();
                let missing: Vec<&str> = checks
                    .iter()
                    .filter(|check| check.result == CheckResult::NotSetUp)
                    .map(|check| check.name.as_str())
                    .collect();
                match missing.is_empty() {
                    true => format!("All {passed} checks passed."),
                    false => format!("{passed} checks passed; not set up: {}.", missing.join(", ")),
                }
            }
            result => match first_of(checks, result) {
                Some(DayCheck { name, evidence, .. }) => format!("{name}: {evidence}"),
                None => self.line.reason.clone().unwrap_or_else(|| "no reason was recorded".to_owned()),
            },
        }
    }

    fn decks(&self) -> String {
        let Some(result) = self.result else {
            return "Decks: none was judged today; this is neither a pass nor a fail of the shuffler."
                .to_owned();
        };
        let look = result.deciding();
        match look.proofs.first() {
            Some(proof) => format!("Decks: {}, proof: {proof}", result.verdict.name()),
            None => format!(
                "Decks: {}, family p-value {} over {} p-values, null: fair shuffle, n = {}",
                result.verdict.name(),
                p_value(look.family_p_value),
                look.statistics.len(),
                thousands(look.decks)
            ),
        }
    }

    fn evidence(&self) -> String {
        match &self.line.drift {
            None => "Evidence over all days: not counted today.".to_owned(),
            Some(drift) => {
                let days = if drift.days == 1 { "day" } else { "days" };
                let now = stands_at(drift.ln_evidence);
                format!("Over {} {days} the evidence against the shuffler {now}", drift.days)
            }
        }
    }

    fn next(&self) -> String {
        let row = format!("Row {} {}", self.row, self.row_sha256.get(..12).unwrap_or(self.row_sha256));
        let report = self.report.as_ref().map_or_else(String::new, |report| format!(", {report}"));
        let next = match self.line.result() {
            CheckResult::Passed => "Nothing to do.",
            CheckResult::CouldNotSay | CheckResult::NotSetUp => "Mend the cause, run daily again.",
            CheckResult::Investigate => "Deal on; the next day answers.",
            CheckResult::Refused => "Stop dealing, keep everything.",
        };
        format!("{next} {row}{report}")
    }
}

/// Of a store that is not as it was written: nothing was counted and no row is added.
pub fn store_refused(name: &str, day: &str, fault: &str) -> String {
    [
        format!("{name}, {day}: STOP, the record of earlier days was changed"),
        format!("chain: {fault}"),
        "Decks: none was judged today; nothing was added, it would make the change look old.".to_owned(),
        "Evidence over all days: not counted today.".to_owned(),
        "Keep the folder as it is, compare it with earlier mails, find out who could write there.".to_owned(),
    ]
    .map(|line| fit(&line) + "\n")
    .concat()
}

/// One line of visible letters, cut where it is too long.
fn fit(line: &str) -> String {
    let line = line.replace(['\n', '\r'], " ");
    match line.chars().count() > LETTERS_MAX {
        true => excerpt(&line, LETTERS_MAX - 1),
        false => line,
    }
}

/// Whose decks, and how many of how many; neither a key nor a long hash.
pub fn whose(files: &str, source: &SourceRecord, decks: u64) -> String {
    let words = source.to_string();
    let short = [", SHA-256 ", ", key ", ", day key "]
        .iter()
        .fold(words.as_str(), |words, mark| words.split(mark).next().unwrap_or(words));
    let files = if files.is_empty() { String::new() } else { format!("{files}: ") };
    match source.number("file_records") {
        // The words of a file say how many records of how many.
        Ok(_) => format!("{files}{}", short.replacen("recorded decks in format ", "", 1)),
        Err(_) => format!("{} decks of {short}", thousands(decks)),
    }
}
