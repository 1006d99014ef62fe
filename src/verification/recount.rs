//! The audits of a package drawn and counted a second time: from keys, from decks that are supplied or kept, or not at all.

use std::collections::BTreeMap;

use crate::verification::Rerun;
use crate::verification::certificate::other_stream;
use deckproof_audit::certificate::rejudge::compare;
use deckproof_audit::certificate::{AuditResult, Certificate};
use deckproof_audit::session::Unwatched;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_lab::project::between::Fingerprints;
use deckproof_lab::project::frozen::FrozenAudit;
use deckproof_lab::project::package::inputs::Inputs;
use deckproof_lab::project::run;
use deckproof_lab::project::supplied_decks::{self, gzip};

/// What came of counting an audit again.
pub enum Recount {
    /// Every integer is the same.
    Same,
    /// The same of decks that the package itself keeps.
    SameAsKept,
    /// Some integer of the same decks differs.
    Differs(String),
    /// The program gave other decks this time: nothing follows for the first ones.
    OtherDecks,
    /// The decks must be supplied, and were not.
    Missing,
    /// Nobody has the decks a second time.
    Gone,
}

/// Sources that were supplied, by item.
pub struct Supplied<'a> {
    /// For every item that has none of its own.
    all: Option<&'a str>,
    by_item: BTreeMap<&'a str, &'a str>,
}

impl<'a> Supplied<'a> {
    /// Reads `SOURCE` and `ITEM=SOURCE`, and looks whether each is needed.
    ///
    /// # Errors
    /// [`CouldNotSay`]: an item that is not there, or a source for several items at once.
    pub fn of(rerun: &Rerun<'a>, inputs: &Inputs) -> Result<Supplied<'a>, CouldNotSay> {
        let items: Vec<&str> = inputs.project.item.iter().map(|item| item.id.as_str()).collect();
        let needing: Vec<&str> = items.iter().copied().filter(|item| needs_source(inputs, item)).collect();
        let usage = |found: String| {
            let wanted = if needing.is_empty() {
                "No item of this package has decks that must be supplied: leave --source out.".to_owned()
            } else {
                format!("Wanted ITEM=SOURCE for each of {}.", needing.join(", "))
            };
            CouldNotSay::new(found, &wanted)
        };
        let mut supplied = Supplied { all: None, by_item: BTreeMap::new() };
        for text in rerun.sources {
            match text.split_once('=').filter(|(item, _)| is_name(item)) {
                Some((item, _)) if !needing.contains(&item) => {
                    return Err(usage(format!("found --source for {item:?}")));
                }
                Some((item, source)) if supplied.by_item.insert(item, source).is_some() => {
                    return Err(usage(format!("found --source for {item:?} twice")));
                }
                Some(_) => {}
                None if supplied.all.replace(text).is_some() => {
                    return Err(usage("found two --source without an item".to_owned()));
                }
                None => {}
            }
        }
        let others = needing.iter().filter(|item| !supplied.by_item.contains_key(*item)).count();
        match (supplied.all, others) {
            (Some(_), 0) => Err(usage("found a --source that no item needs".to_owned())),
            (Some(_), 2..) => Err(usage(format!("found one --source for {others} items"))),
            _ => Ok(supplied),
        }
    }

    fn of_item(&self, item: &str) -> Option<&'a str> {
        self.by_item.get(item).copied().or(self.all)
    }
}

/// Whether some text is the name of an item, and no path or kind of source.
fn is_name(text: &str) -> bool {
    let is_own = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    (1..=24).contains(&text.len()) && text.chars().all(is_own)
}

fn needs_source(inputs: &Inputs, item: &str) -> bool {
    let own = inputs.frozen.audits.iter().filter(|audit| audit.item == item);
    let mut own = own.filter(|audit| !inputs.kept.contains_key(&supplied_decks::kept_name(&audit.id)));
    own.any(|audit| audit.plan.source.abilities().is_supplied)
}

/// Draws and counts an audit again, and adds the fingerprints of its decks to those of the others.
///
/// # Errors
/// [`CouldNotSay`]: a source that cannot be had, or that failed.
pub fn count_again(
    inputs: &Inputs,
    (place, audit, certificate): (usize, &FrozenAudit, &Certificate),
    supplied: &Supplied,
    (threads, seen): (usize, &mut Fingerprints),
) -> Result<Recount, CouldNotSay> {
    let result = &certificate.result;
    if let Some(packed) = inputs.kept.get(&supplied_decks::kept_name(&audit.id)) {
        return of_kept((place, audit), result, packed, (threads, seen));
    }
    let record = &audit.plan.source;
    let abilities = record.abilities();
    let source = match supplied.of_item(&audit.item).filter(|_| abilities.is_supplied) {
        Some(text) => Some(record.ask_supplied(text.as_ref())?),
        None if abilities.is_supplied => return Ok(Recount::Missing),
        None if abilities.rerun.is_err() => return Ok(Recount::Gone),
        None => None,
    };
    let mut session = run::again(audit, source)?;
    let again = session.answer(threads, &Unwatched)?;
    session.take_seen().iter().for_each(|own| seen.add(place, own));
    Ok(match compare(result, &again) {
        Ok(()) => Recount::Same,
        // A random program cannot be asked for the same decks, and owes them to nobody.
        Err(_) if other_stream(result, &again).is_some() => Recount::OtherDecks,
        Err(error) => Recount::Differs(error.to_string()),
    })
}

/// Counts the decks that the package keeps.
fn of_kept(
    (place, audit): (usize, &FrozenAudit),
    result: &AuditResult,
    packed: &[u8],
    (threads, seen): (usize, &mut Fingerprints),
) -> Result<Recount, CouldNotSay> {
    let name = supplied_decks::kept_name(&audit.id);
    let is_broken = result.looks().any(|look| look.statistics.is_empty() && !look.proofs.is_empty());
    if is_broken {
        // The record that is no deck is not among the decks.
        return Ok(Recount::Gone);
    }
    let Ok(bytes) = gzip::unpacked(packed) else {
        return Ok(Recount::Differs(format!("{name} cannot be unpacked to decks")));
    };
    let source = match supplied_decks::source(bytes, &name, audit.plan.decks) {
        Ok(source) => source,
        Err(error) => return Ok(Recount::Differs(format!("{name}: {error}"))),
    };
    let mut session = run::of_source(audit, source)?;
    let mut again = match session.answer(threads, &Unwatched) {
        Ok(again) => again,
        Err(error) => return Ok(Recount::Differs(format!("{name}: {error}"))),
    };
    session.take_seen().iter().for_each(|own| seen.add(place, own));
    if supplied_decks::is_as_written(result) && other_stream(result, &again).is_some() {
        return Ok(Recount::Differs(format!("{name} has another SHA-256 than the stream that was counted")));
    }
    again.source = result.source.clone();
    Ok(match compare(result, &again) {
        Ok(()) => Recount::SameAsKept,
        Err(error) => Recount::Differs(error.to_string()),
    })
}
