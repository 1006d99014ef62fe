//! The rows of a record that count: neither what people state nor what two of them voided.

use std::collections::BTreeSet;

use crate::monitoring::event::EventKind;
use crate::monitoring::line::DayLine;

/// Rows whose export was wrong.
pub fn voided_rows(days: &[DayLine]) -> BTreeSet<usize> {
    let events = days.iter().filter_map(|line| line.event.as_ref());
    events.filter(|event| event.kind == EventKind::Voided).map(|event| event.row).collect()
}

/// The rows of days that count, with their numbers: neither events nor voided.
pub fn counting(days: &[DayLine]) -> impl DoubleEndedIterator<Item = (usize, &DayLine)> {
    let voided = voided_rows(days);
    days.iter()
        .enumerate()
        .map(|(place, line)| (place + 1, line))
        .filter(move |(row, line)| line.is_day() && !voided.contains(row))
}
