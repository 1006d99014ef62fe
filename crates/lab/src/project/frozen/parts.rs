//! Which records of a file the audits of an item read.

use std::ops::Range;

use deckproof_audit::source::record::SourceRecord;

/// The records of a file that a source reads.
pub(super) fn records_of(record: &SourceRecord) -> Option<Range<u64>> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
