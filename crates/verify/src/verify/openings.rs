//! Step 4: the opened cards, and the root they lead to.

use std::collections::BTreeMap;

use crate::log::refusal::{Code, Refusal};
use crate::verify::bundle::{Bundle, End, Leaf, Secret};
use crate::verify::entries::Entries;
use deckproof_deck::card::{Card, DECK_CARDS};
use deckproof_deck::commitment::cut::Cut;
use deckproof_deck::commitment::digest::{Digest, tree_root};
use deckproof_deck::commitment::{Salt, SecretDeck, leaf};
use deckproof_deck::key::HandContext;

/// The opened cards by secret position.
pub(super) struct Openings {
    cards: Vec<Option<Card>>,
    /// SHA-256 of the salt of each opened card, by secret position.
    pub salt_hashes: BTreeMap<usize, Digest>,
    /// Whether the hand key showed how the deck was made.
    pub is_derived: bool,
}

impl Openings {
    /// Whether all 52 are opened: for an arbiter, who sees undealt cards too.
    pub fn is_full(&self) -> bool {
        self.count() == DECK_CARDS
    }

    /// How many cards are opened.
    pub fn count(&self) -> usize {
        self.cards.iter().flatten().count()
    }

    /// The opened cards by dealt position; none if the order in play is not known.
    pub fn by_dealt_position(&self, cut: Option<&Cut>) -> BTreeMap<u8, Card> {
        let Some(cut) = cut else { return BTreeMap::new() };
        let opened = |i: usize| self.cards[cut.secret_place(i)].map(|card| (i as u8, card));
        (0..DECK_CARDS).filter_map(opened).collect()
    }
}

/// Opens the deck with the hand key or the leaves.
pub(super) fn open(bundle: &Bundle, entries: &Entries) -> Result<Openings, Refusal> {
    let context = entries.context();
    let (cards, root, salt_hashes, is_derived) = match &bundle.secret {
        Secret::HandKey(key) => {
            let deck = SecretDeck::new(key, &context);
            let salt_hashes = (0..DECK_CARDS).map(|place| (place, hash_of(deck.salt(place)))).collect();
            (deck.deck().cards().map(Some).collect(), deck.root(), salt_hashes, true)
        }
        Secret::Leaves(leaves) => {
            check_leaves(leaves, matches!(bundle.end, End::Voided { .. }))?;
            let cards = read_cards(leaves)?;
            let root = root_of(&context, leaves, &cards);
            let salt_of = |(place, leaf): (usize, &Leaf)| match leaf {
                Leaf::Opened { salt, .. } => Some((place, hash_of(salt))),
                Leaf::Hidden(_) | Leaf::Misshapen => None,
            };
            let salt_hashes = leaves.iter().enumerate().filter_map(salt_of).collect();
            (cards, root, salt_hashes, false)
        }
    };
    check_root(&root, &entries.deck.deck)?;
    check_distinct(&cards)?;
    Ok(Openings { cards, salt_hashes, is_derived })
}

/// What tells whether two salts are one, without keeping them.
fn hash_of(salt: &Salt) -> Digest {
    Digest::of(salt.disclose().as_bytes())
}

/// The shape of the leaves; a voided hand is opened to the lab whole or not at all.
fn check_leaves(leaves: &[Leaf], is_void: bool) -> Result<(), Refusal> {
    if leaves.len() != DECK_CARDS {
        let message = format!("found {} leaves, wanted {DECK_CARDS}", leaves.len());
        return Err(Refusal::new(Code::Leaves, "key \"leaves\"", message));
    }
    if let Some(place) = leaves.iter().position(|leaf| matches!(leaf, Leaf::Misshapen)) {
        let message = "wanted either a card and its salt or a hash";
        return Err(Refusal::new(Code::Leaves, format!("leaf {place}"), message));
    }
    match leaves.iter().position(|leaf| is_void && matches!(leaf, Leaf::Hidden(_))) {
        None => Ok(()),
        Some(place) => {
            let message = "in the void form all 52 leaves are opened";
            Err(Refusal::new(Code::Leaves, format!("leaf {place}"), message))
        }
    }
}

fn read_cards(leaves: &[Leaf]) -> Result<Vec<Option<Card>>, Refusal> {
    let read = |(place, leaf): (usize, &Leaf)| match leaf {
        Leaf::Opened { card, .. } => exact_card(card).map(Some).ok_or_else(|| {
            let found: String = card.chars().take(12).collect();
            let message = format!("found {found:?}, wanted a card such as 7h");
            Refusal::new(Code::Card, format!("leaf {place}"), message)
        }),
        _ => Ok(None),
    };
    leaves.iter().enumerate().map(read).collect()
}

/// A card in the one spelling of the protocol.
fn exact_card(text: &str) -> Option<Card> {
    text.parse().ok().filter(|card: &Card| card.to_string() == text)
}

fn root_of(context: &HandContext, leaves: &[Leaf], cards: &[Option<Card>]) -> Digest {
    let hash = |(place, (given, card)): (usize, (&Leaf, &Option<Card>))| match (given, card) {
        (Leaf::Opened { salt, .. }, Some(card)) => leaf(context, place, *card, salt),
        (Leaf::Hidden(hash), _) => *hash,
        _ => unreachable!("misshapen leaves were refused"),
    };
    let hashes: Vec<Digest> = leaves.iter().zip(cards).enumerate().map(hash).collect();
    tree_root(&hashes)
}

fn check_root(found: &Digest, committed: &Digest) -> Result<(), Refusal> {
    if found == committed {
        return Ok(());
    }
    let message = format!("the openings lead to {found}, committed was {committed}");
    Err(Refusal::new(Code::DeckRoot, "deck entry", message))
}

fn check_distinct(cards: &[Option<Card>]) -> Result<(), Refusal> {
    let mut places: BTreeMap<Card, usize> = BTreeMap::new();
    for (place, card) in cards.iter().enumerate() {
        let Some(card) = card else { continue };
        if let Some(first) = places.insert(*card, place) {
            let message = format!("{card} is committed here and at leaf {first}");
            return Err(Refusal::new(Code::DuplicateCard, format!("leaf {place}"), message));
        }
    }
    Ok(())
}
