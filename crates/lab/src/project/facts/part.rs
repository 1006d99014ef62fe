//! Which records of a file its audits examined, where that is not all of them.

use crate::project::facts::decks::union;
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
