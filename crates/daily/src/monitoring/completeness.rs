//! Completeness: the log of hands, whole and grown since the last day, before any statistic.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::monitoring::check::{CheckResult, DayCheck, StepFault};
use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::text::decimal::{counted, p_value, thousands};
use deckproof_files::file::read_limited;
use deckproof_stats::math::{bonferroni, hypergeometric};
use deckproof_table::log_folder::reader::LogReader;
use deckproof_table::log_folder::whole::{Unsound, scan_frugally};
use deckproof_verify::log::refusal::Code;
use deckproof_verify::log::scan::report::Report;
use deckproof_verify::log::tree::TreeHead;
use deckproof_verify::log::trust::Trust;
use deckproof_verify::log::witnessed::Witnessed;

/// The name of the step.
pub const NAME: &str = "completeness of the log";

/// A trust file is no longer than this.
const TRUST_BYTES_MAX: u64 = 1 << 20;

/// More voided hands than this p-value explains by chance raise a question: once in 270 years of days.
const VOIDS_LEVEL: f64 = 1e-5;

/// Which log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogAsked {
    /// Its folder.
    pub folder: PathBuf,
    /// The file that says whose signatures count.
    pub trust: Option<PathBuf>,
}

/// The log as a day left it, for the next one to compare with.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogSeen {
    /// Its name; rows of earlier builds have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub origin: String,
    /// How many entries.
    pub size: u64,
    /// The root of its tree.
    pub root: String,
    /// Hands that were closed.
    pub closed: u64,
    /// Hands that were voided, by table and reason.
    pub voids: BTreeMap<String, u64>,
}

/// A log that was opened, whose checkpoint is signed as the trust file wants.
pub struct LogOpened {
    /// What reads it.
    pub reader: LogReader,
    /// Whose signatures count.
    pub trust: Option<Trust>,
}

impl LogAsked {
    /// Opens the log and checks who signed its checkpoint.
    ///
    /// # Errors
    /// [`StepFault`].
    pub fn open(&self) -> Result<LogOpened, StepFault> {
        let reader = LogReader::open(&self.folder).map_err(StepFault::unreadable)?;
        let trust = self.trust.as_deref().map(read_trust).transpose()?;
        if let Some(trust) = &trust {
            Witnessed::parse(reader.note(), trust, "the checkpoint of the log").map_err(|refusal| {
                match refusal.code {
                    Code::NoteUnsigned => StepFault::Unreadable(
                        "no key of the trust file signed the checkpoint: it is the trust file of another log, or the log has another key"
                            .to_owned(),
                    ),
                    _ => refusal.into(),
                }
            })?;
        }
        Ok(LogOpened { reader, trust })
    }
}

fn read_trust(path: &Path) -> Result<Trust, StepFault> {
    let failed =
        |error: &dyn std::fmt::Display| StepFault::Unreadable(format!("{}: {error}", path.display()));
    let bytes = read_limited(path, TRUST_BYTES_MAX).map_err(|error| failed(&error))?;
    Trust::parse(&bytes).map_err(|error| failed(&error))
}

impl LogOpened {
    /// Reads every entry: order, gaps, orphans, second openings, unfinished hands, and that the log begins with the tree that it had in the
    /// last of these rows, the newest first, each with its day. A log that was away for a night is compared with what it was before. Hands are
    /// counted from the last row of a day before `date` on: a day that is judged again has its own.
    pub fn check<'a>(
        &self,
        days: impl IntoIterator<Item = (&'a str, &'a LogSeen)>,
        date: &str,
    ) -> (DayCheck, Option<LogSeen>) {
        let origin = &self.reader.checkpoint().origin;
        let is_own = |seen: &LogSeen| seen.origin.is_empty() || seen.origin == *origin;
        let mut days = days.into_iter().peekable();
        let other = days.peek().filter(|(_, last)| !is_own(last)).map(|(_, last)| last.origin.as_str());
        let mut own = days.filter(|(_, seen)| is_own(seen)).peekable();
        let newest = own.peek().map(|(_, seen)| *seen);
        let before = own.find(|(day, _)| *day < date).map(|(_, seen)| seen);
        match self.scan(newest) {
            Ok(report) => {
                let seen = seen(&report, origin);
                let check = match other {
                    None => judge(&report, &seen, before, self.trust.is_some()),
                    Some(other) => DayCheck::could_not_say(
                        NAME,
                        format!(
                            "this is the log {origin}, and on the last day it was {other}: what {other} had since then was not looked at, and \
                             hands of this one are counted from the next day on"
                        ),
                    ),
                };
                (check, Some(seen))
            }
            Err(fault) => (fault.check(NAME), None),
        }
    }

    fn scan(&self, before: Option<&LogSeen>) -> Result<Report, StepFault> {
        let size = self.reader.checkpoint().tree.size;
        // A copy of an earlier moment looks like a log whose end was taken off; what is there later shows which.
        if let Some(before) = before.filter(|before| size < before.size) {
            return Err(StepFault::Unreadable(format!(
                "the log has {} and had {} on the last day: an older copy of it, or its end was taken off; put the newest one there and run \
                 this day again",
                counted(size, "entry", "entries"),
                thousands(before.size)
            )));
        }
        let root_of = |before: &LogSeen| {
            let root = Digest::from_hex(&before.root);
            root.ok_or_else(|| StepFault::Unreadable("the root of the day before is none".to_owned()))
                .map(|root| TreeHead { size: before.size, root })
        };
        let earlier: Vec<TreeHead> = before.map(root_of).transpose()?.into_iter().collect();
        // Tables deal on while the day is checked.
        scan_frugally(&self.reader, true, &earlier).map_err(|unsound| match unsound {
            Unsound::Unreadable(error) => StepFault::unreadable(error),
            Unsound::Refused(refusal) => refusal.into(),
        })
    }
}

fn seen(report: &Report, origin: &str) -> LogSeen {
    let of_table = |(table, reasons): (&String, &BTreeMap<String, u64>)| {
        let table = table.clone();
        let voids: Vec<(String, u64)> =
            reasons.iter().map(|(reason, number)| (format!("{table} ({reason})"), *number)).collect();
        voids
    };
    LogSeen {
        origin: origin.to_owned(),
        size: report.tree.size,
        root: report.tree.root.to_string(),
        closed: report.closed,
        voids: report.voids.iter().flat_map(of_table).collect(),
    }
}

fn judge(report: &Report, now: &LogSeen, before: Option<&LogSeen>, is_trusted: bool) -> DayCheck {
    let none = LogSeen::default();
    let before = before.unwrap_or(&none);
    let closed = now.closed.saturating_sub(before.closed);
    let voided_of = |seen: &LogSeen| seen.voids.values().sum::<u64>();
    let voided = voided_of(now).saturating_sub(voided_of(before));
    let unused: u64 = report.unused.values().sum();
    let signed = if is_trusted { "signed" } else { "signatures not checked (trust)" };
    let numbers = format!(
        "{} closed since the last day, {} voided, {} running, {} unused, {} without a gap, {signed}",
        counted(closed, "hand", "hands"),
        thousands(voided),
        report.running,
        counted(unused, "deck", "decks"),
        counted(now.size, "entry", "entries")
    );
    match too_many_voids(now, before) {
        Some(found) => DayCheck::new(NAME, CheckResult::Investigate, format!("{found}; {numbers}")),
        None if closed == 0 && before.size > 0 => DayCheck::could_not_say(
            NAME,
            format!(
                "no hand was closed since the last day: the log of another day, or a closed room; {numbers}"
            ),
        ),
        None => DayCheck::passed(NAME, numbers),
    }
}

/// Voids of one table and reason that are more of today's hands than of all before: hypergeometric, exact if a hand is
/// as likely to be voided on any day; Bonferroni over tables and reasons.
fn too_many_voids(now: &LogSeen, before: &LogSeen) -> Option<String> {
    let hands = |seen: &LogSeen| seen.closed + seen.voids.values().sum::<u64>();
    let (all, earlier) = (hands(now), hands(before));
    if earlier == 0 {
        return None;
    }
    let today = all.checked_sub(earlier)?;
    let of_reason = |(reason, &voids): (&String, &u64)| {
        let own = voids.saturating_sub(before.voids.get(reason).copied().unwrap_or(0));
        let p = hypergeometric::tails(all, voids, today, own).1;
        (bonferroni(now.voids.len() as f64, p), reason.clone(), own, voids - own)
    };
    let (p, reason, own, others) = now.voids.iter().map(of_reason).min_by(|a, b| a.0.total_cmp(&b.0))?;
    (p < VOIDS_LEVEL).then(|| {
        format!(
            "{own} of today's {} hands were voided at {reason}, {others} of {} before (hypergeometric test, null: as \
             often as before, p-value {})",
            thousands(today),
            thousands(earlier),
            p_value(p)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_table::log_folder::Log;
    use deckproof_table::log_folder::key_files::write_trust;
    use deckproof_verify::log::vkey::{KeyKind, Signer};

    fn log(closed: u64, voids: u64) -> LogSeen {
        let voids = BTreeMap::from([("T-1 (timeout)".to_owned(), voids), ("T-2 (crash)".to_owned(), 3)]);
        LogSeen { size: 3 * closed, closed, voids, ..LogSeen::default() }
    }

    #[test]
    fn a_log_without_a_hand_of_the_day_says_nothing_and_one_that_voids_all_raises_a_question() {
        let result =
            |now: LogSeen, before: LogSeen| judge(&Report::default(), &now, Some(&before), true).result;
        assert_eq!(result(log(1_010, 10), log(1_000, 10)), CheckResult::Passed);
        assert_eq!(result(log(1_000, 10), log(1_000, 10)), CheckResult::CouldNotSay);
        // One deck was voided since, and none was dealt.
        assert_eq!(
            result(LogSeen { size: 3_001, ..log(1_000, 11) }, log(1_000, 10)),
            CheckResult::CouldNotSay
        );
        assert_eq!(result(log(1_000, 60), log(1_000, 10)), CheckResult::Investigate);
        assert_eq!(result(log(0, 0), LogSeen::default()), CheckResult::Passed);
    }

    /// The trust file of another log is a slip, and no contradiction.
    #[test]
    fn a_trust_file_of_another_log_says_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join(name);
        let signer =
            |seed: u8| Signer::from_seed("stud.example/log1", KeyKind::Log, &[seed; 32]).expect("a name");
        Log::init(&place("log"), &signer(7)).expect("a new folder");
        for (seed, is_own) in [(7, true), (8, false)] {
            let trust = place(&format!("trust-{seed}.json"));
            write_trust(&trust, &signer(seed).vkey(), "stud.example/log1").expect("nothing stands there");
            let opened = LogAsked { folder: place("log"), trust: Some(trust) }.open();
            match opened {
                Ok(_) => assert!(is_own),
                Err(StepFault::Unreadable(reason)) => {
                    assert!(!is_own && reason.contains("trust file of another log"))
                }
                Err(fault) => panic!("{fault:?}"),
            }
        }
    }

    /// A room that had to begin a new log is not convicted by the tree of the old one.
    #[test]
    fn another_log_than_on_the_last_day_says_nothing_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = |name: &str| {
            let signer = Signer::from_seed(name, KeyKind::Log, &[7; 32]).expect("a name");
            let folder = folder.path().join(name.replace('/', "-"));
            Log::init(&folder, &signer).expect("a new folder");
            LogAsked { folder, trust: None }.open().expect("a log")
        };
        let before = LogSeen { origin: "stud.example/log1".to_owned(), root: "9".repeat(64), ..log(3, 0) };
        let (check, seen) = open("stud.example/log2").check(Some(("2026-11-22", &before)), "2026-11-23");
        assert_eq!(check.result, CheckResult::CouldNotSay);
        assert!(check.evidence.contains("this is the log stud.example/log2"), "{}", check.evidence);
        // Of the same log one with fewer entries is an older copy, also where another one was looked at in between.
        let between = seen.expect("it was read");
        assert_eq!(between.origin, "stud.example/log2");
        let first = open("stud.example/log1");
        for days in [&[&before][..], &[&between, &before]] {
            let (check, seen) = first.check(days.iter().map(|seen| ("2026-11-22", *seen)), "2026-11-23");
            assert!(check.evidence.contains("an older copy") && seen.is_none(), "{}", check.evidence);
        }
    }

    #[test]
    fn a_table_that_voids_more_than_ever_raises_a_question() {
        assert_eq!(too_many_voids(&log(2_000, 21), &log(1_000, 10)), None);
        let found = too_many_voids(&log(2_000, 60), &log(1_000, 10)).expect("fifty instead of ten");
        assert!(
            found.starts_with("50 of today's 1,050 hands were voided at T-1 (timeout), 10 of 1,013 before"),
            "{found}"
        );
        assert_eq!(too_many_voids(&log(2_000, 60), &LogSeen::default()), None);
    }
}
