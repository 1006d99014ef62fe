//! The public cut: the positions in play, from randomness that came after the commitment.

use sha2::{Digest as _, Sha256};

use crate::card::DECK_CARDS;
use crate::commitment::digest::Digest;
use crate::deck::Deck;
use crate::key::HandContext;
use crate::shuffle::shuffle_deck;

/// Seats at a table are numbered 1 to 8.
pub const SEATS_MAX: usize = 8;

/// The public randomness of a hand; what is absent is 32 zero bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Randomness {
    /// `seeds[s − 1]` is the seed of seat number s.
    pub seeds: [Digest; SEATS_MAX],
    /// The randomness of the beacon round.
    pub beacon: Digest,
}

/// `cut_seed = H("deckproof/v1 cut" ‖ leafhash(deck entry) ‖ leafhash(open entry) ‖ seed_1 ‖ … ‖ seed_8 ‖ beacon)`
/// (PROTOCOL.md, section 7).
pub fn cut_seed(deck_entry: &Digest, open_entry: &Digest, randomness: &Randomness) -> Digest {
    let mut hash = Sha256::new_with_prefix("deckproof/v1 cut");
    hash.update(deck_entry.bytes());
    hash.update(open_entry.bytes());
    for seed in &randomness.seeds {
        hash.update(seed.bytes());
    }
    hash.update(randomness.beacon.bytes());
    Digest::from_bytes(hash.finalize().into())
}

/// `H("deckproof/v1 reshuffle" ‖ leafhash(deck entry) ‖ leafhash(open entry) ‖ cut_seed)` (PROTOCOL.md, section 8);
/// the cut seed is 32 zero bytes for mix `none`.
pub fn reshuffle_seed(deck_entry: &Digest, open_entry: &Digest, cut_seed: &Digest) -> Digest {
    let mut hash = Sha256::new_with_prefix("deckproof/v1 reshuffle");
    for part in [deck_entry, open_entry, cut_seed] {
        hash.update(part.bytes());
    }
    Digest::from_bytes(hash.finalize().into())
}

/// `commit = H("deckproof/v1 seed-commit" ‖ ctx ‖ u8 seat ‖ seed32)` (PROTOCOL.md, section 6).
pub fn seed_commitment(context: &HandContext, seat_number: u8, seed: &Digest) -> Digest {
    let hash = Sha256::new_with_prefix("deckproof/v1 seed-commit")
        .chain_update(context.bytes())
        .chain_update([seat_number])
        .chain_update(seed.bytes());
    Digest::from_bytes(hash.finalize().into())
}

/// `P`: which secret position lies at each dealt position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut([u8; DECK_CARDS]);

impl Cut {
    /// Mix `none`: the secret order is the order in play.
    pub fn identity() -> Cut {
        Cut(*Deck::in_order().indices())
    }

    /// `P = shuffle(52, cut_seed)`.
    pub fn from_seed(cut_seed: &Digest) -> Cut {
        Cut(*shuffle_deck(cut_seed.bytes()).indices())
    }

    /// `P[i]`: the secret position of a dealt position 0..52.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn secret_place(&self, dealt_position: usize) -> usize {
        usize::from(self.0[dealt_position])
    }
}
