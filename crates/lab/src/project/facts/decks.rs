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
    named.into_values().map(union).fold(drawn, u64::saturating_add)
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
fn union(mut ranges: Vec<Range<u64>>) -> u64 {
    ranges.sort_by_key(|range| range.start);
    let (mut all, mut end) = (0, 0);
    for range in ranges {
        all += range.end.saturating_sub(range.start.max(end));
        end = end.max(range.end);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_several_ranges_are_counted_once() {
        assert_eq!(union(vec![0..5, 0..5]), 5);
        assert_eq!(union(vec![10..20, 0..5, 3..12]), 20);
        assert_eq!(union(vec![0..60_000, 0..1_000, 1_000..2_000]), 60_000);
        assert_eq!(union(Vec::new()), 0);
    }
}
