//! What records say of themselves: the cells of an id column and of a time column, kept record by record beside the decks, and
//! how many records without a deck stood among them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::source::FileEnd;
use crate::source::format::Written;
use crate::source::twice::{self, Alike, Identity, NamedRecords, SharedIdentities, TwiceRead};
use deckproof_deck::text::decimal::thousands;
use deckproof_deck::text::excerpt;

/// Bytes of a column that are kept; of a source with more nothing is kept.
const BYTES_MAX: usize = 1 << 28;

/// The cells of one column, one after the other.
#[derive(Default)]
struct Cells {
    text: String,
    ends: Vec<u32>,
    is_over: bool,
}

impl Cells {
    fn push(&mut self, cell: &str) {
        self.is_over |= self.text.len() + cell.len() > BYTES_MAX;
        if self.is_over {
            (self.text, self.ends) = (String::new(), Vec::new());
            return;
        }
        self.text += cell;
        self.ends.push(self.text.len() as u32);
    }

    fn get(&self, record: u64) -> Option<&str> {
        let place = usize::try_from(record).ok()?;
        let end = *self.ends.get(place)? as usize;
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        Some(&self.text[start..end]).filter(|cell| !cell.is_empty())
    }
}

/// The ids and times of the records of a source, as far as their columns are known and they were read.
#[derive(Clone, Default)]
pub struct Marks {
    columns: Arc<Mutex<[Cells; 2]>>,
    /// Of each record without a deck how many with one came before it.
    empty: Arc<Mutex<Vec<u64>>>,
    /// Records that may stand there twice, and lines of logs that hold them, behind so many records.
    identities: SharedIdentities,
    lines: Arc<Mutex<Vec<(u64, SharedIdentities)>>>,
    /// Whether a column of times was named.
    is_timed: bool,
    /// Records with which those of another dealer begin.
    parts: Arc<Mutex<Vec<u64>>>,
    /// Records before deck 0.
    offset: u64,
}

impl Marks {
    /// Those of no record yet.
    pub(super) fn new(written: &Written) -> Marks {
        Marks { is_timed: written.time_column.is_some(), ..Marks::default() }
    }

    /// Those of the records after so many.
    pub(super) fn after(&self, offset: u64) -> Marks {
        Marks { offset, ..self.clone() }
    }

    /// Adds what the next record, counted from 0, is known by.
    pub(super) fn push_identity(&self, record: u64, identity: Identity) {
        self.identities.lock().unwrap_or_else(PoisonError::into_inner).push(record, identity);
    }

    /// Adds the lines of a log that hold records, behind so many others, as they are read.
    pub(super) fn join(&self, before: u64, lines: SharedIdentities) {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push((before, lines));
    }

    /// Records that stand there twice, the first ones.
    pub(super) fn twice(&self) -> Vec<TwiceRead> {
        let twice = |own: &SharedIdentities| own.lock().unwrap_or_else(PoisonError::into_inner).twice();
        let mut found = twice(&self.identities);
        for own in
            found.iter_mut().filter(|own| own.alike == Alike::Named && self.are_at_two_times(own.records))
        {
            own.alike = Alike::NamedAtTwoTimes;
        }
        for (before, own) in self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            found.extend(
                twice(own).iter().map(|own| TwiceRead { records: own.records.map(|at| before + at), ..*own }),
            );
        }
        found
    }

    /// Whether two records, of all that were read, have times, and not the same.
    fn are_at_two_times(&self, records: [u64; 2]) -> bool {
        let columns = self.columns();
        let [one, other] = records.map(|record| columns[1].get(record));
        one.zip(other).is_some_and(|(one, other)| one != other)
    }

    /// Whether a column of times was named.
    pub(super) fn is_timed(&self) -> bool {
        self.is_timed
    }

    /// States that each of these files is of a dealer of its own, such as a table: times and ids rise within a file, and not from
    /// one file to the next.
    pub fn set_parts(&self, files: &[FileEnd]) {
        let ends = files.iter().map(|file| self.offset + file.end).collect();
        *self.parts.lock().unwrap_or_else(PoisonError::into_inner) = ends;
    }

    /// The decks, counted from 0, with which those of another dealer begin.
    pub(super) fn parts(&self) -> Vec<u64> {
        let parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.iter().filter_map(|part| part.checked_sub(self.offset)).collect()
    }

    /// Adds a record without a deck, after so many with one.
    pub(super) fn push_empty(&self, after: u64) {
        self.empty.lock().unwrap_or_else(PoisonError::into_inner).push(after);
    }

    /// How many records without a deck were passed over among so many decks and right after them.
    pub fn empty(&self, decks: u64) -> u64 {
        let range = self.offset..=self.offset + decks;
        let empty = self.empty.lock().unwrap_or_else(PoisonError::into_inner);
        empty.iter().filter(|after| range.contains(after)).count() as u64
    }

    /// Whether the times are there: of a source with too many of them none is kept.
    pub(super) fn has_times(&self) -> bool {
        !self.columns()[1].is_over
    }

    /// Adds the next record.
    pub(super) fn push(&self, id: &str, time: &str) {
        let mut columns = self.columns();
        columns[0].push(id);
        columns[1].push(time);
    }

    /// The id of a deck, counted from 0.
    pub fn id(&self, deck: u64) -> Option<String> {
        self.columns()[0].get(self.offset + deck).map(str::to_owned)
    }

    /// The time of a deck, counted from 0.
    pub fn time(&self, deck: u64) -> Option<String> {
        self.columns()[1].get(self.offset + deck).map(str::to_owned)
    }

    /// Shows id and time of each of so many decks, in their order; empty where there is none.
    pub fn each(&self, decks: u64, mut see: impl FnMut(&str, &str)) {
        let columns = self.columns();
        let cell = |column: usize, deck: u64| columns[column].get(self.offset + deck).unwrap_or_default();
        (0..decks).for_each(|deck| see(cell(0, deck), cell(1, deck)));
    }

    /// That a hand has two records, in words, if one of so many decks has the id of an earlier one.
    pub fn hand_twice(&self, decks: u64) -> Option<String> {
        let (mut ids, mut deck) = (NamedRecords::default(), 0);
        self.each(decks, |id, _| {
            twice::key(id, &[]).into_iter().for_each(|key| ids.push(deck, key));
            deck += 1;
        });
        let pairs = ids.pairs();
        let [before, after] = *pairs.first()?;
        let is_at_two_times = self.are_at_two_times([before, after].map(|record| self.offset + record));
        let more = match pairs.len() {
            1 => String::new(),
            hands => format!(", and {} more", thousands(hands as u64 - 1)),
        };
        let [id, before, after] = [
            excerpt(&self.id(after)?, 40),
            thousands(self.offset + before + 1),
            thousands(self.offset + after + 1),
        ];
        if pairs.len() as u64 + 1 == decks {
            let written = if id.contains("E+") { ", as a spreadsheet writes long numbers" } else { "" };
            return Some(format!(
                "all {} records have the id {id}{written}: it names no hand",
                thousands(decks)
            ));
        }
        if is_at_two_times {
            return Some(format!(
                "hand {id} has two records at two times ({before} and {after}){more}: the ids do not name one hand each, as where each table or \
                 each night counts its hands anew, or a hand was dealt twice; name the column beside them that tells hands apart, such as \
                 \"table,hand\""
            ));
        }
        Some(format!(
            "hand {id} has two records ({before} and {after}){more}: a hand is dealt one deck; see which of them was dealt, or whether the \
             column names hands at all"
        ))
    }

    /// Whether any record has an id or a time.
    pub fn has_names(&self) -> bool {
        self.columns().iter().any(|cells| !cells.text.is_empty())
    }

    fn columns(&self) -> MutexGuard<'_, [Cells; 2]> {
        // A thread that panicked has added a record or not: the columns are whole.
        self.columns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_by_the_number_of_their_deck() {
        let marks = Marks::default();
        for (id, time) in [("7", "a"), ("", "b"), ("9", "")] {
            marks.push(id, time);
        }
        let some = |text: &str| Some(text.to_owned());
        assert_eq!([marks.id(0), marks.id(1), marks.id(2), marks.id(3)], [some("7"), None, some("9"), None]);
        let rest = marks.after(1);
        assert_eq!((rest.id(1), rest.time(0), rest.time(1)), (some("9"), some("b"), None));
        let mut seen = Vec::new();
        rest.each(3, |id, time| seen.push(format!("{id}|{time}")));
        assert_eq!(seen, ["|b", "9|", "|"]);
        assert_eq!(marks.hand_twice(3), None);
        // Of the records behind the first one: their numbers are those of the source, and so are their times.
        let timed = Marks::default();
        [("7", "a"), ("8", "b"), ("8", "b"), ("9", "c"), ("9", "d")]
            .iter()
            .for_each(|(id, time)| timed.push(id, time));
        let words = |after, decks| timed.after(after).hand_twice(decks).unwrap_or_default();
        assert!(words(1, 3).starts_with("hand 8 has two records (2 and 3): "), "{}", words(1, 3));
        assert!(
            words(2, 3).starts_with("hand 9 has two records at two times (4 and 5): "),
            "{}",
            words(2, 3)
        );
        ["9", "", "9"].into_iter().for_each(|id| marks.push(id, ""));
        let wanted = "hand 9 has two records (3 and 4), and 1 more: ";
        assert!(
            rest.hand_twice(5).is_some_and(|words| words.starts_with(wanted)),
            "{:?}",
            rest.hand_twice(5)
        );
    }

    #[test]
    fn records_without_a_deck_are_counted_by_the_decks_before_them() {
        let marks = Marks::default();
        [0, 2, 2, 5].into_iter().for_each(|after| marks.push_empty(after));
        assert_eq!([marks.empty(1), marks.empty(2), marks.empty(5), marks.after(3).empty(2)], [1, 3, 4, 1]);
        assert!(!marks.has_names());
        marks.push("", "a");
        assert!(marks.has_names());
    }
}
