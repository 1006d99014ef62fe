//! Whether an entry comes next in a log, by what the log holds of its hand. A table asks this under the log's lock,
//! for each entry it adds: two tables of one name would spoil the log for good.
//!
//! Read from the end, and only as far as the hand before; what the mix asks of an entry is for the scan.

use std::collections::HashSet;

use crate::log_folder::LogError;
use crate::log_folder::reader::LogReader;
use deckproof_deck::commitment::digest::{Digest, leaf_hash};
use deckproof_verify::log::entry::{DeckEntry, Entry};

/// What later entries of a log say of earlier ones, gathered from its end.
#[derive(Default)]
struct Later {
    /// Decks that are opened.
    opened: HashSet<Digest>,
    /// Opens that are cut.
    cut: HashSet<Digest>,
    /// Decks that are voided, and opens that are closed, with the decks of the latter.
    ended: HashSet<Digest>,
}

impl Later {
    fn note(&mut self, entry: &Entry, name: Digest) {
        match entry {
            Entry::Void(void) => drop(self.ended.insert(void.deck)),
            Entry::Close(close) => drop(self.ended.insert(close.open)),
            Entry::Cut(cut) => drop(self.cut.insert(cut.open)),
            Entry::Open(open) => {
                self.opened.insert(open.deck);
                if self.ended.contains(&name) {
                    self.ended.insert(open.deck);
                }
            }
            Entry::Deck(_) | Entry::Unseal(_) => {}
        }
    }
}

/// A deck that was found, and whether its hand was closed or voided.
pub(crate) struct Found {
    pub deck: DeckEntry,
    pub is_ended: bool,
}

/// Says why an entry does not come next, if it does not.
///
/// # Errors
/// [`LogError::NotNext`]; of what cannot be read.
pub fn check_turn(log: &LogReader, text: &str) -> Result<(), LogError> {
    let problem = match Entry::parse(text)? {
        Entry::Deck(deck) => after_last(last(log, &deck.table)?, &deck),
        Entry::Open(open) => named(log, open.deck, Step::Open)?,
        Entry::Cut(cut) => named(log, cut.open, Step::Cut)?,
        Entry::Close(close) => named(log, close.open, Step::Close)?,
        Entry::Void(void) => named(log, void.deck, Step::Void)?,
        Entry::Unseal(unseal) => not_ended(log, &unseal.table, unseal.hand)?,
    };
    match problem {
        Some(problem) => Err(LogError::NotNext { problem }),
        None => Ok(()),
    }
}

/// The last deck of a table; for a table that has none, all of the log is read.
pub(crate) fn last(log: &LogReader, table: &str) -> Result<Option<Found>, LogError> {
    found(log, &mut Later::default(), |deck, _| deck.table == table)
}

/// The first deck from the end that is looked for.
fn found(
    log: &LogReader,
    later: &mut Later,
    is_it: impl Fn(&DeckEntry, &Digest) -> bool,
) -> Result<Option<Found>, LogError> {
    let mut found = None;
    log.walk_back(|text| {
        let name = leaf_hash(text);
        match Entry::parse(text) {
            Ok(Entry::Deck(deck)) if is_it(&deck, &name) => {
                found = Some(Found { is_ended: later.ended.contains(&name), deck });
            }
            Ok(entry) => later.note(&entry, name),
            Err(_) => {}
        }
        found.is_some()
    })?;
    Ok(found)
}

fn after_last(last: Option<Found>, deck: &DeckEntry) -> Option<String> {
    let DeckEntry { table, hand, .. } = deck;
    match last {
        None if *hand == 1 => None,
        None => Some(format!("it has no hand of table {table}, and hand {hand} was to come next")),
        Some(Found { deck: last, .. }) if last.hand + 1 == *hand => None,
        Some(Found { deck: last, .. }) => Some(format!(
            "its last hand of table {table} is hand {}, and hand {hand} was to come next",
            last.hand
        )),
    }
}

/// What an entry after the deck does with its hand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Open,
    Cut,
    Close,
    Void,
}

/// Whether a step fits the entry that it names: a deck, or an opening.
fn named(log: &LogReader, name: Digest, step: Step) -> Result<Option<String>, LogError> {
    let deck_name = match step {
        Step::Open | Step::Void => Some(name),
        Step::Cut | Step::Close => deck_of(log, name)?,
    };
    let Some(deck_name) = deck_name else {
        return Ok(Some("it has no opening that this entry names".to_owned()));
    };
    let mut later = Later::default();
    let Some(Found { deck, is_ended }) = found(log, &mut later, |_, found| *found == deck_name)? else {
        return Ok(Some("it has no deck that this entry names".to_owned()));
    };
    let (table, hand) = (&deck.table, deck.hand);
    if is_ended {
        return Ok(Some(format!("hand {hand} of table {table} has ended there")));
    }
    let is_again = (step == Step::Open && later.opened.contains(&deck_name))
        || (step == Step::Cut && later.cut.contains(&name));
    if is_again {
        return Ok(Some(format!("hand {hand} of table {table} has such an entry there")));
    }
    before(log, &deck, step)
}

/// Why no unseal may name this hand, if none may.
fn not_ended(log: &LogReader, table: &str, hand: u64) -> Result<Option<String>, LogError> {
    let is_it = |deck: &DeckEntry, _: &Digest| deck.table == *table && deck.hand == hand;
    Ok(match found(log, &mut Later::default(), is_it)? {
        Some(Found { is_ended: true, .. }) => None,
        Some(_) => Some(format!("hand {hand} of table {table} has not ended there")),
        None => Some(format!("it has no hand {hand} of table {table}")),
    })
}

/// Hands of a table are opened and end in their order.
fn before(log: &LogReader, deck: &DeckEntry, step: Step) -> Result<Option<String>, LogError> {
    let (table, hand) = (&deck.table, deck.hand);
    if hand == 1 || step == Step::Cut {
        return Ok(None);
    }
    Ok(not_ended(log, table, hand - 1)?
        .map(|_| format!("hand {} of table {table} has not ended there", hand - 1)))
}

/// The deck that an opening names.
fn deck_of(log: &LogReader, open_name: Digest) -> Result<Option<Digest>, LogError> {
    let mut deck = None;
    log.walk_back(|text| {
        if leaf_hash(text) == open_name
            && let Ok(Entry::Open(open)) = Entry::parse(text)
        {
            deck = Some(open.deck);
        }
        deck.is_some()
    })?;
    Ok(deck)
}
