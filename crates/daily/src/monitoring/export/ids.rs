//! The ids of a day's hands: those that are missing within the export, and between it and the day before.

use std::collections::BTreeSet;

use crate::monitoring::day::DayLine;
use crate::monitoring::export::expectation::{DAYS_MIN, Expectation, ExportFinding, dated, usual};
use crate::monitoring::export_line::{ExportSeen, IdsSeen};
use crate::monitoring::gaming_day::days_before;
use deckproof_deck::text::decimal::counted;

/// A part of the ids that is missing from time to time: numbers of a database that were given and not used.
const MISSING_SHARE: f64 = 0.01;

/// Ids that are numbers, if all are.
pub(super) fn seen(ids: Option<Vec<u64>>) -> Option<IdsSeen> {
    let mut ids = ids.filter(|ids| !ids.is_empty())?;
    ids.sort_unstable();
    ids.dedup();
    let (first, last) = (ids[0], ids[ids.len() - 1]);
    Some(IdsSeen { first, last, missing: (last - first).saturating_sub(ids.len() as u64 - 1) })
}

/// Hands that are missing, where on earlier days hardly any were.
pub(super) fn finding_within(ids: IdsSeen, records: u64, wanted: &Expectation) -> Option<ExportFinding> {
    let days = usual(wanted);
    let usual: Vec<f64> = days.iter().filter_map(|day| Some(share(day.ids?.missing, day.records))).collect();
    let place = format!("between hand {} and {}", ids.first, ids.last);
    missing_finding(ids.missing, records, &usual, &place)
}

/// Hands that are missing between the last one of the day before and the first; those `outside` the day that this file has are
/// not missing.
pub(super) fn finding_between(
    ids: IdsSeen,
    outside: &[u64],
    records: u64,
    wanted: &Expectation,
) -> Option<ExportFinding> {
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
    use std::ops::Range;

    use super::*;
    use crate::monitoring::export::expectation::samples::{day, wanted};

    #[test]
    fn ids_that_are_missing_are_counted_and_are_a_fault_where_none_were() {
        assert_eq!(seen(Some(vec![7, 4, 5, 9])), Some(IdsSeen { first: 4, last: 9, missing: 2 }));
        assert_eq!(seen(Some(Vec::new())), None);
        let ids = |missing| Some(IdsSeen { first: 1, last: 1_000 + missing, missing });
        let of = |missing| ExportSeen { records: 1_000, ids: ids(missing), ..ExportSeen::default() };
        let whole: Vec<DayLine> = (10..15).map(|at| day(&format!("2026-11-{at}"), of(0))).collect();
        let sparse: Vec<DayLine> = (10..15).map(|at| day(&format!("2026-11-{at}"), of(900))).collect();
        let found = |earlier: &[DayLine], missing| {
            finding_within(ids(missing).expect("numbers"), 1_000, &wanted(None, earlier))
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
            finding_between(
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
