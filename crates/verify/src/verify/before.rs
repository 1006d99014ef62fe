//! What a player saved before a hand, compared with every entry of a bundle.

use std::slice;

use crate::log::entry::{CloseEntry, CutEntry, DeckEntry, Entry, OpenEntry, VoidEntry};
use crate::verify::Accepted;
use crate::verify::together::EntryTexts;
use deckproof_deck::commitment::digest::{Digest, leaf_hash};
use deckproof_deck::text::carried::plain;
use deckproof_deck::text::named::named;
use deckproof_stud::stud::seat::Seat;

/// What a player saved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Saved {
    /// The exact text of an entry, with what it says.
    Entry(String, Box<Entry>),
    /// A deck root, or the hash of a deck or open entry: that by which the log names it, or the SHA-256 of its text.
    Hash(Digest),
}

/// The code of a bundle that holds another entry than the one that was saved.
pub const COMMITTED: &str = "E_COMMITTED";

impl Saved {
    /// Reads what was saved: 64 hexadecimal digits, small or large, alone, as the last line of a deck entry has them, as sha256sum prints
    /// them or in groups, or a file of entries (PROTOCOL.md, section 6): one after another, empty lines between them. What is no entry is left out.
    pub fn read(text: &str) -> Vec<Saved> {
        let line = text.trim();
        let digits = line.strip_prefix("deck ").unwrap_or(line);
        // Behind the digits of sha256sum stand two blanks, or one and an asterisk, and the name of the file.
        let is_name = |rest: &str| rest.starts_with([' ', '*']) && !rest.contains('\n');
        let digits =
            digits.split_once(' ').filter(|(_, rest)| is_name(rest)).map_or(digits, |(digits, _)| digits);
        let read = |digits: &str| Digest::from_hex(&digits.to_ascii_lowercase());
        if let Some(hash) = read(digits).or_else(|| read(&Saved::bare(text))) {
            return vec![Saved::Hash(hash)];
        }
        let is_start = |at: &usize| *at == 0 || text.as_bytes()[at - 1] == b'\n';
        let starts = text.match_indices("deckproof/").map(|(at, _)| at).filter(is_start);
        let starts: Vec<usize> = starts.chain([text.len()]).collect();
        let entries =
            starts.windows(2).map(|ends| format!("{}\n", text[ends[0]..ends[1]].trim_end_matches('\n')));
        entries
            .filter_map(|text| Some(Saved::Entry(text.clone(), Box::new(Entry::parse(&text).ok()?))))
            .collect()
    }

    /// Reads a note that somebody kept, as programs pass it on: beside what [`Saved::read`] takes, 64 digits that are there once, or several times
    /// the same, beside no entry, no JSON and no other long digits.
    pub fn noted(note: &str) -> Vec<Saved> {
        let note = plain(note);
        let found = Saved::read(&note);
        if found.is_empty() { Saved::in_words(&note).map(Saved::Hash).into_iter().collect() } else { found }
    }

    fn in_words(note: &str) -> Option<Digest> {
        let note = note.to_ascii_lowercase();
        let own = note
            .split(|letter: char| !letter.is_ascii_alphanumeric())
            .find(|word| word.len() == 64 && word.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        let others = note.replace(own, "");
        let is_long =
            others.split(|letter: char| !letter.is_ascii_hexdigit()).any(|digits| digits.len() >= 16);
        let is_other = ["deckproof/", "{", "}"].iter().any(|sign| others.contains(sign));
        if is_long || is_other { None } else { Digest::from_hex(own) }
    }

    /// The text without what people and programs set before and between digits.
    pub fn bare(text: &str) -> String {
        let is_between = |letter: char| letter.is_whitespace() || [':', '\u{feff}'].contains(&letter);
        let bare = text.replace(is_between, "");
        ["0x", "0X"].iter().find_map(|sign| bare.strip_prefix(sign)).unwrap_or(&bare).to_owned()
    }

    /// Whether it is an open entry.
    pub fn is_opening(&self) -> bool {
        matches!(self, Saved::Entry(_, entry) if matches!(**entry, Entry::Open(_)))
    }

    /// Which entry of this bundle it is to be compared with, and whether that is the same; nothing if it is of another hand.
    fn compare(&self, bundle: &Accepted) -> Option<(HandEntry, bool)> {
        let texts = &bundle.texts;
        let is_of = |hash: &Digest, text: &String| hashes(text).contains(hash);
        let names_deck = |deck: &Digest| *deck == leaf_hash(&texts.deck);
        let names_open = |open: &Digest| *open == leaf_hash(&texts.open);
        let (text, entry) = match self {
            Saved::Hash(hash) if is_of(hash, &texts.open) => return Some((HandEntry::Open, true)),
            Saved::Hash(hash) => {
                return Some((HandEntry::Deck, *hash == bundle.hand.deck || is_of(hash, &texts.deck)));
            }
            Saved::Entry(text, entry) => (text, entry),
        };
        match &**entry {
            Entry::Deck(deck) => {
                is_of_hand(deck, &bundle.hand).then(|| (HandEntry::Deck, *text == texts.deck))
            }
            Entry::Open(open) => {
                let is_of_hand = names_deck(&open.deck)
                    || is_of_own_seed(open, bundle)
                    || miscopied(self, bundle).is_some();
                is_of_hand.then(|| (HandEntry::Open, *text == texts.open))
            }
            Entry::Cut(cut) => {
                names_open(&cut.open).then(|| (HandEntry::Cut, Some(text) == texts.cut.as_ref()))
            }
            Entry::Close(close) => names_open(&close.open).then(|| (HandEntry::End, *text == texts.end)),
            Entry::Void(void) => names_deck(&void.deck).then(|| (HandEntry::End, *text == texts.end)),
            // What happened after the end is no part of the hand.
            Entry::Unseal(_) => None,
        }
    }
}

fn is_of_hand(deck: &DeckEntry, hand: &DeckEntry) -> bool {
    (&deck.origin, &deck.table, deck.hand) == (&hand.origin, &hand.table, hand.hand)
}

/// Whether an opening has the commitment to which the seed that the player states leads at this table, in this hand and at this seat. Then it
/// is of this hand whatever deck it names; only where hands of several days have one name, nothing tells.
fn is_of_own_seed(open: &OpenEntry, bundle: &Accepted) -> bool {
    let Ok(Entry::Open(own)) = Entry::parse(&bundle.texts.open) else { return false };
    let is_own = |(seat, _): &&(Seat, Digest)| Some(*seat) == bundle.own_seat;
    // The seed that is stated was found to fit this one.
    own.commits.iter().find(is_own).is_some_and(|commit| open.commits.contains(commit))
        && !bundle.hand.is_without_log()
}

named! {
    /// An entry of a hand.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum HandEntry {
        /// The commitment to the deck.
        Deck = "deck entry",
        /// The opening.
        Open = "open entry",
        /// The cut.
        Cut = "cut entry",
        /// The close or void entry.
        End = "close or void entry",
    }
    /// As a refusal names its place.
    pub fn place;
}

/// What was saved, beside a bundle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SavedEntries {
    /// How many of them are of this hand.
    pub compared: usize,
    /// The deck entry, or its hash, was saved.
    pub deck: Option<SavedDeck>,
    /// The open entry, or its hash, was saved.
    pub is_open_saved: bool,
    /// It was saved as 64 digits alone.
    pub is_open_hash: bool,
    /// The entry that ends the hand was saved, so that what was saved was not all saved before the hand.
    pub is_end_saved: bool,
}

/// In which form a deck was saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SavedDeck {
    /// As 64 digits.
    Hash,
    /// As the text of its entry.
    Entry,
}

/// Whether anything that was saved is of the hand of a bundle, as far as that can be known: a hash that is none of its own may be
/// of any hand.
pub fn fits(saved: &[Saved], bundle: &Accepted) -> bool {
    saved
        .iter()
        .any(|one| one.compare(bundle).is_some_and(|(_, is_same)| is_same || matches!(one, Saved::Entry(..))))
}

/// The entries of the hand that were saved as texts and are other ones in the bundle, by their leaf hashes; none where another day may have the
/// name of the hand. What the log signed was not copied wrongly.
pub fn differing<'a>(
    saved: &'a [Saved],
    bundle: &'a Accepted,
) -> impl Iterator<Item = (HandEntry, Digest)> + 'a {
    let differing = |one: &Saved| match (one, one.compare(bundle)) {
        (Saved::Entry(text, _), Some((entry, false))) => Some((entry, leaf_hash(text))),
        _ => None,
    };
    saved.iter().filter(|_| !bundle.hand.is_without_log()).filter_map(differing)
}

/// Whether all of what was saved, of which nothing fits a bundle, is of hands that deck entries among `all` name. An entry of another kind names
/// its hand by a hash alone.
pub fn names_other_hand(saved: &[Saved], all: &[Saved]) -> bool {
    let is_named = |hash: &Digest| {
        let of_hash = |one: &&Saved| matches!(one, Saved::Entry(text, _) if leaf_hash(text) == *hash);
        all.iter().find(of_hash).is_some_and(|one| names_other_hand(slice::from_ref(one), all))
    };
    saved.iter().all(|one| match one {
        Saved::Hash(_) => false,
        Saved::Entry(_, entry) => match &**entry {
            Entry::Deck(_) | Entry::Unseal(_) => true,
            Entry::Open(OpenEntry { deck, .. }) | Entry::Void(VoidEntry { deck, .. }) => is_named(deck),
            Entry::Cut(CutEntry { open, .. }) | Entry::Close(CloseEntry { open, .. }) => is_named(open),
        },
    })
}

/// Why something that was saved is not what a bundle holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SavedFault {
    /// An entry of the hand is another one. 64 digits (`is_hash`) do not say of which hand they are.
    Differs {
        /// Which.
        entry: HandEntry,
        /// It was saved as 64 digits.
        is_hash: bool,
    },
    /// 64 digits, alone or in the text of the deck or open entry, are so near to those of the hand that they were copied wrongly, by the player or
    /// where they were shown.
    Miscopied {
        /// The deck root, or the hash of the deck or open entry.
        own: Digest,
        /// How many of 64 differ.
        digits: usize,
    },
    /// [`Digest::ALIKE_MIN`] or more digits of the hand are found in those that were given: they were copied wrongly, or two decks were made
    /// alike on purpose.
    Alike {
        /// The deck root, or the hash of the deck or open entry.
        own: Digest,
        /// How many of 64 are found.
        digits: usize,
    },
    /// 64 digits that are there in the hand under another name.
    OfOther(HandDigits),
    /// A deck entry of a hand of this name, or 64 digits, beside a hand without a log, whose name tells one day from no other.
    OtherDay(Digest),
}

impl SavedFault {
    /// Of two the one that counts: a slip hides no contradiction.
    pub fn or(self, other: SavedFault) -> SavedFault {
        match self {
            SavedFault::Differs { .. } => self,
            _ => other,
        }
    }
}

/// Digits of a hand that name neither its deck nor its opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandDigits {
    /// A hash of the cut entry.
    Cut,
    /// A hash of the close or void entry.
    End,
    /// The commitment of this seat, in the open entry.
    Commitment(Seat),
    /// The seed of this seat, in the cut entry.
    Seed(Seat),
    /// The value of the beacon, in the cut entry.
    Randomness,
    /// The hash of the transcript, in the close entry.
    Transcript,
    /// The hash of the hand history, in the close entry.
    History,
}

/// What digits are in a hand that are none of its deck or opening: a player can have taken them for the root. Each is the hash of something in
/// the bundle, or is hashed there, or signed by the beacon, so that nobody who had shown other digits as the root could write them into the hand
/// afterwards. That is possible with a seed in an open entry, a commitment without its seed, a hidden leaf, and the hash of a history that is not
/// there.
fn digits_of_other(typed: &Digest, bundle: &Accepted) -> Option<HandDigits> {
    let EntryTexts { open, cut, end, .. } = &bundle.texts;
    if cut.as_ref().is_some_and(|cut| hashes(cut).contains(typed)) {
        return Some(HandDigits::Cut);
    }
    if hashes(end).contains(typed) {
        return Some(HandDigits::End);
    }
    if let Some(Ok(Entry::Cut(cut))) = cut.as_deref().map(Entry::parse) {
        let has_seed = |seat: &Seat| cut.seeds.iter().any(|(own, _)| own == seat);
        if let Some((seat, _)) = cut.seeds.iter().find(|(_, seed)| seed == typed) {
            return Some(HandDigits::Seed(*seat));
        }
        if cut.beacon.is_some_and(|beacon| beacon.randomness == *typed) {
            return Some(HandDigits::Randomness);
        }
        if let Ok(Entry::Open(open)) = Entry::parse(open)
            && let Some((seat, _)) =
                open.commits.iter().find(|(seat, commit)| commit == typed && has_seed(seat))
        {
            return Some(HandDigits::Commitment(*seat));
        }
    }
    let Ok(Entry::Close(close)) = Entry::parse(end) else { return None };
    let is_history = bundle.findings.history.is_some() && close.history.as_ref() == Some(typed);
    (close.transcript == *typed)
        .then_some(HandDigits::Transcript)
        .or(is_history.then_some(HandDigits::History))
}

/// That by which the log names an entry, and the SHA-256 of its text, which a shell prints.
fn hashes(text: &String) -> [Digest; 2] {
    [leaf_hash(text), Digest::of(text)]
}

/// The digits, or the root of a saved deck entry, that are none of the hand and may be of another day, for it was dealt without a log.
fn other_day(saved: &Saved, bundle: &Accepted) -> Option<Digest> {
    let other = match saved {
        Saved::Hash(typed) => Some(*typed),
        Saved::Entry(text, entry) => match &**entry {
            Entry::Deck(deck) if is_of_hand(deck, &bundle.hand) && *text != bundle.texts.deck => {
                Some(deck.deck)
            }
            _ => None,
        },
    };
    other.filter(|_| bundle.hand.is_without_log())
}

/// Whether any of what was saved is a deck entry of what may be another day.
pub fn has_other_day(saved: &[Saved], bundle: &Accepted) -> bool {
    saved.iter().any(|one| {
        matches!(one, Saved::Entry(..)) && matches!(slip_of(one, bundle), Some(SavedFault::OtherDay(_)))
    })
}

/// Whether it is digits that are a hash of a saved text, and none of the hand of a bundle: they are of the hand of that text.
pub fn is_of_other_text(one: &Saved, texts: &[Saved], bundle: &Accepted) -> bool {
    let Saved::Hash(typed) = one else { return false };
    let is_of_text = texts.iter().any(|saved| match saved {
        Saved::Hash(_) => false,
        Saved::Entry(text, entry) => {
            hashes(text).contains(typed) || matches!(&**entry, Entry::Deck(deck) if deck.deck == *typed)
        }
    });
    is_of_text && !fits(slice::from_ref(one), bundle) && miscopied(one, bundle).is_none()
}

/// The slip by which the digits in what was saved are not those of the hand, if they are no other one's.
fn miscopied(saved: &Saved, bundle: &Accepted) -> Option<SavedFault> {
    let (root, texts) = (bundle.hand.deck, &bundle.texts);
    let (typed, own) = match saved {
        Saved::Hash(typed) => {
            if let Some(own) = digits_of_other(typed, bundle) {
                return Some(SavedFault::OfOther(own));
            }
            let hashed = [&texts.deck, &texts.open].into_iter().flat_map(hashes);
            (*typed, [root].into_iter().chain(hashed).collect::<Vec<_>>())
        }
        // An entry that is the own one but for some digits of its root, or of the deck that it names.
        Saved::Entry(text, entry) => {
            let (typed, own, wanted) = match &**entry {
                Entry::Deck(deck) => (deck.deck, root, &texts.deck),
                Entry::Open(open) => (open.deck, leaf_hash(&texts.deck), &texts.open),
                _ => return None,
            };
            if text.replace(&typed.to_string(), &own.to_string()) != *wanted {
                return None;
            }
            (typed, vec![own])
        }
    };
    let near = |own: &Digest| Some(SavedFault::Miscopied { own: *own, digits: typed.miscopied(own)? });
    let alike = |own: &Digest| {
        let digits = typed.found_of(own);
        (digits >= Digest::ALIKE_MIN).then_some(SavedFault::Alike { own: *own, digits })
    };
    own.iter().find_map(near).or_else(|| own.iter().find_map(alike))
}

/// The honest slip by which what was saved is not what the hand has.
fn slip_of(saved: &Saved, bundle: &Accepted) -> Option<SavedFault> {
    miscopied(saved, bundle).or_else(|| other_day(saved, bundle).map(SavedFault::OtherDay))
}

/// Compares everything that was saved with a bundle. A bare hash does not say of which hand it is, so that among several hands
/// (`is_alone` is false) it can confirm only.
///
/// # Errors
/// The first entry of the hand that is another one in the bundle; where there is none, the first slip.
pub fn compare(saved: &[Saved], bundle: &Accepted, is_alone: bool) -> Result<SavedEntries, SavedFault> {
    let (mut found, mut slip) = (SavedEntries::default(), None);
    for one in saved {
        let is_hash = matches!(one, Saved::Hash(_));
        let compared = one.compare(bundle);
        found.compared += usize::from(compared.is_some());
        match compared {
            None => {}
            Some((_, false)) if is_hash && !is_alone => {}
            Some((entry, false)) => match slip_of(one, bundle) {
                Some(own) => slip = slip.or(Some(own)),
                None => return Err(SavedFault::Differs { entry, is_hash }),
            },
            Some((HandEntry::Deck, true)) if is_hash => found.deck = found.deck.or(Some(SavedDeck::Hash)),
            Some((HandEntry::Deck, true)) => found.deck = Some(SavedDeck::Entry),
            Some((HandEntry::Open, true)) => {
                found.is_open_hash = is_hash && (found.is_open_hash || !found.is_open_saved);
                found.is_open_saved = true;
            }
            Some((HandEntry::Cut, true)) => {}
            Some((HandEntry::End, true)) => found.is_end_saved = true,
        }
    }
    slip.map_or(Ok(found), Err)
}
