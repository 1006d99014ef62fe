//! The mail of a day, in lines under 100 characters: what is wrong and of how many decks, what to do, and then what was
//! found, whose decks they are, the evidence over all days, and every change of state.

use crate::monitoring::check::{CheckResult, DayCheck, first_of};
use crate::monitoring::day::DayLine;
use crate::monitoring::drift::tables::LN_PROOF;
use crate::monitoring::drift::{INVESTIGATE, stands_in};
use crate::monitoring::export::is_undated;
use crate::monitoring::headline;
use crate::monitoring::judge::{DRIFT, FRESH, LIVE};
use crate::monitoring::levels::QUESTION;
use crate::monitoring::state::{Change, Stop};
use crate::monitoring::step_list::{is_of_decks, is_of_machine};
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::source::record::SourceRecord;
use deckproof_deck::text::date::Date;
use deckproof_deck::text::excerpt;
use deckproof_report::document::words::MailWords;
use deckproof_report::document::words::{Language, Words};

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
    /// Days before this one of which lately nothing was said.
    pub missing: &'a [String],
    /// The active stops, of earlier days or of this one, those that this row raised first.
    pub stops: &'a [Stop<'a>],
    /// What changed since the last mail.
    pub changes: &'a [Change],
    /// What a person should know of the export beside the result.
    pub notes: &'a [String],
    /// On how many nights right before this one decks may have been dealt again, and since which.
    pub nights_before: Option<(u64, &'a str)>,
    /// In which language it is written; what the steps themselves say stays as they say it.
    pub words: &'static Words,
}

impl Mail<'_> {
    /// What is wrong and whose decks, what to do, and then the rest; on a day that passed five lines.
    pub fn print(&self) -> String {
        let mut lines = vec![self.subject(), self.next()];
        let active: Vec<String> = self.stops.iter().map(|stop| active(stop, self.words)).collect();
        let is_stop = self.line.result() == CheckResult::Refused;
        lines.extend(active.iter().filter(|_| !is_stop).cloned());
        lines.push(self.finding());
        if self.line.result() != CheckResult::Passed {
            lines.push(self.words.mail.whose(&self.whose()));
        }
        lines.extend([self.decks(), self.evidence()]);
        lines.extend(active.into_iter().filter(|_| is_stop));
        lines.extend(self.changes.iter().map(|change| self.words.mail.change(&change.words)));
        lines.extend(self.notes.iter().map(|note| self.words.mail.note(note)));
        let first = fit(&lines[0]) + "\n";
        lines[1..].iter().fold(first, |text, line| text + &wrapped(line))
    }

    fn subject(&self) -> String {
        let DayLine { name, day, .. } = self.line;
        let words = &self.words.mail;
        let what = match self.line.result() {
            CheckResult::Passed => self.whose(),
            _ => match self.nights_before.filter(|_| self.has_repeat_left_open()) {
                Some((nights, since)) => words.undecided_repeat_since(nights + 1, &day_of(since, self.words)),
                None => headline::sentence(self.line, self.result, self.words),
            },
        };
        let what = match self.stops.first().filter(|_| self.line.result() != CheckResult::Refused) {
            Some(stop) => words.beside_stop(&day_of(stop.day, self.words), &what),
            None => what,
        };
        words.subject(name, &day_of(day, self.words), result_word(self.line.result(), words), &what)
    }

    /// Whether nobody knows yet if its decks were dealt again.
    fn has_repeat_left_open(&self) -> bool {
        let first = first_of(&self.line.checks, CheckResult::CouldNotSay);
        self.line.result() == CheckResult::CouldNotSay && first.is_some_and(DayCheck::may_be_dealt)
    }

    /// Whose decks were judged, and how many of how many.
    fn whose(&self) -> String {
        match (self.result, self.line.judged) {
            (Some(result), _) => whose(self.files, &result.source, result.decks(), self.words),
            (None, Some(row)) => self.words.mail.judged_decks(self.line.decks, row as u64),
            (None, None) if self.files.is_empty() => self.words.mail.no_deck.to_owned(),
            (None, None) => self.words.mail.no_deck_of(self.files),
        }
    }

    fn finding(&self) -> String {
        let (checks, words) = (&self.line.checks, &self.words.mail);
        match self.line.result() {
            CheckResult::Passed => {
                let all = checks.iter().filter(|check| check.result == CheckResult::Passed);
                let passed =
                    (all.clone().count() as u64, all.filter(|check| is_of_machine(check)).count() as u64);
                let is_undated =
                    self.result.is_some_and(|result| is_undated(result, self.line.export.as_ref()));
                let not_set_up = checks.iter().filter(|check| check.result == CheckResult::NotSetUp);
                let dates = is_undated.then_some(words.dates);
                let missing: Vec<&str> =
                    dates.into_iter().chain(not_set_up.map(|check| check.name.as_str())).collect();
                if missing.is_empty() {
                    words.all_passed(passed.0, passed.1)
                } else {
                    self.some_passed(passed, &missing)
                }
            }
            result => match first_of(checks, result) {
                Some(DayCheck { name, evidence, .. }) => words.found(name, &shortened(evidence)),
                None => self.line.reason.clone().unwrap_or_else(|| words.no_reason.to_owned()),
            },
        }
    }

    /// As many of the steps that are not set up as one line takes, and how many more.
    fn some_passed(&self, passed: (u64, u64), missing: &[&str]) -> String {
        let words = &self.words.mail;
        let line = |named: usize| {
            let more = match missing.len() - named {
                0 => String::new(),
                more => words.and_more(more as u64),
            };
            words.some_passed(passed.0, passed.1, &format!("{}{more}", missing[..named].join(", ")))
        };
        let lines = (1..=missing.len()).rev().map(line);
        lines.into_iter().find(|line| line.chars().count() <= LETTERS_MAX).unwrap_or_else(|| line(1))
    }

    fn decks(&self) -> String {
        let words = &self.words.mail;
        let Some(result) = self.result else {
            return match self.line.judged {
                Some(row) => words.decks_judged(row as u64),
                None => words.decks_none.to_owned(),
            };
        };
        let cover = &self.words.cover;
        // What the day says of its decks, which one audit by itself may word otherwise.
        let live = self.line.checks.iter().find(|check| check.name == LIVE).map(|check| check.result);
        let verdict = match live {
            Some(CheckResult::Passed) => cover.pass_small,
            Some(CheckResult::Investigate) => cover.investigate_small,
            Some(CheckResult::Refused) => cover.fail_small,
            Some(CheckResult::CouldNotSay | CheckResult::NotSetUp) | None => cover.inconclusive_small,
        };
        let look = result.deciding();
        let p_value = self.words.joint_p_value_small(look.family_p_value);
        let is_other = live == Some(CheckResult::Passed)
            && matches!(result.verdict, Verdict::Fail | Verdict::Investigate);
        let p_value = if is_other { words.level(&p_value, &self.words.p_value(QUESTION)) } else { p_value };
        match look.proofs.first() {
            Some(proof) => words.decks_proof(verdict, proof),
            None => words.decks(verdict, &p_value, look.statistics.len() as u64, look.decks),
        }
    }

    fn evidence(&self) -> String {
        let words = &self.words.mail;
        let stands =
            self.line.drift.as_ref().map(|drift| (drift.days, stands_in(drift.ln_evidence, self.words)));
        let is_proof = self.line.drift.as_ref().is_some_and(|drift| drift.ln_evidence >= LN_PROOF);
        let dates: Vec<String> = self.missing.iter().map(|date| day_of(date, self.words)).collect();
        match (dates.as_slice(), stands) {
            // Before a first day has been counted there is nothing to weigh.
            ([], None | Some((0, _))) => words.evidence_none.to_owned(),
            ([], Some((days, stands))) if is_proof => words.evidence(days, &stands),
            ([], Some((days, stands))) => {
                let from = self.words.number(INVESTIGATE as u64);
                words.evidence(days, &words.evidence_scale(&stands, &from))
            }
            (missing, None | Some((0, _))) => {
                words.missing(&named(missing, words), words.evidence_none_short)
            }
            (missing, Some((days, stands))) => {
                words.missing(&named(missing, words), &words.evidence_short(days, &stands))
            }
        }
    }

    fn next(&self) -> String {
        let words = &self.words.mail;
        let row = words.row(self.row as u64, self.row_sha256.get(..12).unwrap_or(self.row_sha256));
        let report = self.report.as_ref().map_or_else(String::new, |report| format!(", {report}"));
        let next = match self.line.result() {
            CheckResult::CouldNotSay | CheckResult::NotSetUp => self.next_of_none(),
            CheckResult::Refused => words.next_stop.to_owned(),
            _ if !self.stops.is_empty() => words.next_stop.to_owned(),
            CheckResult::Investigate => words.next_investigate.to_owned(),
            CheckResult::Passed => words.next_passed.to_owned(),
        };
        format!("{next} {row}{report}")
    }
}

impl Mail<'_> {
    /// What to do about a day that could not say: not every one of them can be run again.
    fn next_of_none(&self) -> String {
        let (words, day) = (&self.words.mail, &self.line.day);
        let Some(check) = first_of(&self.line.checks, CheckResult::CouldNotSay) else {
            return words.next_could_not_say(day);
        };
        match check.name.as_str() {
            FRESH if check.may_be_dealt() => words.next_either(day),
            FRESH if !self.line.has_judged_decks() && !self.stops.is_empty() => {
                words.next_export_stopped(day)
            }
            FRESH if !self.line.has_judged_decks() => words.next_export(day),
            _ if !self.stops.is_empty() => words.next_stop.to_owned(),
            LIVE if self.line.has_judged_decks() => words.next_too_few(day),
            _ if check.is_reported_once() => words.next_named_once.to_owned(),
            // The decks were judged, and the same again are nothing new.
            _ if self.line.has_judged_decks() => words.next_before_the_next.to_owned(),
            _ => words.next_could_not_say(day),
        }
    }
}

/// One day or two by their dates, the last of more and how many.
fn named(dates: &[String], words: &MailWords) -> String {
    match dates {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => words.both(one, two),
        [others @ .., last] => format!("{last}{}", words.and_more_days(others.len() as u64)),
    }
}

/// What a step found, without what takes the room of the point: whole hashes, and the table that the configuration names.
fn shortened(evidence: &str) -> String {
    let mut text = String::new();
    for word in evidence.split_inclusive(|letter: char| !letter.is_ascii_hexdigit()) {
        let digits = word.trim_end_matches(|letter: char| !letter.is_ascii_hexdigit());
        if digits.len() >= HASH_DIGITS {
            text += &format!("{}…{}", &digits[..12], &word[digits.len()..])
        } else {
            text += word
        }
    }
    let (table, end) = (", dealt at the table ", " players,");
    match text.find(table).and_then(|from| Some((from, from + text[from..].find(end)? + end.len()))) {
        Some((from, to)) => format!("{}{}", &text[..from], &text[to..]),
        None => text,
    }
}

/// So many hexadecimal digits in a row are a hash.
const HASH_DIGITS: usize = 40;

/// A gaming day as a subject has it: sortable in English, as it is spoken in other languages.
fn day_of(day: &str, words: &Words) -> String {
    match (words.language, day.parse::<Date>()) {
        (Language::English, _) | (_, Err(_)) => day.to_owned(),
        (_, Ok(date)) => words.date(date),
    }
}

/// An active stop, and what ends it.
fn active(stop: &Stop, words: &Words) -> String {
    let (mail, day, row) = (&words.mail, day_of(stop.day, words), stop.row as u64);
    match stop.step {
        step if step == DRIFT || stop.is_proof => mail.stop_until_release(&day, step),
        step if is_of_decks(step) => mail.stop_until_decks(&day, step, row),
        step => mail.stop_until_step(&day, step, row),
    }
}

/// Of a day that is run again, and whose decks a row of it or of a later day judged.
pub fn judged_before(line: &DayLine, row: usize, day: &str, stops: &[Stop], words: &'static Words) -> String {
    let mail = &words.mail;
    let (row, result) = (row as u64, result_word(line.result(), mail));
    let before = if line.day == day {
        mail.judged_before(row, result)
    } else {
        mail.nothing_new(row, &day_of(&line.day, words), result)
    };
    let mut lines =
        vec![format!("{}, {}: {before}", line.name, day_of(day, words)), mail.nothing_added_again.to_owned()];
    lines.extend(stops.iter().map(|stop| active(stop, words)));
    lines.iter().map(|line| wrapped(line)).collect()
}

/// A result as a subject has it.
fn result_word(result: CheckResult, words: &MailWords) -> &'static str {
    match result {
        CheckResult::Passed => words.passed,
        CheckResult::Investigate => words.investigate,
        CheckResult::Refused => words.stop,
        CheckResult::CouldNotSay | CheckResult::NotSetUp => words.could_not_say,
    }
}

/// Of a store that is not as it was written: nothing was counted and no row is added.
pub fn store_refused(name: &str, day: &str, fault: &str, words: &Words) -> String {
    let mail = &words.mail;
    [
        mail.subject(name, &day_of(day, words), mail.stop, mail.record_changed),
        mail.keep_folder.to_owned(),
        mail.chain(fault),
        mail.nothing_added.to_owned(),
        mail.evidence_none.to_owned(),
    ]
    .map(|line| wrapped(&line))
    .concat()
}

/// What there is to do about a day that could not be recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repair {
    /// The cause is outside the record.
    RunAgain,
    /// A file of the record is damaged.
    Restore,
    /// Rows are gone.
    PutBack,
    /// There is no record in the folder.
    Folder,
}

/// Of a day of which no row could be added.
pub fn unrecorded(name: &str, day: &str, reason: &str, repair: Repair, words: &Words) -> String {
    let mail = &words.mail;
    let (what, next, reason) = match repair {
        Repair::RunAgain => (mail.not_recorded, mail.next_could_not_say(day), reason.to_owned()),
        Repair::Restore => (mail.record_damaged, mail.restore.to_owned(), mail.chain(reason)),
        Repair::PutBack => (mail.record_behind, mail.put_back.to_owned(), mail.chain(reason)),
        Repair::Folder => (mail.record_absent, mail.put_folder_right.to_owned(), mail.chain(reason)),
    };
    [
        mail.subject(name, &day_of(day, words), mail.could_not_say, what),
        next,
        reason,
        mail.decks_unrecorded.to_owned(),
        mail.evidence_none.to_owned(),
    ]
    .map(|line| wrapped(&line))
    .concat()
}

/// A line of visible letters, gone on with below where it is too long: nothing of it is cut.
fn wrapped(line: &str) -> String {
    let line = line.replace(['\n', '\r'], " ");
    let (mut text, mut length) = (String::new(), 0);
    for word in line.split(' ') {
        let letters = word.chars().count();
        match length {
            0 => length = letters,
            _ if length + 1 + letters <= LETTERS_MAX => {
                text.push(' ');
                length += 1 + letters;
            }
            _ => {
                text += "\n  ";
                length = 2 + letters;
            }
        }
        text += word;
    }
    text + "\n"
}

/// One line of visible letters, cut between two words where it is too long.
fn fit(line: &str) -> String {
    let line = line.replace(['\n', '\r'], " ");
    if line.chars().count() <= LETTERS_MAX {
        return line;
    }
    let cut = excerpt(&line, LETTERS_MAX - 1);
    match cut.rfind(' ') {
        Some(end) if cut[end..].chars().count() <= WORD_LETTERS_MAX => {
            format!("{} …", cut[..end].trim_end_matches([' ', ',', ';', ':']))
        }
        _ => cut,
    }
}

/// A longer word is cut inside.
const WORD_LETTERS_MAX: usize = 20;

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
        Err(_) => language.mail.decks_of(decks, short),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitoring::day::DriftLine;

    fn line(result: CheckResult) -> DayLine {
        let mut line = DayLine::of_failure("2026-11-22", "Table 1", "0", "no disk", "");
        line.overall = Some(result);
        line.checks = vec![DayCheck::new("chain", result, "found")];
        let (ln_evidence, ln_highest) = (libm::log(4_300f64), libm::log(4_300f64));
        line.drift = Some(DriftLine { days: 1_200, ln_evidence, ln_highest, state_sha256: String::new() });
        line
    }

    fn mail(line: &DayLine, missing: &[String], stops: &[Stop], words: &'static Words) -> Vec<String> {
        let mail = Mail {
            line,
            result: None,
            files: "export-2026-11-22.csv",
            row: 3_000,
            row_sha256: "0123456789abcdef",
            report: Some("2026-11-22/day.html".to_owned()),
            missing,
            stops,
            changes: &[],
            notes: &[],
            nights_before: None,
            words,
        };
        mail.print().lines().map(str::to_owned).collect()
    }

    /// With the longest name of a step, in each language.
    #[test]
    fn what_ends_a_stop_and_which_days_are_missing_fit_on_a_line_each() {
        let days = |many: u32| (1..=many).map(|day| format!("2026-11-{day:02}")).collect::<Vec<_>>();
        for language in Language::ALL {
            for (step, many) in [("completeness of the log", 1), (LIVE, 2), (DRIFT, 12)] {
                let stop = Stop { day: "2026-11-22", row: 1, step, evidence: "", is_proof: false };
                let stops = [stop, Stop { row: 2, step: "restarts", ..stop }];
                let lines = mail(&line(CheckResult::CouldNotSay), &days(many), &stops, language.words());
                assert!(lines.iter().all(|line| line.chars().count() < 100), "{lines:?}");
                assert!(lines[1..].iter().all(|line| !line.contains('…')), "{lines:?}");
                let has = |words: &str| lines.iter().any(|line| line.contains(words));
                assert!(lines[2].contains(step) && has("restarts. ") && has("found"), "{lines:?}");
            }
        }
        let lines = mail(&line(CheckResult::Passed), &[], &[], Language::English.words());
        assert_eq!(
            lines[4],
            "Over 1,200 days the evidence against the shuffler is 1 in 4,300 (a question begins at 1 in 1,000)"
        );
        let lines = mail(&line(CheckResult::Passed), &days(12), &[], Language::English.words());
        assert_eq!(
            lines[4],
            "No result on 2026-11-12 and 11 more days; the evidence over 1,200 days is 1 in 4,300"
        );
    }

    #[test]
    fn a_long_line_goes_on_below_and_loses_nothing() {
        let line = (0..60).map(|word| format!("word{word}")).collect::<Vec<_>>().join(" ");
        let text = wrapped(&line);
        assert!(text.lines().all(|line| line.chars().count() < 100) && text.lines().count() == 5, "{text}");
        assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" "), line);
    }

    #[test]
    fn hashes_and_tables_leave_room_for_the_point() {
        let hash = "0123456789abcdef".repeat(4);
        assert_eq!(
            shortened(&format!("7 bytes, SHA-256 {hash} before")),
            "7 bytes, SHA-256 0123456789ab… before"
        );
        let found =
            "FAIL: 2,000 decks, dealt at the table stud-hi, 6 players, are not those of a fair shuffle";
        assert_eq!(shortened(found), "FAIL: 2,000 decks are not those of a fair shuffle");
        assert_eq!(shortened("a faded cabbage"), "a faded cabbage");
    }

    #[test]
    fn a_long_line_ends_with_a_whole_word_and_a_list_with_how_many_more() {
        let words = "seven words ".repeat(12);
        let cut = fit(&words);
        assert!(cut.ends_with("words …") && cut.chars().count() < 100, "{cut}");
        assert!(fit(&"x".repeat(150)).chars().count() < 100);
        let mut line = line(CheckResult::Passed);
        let names =
            ["restarts", "completeness of the log", "seats of the tables", "replay of hands", "comparison"];
        line.checks.extend(names.map(|name| DayCheck::not_set_up(name, "key")));
        let lines = mail(&line, &[], &[], Language::English.words());
        assert_eq!(
            lines[2],
            "1 check passed (0 of this machine); not set up: restarts, completeness of the log and 3 more."
        );
    }
}
