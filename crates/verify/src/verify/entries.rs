//! Step 2: the entries, each fully, and how they name each other.

use crate::log::entry::{CloseEntry, CutEntry, DeckEntry, Entry, EntryError, Mix, OpenEntry, VoidEntry};
use crate::log::mix;
use crate::log::refusal::{Code, Refusal};
use crate::log::scan::entry_refusal;
use crate::log::trust::Trust;
use crate::verify::bundle::{Bundle, End};
use deckproof_deck::commitment::digest::{Digest, leaf_hash};
use deckproof_deck::key::HandContext;

/// The entries of one hand that belong together.
pub(super) struct Entries {
    pub deck: DeckEntry,
    pub open: OpenEntry,
    pub cut: Option<CutEntry>,
    pub ending: Ending,
    /// Leaf hash of the deck entry.
    pub deck_hash: Digest,
    /// Leaf hash of the open entry.
    pub open_hash: Digest,
}

/// The last entry of a hand.
pub(super) enum Ending {
    Close(CloseEntry),
    Void(VoidEntry),
}

impl Entries {
    /// The context that names this hand.
    pub fn context(&self) -> HandContext {
        HandContext::new(&self.deck.origin, &self.deck.table, self.deck.hand, self.deck.mix.name())
    }
}

/// Reads the entries and checks that they belong together.
pub(super) fn read(bundle: &Bundle, trust: Option<&Trust>) -> Result<Entries, Refusal> {
    let Entry::Deck(deck) = entry("deck", &bundle.deck_entry)? else { unreachable!("its kind was checked") };
    let Entry::Open(open) = entry("open", &bundle.open_entry)? else { unreachable!("its kind was checked") };
    let cut = match &bundle.cut_entry {
        None => None,
        Some(text) => match entry("cut", text)? {
            Entry::Cut(cut) => Some(cut),
            _ => unreachable!("its kind was checked"),
        },
    };
    let ending = match &bundle.end {
        End::Closed(closed) => entry("close", &closed.close_entry)?,
        End::Voided { void_entry } => entry("void", void_entry)?,
    };
    let ending = match ending {
        Entry::Close(close) => Ending::Close(close),
        Entry::Void(void) => Ending::Void(void),
        _ => unreachable!("its kind was checked"),
    };
    let (deck_hash, open_hash) = (leaf_hash(&bundle.deck_entry), leaf_hash(&bundle.open_entry));
    let entries = Entries { deck, open, cut, ending, deck_hash, open_hash };
    check_cut_present(&entries)?;
    check_origin(&entries.deck, trust)?;
    check_links(&entries)?;
    if let Some(cut) = &entries.cut {
        mix::check_cut_seats(&entries.open, cut)?;
    }
    Ok(entries)
}

fn entry(kind: &'static str, text: &str) -> Result<Entry, Refusal> {
    let refuse = |error: EntryError| Refusal { place: format!("{kind} entry"), ..entry_refusal(error) };
    let found = Entry::kind_of(text).map_err(refuse)?;
    if found != kind {
        return Err(refuse(EntryError::Kind { found: found.to_owned(), wanted: kind }));
    }
    Entry::parse(text).map_err(refuse)
}

fn check_cut_present(entries: &Entries) -> Result<(), Refusal> {
    let is_needed = entries.deck.mix != Mix::None && matches!(entries.ending, Ending::Close(_));
    if is_needed && entries.cut.is_none() {
        let message = format!("mix {} needs a cut entry", entries.deck.mix.name());
        return Err(Refusal::new(Code::Missing, "key \"cut_entry\"", message));
    }
    Ok(())
}

fn check_origin(deck: &DeckEntry, trust: Option<&Trust>) -> Result<(), Refusal> {
    match trust {
        Some(trust) if trust.origin != deck.origin => {
            let message = format!("found the log {}, the trust file names {}", deck.origin, trust.origin);
            Err(Refusal::new(Code::Origin, "deck entry", message))
        }
        _ => Ok(()),
    }
}

fn check_links(entries: &Entries) -> Result<(), Refusal> {
    let link = |kind: &str, found: &Digest, to: &str, wanted: &Digest| {
        if found == wanted {
            Ok(())
        } else {
            let message = format!("it names {found}, but the {to} entry of the bundle is {wanted}");
            Err(Refusal::new(Code::Link, format!("{kind} entry"), message))
        }
    };
    link("open", &entries.open.deck, "deck", &entries.deck_hash)?;
    if let Some(cut) = &entries.cut {
        link("cut", &cut.open, "open", &entries.open_hash)?;
    }
    match &entries.ending {
        Ending::Close(close) => link("close", &close.open, "open", &entries.open_hash),
        Ending::Void(void) => link("void", &void.deck, "deck", &entries.deck_hash),
    }
}
