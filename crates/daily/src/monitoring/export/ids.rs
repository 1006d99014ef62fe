//! The ids of a day's hands: those that are missing within the export, and between it and the day before.

use std::collections::BTreeSet;

use crate::monitoring::day::DayLine;
use crate::monitoring::export::expectation::{DAYS_MIN, Expectation, ExportFinding, dated, usual};
use crate::monitoring::export_line::{ExportSeen, IdsSeen};
use crate::monitoring::gaming_day::days_before;
use crate::monitoring::rows::counting;
use deckproof_deck::text::decimal::counted;

/// A part of the ids that is missing from time to time: numbers of a database that were given and not used.
const MISSING_SHARE: f64 = 0.01;

/// A part of the hands that changes what is counted of the others, where it was chosen by how they went.
const LEFT_OUT_SHARE: f64 = 0.1;

/// A part from which on what was missing on a day is no measure of another one: twice of it would be all.
const USUAL_SHARE: f64 = 0.5;

/// Ids that are numbers, if all are, in the order of the records. Where they begin again at 0 or 1 behind the highest one, those between
/// are nobody's: the first is then above the last.
pub(super) fn seen(ids: Option<Vec<u64>>) -> Option<IdsSeen> {
    let ids = ids.filter(|ids| !ids.is_empty())?;
    let part = |ids: &[u64]| {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids.dedup();
        let (first, last) = (ids[0], ids[ids.len() - 1]);
        IdsSeen { first, last, missing: (last - first).saturating_sub(ids.len() as u64 - 1) }
    };
    let whole = part(&ids);
    let lowest = ids.iter().position(|id| *id == whole.first).filter(|at| *at > 0 && whole.first <= 1);
    let parts = lowest.map(|at| ids.split_at(at)).map(|(before, after)| [part(before), part(after)]);
    let wrapped = parts.filter(|[before, after]| before.first > after.last);
    Some(wrapped.map_or(whole, |[before, after]| IdsSeen {
        first: before.first,
        last: after.last,
        missing: before.missing + after.missing,
    }))
}

/// Hands that are missing, where on earlier days hardly any were.
pub(super) fn finding_within(ids: IdsSeen, records: u64, wanted: &Expectation) -> Option<ExportFinding> {
    let days = usual(wanted);
    let usual: Vec<f64> = days.iter().filter_map(|day| Some(share(day.ids?.missing, day.records))).collect();
    let again = if ids.first > ids.last { ", where the ids begin again" } else { "" };
    let place = format!("between hand {} and {}{again}", ids.first, ids.last);
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
    // Where it was examined more than once on a day, each row has what had come since.
    let parts = |date: &str| -> Vec<(&DayLine, IdsSeen)> {
        let is_part = |line: &&DayLine| line.day == date && line.has_judged_decks();
        let own = counting(wanted.earlier).map(|(_, line)| line).filter(|_| wanted.is_growing);
        own.filter(is_part).filter_map(|line| Some((line, with_rest(line.export.as_ref()?)?))).collect()
    };
    let begun = |date: &str, ids: IdsSeen| IdsSeen {
        first: parts(date).first().map_or(ids, |part| part.1).first,
        ..ids
    };
    let mut days: Vec<(&DayLine, IdsSeen, u64)> = dated(wanted)
        .into_iter()
        .filter_map(|(day, own)| Some((day, begun(&day.day, with_rest(own)?), own.records)))
        .collect();
    days.retain(|(line, ..)| *line.day < *wanted.date);
    days.sort_unstable_by(|one, other| other.0.day.cmp(&one.0.day));
    let last_day = days.first().map(|(line, ids, _)| (*line, *ids));
    let (line, before) = parts(wanted.date).last().copied().or(last_day)?;
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
    // Of a source that only grows all that has come since the last row is here, if that row says up to which id it went.
    let mut judged = counting(wanted.earlier).rev().filter(|(_, line)| line.has_judged_decks());
    let has_ids = |line: &DayLine| line.export.as_ref().is_some_and(|export| export.ids.is_some());
    let is_next = if wanted.is_growing {
        judged.next().is_some_and(|(_, line)| has_ids(line))
    } else {
        follows(wanted.date, day)
    };
    if !is_next {
        return unread(&format!("the last one of {day}"), "the days between have no row whose ids count");
    }
    // Nor are such gaps a measure.
    let is_read =
        |own: &DayLine, before: &DayLine| follows(&own.day, &before.day) && !before.ends_at_bad_record();
    let gaps = days.iter().zip(&days[1..]).filter(|(own, before)| is_read(own.0, before.0));
    let usual: Vec<f64> = gaps.map(|(own, before)| share(between(before.1, own.1), own.2)).collect();
    let place = format!("between hand {}, the last one of {day}, and {}", before.last, ids.first);
    // Other games may take ids between two nights.
    if usual.iter().any(|share| *share > MISSING_SHARE) {
        let words = format!("{} {place}", counted(missing, "id is missing", "ids are missing"));
        return (missing > 0).then_some(ExportFinding::Note(words));
    }
    missing_finding(missing, records, &usual, &place)
}

/// The part of all hands that is missing.
fn share(missing: u64, records: u64) -> f64 {
    missing as f64 / missing.saturating_add(records).max(1) as f64
}

/// Hands that are missing, which may be what a fair shuffler seems to be at fault by, where that is a part of some size.
pub fn left_out(export: &ExportSeen) -> Option<String> {
    let missing = export.ids?.missing;
    (share(missing, export.records) >= LEFT_OUT_SHARE).then(|| {
        format!(
            "{} beside {}: an export that leaves out hands by how they went, such as those without a showdown, gives the same of a fair \
             shuffler; export all hands of the day and audit them (deckproof audit) to tell the two apart",
            counted(missing, "id is missing", "ids are missing"),
            counted(export.records, "record", "records")
        )
    })
}

/// The days that are a measure of others, and the most that one of them lacked; `None` where on most days half of the hands were missing.
fn usual_share(shares: &[f64]) -> Option<(usize, f64)> {
    let measures: Vec<f64> = shares.iter().copied().filter(|share| *share < USUAL_SHARE).collect();
    (2 * measures.len() >= shares.len()).then(|| (measures.len(), measures.into_iter().fold(0.0, f64::max)))
}

/// Ids that are missing at a place: a fault where the other days lacked hardly any.
fn missing_finding(missing: u64, records: u64, days: &[f64], place: &str) -> Option<ExportFinding> {
    let words = format!("{} {place}", counted(missing, "id is missing", "ids are missing"));
    let own = share(missing, records);
    if own <= MISSING_SHARE {
        return (missing > 0).then_some(ExportFinding::Note(words));
    }
    if days.len() < DAYS_MIN {
        let those = counted(days.len() as u64, "day", "days");
        return Some(ExportFinding::Note(format!(
            "{words}: whether hands were left out is not known yet, {those} before with which to compare, wanted {DAYS_MIN}"
        )));
    }
    let Some((usual, most)) = usual_share(days).filter(|(_, most)| own > 2.0 * most) else {
        return Some(ExportFinding::Note(words));
    };
    let of = if usual < days.len() { format!("{usual} of ") } else { String::new() };
    Some(ExportFinding::Fault(format!(
        "{words}, and {of}the last {} days lacked at most {:.1} %: are hands left out? Export all of them, and run the day that lacks them and \
         this one again. Where another game or a new server took these ids, run this day without id_column",
        days.len(),
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
        // From the fourth day on there is a measure.
        for (days, is_fault) in [(0, false), (2, false), (3, true)] {
            let words = match found(&whole[..days], 400) {
                Some(ExportFinding::Fault(words)) if is_fault => words,
                Some(ExportFinding::Note(words)) if !is_fault => words,
                other => panic!("{other:?}"),
            };
            assert_eq!(words.contains("is not known yet"), !is_fault, "{words}");
        }
        // A day that lacked half is none, a room that exports half is.
        let lacking = |shares: &[u64]| -> Vec<DayLine> {
            let dates = (10..).map(|at| format!("2026-11-{at}"));
            dates.zip(shares).map(|(date, missing)| day(&date, of(*missing))).collect()
        };
        for (shares, missing, is_fault) in [
            (&[0, 0, 1_500][..], 400, true),
            (&[0, 0, 0, 64_336][..], 300, true),
            (&[0, 0, 1_500, 1_500][..], 1_500, true),
            (&[0, 1_500, 1_600][..], 1_500, false),
            (&[900, 1_100, 1_000][..], 1_200, false),
            (&[0, 300, 0][..], 400, false),
            (&[0, 300, 0][..], 1_000, true),
        ] {
            let found = found(&lacking(shares), missing);
            assert_eq!(
                matches!(found, Some(ExportFinding::Fault(_))),
                is_fault,
                "{shares:?} {missing}: {found:?}"
            );
        }
    }

    #[test]
    fn ids_that_begin_again_are_no_hands_that_are_missing() {
        let wrapped = |ids: Vec<u64>| seen(Some(ids)).map(|ids| (ids.first, ids.last, ids.missing));
        assert_eq!(wrapped((65_000..65_536).chain(0..600).collect()), Some((65_000, 599, 0)));
        assert_eq!(wrapped((900..1_000).chain(1..801).collect()), Some((900, 800, 0)));
        // What is missing before and after counts.
        assert_eq!(
            wrapped((900..950).chain(960..1_000).chain(1..401).chain(404..801).collect()),
            Some((900, 800, 13))
        );
        // They rise over a gap, begin again at another number, or are in no order.
        assert_eq!(wrapped((0..600).chain(900..1_000).collect()), Some((0, 999, 300)));
        assert_eq!(wrapped((900..1_000).chain(100..601).collect()), Some((100, 999, 299)));
        assert_eq!(wrapped(vec![7, 1, 9, 3]), Some((1, 9, 5)));
    }

    #[test]
    fn hands_that_were_left_out_are_named_where_they_are_a_tenth() {
        let of = |missing| {
            let ids = Some(IdsSeen { first: 1, last: 900 + missing, missing });
            left_out(&ExportSeen { records: 900, ids, ..ExportSeen::default() })
        };
        assert_eq!((of(99), of(0), left_out(&ExportSeen::default())), (None, None, None));
        assert!(of(100).is_some_and(|words| {
            words.starts_with("100 ids are missing beside 900 records: an export that leaves out")
        }));
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

    /// What lies between the hand that was examined last and the first new one is nowhere.
    #[test]
    fn a_source_that_grows_is_followed_from_its_last_hand() {
        let of = |first, last| {
            let ids = Some(IdsSeen { first, last, missing: 0 });
            ExportSeen { records: last - first + 1, ids, ..ExportSeen::default() }
        };
        let is_fault = |earlier: &[DayLine], date: &str, first: u64| {
            let ids = IdsSeen { first, last: first + 999, missing: 0 };
            let wanted = Expectation { date, is_growing: true, ..wanted(None, earlier) };
            let found = finding_between(ids, &[], 1_000, &wanted);
            assert!(!matches!(found, Some(ExportFinding::Note(_))), "{found:?}");
            found.is_some()
        };
        let mut days: Vec<DayLine> =
            (10..15).map(|at| day(&format!("2026-11-{at}"), of(1_000 * at, 1_000 * at + 999))).collect();
        // A night was missed.
        assert!(!is_fault(&days, "2026-11-16", 15_000) && is_fault(&days, "2026-11-16", 15_400));
        // The day was examined before it was over.
        days.push(day("2026-11-15", of(15_000, 15_399)));
        assert!(!is_fault(&days, "2026-11-15", 15_400) && is_fault(&days, "2026-11-15", 15_500));
        // Its two rows together are the measure of others.
        days.push(day("2026-11-15", of(15_400, 15_999)));
        assert!(!is_fault(&days, "2026-11-16", 16_000) && is_fault(&days, "2026-11-16", 16_100));
        // A night without ids says nothing of those that it judged.
        days.push(day("2026-11-16", ExportSeen { records: 1_000, ..ExportSeen::default() }));
        let ids = IdsSeen { first: 17_000, last: 17_999, missing: 0 };
        let wanted = Expectation { date: "2026-11-17", is_growing: true, ..wanted(None, &days) };
        let Some(ExportFinding::Note(words)) = finding_between(ids, &[], 1_000, &wanted) else {
            panic!("a note")
        };
        assert!(words.ends_with("the days between have no row whose ids count"), "{words}");
    }
}
