//! What the export of a day is compared with, and what is found in it.

use std::collections::BTreeSet;
use std::ops::Range;

use jiff::tz::TimeZone;

use crate::monitoring::day::DayLine;
use crate::monitoring::export_line::ExportSeen;
use crate::monitoring::rows::counting;

/// What is found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExportFinding {
    /// The file is not the one of this day, or not all of it: no deck is judged.
    Fault(String),
    /// What a person should know beside the result.
    Note(String),
}

/// What an export is compared with.
pub struct Expectation<'a> {
    /// From when to when the day is, in POSIX seconds.
    pub span: &'a Range<u64>,
    /// The time zone of times that have none of their own.
    pub zone: &'a TimeZone,
    /// The day.
    pub date: &'a str,
    /// Fewer records are not all of a day.
    pub records_min: Option<u64>,
    /// Whether they are what a source that only grows has had since it was examined: hands of the days before may be among them.
    pub is_growing: bool,
    /// Whether reading ended at a record that is no deck: how many follow it was not counted.
    pub is_cut: bool,
    /// The days before.
    pub earlier: &'a [DayLine],
}

/// Days that the number of records is compared with.
const DAYS: usize = 14;

/// Fewer days say nothing of what is usual.
pub(super) const DAYS_MIN: usize = 3;

/// Other days of which the number of records is known, the last ones whose decks were judged: a file that was refused is no
/// measure of the next one, nor is one that was not read to its end.
pub(super) fn usual<'a>(wanted: &'a Expectation) -> Vec<&'a ExportSeen> {
    dated(wanted)
        .into_iter()
        .filter(|(line, _)| !line.ends_at_bad_record())
        .map(|(_, export)| export)
        .collect()
}

/// The last days whose decks were judged.
pub(super) fn dated<'a>(wanted: &'a Expectation) -> Vec<(&'a DayLine, &'a ExportSeen)> {
    // Of a day that was run again the last file counts.
    let mut dates = BTreeSet::from([wanted.date]);
    let others =
        counting(wanted.earlier).rev().filter(|(_, line)| line.export.is_some() && line.has_judged_decks());
    let last = others.filter(|(_, line)| dates.insert(&line.day));
    last.filter_map(|(_, line)| Some((line, line.export.as_ref()?))).take(DAYS).collect()
}

/// Days and their exports, for the tests of what is found.
#[cfg(test)]
pub(super) mod samples {
    use super::*;

    pub(crate) fn day(date: &str, export: ExportSeen) -> DayLine {
        let mut line = DayLine::of_failure(date, "a", "0", "", "");
        (line.export, line.certificate) = (Some(export), Some("certificate.json".to_owned()));
        line
    }

    pub(crate) fn wanted(records_min: Option<u64>, earlier: &[DayLine]) -> Expectation<'_> {
        static ZONE: TimeZone = TimeZone::UTC;
        let (span, zone, date) = (&(0..1), &ZONE, "2026-11-22");
        Expectation { span, zone, date, records_min, is_growing: false, is_cut: false, earlier }
    }
}
