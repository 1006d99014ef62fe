//! The rows of a record that count: neither what people state nor what two of them voided.

use std::collections::BTreeSet;

use crate::monitoring::day::DayLine;
use crate::monitoring::event::EventKind;

/// Rows whose export was wrong, and other runs of their days that name them as what judged their decks.
pub fn voided_rows(days: &[DayLine]) -> BTreeSet<usize> {
    let events = days.iter().filter_map(|line| line.event.as_ref());
    let mut rows: BTreeSet<usize> =
        events.filter(|event| event.kind == EventKind::Voided).map(|event| event.row).collect();
    let again = days.iter().zip(1..).filter(|(line, _)| line.judged.is_some_and(|row| rows.contains(&row)));
    let again: Vec<usize> = again.map(|(_, row)| row).collect();
    rows.extend(again);
    rows
}

/// The rows of days that count, with their numbers: neither events nor voided.
pub fn counting(days: &[DayLine]) -> impl DoubleEndedIterator<Item = (usize, &DayLine)> {
    let voided = voided_rows(days);
    days.iter()
        .enumerate()
        .map(|(place, line)| (place + 1, line))
        .filter(move |(row, line)| line.is_day() && !voided.contains(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitoring::event::Event;

    #[test]
    fn another_run_of_a_voided_day_goes_with_it() {
        let day = |judged| DayLine { judged, ..DayLine::of_failure("2026-11-22", "a", "0", "", "") };
        let mut rows = vec![day(None), day(Some(1)), day(None)];
        let counted = |rows: &[DayLine]| counting(rows).map(|(row, _)| row).collect::<Vec<usize>>();
        assert_eq!(counted(&rows), [1, 2, 3]);
        let mut event = day(None);
        let by = ["A".to_owned(), "B".to_owned()];
        event.event = Some(Event::new(EventKind::Voided, 1, "ab", &by, "why").expect("two names"));
        rows.push(event);
        assert_eq!(counted(&rows), [3]);
    }
}
