//! A hand in its stages: committed to, open, dealt to its end, or given up.

use std::collections::{BTreeMap, BTreeSet};

use crate::table::TableName;
use crate::table::partial_deck::PartDeck;
use deckproof_deck::card::Card;
use deckproof_deck::commitment::SecretDeck;
use deckproof_deck::commitment::cut::Cut;
use deckproof_deck::commitment::digest::{Digest, leaf_hash};
use deckproof_deck::deck::Deck;
use deckproof_deck::key::{HandContext, HandKey};
use deckproof_stud::stud::deal::{DealError, DealOrder, DealtCard, Face};
use deckproof_stud::stud::rules::RuleSet;
use deckproof_stud::stud::seat::{Seat, Seats};
use deckproof_stud::stud::transcript;
use deckproof_verify::log::entry::{CloseEntry, DeckEntry, Entry, Mix, VoidEntry};

/// A hand whose deck is committed to; its deck entry may be published.
///
/// No `Debug`, `Display` or `Clone`; its secrets are wiped when dropped.
pub struct CommittedHand {
    number: u64,
    pub(super) mix: Mix,
    pub(super) context: HandContext,
    pub(super) secret: HandSecret,
    pub(super) deck_entry: String,
}

/// What opens cards of a hand.
pub(super) enum HandSecret {
    /// All of them.
    Whole {
        key: HandKey,
        deck: SecretDeck,
        /// Whether the key leads to the deck, and not to its salts alone.
        is_derived: bool,
    },
    /// Those that were shown to somebody.
    Part(PartDeck),
}

impl CommittedHand {
    pub(super) fn new(name: &TableName, number: u64, mix: Mix, key: HandKey) -> CommittedHand {
        CommittedHand::of(name, number, mix, key, None)
    }

    /// A hand whose key is known, with the deck it leads to or one that was made elsewhere.
    pub fn of(name: &TableName, number: u64, mix: Mix, key: HandKey, deck: Option<&Deck>) -> CommittedHand {
        let context = HandContext::new(&name.origin, &name.table, number, mix.name());
        let (secret, is_derived) = match deck {
            None => (SecretDeck::new(&key, &context), true),
            Some(deck) => (SecretDeck::made_elsewhere(deck, &key, &context), false),
        };
        let root = secret.root();
        let secret = HandSecret::Whole { key, deck: secret, is_derived };
        CommittedHand::with(name, number, mix, context, secret, root)
    }

    /// A hand of which only the cards that were shown to somebody can be opened. It is dealt as the whole one was, up to
    /// there.
    pub fn of_part(name: &TableName, number: u64, mix: Mix, part: PartDeck) -> CommittedHand {
        let context = HandContext::new(&name.origin, &name.table, number, mix.name());
        let root = part.root(&context);
        CommittedHand::with(name, number, mix, context, HandSecret::Part(part), root)
    }

    fn with(
        name: &TableName,
        number: u64,
        mix: Mix,
        context: HandContext,
        secret: HandSecret,
        root: Digest,
    ) -> CommittedHand {
        let TableName { origin, table } = name.clone();
        let entry = DeckEntry { origin, table, hand: number, mix, deck: root };
        let deck_entry = Entry::Deck(entry).to_string();
        CommittedHand { number, mix, context, secret, deck_entry }
    }

    /// The key, of a hand that has it.
    pub(super) fn key(&self) -> &HandKey {
        match &self.secret {
            HandSecret::Whole { key, .. } => key,
            HandSecret::Part(_) => panic!("what is left of a hand is not dealt at a table of its own"),
        }
    }

    /// The card at a secret place; of what is left of a hand only one that was shown.
    fn card(&self, place: usize) -> Option<Card> {
        match &self.secret {
            HandSecret::Whole { deck, .. } => Some(deck.card(place)),
            HandSecret::Part(part) => part.card(place),
        }
    }

    pub(super) fn leaf(&self, place: usize) -> Digest {
        match &self.secret {
            HandSecret::Whole { deck, .. } => deck.leaf(place),
            HandSecret::Part(part) => part.leaf(&self.context, place),
        }
    }

    /// What is left if the cards that somebody was shown stay opened.
    ///
    /// # Panics
    /// If it is what is left already.
    fn part(&self, shown: &BTreeSet<usize>) -> PartDeck {
        match &self.secret {
            HandSecret::Whole { deck, .. } => PartDeck::of(deck, |place| shown.contains(&place)),
            HandSecret::Part(_) => panic!("the rest of this hand is in the vault already"),
        }
    }

    /// The hand's number.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The exact text of the deck entry.
    pub fn deck_entry(&self) -> &str {
        &self.deck_entry
    }

    /// Gives the hand up before it was opened, for a reason of 1 to 32 of a-z, 0-9 and -.
    pub fn void(self, reason: &str) -> VoidedHand {
        self.voided(reason, None, None, BTreeSet::new())
    }

    /// The same of a hand that was opened, and perhaps cut and dealt.
    pub(super) fn voided(
        self,
        reason: &str,
        open_entry: Option<String>,
        cut_entry: Option<String>,
        shown: BTreeSet<usize>,
    ) -> VoidedHand {
        let void_entry = void_entry(&self.deck_entry, reason);
        VoidedHand { hand: self, open_entry, cut_entry, void_entry, shown, proofs: BTreeMap::new() }
    }
}

/// A hand being dealt, street by street.
pub struct OpenHand {
    pub(super) hand: CommittedHand,
    pub(super) open_entry: String,
    pub(super) cut_entry: Option<String>,
    pub(super) cut: Cut,
    pub(super) order: DealOrder,
    pub(super) lines: Vec<DealtCard>,
}

impl OpenHand {
    /// The exact text of the deck entry.
    pub fn deck_entry(&self) -> &str {
        &self.hand.deck_entry
    }

    /// The exact text of the open entry, to be published before the first card.
    pub fn open_entry(&self) -> &str {
        &self.open_entry
    }

    /// The exact text of the cut entry, if the mix has one; it too comes before the first card.
    pub fn cut_entry(&self) -> Option<&str> {
        self.cut_entry.as_deref()
    }

    /// The hand's number.
    pub fn number(&self) -> u64 {
        self.hand.number
    }

    /// Deals the next street to the seats still in, in deal order.
    ///
    /// # Errors
    /// [`DealError`]; then nothing is dealt.
    ///
    /// # Panics
    /// If it is what is left of a hand.
    pub fn deal_street(&mut self, live: &[Seat]) -> Result<Vec<(DealtCard, Card)>, DealError> {
        let cards = self.deal_street_again(live)?;
        Ok(cards
            .into_iter()
            .map(|(line, card)| (line, card.expect("a whole hand opens every card")))
            .collect())
    }

    /// As [`OpenHand::deal_street`], also of what is left of a hand, where the burned cards are not known.
    ///
    /// # Errors
    /// [`DealError`]; then nothing is dealt.
    pub fn deal_street_again(&mut self, live: &[Seat]) -> Result<Vec<(DealtCard, Option<Card>)>, DealError> {
        let lines = self.order.deal_street(live)?;
        self.lines.extend(&lines);
        let card = |line: &DealtCard| self.hand.card(self.cut.secret_place(usize::from(line.position)));
        Ok(lines.iter().map(|line| (*line, card(line))).collect())
    }

    /// Gives the hand up: whatever was dealt of it does not count.
    pub fn void(self, reason: &str) -> VoidedHand {
        let shown = shown(&self.lines, &self.cut);
        self.hand.voided(reason, Some(self.open_entry), self.cut_entry, shown)
    }

    /// Ends the hand, with the text of its hand history if there is one.
    pub fn close(self, history: Option<String>) -> DealtHand {
        let transcript = transcript::print(&self.lines);
        let close_entry = close_entry(&self.open_entry, &self.lines, history.as_ref().map(Digest::of));
        let OpenHand { hand, open_entry, cut_entry, cut, lines, .. } = self;
        let proofs = BTreeMap::new();
        DealtHand { hand, open_entry, cut_entry, close_entry, transcript, history, cut, lines, proofs }
    }
}

/// A hand that was dealt and closed.
///
/// No `Debug`, `Display` or `Clone`; its secrets are wiped when dropped.
pub struct DealtHand {
    pub(super) hand: CommittedHand,
    pub(super) open_entry: String,
    pub(super) cut_entry: Option<String>,
    pub(super) close_entry: String,
    pub(super) transcript: String,
    pub(super) history: Option<String>,
    pub(super) cut: Cut,
    pub(super) lines: Vec<DealtCard>,
    pub(super) proofs: BTreeMap<&'static str, String>,
}

impl DealtHand {
    /// The hand with log proofs of its entries (tlog-proof), by `deck`, `open`, `cut` and `close`, which its
    /// bundles then carry.
    pub fn with_proofs(self, proofs: BTreeMap<&'static str, String>) -> DealtHand {
        DealtHand { proofs, ..self }
    }

    /// The hand's number.
    pub fn number(&self) -> u64 {
        self.hand.number
    }

    /// The exact text of the deck entry.
    pub fn deck_entry(&self) -> &str {
        &self.hand.deck_entry
    }

    /// The exact text of the open entry.
    pub fn open_entry(&self) -> &str {
        &self.open_entry
    }

    /// The exact text of the cut entry, if the mix has one.
    pub fn cut_entry(&self) -> Option<&str> {
        self.cut_entry.as_deref()
    }

    /// The exact text of the close entry.
    pub fn close_entry(&self) -> &str {
        &self.close_entry
    }

    /// The exact text of the transcript; it names no cards.
    pub fn transcript(&self) -> &str {
        &self.transcript
    }

    /// The cards in the order dealt, with who got them; burned ones too, except of what is left of a hand.
    pub fn dealt_cards(&self) -> impl Iterator<Item = (DealtCard, Card)> + '_ {
        let card = |line: &DealtCard| self.hand.card(self.cut.secret_place(usize::from(line.position)));
        self.lines.iter().filter_map(move |line| Some((*line, card(line)?)))
    }

    /// What is left once the key is taken away: the cards that any seat received stay opened.
    ///
    /// # Panics
    /// If it is what is left already.
    pub fn part(&self) -> PartDeck {
        self.hand.part(&shown(&self.lines, &self.cut))
    }

    /// Whether it is only what is left of a hand.
    pub fn is_part(&self) -> bool {
        matches!(self.hand.secret, HandSecret::Part(_))
    }

    /// The text of the hand history, if there is one.
    pub fn history(&self) -> Option<&str> {
        self.history.as_deref()
    }
}

/// The secret places of the cards that a seat or everybody received.
fn shown(lines: &[DealtCard], cut: &Cut) -> BTreeSet<usize> {
    let received = lines.iter().filter(|line| line.face != Face::Burn);
    received.map(|line| cut.secret_place(usize::from(line.position))).collect()
}

/// The exact text of the entry that ends a hand played to its end.
pub(super) fn close_entry(open_entry: &str, lines: &[DealtCard], history: Option<Digest>) -> String {
    let positions: BTreeSet<u8> = lines.iter().map(|line| line.position).collect();
    let entry = CloseEntry {
        open: leaf_hash(open_entry),
        dealt: positions.len() as u8,
        transcript: Digest::of(transcript::print(lines)),
        history,
    };
    Entry::Close(entry).to_string()
}

/// The exact text of the entry that ends a deck which is not played to its end.
pub(super) fn void_entry(deck_entry: &str, reason: &str) -> String {
    Entry::Void(VoidEntry { deck: leaf_hash(deck_entry), reason: reason.to_owned() }).to_string()
}

/// A hand that was given up. Its deck is spent: it is never dealt again.
///
/// No `Debug`, `Display` or `Clone`; its secrets are wiped when dropped.
pub struct VoidedHand {
    pub(super) hand: CommittedHand,
    pub(super) open_entry: Option<String>,
    pub(super) cut_entry: Option<String>,
    pub(super) void_entry: String,
    /// Secret places of cards that were dealt before.
    pub(super) shown: BTreeSet<usize>,
    pub(super) proofs: BTreeMap<&'static str, String>,
}

impl VoidedHand {
    /// The hand with log proofs of its entries (tlog-proof), by `deck`, `open`, `cut` and `void`, which its
    /// bundle then carries.
    pub fn with_proofs(self, proofs: BTreeMap<&'static str, String>) -> VoidedHand {
        VoidedHand { proofs, ..self }
    }

    /// The hand's number.
    pub fn number(&self) -> u64 {
        self.hand.number
    }

    /// The exact text of the deck entry.
    pub fn deck_entry(&self) -> &str {
        &self.hand.deck_entry
    }

    /// The exact text of the cut entry, if the deck was cut.
    pub fn cut_entry(&self) -> Option<&str> {
        self.cut_entry.as_deref()
    }

    /// The exact text of the open entry, if the hand was opened.
    pub fn open_entry(&self) -> Option<&str> {
        self.open_entry.as_deref()
    }

    /// What is left once the key is taken away: the cards that any seat had received stay opened.
    ///
    /// # Panics
    /// If it is what is left already.
    pub fn part(&self) -> PartDeck {
        self.hand.part(&self.shown)
    }

    /// The exact text of the void entry.
    pub fn void_entry(&self) -> &str {
        &self.void_entry
    }
}

/// Deals a whole hand: `streets[0]` holds the seats served on third street, `streets[1]` those on
/// fourth, and so on.
///
/// # Errors
/// [`DealError`].
pub fn deal_hand(
    committed: CommittedHand,
    rules: &'static RuleSet,
    seats: &Seats,
    streets: &[Vec<Seat>],
) -> Result<DealtHand, DealError> {
    let mut hand = committed.open(rules, seats);
    for live in streets {
        hand.deal_street(live)?;
    }
    Ok(hand.close(None))
}
