//! Whether the items of a project have decks of their own: one export for two items examines one of them at most.

use std::ops::Range;

use crate::project::facts::identity::{is_recorded, path_of_decks};
use crate::project::frozen::parts::records_of;
use crate::project::frozen::{Frozen, FrozenAudit};
use crate::project::package::inputs::Inputs;
use crate::project::settings::Project;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::source::record::SourceRecord;

/// From so many decks on, two samples do not have the same integers by chance.
const DECKS_MIN: u64 = 1_000;

/// That two items were given the same decks.
fn same_decks(project: &Project, first: &str, second: &str, how: &str) -> String {
    let source = |id: &str| project.item.iter().find(|item| item.id == id).map_or("", path_of_decks);
    format!(
        "the items {first} and {second} have the same decks: {} and {} {how}; wanted other decks for each item: if both dealt these \
         decks, one dealer repeats the other, and both files joined into one show that",
        source(first),
        source(second)
    )
}

impl Frozen {
    /// That no recorded decks are those of two items.
    ///
    /// # Errors
    /// The first two items that have them.
    pub fn check_apart(&self, project: &Project) -> Result<(), String> {
        let recorded: Vec<&FrozenAudit> = self.audits.iter().filter(|audit| is_recorded(audit)).collect();
        for (place, second) in recorded.iter().enumerate() {
            let (record, read) = (&second.plan.source, self.may_read(project, &second.item));
            let Ok(sha256) = record.text("sha256") else { continue };
            let is_same = |first: &&&FrozenAudit| {
                let other = self.may_read(project, &first.item);
                first.item != second.item
                    && first.plan.source.text("sha256").is_ok_and(|own| own == sha256)
                    && is_same_column(&first.plan.source, record)
                    && other.start < read.end
                    && read.start < other.end
            };
            if let Some(first) = recorded[..place].iter().find(is_same) {
                let how = format!("have the SHA-256 {sha256}");
                return Err(same_decks(project, &first.item, &second.item, &how));
            }
        }
        Ok(())
    }

    /// The records that the audits of an item may come to: repeats read on to the end unless the project names the records.
    fn may_read(&self, project: &Project, id: &str) -> Range<u64> {
        let own = self.audits.iter().filter(|audit| audit.item == id);
        let all = own.filter_map(|audit| {
            let part = records_of(&audit.plan.source)?;
            let records = audit.plan.source.number_if_any("file_records").ok()??;
            let is_named =
                project.item.iter().any(|item| item.id == id && item.settings.contains_key("records"));
            Some(if is_named { part } else { 0..records })
        });
        all.reduce(|one, other| one.start.min(other.start)..one.end.max(other.end)).unwrap_or(0..u64::MAX)
    }
}

/// One table may have the decks of two dealers in two columns: where both are named and differ, the decks do.
fn is_same_column(one: &SourceRecord, other: &SourceRecord) -> bool {
    let differs =
        |name: &str| matches!((one.text(name), other.text(name)), (Ok(one), Ok(other)) if one != other);
    !["deck_column", "columns", "deck_regex"].into_iter().any(differs)
}

/// That no two items with recorded decks gave the same integers: the same decks in other bytes. Two dealers that failed may deal
/// alike, such as a new deck each time, and their report says so.
///
/// # Errors
/// The first two items whose audits did.
pub fn check_counts(inputs: &Inputs) -> Result<(), String> {
    let is_own = |(audit, result): &(&FrozenAudit, &AuditResult)| {
        is_recorded(audit) && result.first.decks >= DECKS_MIN && result.verdict != Verdict::Fail
    };
    let certificates = inputs.certificates.iter().map(|certificate| &certificate.result);
    let all: Vec<(&FrozenAudit, &AuditResult)> =
        inputs.frozen.audits.iter().zip(certificates).filter(is_own).collect();
    for (place, (second, result)) in all.iter().enumerate() {
        let is_same = |(first, other): &&(&FrozenAudit, &AuditResult)| {
            first.item != second.item && other.first.integers_sha256 == result.first.integers_sha256
        };
        if let Some((first, _)) = all[..place].iter().find(is_same) {
            let how = format!(
                "gave the same integers in the audits {} and {} (integers_sha256 {})",
                first.id, second.id, result.first.integers_sha256
            );
            return Err(same_decks(&inputs.project, &first.item, &second.item, &how));
        }
    }
    Ok(())
}
