//! Days that begin with the last decks of an earlier one: an export that begins too early, or a shuffler that went on from a state
//! that was saved. Without ids of hands their decks look alike.

use std::collections::HashSet;

use crate::monitoring::explained::Explained;
use crate::monitoring::known::day::Day;
use crate::monitoring::record_times::are_numbered;

/// Of a deck that is the last one of a row whose decks were not judged; by its time it may be a hand of before this day.
pub(super) fn after_unjudged(
    place: u64,
    (row, date, is_early): (usize, &str, bool),
    day: &Day,
    program: Option<&str>,
) -> Explained {
    let label = day.label(place);
    let what = format!("{label} is the last one of row {row} ({date}), whose decks were not judged");
    if is_early {
        return Explained::of_before(&what, program);
    }
    Explained::begun_early(&what, program)
}

/// One record in so many whose id an earlier one has: the column then names no hands, but tables, sessions or what a spreadsheet made
/// of long numbers.
const SAME_IDS_SHARE: u64 = 4;

/// Whether many ids name several hands, and so none.
pub(super) fn ids_name_no_hands(day: &Day) -> bool {
    let (mut seen, mut again) = (HashSet::new(), 0);
    let Some(marks) = day.marks() else { return false };
    marks.each(day.decks(), |id, _| again += u64::from(!id.is_empty() && !seen.insert(id.to_owned())));
    SAME_IDS_SHARE * again >= day.decks()
}

/// Whether ids of several columns, such as a table and a hand, begin with number 0 or 1: they may be counted anew each day.
pub(super) fn ids_begin_anew(day: &Day) -> bool {
    let first = day.marks().and_then(|marks| marks.id(0));
    first.is_some_and(|id| id.rsplit_once(',').is_some_and(|(_, number)| ["0", "1"].contains(&number)))
}

/// Whether the ids are the numbers of the records, counted from 0 or 1, and no times are beside them: they tell no hands of two
/// days apart.
pub(super) fn has_record_numbers(day: &Day, decks: u64) -> bool {
    !(0..decks).any(|place| has_time(day, place)) && ids_are_numbers(day, decks)
}

/// Whether a record has a time.
pub(super) fn has_time(day: &Day, place: u64) -> bool {
    day.marks().and_then(|marks| marks.time(place)).is_some_and(|time| !time.is_empty())
}

/// Whether the ids are the numbers of the records, counted from 0 or 1.
pub(super) fn ids_are_numbers(day: &Day, decks: u64) -> bool {
    day.marks().is_some_and(|marks| are_numbered(marks, (0..decks).chain(day.decks().checked_sub(1))))
}
