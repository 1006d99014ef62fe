//! Five lines of mail, under 100 characters each: whose decks and what the day says, what was found, the decks, the
//! evidence over all days, and what to do.

use crate::audit::verdict::Verdict;
use crate::certificate::AuditResult;
use crate::document::date::Date;
use crate::document::words::{Language, Words};
use crate::monitoring::check::{CheckResult, DayCheck, first_of};
use crate::monitoring::drift::stands_in;
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
    /// In which language it is written; what the steps themselves say stays as they say it.
    pub words: &'static Words,
}

impl Mail<'_> {
    /// The five lines.
    pub fn print(&self) -> String {
        let lines = [self.subject(), self.finding(), self.decks(), self.evidence(), self.next()];
        lines.map(|line| fit(&line) + "\n").concat()
    }

    fn subject(&self) -> String {
        let DayLine { name, day, .. } = self.line;
        let words = &self.words.mail;
        let said = match self.line.result() {
            CheckResult::Passed => words.passed,
            CheckResult::Investigate => words.investigate,
            CheckResult::Refused => words.stop,
            CheckResult::CouldNotSay | CheckResult::NotSetUp => words.could_not_say,
        };
        let whose = match self.result {
            Some(result) => whose(self.files, &result.source, result.decks(), self.words),
            None if self.files.is_empty() => words.no_deck.to_owned(),
            None => (words.no_deck_of)(self.files),
        };
        (words.subject)(name, &day_of(day, self.words), said, &whose)
    }

    fn finding(&self) -> String {
        let (checks, words) = (&self.line.checks, &self.words.mail);
        match self.line.result() {
            CheckResult::Passed => {
                let passed = checks.iter().filter(|check| check.result == CheckResult::Passed).count() as u64;
                let missing: Vec<&str> = checks
                    .iter()
                    .filter(|check| check.result == CheckResult::NotSetUp)
                    .map(|check| check.name.as_str())
                    .collect();
                match missing.is_empty() {
                    true => (words.all_passed)(passed),
                    false => (words.some_passed)(passed, &missing.join(", ")),
                }
            }
            result => match first_of(checks, result) {
                Some(DayCheck { name, evidence, .. }) => (words.found)(name, evidence),
                None => self.line.reason.clone().unwrap_or_else(|| words.no_reason.to_owned()),
            },
        }
    }

    fn decks(&self) -> String {
        let words = &self.words.mail;
        let Some(result) = self.result else {
            return words.decks_none.to_owned();
        };
        let cover = &self.words.cover;
        let verdict = match result.verdict {
            Verdict::Pass => cover.pass_small,
            Verdict::Investigate => cover.investigate_small,
            Verdict::Fail => cover.fail_small,
            Verdict::Inconclusive => cover.inconclusive_small,
        };
        let look = result.deciding();
        match look.proofs.first() {
            Some(proof) => (words.decks_proof)(verdict, proof),
            None => (words.decks)(
                verdict,
                &self.words.p_value(look.family_p_value),
                look.statistics.len() as u64,
                look.decks,
            ),
        }
    }

    fn evidence(&self) -> String {
        let words = &self.words.mail;
        match &self.line.drift {
            None => words.evidence_none.to_owned(),
            Some(drift) => (words.evidence)(drift.days, &stands_in(drift.ln_evidence, self.words)),
        }
    }

    fn next(&self) -> String {
        let words = &self.words.mail;
        let row = (words.row)(self.row as u64, self.row_sha256.get(..12).unwrap_or(self.row_sha256));
        let report = self.report.as_ref().map_or_else(String::new, |report| format!(", {report}"));
        let next = match self.line.result() {
            CheckResult::Passed => words.next_passed,
            CheckResult::CouldNotSay | CheckResult::NotSetUp => words.next_could_not_say,
            CheckResult::Investigate => words.next_investigate,
            CheckResult::Refused => words.next_stop,
        };
        format!("{next} {row}{report}")
    }
}

/// A gaming day as a subject has it: sortable in English, as it is spoken in French.
fn day_of(day: &str, words: &Words) -> String {
    match (words.language, day.parse::<Date>()) {
        (Language::French, Ok(date)) => words.date(date),
        _ => day.to_owned(),
    }
}

/// Of a store that is not as it was written: nothing was counted and no row is added.
pub fn store_refused(name: &str, day: &str, fault: &str, words: &Words) -> String {
    let mail = &words.mail;
    [
        (mail.subject)(name, &day_of(day, words), mail.stop, mail.record_changed),
        (mail.chain)(fault),
        mail.nothing_added.to_owned(),
        mail.evidence_none.to_owned(),
        mail.keep_folder.to_owned(),
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
pub fn whose(files: &str, source: &SourceRecord, decks: u64, language: &Words) -> String {
    let words = source.to_string();
    let short = [", SHA-256 ", ", key ", ", day key "]
        .iter()
        .fold(words.as_str(), |words, mark| words.split(mark).next().unwrap_or(words));
    let files = if files.is_empty() { String::new() } else { format!("{files}: ") };
    match source.number("file_records") {
        // The words of a file say how many records of how many.
        Ok(_) => format!("{files}{}", short.replacen("recorded decks in format ", "", 1)),
        Err(_) => (language.mail.decks_of)(decks, short),
    }
}
