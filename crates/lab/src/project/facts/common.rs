//! Which audits of a package have decks in common, as observations: independent shuffles never deal one deck twice.

use crate::project::facts::AuditFacts;
use crate::project::facts::observation::Observation;
use crate::project::package::inputs::Inputs;
use deckproof_audit::audit::verdict::Verdict;

/// Decks that stand in two audits, once for each item and each two items; and which audits were not compared. One that failed
/// needs no comparison.
pub(super) fn between(inputs: &Inputs, audits: &[AuditFacts]) -> Vec<Observation> {
    let Some(found) = &inputs.runs.between else { return Vec::new() };
    let mut all: Vec<Observation> = Vec::new();
    for own in &found.common {
        let both = own.audits.iter().filter_map(|id| inputs.frozen.audits.iter().find(|one| one.id == *id));
        let started_anew = both.clone().any(|audit| audit.plan.source.is_stream());
        let mut own_items: Vec<String> = both.map(|audit| audit.item.clone()).collect();
        own_items.dedup();
        let before = all.iter_mut().find_map(|one| match one {
            Observation::DecksInCommon { items, more, .. } if *items == own_items => Some(more),
            _ => None,
        });
        match before {
            Some(more) => *more += 1,
            None => all.push(Observation::DecksInCommon {
                items: own_items,
                audits: own.audits.clone(),
                started_anew,
                decks: own.decks,
                first: own.first,
                more: 0,
            }),
        }
    }
    let is_open = |own: &&AuditFacts| {
        audits.len() > 1 && own.verdict_in_family != Verdict::Fail && !found.compared.contains(&own.id)
    };
    let open: Vec<String> = audits.iter().filter(is_open).map(|own| own.id.clone()).collect();
    all.extend((!open.is_empty()).then_some(Observation::NotCompared { audits: open }));
    all
}

/// Whether one of these is about an item; about any, if none is named.
pub(super) fn concerns(between: &[Observation], audits: &[AuditFacts], item: Option<&str>) -> bool {
    let is_own = |id: &String| {
        audits.iter().any(|audit| audit.id == *id && item.is_none_or(|item| audit.item == item))
    };
    between.iter().any(|observation| match observation {
        Observation::DecksInCommon { items, .. } => {
            item.is_none_or(|item| items.iter().any(|own| own == item))
        }
        Observation::NotCompared { audits } => audits.iter().any(is_own),
        _ => false,
    })
}
