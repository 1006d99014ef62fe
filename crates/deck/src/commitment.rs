//! The commitment to a secret deck: 52 salted leaves under one root.

pub mod cut;
#[doc(hidden)]
pub mod digest;

use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use crate::card::{Card, DECK_CARDS};
use crate::commitment::digest::{Digest, tree_root};
use crate::deck::Deck;
use crate::key::{HandContext, HandKey};
use crate::keystream::Keystream;
use crate::shuffle::shuffle_hand;

/// Lane 1 of the keystream feeds the salts; lane 0 feeds the shuffle.
const SALT_LANE: u32 = 1;

/// 32 bytes that hide a card until they are shown.
///
/// No `Debug`, `Display` or `Clone`; wiped when dropped.
pub struct Salt(Zeroizing<[u8; 32]>);

impl Salt {
    /// Wraps 32 bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Salt {
        Salt(Zeroizing::new(bytes))
    }

    /// The salt as 64 hexadecimal digits, for the opening that shows it.
    pub fn disclose(&self) -> Zeroizing<String> {
        Zeroizing::new(Digest::from_bytes(*self.0).to_string())
    }
}

/// `leaf_p = H(0x00 ‖ "deckproof/v1 card" ‖ ctx ‖ u8 p ‖ u8 c[p] ‖ salt_p)`
/// (PROTOCOL.md, section 5). `place` is the position in the secret deck.
pub fn leaf(context: &HandContext, place: usize, card: Card, salt: &Salt) -> Digest {
    let digest = Sha256::new()
        .chain_update([0x00])
        .chain_update("deckproof/v1 card")
        .chain_update(context.bytes())
        .chain_update([place as u8, card.index()])
        .chain_update(salt.0.as_slice());
    Digest::from_bytes(digest.finalize().into())
}

/// A secret deck with its salts: everything a hand key leads to.
///
/// No `Debug`, `Display` or `Clone`; wiped when dropped.
pub struct SecretDeck {
    context: HandContext,
    cards: Zeroizing<[u8; DECK_CARDS]>,
    salts: Vec<Salt>,
}

impl SecretDeck {
    /// `c = shuffle(52, HK)` and `salt_p = bytes 32p … 32p+31 of keystream(HK, 1)` (PROTOCOL.md, section 4).
    pub fn new(key: &HandKey, context: &HandContext) -> SecretDeck {
        SecretDeck::made_elsewhere(&shuffle_hand(key), key, context)
    }

    /// A deck of another generator, with the salts of a hand key (PROTOCOL.md, section 4).
    pub fn made_elsewhere(deck: &Deck, key: &HandKey, context: &HandContext) -> SecretDeck {
        let mut keystream = Keystream::new(key.bytes(), SALT_LANE);
        let salts = (0..DECK_CARDS).map(|_| next_salt(&mut keystream)).collect();
        SecretDeck { context: *context, cards: Zeroizing::new(*deck.indices()), salts }
    }

    /// The card at a secret position 0..52.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn card(&self, place: usize) -> Card {
        Card::from_index(self.cards[place]).expect("a deck holds cards only")
    }

    /// The salt of a secret position 0..52.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn salt(&self, place: usize) -> &Salt {
        &self.salts[place]
    }

    /// The 52 cards in secret order.
    pub fn deck(&self) -> Deck {
        Deck::try_from(&self.cards[..]).expect("it came from a deck")
    }

    /// What a secret position 0..52 commits to.
    pub fn leaf(&self, place: usize) -> Digest {
        leaf(&self.context, place, self.card(place), self.salt(place))
    }

    /// The deck root: what the operator publishes before the hand.
    pub fn root(&self) -> Digest {
        let leaves: Vec<Digest> = (0..DECK_CARDS).map(|place| self.leaf(place)).collect();
        tree_root(&leaves)
    }
}

fn next_salt(keystream: &mut Keystream) -> Salt {
    let mut bytes = Zeroizing::new([0; 32]);
    keystream.fill(bytes.as_mut_slice());
    Salt(bytes)
}
