//! How many decks were drawn: each draw once, however many audits counted it.

use std::collections::BTreeMap;
use std::ops::Range;

use deckproof_audit::certificate::AuditResult;
use deckproof_audit::source::record::SourceRecord;

/// The decks of some audits. A program that was started three times drew three times; recorded decks, and those of one
/// key, that several audits read were drawn once.
pub fn drawn<'a>(results: impl Iterator<Item = &'a AuditResult>) -> u64 {
    let (mut drawn, mut named) = (0u64, BTreeMap::<String, Vec<Range<u64>>>::new());
    for result in results {
        match name_of(&result.source) {
            None => drawn = drawn.saturating_add(result.decks()),
            Some((name, first)) => {
                named.entry(name).or_default().push(first..first.saturating_add(result.decks()));
            }
        }
    }
    named.into_values().map(many).fold(drawn, u64::saturating_add)
}

/// What the decks of a source are called, and the number of the first; `None` where nobody has the same decks again.
pub fn name_of(source: &SourceRecord) -> Option<(String, u64)> {
    let abilities = source.abilities();
    match (abilities.is_supplied, abilities.rerun) {
        // Bytes of a stream are its own unless their hash is that of another.
        (true, _) => {
            let sha256 = source.text("sha256").ok().filter(|sha256| !sha256.is_empty())?;
            let first = source.number_if_any("first_record").ok()?.map_or(0, |first| first.saturating_sub(1));
            Some((sha256.to_owned(), first))
        }
        (false, Ok(())) => Some((serde_json::to_string(source).expect("a record is plain data"), 0)),
        (false, Err(_)) => None,
    }
}

/// How many numbers lie in some of these ranges.
fn many(ranges: Vec<Range<u64>>) -> u64 {
    union(ranges, u64::MAX).iter().map(|range| range.end - range.start).sum()
}

/// The records of some parts of a file of so many, in order and each once.
pub(super) fn union(mut parts: Vec<Range<u64>>, all: u64) -> Vec<Range<u64>> {
    parts.sort_by_key(|part| part.start);
    let mut union: Vec<Range<u64>> = Vec::new();
    for part in parts {
        let end = part.end.min(all);
        match union.last_mut() {
            Some(last) if part.start <= last.end => last.end = last.end.max(end),
            _ if part.start < end => union.push(part.start..end),
            _ => {}
        }
    }
    union
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_several_ranges_are_counted_once() {
        assert_eq!(many(vec![0..5, 0..5]), 5);
        assert_eq!(many(vec![10..20, 0..5, 3..12]), 20);
        assert_eq!(many(vec![0..60_000, 0..1_000, 1_000..2_000]), 60_000);
        assert_eq!(many(Vec::new()), 0);
    }

    #[test]
    fn parts_that_touch_are_one_and_none_goes_beyond_the_file() {
        let check = |parts: &[Range<u64>], wanted: &[[u64; 2]]| {
            let found: Vec<[u64; 2]> =
                union(parts.to_vec(), 100).iter().map(|own| [own.start, own.end]).collect();
            assert_eq!(found, wanted, "{parts:?}");
        };
        check(&[10..20, 0..10, 5..15], &[[0, 20]]);
        check(&[50..60, 0..10], &[[0, 10], [50, 60]]);
        check(&[50..160, 0..10], &[[0, 10], [50, 100]]);
        check(&[0..0, 100..120], &[]);
    }
}
