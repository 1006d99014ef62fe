//! Which records of a file the audits of an item read.

use std::ops::Range;

use deckproof_audit::source::record::SourceRecord;

/// The records of a file that a source reads.
pub fn records_of(record: &SourceRecord) -> Option<Range<u64>> {
    let number = |name: &str| record.number_if_any(name).ok().flatten();
    let all = number("file_records")?;
    Some(number("first_record").map_or(0, |first| first - 1)..number("last_record").unwrap_or(all))
}

/// Which records each audit of an item reads: the audit of decks the first, and tables successive parts after them where
/// the file has room for all, from its beginning where it has not, and from there again when it is over.
pub(super) fn parts(decks: &[Option<u64>], records: &Range<u64>) -> Vec<Range<u64>> {
    let all = records.end - records.start;
    let wanted: Vec<u64> = decks.iter().map(|own| own.unwrap_or(all)).collect();
    let sum = wanted.iter().fold(0, |sum: u64, own| sum.saturating_add(*own));
    let mut at = 0;
    let mut parts = Vec::new();
    for (place, own) in wanted.into_iter().enumerate() {
        let is_first_table = place == 1;
        if at + own > all || is_first_table && sum > all {
            at = 0;
        }
        parts.push(records.start + at..records.start + at.saturating_add(own));
        at += own;
    }
    parts
}

/// How the audits of an item use the records of its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordUse {
    /// The item.
    pub item: String,
    /// All records of the file.
    pub all: u64,
    /// Those that more than one first look reads.
    pub shared: u64,
    /// Those that no first look reads.
    pub left: u64,
    /// Those of them that some repeat reads, if it is due.
    pub repeated: u64,
}

impl RecordUse {
    /// Of the parts that first looks read, each with how many records its repeat reads after it.
    pub(super) fn of(item: &str, all: u64, parts: &[(Range<u64>, u64)]) -> RecordUse {
        let first = |part: &(Range<u64>, u64)| part.0.start.min(all)..part.0.end.min(all);
        let repeat = |part: &(Range<u64>, u64)| {
            first(part).end..part.0.end.saturating_add(part.1).min(all).max(first(part).end)
        };
        let mut edges: Vec<u64> = parts
            .iter()
            .flat_map(|part| [first(part).start, first(part).end, repeat(part).end])
            .chain([0, all])
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let mut own = RecordUse { item: item.to_owned(), all, shared: 0, left: 0, repeated: 0 };
        // Between two edges every record is read alike.
        for (from, to) in edges.iter().zip(&edges[1..]) {
            let records = to - from;
            match parts.iter().filter(|part| first(part).contains(from)).count() {
                0 => {
                    own.left += records;
                    let is_repeated = parts.iter().any(|part| repeat(part).contains(from));
                    own.repeated += if is_repeated { records } else { 0 };
                }
                1 => {}
                _ => own.shared += records,
            }
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_that_are_read_twice_or_not_at_all_are_counted() {
        let check = |parts: &[(Range<u64>, u64)], wanted: [u64; 3]| {
            let own = RecordUse::of("main", 3_000, parts);
            assert_eq!([own.shared, own.left, own.repeated], wanted, "{parts:?}");
        };
        check(&[(0..2_000, 0)], [0, 1_000, 0]);
        check(&[(0..2_000, 0), (0..2_000, 0)], [2_000, 1_000, 0]);
        check(&[(0..1_000, 2_000), (1_000..1_500, 1_500)], [0, 1_500, 1_500]);
        check(&[(0..1_000, 0), (500..1_500, 500), (0..700, 0)], [1_000, 1_500, 500]);
        check(&[(0..3_000, 0)], [0, 0, 0]);
    }

    #[test]
    fn tables_follow_the_audit_of_decks_and_begin_anew_where_the_file_is_too_short() {
        let check =
            |decks: &[Option<u64>], wanted: &[Range<u64>]| assert_eq!(parts(decks, &(0..100)), wanted);
        check(&[Some(40), Some(20), Some(30)], &[0..40, 40..60, 60..90]);
        // Not enough for all: the tables share the file among themselves.
        check(&[Some(40), Some(40), Some(40), Some(40)], &[0..40, 0..40, 40..80, 0..40]);
        check(&[None, Some(30), Some(30)], &[0..100, 0..30, 30..60]);
        check(&[None, None], &[0..100, 0..100]);
        assert_eq!(parts(&[Some(5), Some(5)], &(10..30)), [10..15, 15..20]);
    }
}
