//! Reveal bundles: everything for an arbiter, or what one seat may see.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use zeroize::Zeroizing;

use crate::table::hand::HandSecret;
use crate::table::{CommittedHand, DealtHand, VoidedHand};
use deckproof_deck::card::DECK_CARDS;
use deckproof_stud::stud::deal::{DealtCard, Face};
use deckproof_stud::stud::seat::Seat;

const FORMAT: &str = "deckproof/v1 reveal";

/// A bundle in the order of PROTOCOL.md, section 11. It borrows what is secret.
#[derive(Serialize)]
struct Bundle<'a> {
    format: &'static str,
    deck_entry: &'a str,
    open_entry: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_entry: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    close_entry: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    void_entry: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hand_key: Option<&'a String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leaves: Option<&'a [Leaf]>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    proofs: &'a BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Leaf {
    Opened {
        card: String,
        #[serde(serialize_with = "disclosed")]
        salt: Zeroizing<String>,
    },
    Hidden {
        hash: String,
    },
}

fn disclosed<S: serde::Serializer>(salt: &Zeroizing<String>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(salt)
}

impl CommittedHand {
    /// What opens all 52 cards: the hand key, or the leaves of a deck to which none leads.
    fn whole(&self) -> (Option<Zeroizing<String>>, Option<Vec<Leaf>>) {
        match &self.secret {
            HandSecret::Whole { key, is_derived: true, .. } => (Some(key.disclose()), None),
            _ => (None, Some((0..DECK_CARDS).map(|place| self.opened(place)).collect())),
        }
    }

    /// A leaf opened, if this hand can open it.
    fn opened(&self, place: usize) -> Leaf {
        let (card, salt) = match &self.secret {
            HandSecret::Whole { deck, .. } => (Some(deck.card(place)), Some(deck.salt(place))),
            HandSecret::Part(part) => (part.card(place), part.salt(place)),
        };
        match card.zip(salt) {
            Some((card, salt)) => Leaf::Opened { card: card.to_string(), salt: salt.disclose() },
            None => self.hidden(place),
        }
    }

    fn hidden(&self, place: usize) -> Leaf {
        Leaf::Hidden { hash: self.leaf(place).to_string() }
    }
}

impl DealtHand {
    /// The full reveal: opens all 52 cards. Confidential, for an arbiter. What is left of a hand opens what it can.
    pub fn full_bundle(&self) -> Zeroizing<String> {
        let (key, leaves) = self.hand.whole();
        self.print(key.as_deref(), leaves.as_deref())
    }

    /// The selective reveal for one seat: every up card, the community card, this seat's own cards and
    /// those of hands shown down, and only the hash of every other one. Confidential to the player in
    /// this seat.
    pub fn seat_bundle(&self, seat: Seat, shown_down: &[Seat]) -> Zeroizing<String> {
        let is_shown = |line: &&DealtCard| match line.face {
            Face::Up | Face::Community => true,
            Face::Down => line.seat.is_some_and(|owner| owner == seat || shown_down.contains(&owner)),
            Face::Burn => false,
        };
        let opened: BTreeSet<usize> = self
            .lines
            .iter()
            .filter(is_shown)
            .map(|line| self.cut.secret_place(usize::from(line.position)))
            .collect();
        let leaf = |place: usize| {
            if opened.contains(&place) { self.hand.opened(place) } else { self.hand.hidden(place) }
        };
        let leaves: Vec<Leaf> = (0..DECK_CARDS).map(leaf).collect();
        self.print(None, Some(&leaves))
    }

    fn print(&self, hand_key: Option<&String>, leaves: Option<&[Leaf]>) -> Zeroizing<String> {
        let bundle = Bundle {
            format: FORMAT,
            deck_entry: &self.hand.deck_entry,
            open_entry: &self.open_entry,
            cut_entry: self.cut_entry.as_deref(),
            close_entry: Some(&self.close_entry),
            void_entry: None,
            transcript: Some(&self.transcript),
            history: self.history.as_deref(),
            hand_key,
            leaves,
            proofs: &self.proofs,
        };
        bundle.print()
    }
}

impl VoidedHand {
    /// The full reveal of an opened hand that was voided: opens all 52 cards, for the lab. A hand that was
    /// never opened has none.
    pub fn full_bundle(&self) -> Option<Zeroizing<String>> {
        let (key, leaves) = self.hand.whole();
        let bundle = Bundle {
            format: FORMAT,
            deck_entry: &self.hand.deck_entry,
            open_entry: self.open_entry.as_deref()?,
            cut_entry: self.cut_entry.as_deref(),
            close_entry: None,
            void_entry: Some(&self.void_entry),
            transcript: None,
            history: None,
            hand_key: key.as_deref(),
            leaves: leaves.as_deref(),
            proofs: &self.proofs,
        };
        Some(bundle.print())
    }
}

impl Bundle<'_> {
    fn print(&self) -> Zeroizing<String> {
        let mut text = serde_json::to_string_pretty(self).expect("strings always serialise");
        text.push('\n');
        Zeroizing::new(text)
    }
}
