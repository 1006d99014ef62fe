//! The export of a day, looked at before its decks are judged: whether it is of this day, and all of it. What is found here
//! says nothing of the shuffler, and is healed by the right file.

mod expectation;
mod ids;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::monitoring::day::DayLine;
use crate::monitoring::export::expectation::{DAYS_MIN, dated};
use crate::monitoring::export_line::ExportSeen;
use crate::monitoring::record_times::{Times, best, first_times, readings, seconds};
use crate::monitoring::rows::counting;
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::source::marks::Marks;
use deckproof_audit::source::order::not_shown;
use deckproof_deck::text::decimal::{counted, thousands};

pub use crate::monitoring::export::expectation::{Expectation, ExportFinding};
pub use crate::monitoring::export::ids::left_out;

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
        seen.outside = marked.times.map(|[times, _]| records - times.inside);
        seen.ids = ids::seen(marked.ids);
        seen.first_times = first_times(marks, records, wanted.zone);
        findings.extend(seen.ids.and_then(|ids| ids::finding_within(ids, records, wanted)));
        findings.extend(seen.ids.and_then(|ids| ids::finding_between(ids, &marked.outside, records, wanted)));
    }
    (seen, findings)
}

/// That the decks are in another column than those of the last day that was judged.
pub fn moved_decks(seen: &ExportSeen, wanted: &Expectation) -> Option<ExportFinding> {
    let (line, before) = *dated(wanted).first()?;
    let (own, before) = seen.deck_place.as_ref().zip(before.deck_place.as_ref())?;
    let words = format!(
        "the decks are in {own}, and those of {} were in {before}: are these the decks that were dealt?",
        line.day
    );
    (own != before).then_some(ExportFinding::Note(words))
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
        let few = format!("{records_words}, and {range}: a part of the day");
        return Some(if is_usual {
            ExportFinding::Fault(format!(
                "{few}; {again}, or set min_decks = {records} if a day may be so short"
            ))
        } else {
            ExportFinding::Note(format!("{few}? Fewer than {DAYS_MIN} days are no measure: min_decks is one"))
        });
    }
    (is_usual && records > most.saturating_mul(2))
        .then(|| ExportFinding::Note(format!("{records_words}, and {range}: more than one day?")))
}

struct Marked {
    ids: Option<Vec<u64>>,
    /// The ids of records outside the day.
    outside: Vec<u64>,
    /// In the reading of dates in which more of them can be read, and in the other one.
    times: Option<[Times; 2]>,
}

impl Marked {
    fn of(marks: &Marks, records: u64, wanted: &Expectation) -> Marked {
        // Times without a zone may be those of the place or of UTC: the file is taken as it fits.
        let zones = [wanted.zone.clone(), TimeZone::UTC];
        let (mut times, mut has_times) = (<[[Times; 2]; 2]>::default(), false);
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
            for (place, zone) in zones.iter().enumerate() {
                for (second, times) in readings(time, zone).into_iter().zip(&mut times) {
                    times[place].add(second, time, record, wanted.span);
                }
            }
        });
        // Of ids of which hardly any is no number the others are looked at.
        let ids = (100 * unnumbered <= records).then_some(ids);
        let times = has_times.then(|| Marked::by_reading(times.map(best)));
        Marked { ids, outside, times }
    }

    /// The reading in which more times can be read comes first.
    fn by_reading([month_first, day_first]: [Times; 2]) -> [Times; 2] {
        let read = |times: &Times| times.inside + times.away;
        if read(&day_first) > read(&month_first) {
            [day_first, month_first]
        } else {
            [month_first, day_first]
        }
    }

    fn time_findings(&self, records: u64, wanted: &Expectation) -> Vec<ExportFinding> {
        let Some([times, other]) = &self.times else { return Vec::new() };
        let Times { inside, outside, away, after, is_utc_alone, unread } = times;
        let utc = |seconds: u64| {
            let time = Timestamp::from_second(i64::try_from(seconds).unwrap_or(i64::MAX));
            time.map_or_else(|_| String::new(), |time| time.strftime("%Y-%m-%dT%H:%MZ").to_string())
        };
        let day = format!("{} ({} to {})", wanted.date, utc(wanted.span.start), utc(wanted.span.end));
        let all = counted(records, "record", "records");
        let undated = records - inside - away;
        if 2 * undated > records {
            let first = unread.as_ref().map_or_else(String::new, |(text, record)| {
                format!(", the first {text:?} (record {})", thousands(*record))
            });
            return vec![ExportFinding::Fault(format!(
                "{} of {all} have no time in time_column that can be read{first}, wanted such as 2026-11-22T04:05:06Z: nothing shows that they \
                 are of the day {day}",
                thousands(undated)
            ))];
        }
        if inside + away == other.inside + other.away && *inside != other.inside {
            let (fits, misses) = if *inside > other.inside { (times, other) } else { (other, times) };
            let first = misses.outside.as_ref().map_or("", |(text, _)| text.as_str());
            let [own, another] = if *inside > other.inside { ["month", "day"] } else { ["day", "month"] };
            return vec![ExportFinding::Fault(format!(
                "two readings of the times are possible, as of {first:?}: with the {own} first {} of {all} are inside the day {day}, with the \
                 {another} first {}: export times that tell, such as 2026-11-30 21:05:12",
                thousands(fits.inside),
                thousands(misses.inside)
            ))];
        }
        // Hands of days before are those of nights that were missed.
        let of_others = if wanted.is_growing { *after } else { *away };
        // Some hands of this day behind those of the days before.
        let grows = if wanted.is_growing || *after > 0 {
            ""
        } else {
            "; or set append_only = true, and keeps_days where its beginning goes, for a file that keeps the hands of several days"
        };
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
                     name the right one and run this day again{grows}",
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitoring::export::expectation::samples::{day, wanted};

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
    fn decks_in_another_column_than_on_the_last_day_are_noted() {
        let of = |place: Option<&str>| ExportSeen {
            deck_place: place.map(str::to_owned),
            ..ExportSeen::default()
        };
        let [deck, shoe] = [of(Some("column `deck`")), of(Some("column `shoe`"))];
        let days = [day("2026-11-20", shoe.clone()), day("2026-11-21", deck.clone())];
        let found = |own: &ExportSeen, days: &[DayLine]| moved_decks(own, &wanted(None, days));
        let words = "the decks are in column `shoe`, and those of 2026-11-21 were in column `deck`: are these the decks that were dealt?";
        assert_eq!(found(&shoe, &days), Some(ExportFinding::Note(words.to_owned())));
        assert_eq!([found(&deck, &days), found(&of(None), &days), found(&shoe, &[])], [None, None, None]);
        assert_eq!(found(&shoe, &[day("2026-11-21", of(None))]), None);
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
            let mut both = <[[Times; 2]; 2]>::default();
            for (place, time) in times.iter().enumerate() {
                for (at, zone) in [zone.clone(), TimeZone::UTC].iter().enumerate() {
                    for (second, own) in readings(time, zone).into_iter().zip(&mut both) {
                        own[at].add(second, time, place as u64 + 1, &span);
                    }
                }
            }
            let times_read = Some(Marked::by_reading(both.map(best)));
            let marked = Marked { ids: None, outside: Vec::new(), times: times_read };
            marked.time_findings(times.len() as u64, &wanted)
        };
        let inside = "2026-11-12 20:00:00";
        assert_eq!(found(&[inside, inside]), []);
        assert!(
            matches!(&found(&["12 o'clock", "12 o'clock", inside])[..], [ExportFinding::Fault(words)] if words.contains("2 of 3 records have no time in time_column that can be read, the first \"12 o'clock\" (record 1), wanted"))
        );
        assert!(
            matches!(&found(&["12 o'clock", inside, inside])[..], [ExportFinding::Note(words)] if words.contains("1 record has no time"))
        );
        // The 12th of November or the 11th of December, unless another record tells.
        let slashes = "12/11/2026 20:00";
        assert!(
            matches!(&found(&[slashes, slashes])[..], [ExportFinding::Fault(words)] if words.starts_with("two readings of the times are possible, as of \"12/11/2026 20:00\": with the day first 2 of 2 records are inside the day 2026-11-12 (2026-11-11T13:00Z to 2026-11-12T13:00Z), with the month first 0: "))
        );
        assert!(
            matches!(&found(&["13/11/2026 00:10", slashes, slashes])[..], [ExportFinding::Note(words)] if words.starts_with("1 record is outside the day"))
        );
        // The evening before, which as UTC would be of this day.
        assert!(
            matches!(&found(&["2026-11-11 20:00:00"])[..], [ExportFinding::Note(words)] if words.contains("only as those of UTC"))
        );
    }
}
