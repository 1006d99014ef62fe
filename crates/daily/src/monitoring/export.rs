//! The export of a day, looked at before its decks are judged: whether it is of this day, and all of it. What is found here
//! says nothing of the shuffler, and is healed by the right file.

use std::collections::BTreeSet;
use std::ops::Range;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::monitoring::day::DayLine;
use crate::monitoring::export_line::{ExportSeen, IdsSeen};
use crate::monitoring::gaming_day::days_before;
use crate::monitoring::record_times::{Times, best, first_times, seconds};
use crate::monitoring::rows::counting;
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::source::marks::Marks;
use deckproof_audit::source::order::not_shown;
use deckproof_deck::text::decimal::{counted, thousands};

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
const DAYS_MIN: usize = 3;

/// A part of the ids that is missing from time to time: numbers of a database that were given and not used.
const MISSING_SHARE: f64 = 0.01;

/// What was seen, and what is found.
pub fn check(records: u64, marks: Option<&Marks>, wanted: &Expectation) -> (ExportSeen, Vec<ExportFinding>) {
    let mut findings: Vec<ExportFinding> = Vec::new();
    findings.extend(count_findings(records, wanted).filter(|_| !wanted.is_cut));
    let mut seen = ExportSeen { records, is_cut: wanted.is_cut, ..ExportSeen::default() };
    if let Some(marks) = marks {
        let marked = Marked::of(marks, records, wanted);
        findings.extend(marked.time_findings(records, wanted));
        findings.extend(empty_finding(marks.empty(records), records));
        findings.extend(not_shown(marks, records).map(ExportFinding::Note));
        findings.extend(marks.hand_twice(records).map(ExportFinding::Note));
        seen.outside = marked.times.map(|times| records - times.inside);
        seen.ids = ids_of(marked.ids);
        seen.first_times = first_times(marks, records, wanted.zone);
        findings.extend(seen.ids.and_then(|ids| ids_finding(ids, records, wanted)));
        findings.extend(seen.ids.and_then(|ids| gap_finding(ids, &marked.outside, records, wanted)));
    }
    (seen, findings)
}

/// Whether these are decks of files whose records have no times that say of which day they are.
pub fn is_undated(result: &AuditResult, export: Option<&ExportSeen>) -> bool {
    result.source.number("file_records").is_ok() && export.is_none_or(|export| export.outside.is_none())
}

/// Records without a deck, which were passed over as was asked for; too many of them are no export to judge.
fn empty_finding(empty: u64, records: u64) -> Option<ExportFinding> {
    let share = 100.0 * empty as f64 / (empty + records).max(1) as f64;
    (empty > 0).then(|| {
        ExportFinding::Note(format!(
            "{} passed over (empty_deck), {share:.2} % of all",
            counted(empty, "record without a deck was", "records without a deck were")
        ))
    })
}

/// Other days of which the number of records is known, the last ones whose decks were judged: a file that was refused is no
/// measure of the next one, nor is one that was not read to its end.
fn usual<'a>(wanted: &'a Expectation) -> Vec<&'a ExportSeen> {
    dated(wanted)
        .into_iter()
        .filter(|(line, _)| !line.ends_at_bad_record())
        .map(|(_, export)| export)
        .collect()
}

/// The last days whose decks were judged.
fn dated<'a>(wanted: &'a Expectation) -> Vec<(&'a DayLine, &'a ExportSeen)> {
    // Of a day that was run again the last file counts.
    let mut dates = BTreeSet::from([wanted.date]);
    let others =
        counting(wanted.earlier).rev().filter(|(_, line)| line.export.is_some() && line.has_judged_decks());
    let last = others.filter(|(_, line)| dates.insert(&line.day));
    last.filter_map(|(_, line)| Some((line, line.export.as_ref()?))).take(DAYS).collect()
}

/// How many records the rows of a day have together, where each judged what a growing source had more.
fn records_of_day(wanted: &Expectation, date: &str) -> u64 {
    let is_own = |line: &DayLine| line.day == date && line.certificate.is_some();
    let own = counting(wanted.earlier).map(|(_, line)| line).filter(|line| is_own(line));
    own.filter_map(|line| line.export.as_ref()).map(|export| export.records).sum()
}

/// Too few or too many records for a day.
fn count_findings(new: u64, wanted: &Expectation) -> Option<ExportFinding> {
    // Those that an earlier run of the day judged are not there again.
    let judged = if wanted.is_growing { records_of_day(wanted, wanted.date) } else { 0 };
    let records = new + judged;
    let again = if wanted.is_growing {
        "run this day again when the file has all of it"
    } else {
        "copy the whole file and run this day again"
    };
    if let Some(least) = wanted.records_min.filter(|&least| records < least) {
        return Some(ExportFinding::Fault(format!(
            "{}, wanted {} or more (min_decks): a part of the day; {again}",
            counted(records, "record", "records"),
            thousands(least)
        )));
    }
    let days = dated(wanted).into_iter().filter(|(line, _)| !line.ends_at_bad_record());
    let count = |(line, export): (&DayLine, &ExportSeen)| {
        if wanted.is_growing { records_of_day(wanted, &line.day).max(export.records) } else { export.records }
    };
    let days: Vec<u64> = days.map(count).collect();
    let counts = || days.iter().copied();
    let (least, most) = counts().min().zip(counts().max())?;
    let is_usual = days.len() >= DAYS_MIN;
    let range = if days.len() == 1 {
        format!("the last day had {}", thousands(least))
    } else if least == most {
        format!("the last {} days had {} each", days.len(), thousands(least))
    } else {
        format!("the last {} days had {} to {}", days.len(), thousands(least), thousands(most))
    };
    let records_words = counted(records, "record", "records");
    if records < least / 2 && wanted.records_min.is_none() {
        let few = format!("{records_words}, and {range}: a part of the day?");
        return Some(if is_usual {
            ExportFinding::Fault(format!(
                "{few} {}{}, or say min_decks = {records} if a day may be so short",
                again[..1].to_uppercase(),
                &again[1..]
            ))
        } else {
            ExportFinding::Note(format!("{few} Fewer than {DAYS_MIN} days are no measure: min_decks is one"))
        });
    }
    (is_usual && records > most.saturating_mul(2))
        .then(|| ExportFinding::Note(format!("{records_words}, and {range}: more than one day?")))
}

struct Marked {
    ids: Option<Vec<u64>>,
    /// The ids of records outside the day.
    outside: Vec<u64>,
    times: Option<Times>,
}

impl Marked {
    fn of(marks: &Marks, records: u64, wanted: &Expectation) -> Marked {
        // Times without a zone may be those of the place or of UTC: the file is taken as it fits.
        let zones = [wanted.zone.clone(), TimeZone::UTC];
        let (mut times, mut has_times) = ([Times::default(), Times::default()], false);
        let (mut ids, mut outside, mut unnumbered) = (Vec::new(), Vec::new(), 0);
        let mut record = 0;
        marks.each(records, |id, time| {
            record += 1;
            let is_inside =
                |zone: &TimeZone| seconds(time, zone).is_none_or(|second| wanted.span.contains(&second));
            match id.parse() {
                // Between the ids of two days others may lie: only those of this day are looked at for gaps.
                Ok(id) if time.is_empty() || zones.iter().any(is_inside) => ids.push(id),
                Ok(id) => outside.push(id),
                Err(_) => unnumbered += 1,
            }
            if time.is_empty() {
                return;
            }
            has_times = true;
            for (zone, times) in zones.iter().zip(&mut times) {
                times.add(seconds(time, zone), time, record, wanted.span);
            }
        });
        // Of ids of which hardly any is no number the others are looked at.
        let ids = (100 * unnumbered <= records).then_some(ids);
        Marked { ids, outside, times: has_times.then(|| best(times)) }
    }

    fn time_findings(&self, records: u64, wanted: &Expectation) -> Vec<ExportFinding> {
        let Some(Times { inside, outside, away, after, is_utc_alone }) = &self.times else {
            return Vec::new();
        };
        let utc = |seconds: u64| {
            let time = Timestamp::from_second(i64::try_from(seconds).unwrap_or(i64::MAX));
            time.map_or_else(|_| String::new(), |time| time.strftime("%Y-%m-%dT%H:%MZ").to_string())
        };
        let day = format!("{} ({} to {})", wanted.date, utc(wanted.span.start), utc(wanted.span.end));
        let all = counted(records, "record", "records");
        let undated = records - inside - away;
        if 2 * undated > records {
            return vec![ExportFinding::Fault(format!(
                "{} of {all} have no time in time_column that can be read, wanted such as 2026-11-22T04:05:06Z: nothing shows that they are \
                 of the day {day}",
                thousands(undated)
            ))];
        }
        // Hands of days before are those of nights that were missed.
        let of_others = if wanted.is_growing { *after } else { *away };
        let mut found = Vec::new();
        match outside {
            None => {}
            Some((first, _)) if *inside == 0 => {
                return vec![ExportFinding::Fault(format!(
                    "none of {all} is inside the day {day}, the first is of {first}: the file of another day; name the right one and run \
                     this day again"
                ))];
            }
            Some((first, record)) if *inside < of_others => {
                return vec![ExportFinding::Fault(format!(
                    "{} of {all} are outside the day {day}, more than inside it, the first record {} of {first}: the file of another day; \
                     name the right one and run this day again",
                    thousands(*away),
                    thousands(*record)
                ))];
            }
            Some((first, record)) => found.push(format!(
                "{} outside the day {day}, the first record {} of {first}",
                counted(*away, "record is", "records are"),
                thousands(*record)
            )),
        }
        if undated > 0 {
            found
                .push(format!("{} no time that can be read", counted(undated, "record has", "records have")));
        }
        if *is_utc_alone {
            found.push(format!(
                "the times have no zone, and only as those of UTC are they inside the day {day}: in the zone of day_ends the file is of \
                 another day"
            ));
        }
        found.into_iter().map(ExportFinding::Note).collect()
    }
}

/// Ids that are numbers, if all are.
fn ids_of(ids: Option<Vec<u64>>) -> Option<IdsSeen> {
    let mut ids = ids.filter(|ids| !ids.is_empty())?;
    ids.sort_unstable();
    ids.dedup();
    let (first, last) = (ids[0], ids[ids.len() - 1]);
    Some(IdsSeen { first, last, missing: (last - first).saturating_sub(ids.len() as u64 - 1) })
}

/// Hands that are missing, where on earlier days hardly any were.
fn ids_finding(ids: IdsSeen, records: u64, wanted: &Expectation) -> Option<ExportFinding> {
    let days = usual(wanted);
    let usual: Vec<f64> = days.iter().filter_map(|day| Some(share(day.ids?.missing, day.records))).collect();
    let place = format!("between hand {} and {}", ids.first, ids.last);
    missing_finding(ids.missing, records, &usual, &place)
}

/// Hands that are missing between the last one of the day before and the first; those `outside` the day that this file has are
/// not missing.
fn gap_finding(ids: IdsSeen, outside: &[u64], records: u64, wanted: &Expectation) -> Option<ExportFinding> {
    // A source that only grows may have been read beyond the end of its day.
    let with_rest = |own: &ExportSeen| {
        let rest = own.last_id.as_ref().and_then(|id| id.parse().ok()).unwrap_or(0);
        own.ids.map(|ids| IdsSeen { last: ids.last.max(rest), ..ids })
    };
    let mut days: Vec<(&DayLine, IdsSeen, u64)> = dated(wanted)
        .into_iter()
        .filter_map(|(day, own)| Some((day, with_rest(own)?, own.records)))
        .collect();
    days.retain(|(line, ..)| *line.day < *wanted.date);
    days.sort_unstable_by(|one, other| other.0.day.cmp(&one.0.day));
    let (line, before, _) = *days.first()?;
    let between = |before: IdsSeen, ids: IdsSeen| ids.first.saturating_sub(before.last.saturating_add(1));
    let day = &line.day;
    let gap = before.last.saturating_add(1)..ids.first;
    let here: BTreeSet<&u64> = outside.iter().filter(|id| gap.contains(id)).collect();
    let missing = between(before, ids).saturating_sub(here.len() as u64);
    // Nobody looked whether these hands are there.
    let unread = |last: &str, why: &str| {
        let lie = counted(missing, "id lies", "ids lie");
        let words = format!("{lie} between hand {}, {last}, and {}: {why}", before.last, ids.first);
        (missing > 0).then_some(ExportFinding::Note(words))
    };
    if line.ends_at_bad_record() {
        let why =
            "the reading of that day ended at a record that is no deck, and what follows it was not read";
        return unread(&format!("the last one that was read of {day}"), why);
    }
    let follows = |day: &str, before: &str| days_before(day, 1).as_deref() == Some(before);
    if !follows(wanted.date, day) {
        return unread(&format!("the last one of {day}"), "the days between have no row whose ids count");
    }
    // Nor are such gaps a measure.
    let is_read =
        |own: &DayLine, before: &DayLine| follows(&own.day, &before.day) && !before.ends_at_bad_record();
    let gaps = days.iter().zip(&days[1..]).filter(|(own, before)| is_read(own.0, before.0));
    let mut usual: Vec<f64> = gaps.map(|(own, before)| share(between(before.1, own.1), own.2)).collect();
    // Other games may take ids between two nights.
    if usual.iter().any(|share| *share > MISSING_SHARE) {
        usual.clear();
    }
    let place = format!("between hand {}, the last one of {day}, and {}", before.last, ids.first);
    missing_finding(missing, records, &usual, &place)
}

/// The part of all hands that is missing.
fn share(missing: u64, records: u64) -> f64 {
    missing as f64 / missing.saturating_add(records).max(1) as f64
}

/// Ids that are missing at a place: a fault where the other days lacked hardly any.
fn missing_finding(missing: u64, records: u64, usual: &[f64], place: &str) -> Option<ExportFinding> {
    let most = usual.iter().copied().fold(0.0, f64::max);
    let words = format!("{} {place}", counted(missing, "id is missing", "ids are missing"));
    let is_fault = share(missing, records) > MISSING_SHARE.max(2.0 * most) && usual.len() >= DAYS_MIN;
    if missing == 0 {
        return None;
    }
    if !is_fault {
        return Some(ExportFinding::Note(words));
    }
    Some(ExportFinding::Fault(format!(
        "{words}, and the last {} days lacked at most {:.1} %: are hands left out? Export all of them, and run the day that lacks them and \
         this one again. Where another game or a new server took these ids, run this day without id_column",
        usual.len(),
        100.0 * most
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(date: &str, export: ExportSeen) -> DayLine {
        let mut line = DayLine::of_failure(date, "a", "0", "", "");
        (line.export, line.certificate) = (Some(export), Some("certificate.json".to_owned()));
        line
    }

    fn wanted(records_min: Option<u64>, earlier: &[DayLine]) -> Expectation<'_> {
        static ZONE: TimeZone = TimeZone::UTC;
        let (span, zone, date) = (&(0..1), &ZONE, "2026-11-22");
        Expectation { span, zone, date, records_min, is_growing: false, is_cut: false, earlier }
    }

    fn found(records: u64, records_min: Option<u64>, earlier: &[DayLine]) -> Vec<ExportFinding> {
        check(records, None, &wanted(records_min, earlier)).1
    }

    #[test]
    fn half_of_the_fewest_records_of_the_last_days_is_a_part_of_a_day() {
        let of = |records| ExportSeen { records, ..ExportSeen::default() };
        let days: Vec<DayLine> =
            (10..21).map(|day_of| day(&format!("2026-11-{day_of}"), of(6_000 + 100 * day_of))).collect();
        assert_eq!(found(3_600, None, &days), []);
        assert!(
            matches!(&found(1_100, None, &days)[..], [ExportFinding::Fault(words)] if words.contains("7,000 to 8,000"))
        );
        // Reading ended at a record that is no deck.
        assert_eq!(check(1_100, None, &Expectation { is_cut: true, ..wanted(None, &days) }).1, []);
        // What is declared counts instead, and of days before there are enough it is only noted.
        assert_eq!(found(1_100, Some(1_000), &days), []);
        assert!(matches!(&found(900, Some(1_000), &days)[..], [ExportFinding::Fault(_)]));
        let early = "1,100 records, and the last 2 days had 7,000 to 7,100: a part of the day?";
        assert!(
            matches!(&found(1_100, None, &days[..2])[..], [ExportFinding::Note(words)] if words.starts_with(early))
        );
        assert_eq!(found(3_600, None, &days[..2]), []);
        assert!(matches!(&found(17_000, None, &days)[..], [ExportFinding::Note(_)]));
        // Another run of the day itself is not one of those before.
        let same = [day("2026-11-22", of(9_000)), day("2026-11-22", of(9_000)), day("2026-11-22", of(9_000))];
        assert_eq!(found(1_100, None, &same), []);
        // A file that was refused is no measure of the next one.
        let mut refused: Vec<DayLine> = (21..35).map(|at| day(&format!("2026-12-{at}"), of(100))).collect();
        refused.iter_mut().for_each(|line| line.certificate = None);
        assert!(matches!(&found(1_100, None, &[days, refused].concat())[..], [ExportFinding::Fault(_)]));
    }

    #[test]
    fn records_whose_time_cannot_be_read_are_of_no_day() {
        let zone = TimeZone::get("Australia/Sydney").expect("a zone");
        // The 12th of November 2026 in Sydney begins at 13:00 UTC of the 11th.
        let span = 1_794_402_000..1_794_488_400;
        let wanted = Expectation {
            span: &span,
            zone: &zone,
            date: "2026-11-12",
            records_min: None,
            is_growing: false,
            is_cut: false,
            earlier: &[],
        };
        let found = |times: &[&str]| {
            let mut both = [Times::default(), Times::default()];
            for (place, time) in times.iter().enumerate() {
                for (zone, own) in [zone.clone(), TimeZone::UTC].iter().zip(&mut both) {
                    own.add(seconds(time, zone), time, place as u64 + 1, &span);
                }
            }
            let marked = Marked { ids: None, outside: Vec::new(), times: Some(best(both)) };
            marked.time_findings(times.len() as u64, &wanted)
        };
        let inside = "2026-11-12 20:00:00";
        assert_eq!(found(&[inside, inside]), []);
        assert!(
            matches!(&found(&["12/11/2026", "12/11/2026", inside])[..], [ExportFinding::Fault(words)] if words.contains("2 of 3 records have no time"))
        );
        assert!(
            matches!(&found(&["12/11/2026", inside, inside])[..], [ExportFinding::Note(words)] if words.contains("1 record has no time"))
        );
        // The evening before, which as UTC would be of this day.
        assert!(
            matches!(&found(&["2026-11-11 20:00:00"])[..], [ExportFinding::Note(words)] if words.contains("only as those of UTC"))
        );
    }

    #[test]
    fn ids_that_are_missing_are_counted_and_are_a_fault_where_none_were() {
        assert_eq!(ids_of(Some(vec![7, 4, 5, 9])), Some(IdsSeen { first: 4, last: 9, missing: 2 }));
        assert_eq!(ids_of(Some(Vec::new())), None);
        let ids = |missing| Some(IdsSeen { first: 1, last: 1_000 + missing, missing });
        let of = |missing| ExportSeen { records: 1_000, ids: ids(missing), ..ExportSeen::default() };
        let whole: Vec<DayLine> = (10..15).map(|at| day(&format!("2026-11-{at}"), of(0))).collect();
        let sparse: Vec<DayLine> = (10..15).map(|at| day(&format!("2026-11-{at}"), of(900))).collect();
        let found = |earlier: &[DayLine], missing| {
            ids_finding(ids(missing).expect("numbers"), 1_000, &wanted(None, earlier))
        };
        assert_eq!(found(&whole, 0), None);
        assert!(matches!(found(&whole, 5), Some(ExportFinding::Note(_))));
        assert!(matches!(found(&whole, 400), Some(ExportFinding::Fault(_))));
        assert!(matches!(found(&sparse, 900), Some(ExportFinding::Note(_))));
        assert!(matches!(found(&[], 400), Some(ExportFinding::Note(_))));
    }

    /// The last hands of a day before are away: ids that no day has.
    #[test]
    fn ids_that_are_missing_between_two_days_are_named_and_are_a_fault_where_none_were() {
        // 1,000 ids a day, of which each export has these.
        let of = |day: u64, length: u64| {
            let ids = IdsSeen { first: 1_000 * day, last: 1_000 * day + length - 1, missing: 0 };
            ExportSeen { records: length, ids: Some(ids), ..ExportSeen::default() }
        };
        let days = |last: u64, length| -> Vec<DayLine> {
            (10..=last).map(|at| day(&format!("2026-11-{at}"), of(at, length))).collect()
        };
        let found_beside = |outside: Range<u64>, earlier: &[DayLine]| {
            gap_finding(
                of(15, 1_000).ids.expect("numbers"),
                &outside.clone().collect::<Vec<u64>>(),
                1_000,
                &Expectation { date: "2026-11-15", ..wanted(None, earlier) },
            )
        };
        let found = |earlier: &[DayLine]| found_beside(0..0, earlier);
        assert_eq!(found(&days(14, 1_000)), None);
        // Every day lacks its last 300.
        let Some(ExportFinding::Note(words)) = found(&days(14, 700)) else { panic!("a note") };
        assert_eq!(words, "300 ids are missing between hand 14699, the last one of 2026-11-14, and 15000");
        // The day before alone does.
        let mut cut = days(13, 1_000);
        cut.push(day("2026-11-14", of(14, 700)));
        assert!(matches!(found(&cut), Some(ExportFinding::Fault(_))));
        // They came after the night, and are in this file with times of the day before; so are some that were read then.
        assert_eq!(found_beside(14_600..15_000, &cut), None);
        assert!(
            matches!(found_beside(14_701..15_000, &cut), Some(ExportFinding::Note(words)) if words.starts_with("1 id is missing"))
        );
        // The night before read some of this day, and all that comes before them.
        let last = cut.last_mut().and_then(|line| line.export.as_mut()).expect("an export");
        last.last_id = Some("15010".to_owned());
        assert_eq!(found(&cut), None);
        // A record that is no deck ended the reading of the day before: the hands behind it were not looked for. On the days after it,
        // the others are the measure.
        let cut_at = |at: usize| {
            let mut days = days(14, 1_000);
            days[at].export = Some(of(10 + at as u64, 700));
            days[at].proofs = vec!["Record 701 is not a deck: found 51 cards, wanted 52.".to_owned()];
            days
        };
        let Some(ExportFinding::Note(words)) = found(&cut_at(4)) else { panic!("a note") };
        assert_eq!(
            words,
            "300 ids lie between hand 14699, the last one that was read of 2026-11-14, and 15000: the reading of that day ended at a record \
             that is no deck, and what follows it was not read"
        );
        let mut later = cut_at(3);
        assert_eq!(found(&later), None);
        later[4].export = Some(of(14, 700));
        assert!(matches!(found(&later), Some(ExportFinding::Fault(_))));
        // A day was not judged: nobody looked for its hands.
        let Some(ExportFinding::Note(words)) = found(&days(13, 1_000)) else { panic!("a note") };
        assert!(
            words.starts_with(
                "1,000 ids lie between hand 13999, the last one of 2026-11-13, and 15000: the days between"
            ),
            "{words}"
        );
        assert_eq!(found(&[]), None);
    }
}
