//! What each audit of a project is asked, and the sources of its items.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::ops::Range;

use crate::project::frozen::FrozenError;
use crate::project::frozen::parts::records_of;
use crate::project::settings::Project;
use crate::project::settings::item::Item;
use deckproof_audit::audit::plan::Plan;
use deckproof_audit::audit::plan::names::PlannedTable;
use deckproof_audit::audit::plan::subject::Subject;
use deckproof_audit::audit::selection::Selection;
use deckproof_audit::session::resolved::{Repetition, ResolvedOptions};
use deckproof_audit::source::ask::{AskError, Source};
use deckproof_audit::source::list::CATALOGUE;
use deckproof_audit::source::record::SourceRecord;
use deckproof_stats::battery::Tier;

/// What an audit of a project is asked, without its source.
pub struct Asked<'a> {
    /// Item and use.
    pub id: String,
    /// The item.
    pub item: &'a Item,
    pub(super) decks: Option<u64>,
    selection: Selection,
}

/// The audits of a project: the decks of each item, then the hands dealt from them at each table.
pub fn asked(project: &Project) -> Vec<Asked<'_>> {
    project.item.iter().flat_map(|item| asked_of(project, item)).collect()
}

pub(super) fn asked_of<'a>(project: &'a Project, item: &'a Item) -> Vec<Asked<'a>> {
    let tiers = item.tiers();
    let of_decks = Asked {
        id: format!("{}.decks", item.id),
        item,
        decks: item.decks,
        selection: Selection::of_tiers(&tiers),
    };
    let mut all = vec![of_decks];
    let mut seen = BTreeSet::new();
    for usage in project.usage.iter().filter(|usage| usage.is_of(item)) {
        for table in usage.tables() {
            let id = format!("{}.{}.{}", item.id, table.rules, table.players);
            if seen.insert(id.clone()) {
                all.push(Asked { id, item, decks: usage.decks, selection: of_table(&table) });
            }
        }
    }
    all
}

/// The statistics of the hands that a table deals, and nothing else.
fn of_table(table: &PlannedTable) -> Selection {
    Selection::of_tiers(&[Tier::Stud]).at_table(table.table())
}

impl Asked<'_> {
    /// The source that the project names, of recorded decks the part that the record names.
    ///
    /// # Errors
    /// [`FrozenError::Source`].
    pub fn source(&self, record: &SourceRecord) -> Result<Box<dyn Source>, FrozenError> {
        let number = |name: &str| record.number_if_any(name).ok().flatten();
        match (number("first_record"), number("last_record")) {
            (Some(first), Some(last)) => part_of(self.item, &(first - 1..last)),
            _ => source_of(self.item),
        }
    }

    /// The plan on a source of this record.
    pub(super) fn plan(
        &self,
        number: &str,
        record: SourceRecord,
        decks: Option<u64>,
    ) -> Result<Plan, FrozenError> {
        let subject = Subject::default().with("report", number)?.with("audit", &self.id)?;
        // Of recorded decks that the project limits, the rest is not to be looked at.
        let is_whole = !self.item.settings.contains_key("records");
        let request = ResolvedOptions {
            decks: self.decks,
            selection: self.selection.clone(),
            start_order: None,
            repetition: Repetition::Planned,
            program_sha256: source_of(self.item)?.program_sha256().map_err(source_fault(self.item))?,
            subject,
        };
        let plan = request.plan(record, decks);
        Ok(if is_whole { plan.repeated_from_the_rest() } else { plan })
    }
}

pub(super) fn source_fault(item: &Item) -> impl Fn(AskError) -> FrozenError {
    move |error| FrozenError::Source { item: item.id.clone(), error }
}

/// The records of an item's file that its audits share; nothing where its decks are not recorded.
pub(super) fn recorded(item: &Item) -> Result<Option<Range<u64>>, FrozenError> {
    let source = source_of(item)?;
    if !source.abilities().is_supplied || source.program_sha256().map_err(source_fault(item))?.is_some() {
        return Ok(None);
    }
    let (record, _) = source.record(None).map_err(source_fault(item))?;
    Ok(records_of(&record))
}

pub(super) fn wanted(asked: &[Asked]) -> Vec<Option<u64>> {
    asked.iter().map(|own| own.decks).collect()
}

/// The source of an item, of recorded decks these alone.
pub(super) fn part_of(item: &Item, part: &Range<u64>) -> Result<Box<dyn Source>, FrozenError> {
    let settings = item.settings().with("records", format!("{}..{}", part.start + 1, part.end));
    CATALOGUE.ask(OsStr::new(&item.source), &settings).map_err(source_fault(item))
}

pub(super) fn source_of(item: &Item) -> Result<Box<dyn Source>, FrozenError> {
    CATALOGUE.ask(OsStr::new(&item.source), &item.settings()).map_err(source_fault(item))
}
