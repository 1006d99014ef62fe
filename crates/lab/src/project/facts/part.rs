//! Which records of a file its audits examined, where that is not all of them.

use std::ops::Range;

use crate::project::facts::observation::{EmptyRecords, Observation};
use crate::project::frozen::FrozenAudit;
use crate::project::frozen::parts::records_of;
use crate::project::package::inputs::Inputs;

/// For each item with recorded decks, which of them no audit examined, and how many records were passed over without a deck.
pub(super) fn parts_examined(inputs: &Inputs) -> Vec<Observation> {
    inputs.project.item.iter().flat_map(|item| of_item(inputs, &item.id)).collect()
}

fn of_item(inputs: &Inputs, item: &str) -> impl Iterator<Item = Observation> {
    let own = || inputs.audits(Some(item));
    let number = |audit: &FrozenAudit, name: &str| audit.plan.source.number_if_any(name).ok().flatten();
    let read = own().filter_map(|(audit, certificate)| {
        let part = records_of(&audit.plan.source)?;
        // A repeat that was due and had goes on after the first look.
        let repeat = certificate.result.repeat.as_ref().map_or(0, |look| look.decks);
        Some(part.start..part.end.saturating_add(repeat))
    });
    let all = own().find_map(|(audit, _)| number(audit, "file_records"));
    let ranges = union(read.collect(), all.unwrap_or(0));
    let examined = ranges.iter().map(|range| range.end - range.start).sum();
    let part = all.filter(|all| examined < *all).map(|records| Observation::PartExamined {
        item: item.to_owned(),
        examined,
        records,
        ranges: ranges.iter().map(|range| [range.start + 1, range.end]).collect(),
    });
    let empty = own().filter_map(|(audit, _)| {
        let records = number(audit, "empty_decks").filter(|empty| *empty > 0)?;
        Some(EmptyRecords { audit: audit.id.clone(), records })
    });
    let empty: Vec<EmptyRecords> = empty.collect();
    let empty =
        (!empty.is_empty()).then(|| Observation::EmptyPassedOver { item: item.to_owned(), audits: empty });
    part.into_iter().chain(empty)
}

/// The records of some parts of a file of so many, in order and each once.
fn union(mut parts: Vec<Range<u64>>, all: u64) -> Vec<Range<u64>> {
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
