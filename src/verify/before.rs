//! Whether a deck was fixed before its hand: what the player saved then, compared with the bundle.

use crate::commitment::digest::{Digest, leaf_hash};
use crate::ledger::entry::{DeckEntry, Entry};
use crate::verify::findings::Unchecked;
use crate::verify::{Accepted, ProvenEntry};

/// What a player saved before the hand was dealt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Committed {
    /// The exact text of a deck entry.
    Entry(String),
    /// A deck root, or the hash by which the log names a deck entry.
    Hash(Digest),
}

/// The code of a bundle whose deck is not the one that was saved; the protocol has none.
pub const COMMITTED: &str = "E_COMMITTED";

/// What a saved commitment says of a bundle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compared {
    /// It is this deck.
    Same,
    /// It is another deck of this hand.
    Different,
    /// It is of another hand, so it says nothing.
    OtherHand,
}

impl Committed {
    /// Reads what was saved: 64 hexadecimal digits, or a text that holds entries, one after another.
    pub fn read(text: &str) -> Vec<Committed> {
        if let Some(hash) = Digest::from_hex(text.trim()) {
            return vec![Committed::Hash(hash)];
        }
        // Entries stand alone in a file, or behind each other with an empty line between two.
        let entries = text.split("\n\n").map(|entry| format!("{}\n", entry.trim_end_matches('\n')));
        let is_deck = |text: &String| matches!(Entry::parse(text), Ok(Entry::Deck(_)));
        entries.filter(is_deck).map(Committed::Entry).collect()
    }

    /// The hand it is of, if it says so.
    pub fn hand(&self) -> Option<DeckEntry> {
        match self {
            Committed::Entry(text) => match Entry::parse(text) {
                Ok(Entry::Deck(deck)) => Some(deck),
                _ => None,
            },
            Committed::Hash(_) => None,
        }
    }

    /// Compares it with a bundle.
    pub fn compare(&self, bundle: &Accepted) -> Compared {
        let is_same = match self {
            Committed::Entry(text) => *text == bundle.texts.deck,
            Committed::Hash(hash) => *hash == bundle.hand.deck || *hash == leaf_hash(&bundle.texts.deck),
        };
        let is_of_hand = self.hand().is_none_or(|deck| {
            let hand = &bundle.hand;
            (deck.origin, deck.table, deck.hand) == (hand.origin.clone(), hand.table.clone(), hand.hand)
        });
        match (is_same, is_of_hand) {
            (true, _) => Compared::Same,
            (false, true) => Compared::Different,
            (false, false) => Compared::OtherHand,
        }
    }
}

/// How it is shown that the deck was fixed before the hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FixedBy {
    /// The player saved the commitment before the hand.
    Saved,
    /// The player saved receipts of the trusted log before the hand.
    Receipts,
    /// The bundle proves its entries in the trusted log.
    Logged,
}

/// How the bundle alone shows it, under the trust file it was verified with: a quorum of witnesses states a time at
/// which deck and opening were in the log and the end of the hand was not. A place in the log is no time.
pub fn fixed_by_log(bundle: &Accepted) -> Option<FixedBy> {
    matches!(before_first_card(bundle), Some(Before::Seen { .. })).then_some(FixedBy::Logged)
}

/// Whether a trust file was given, so that the log was asked whether the deck was fixed before the hand.
pub fn asks_the_log(bundle: &Accepted) -> bool {
    !bundle.not_checked.contains(&Unchecked::Origin)
}

/// What the log proofs of a bundle show of the time before its first card. Only witnesses state times; what the
/// log alone signed, it could have signed at any time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Before {
    /// Nothing: the entries stand in the log in their order, and nobody but the log says when they came.
    Nothing,
    /// By this time a quorum of witnesses had seen the deck and the opening in the log, and the end is proven to lie
    /// behind what they saw.
    Seen {
        /// In POSIX seconds.
        time: u64,
        /// Whether a quorum has seen the end too, there; otherwise its place is the word of the log.
        is_end_seen: bool,
    },
    /// By this time a quorum of witnesses had seen the deck and the opening; where the end stands is not proven, so
    /// that it may have been there already. Leaving out the proof of the end shows no more than having it.
    SeenWithoutEnd {
        /// In POSIX seconds.
        time: u64,
    },
    /// By this time a quorum of witnesses had seen the deck, the opening and the end: all of it may have come
    /// after the hand.
    SeenWithEnd {
        /// In POSIX seconds.
        time: u64,
    },
}

/// What log proofs show of the time before the first card; nothing if deck and opening are not both proven.
pub fn before_first_card(bundle: &Accepted) -> Option<Before> {
    let find = |kinds: &[&str]| bundle.proven.iter().find(|proven| kinds.contains(&proven.entry));
    let (deck, open, end) = (find(&["deck"])?, find(&["open"])?, find(&["close", "void"]));
    let Some(time) = deck.quorum_time.zip(open.quorum_time).map(|(deck, open)| deck.max(open)) else {
        return Some(Before::Nothing);
    };
    let Some(end) = end else { return Some(Before::SeenWithoutEnd { time }) };
    let has_end = |tree: &ProvenEntry| end.index < tree.tree.size;
    if has_end(deck) || has_end(open) {
        return Some(Before::SeenWithEnd { time });
    }
    // Witnesses cosign consistent logs only, so a place behind a tree that a quorum saw is not in that tree.
    Some(Before::Seen { time, is_end_seen: end.quorum_time.is_some() })
}
