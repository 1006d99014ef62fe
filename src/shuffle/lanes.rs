//! The certified shuffle for 64 hands at a time, byte-identical to the scalar reference on every lane.

mod chacha;
mod derive;
mod draws;
mod fold;
#[cfg(target_arch = "x86_64")]
mod sha_instructions;

use zeroize::Zeroize;

use crate::card::DECK_CARDS;
use crate::deck::Deck;
use crate::deck::block::{BLOCK_HANDS, DeckBlock, EMPTY_LANE};
use crate::key::HandKey;
use crate::shuffle::shuffle_with;
use crate::tape::Tape;

pub use crate::shuffle::lanes::derive::PreparedAuditKey;

/// One 32-bit word of 64 hands.
type WordRow = [u32; BLOCK_HANDS];

/// Up to 64 hand keys side by side, for sources that hold keys rather than derive them: the chain,
/// or keys from the operating system. Wiped on drop and by [`clear`](HandKeys::clear).
pub struct HandKeys {
    /// Little-endian words of the keys, as ChaCha20 takes them.
    words: [WordRow; 8],
    hands: usize,
}

impl Default for HandKeys {
    fn default() -> HandKeys {
        HandKeys { words: [[0; BLOCK_HANDS]; 8], hands: 0 }
    }
}

impl HandKeys {
    /// How many keys there are.
    pub fn hands(&self) -> usize {
        self.hands
    }

    /// Puts a key into the next lane.
    ///
    /// # Panics
    /// If there are 64 already.
    pub fn push(&mut self, key: &HandKey) {
        assert!(self.hands < BLOCK_HANDS, "a block holds {BLOCK_HANDS} hand keys");
        for (row, word) in self.words.iter_mut().zip(key.bytes().as_chunks().0) {
            row[self.hands] = u32::from_le_bytes(*word);
        }
        self.hands += 1;
    }

    /// Wipes all keys.
    pub fn clear(&mut self) {
        self.words.zeroize();
        self.hands = 0;
    }
}

impl Drop for HandKeys {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Fills the block with `shuffle(52, HK)` of every key, in the order of the keys.
pub fn shuffle_block(keys: &HandKeys, block: &mut DeckBlock) {
    shuffle_rows(&keys.words, keys.hands, NOT_RAISED, block);
}

/// Fills the block with the decks of the audit path `HK_i = KDF(audit_key, …, u64be(i))` for
/// `i = first, first + 1, …`, `hands` of them.
///
/// The hand keys stay on the stack and are not wiped: an audit deck is never dealt, and its key
/// stands in the certificate.
///
/// # Panics
/// If `hands` is above 64.
pub fn audit_block(key: &PreparedAuditKey, first: u64, hands: usize, block: &mut DeckBlock) {
    assert!(hands <= BLOCK_HANDS, "a block holds {BLOCK_HANDS} decks, not {hands}");
    shuffle_rows(&key.hand_keys(first), hands, NOT_RAISED, block);
}

/// What the shuffle adds to its rejection thresholds: nothing. Tests raise them.
const NOT_RAISED: u32 = 0;

/// The shuffle of all lanes.
fn shuffle_rows(keys: &[WordRow; 8], hands: usize, raised: u32, block: &mut DeckBlock) {
    let mut words = [[0; BLOCK_HANDS]; draws::WORDS];
    chacha::first_words(keys, &mut words);
    let (mut digits, mut doubted) = ([[0; BLOCK_HANDS]; DECK_CARDS], [0; BLOCK_HANDS]);
    draws::digits(&words, raised, &mut digits, &mut doubted);
    block.fill(hands, |rows| {
        fold::decks(&digits, rows);
        rows.iter_mut().for_each(|row| row[hands..].fill(EMPTY_LANE));
    });
    for lane in (0..hands).filter(|&lane| doubted[lane] != 0) {
        block.replace(lane, &redo(keys, lane, raised));
    }
}

/// The deck of a lane that may hold a rejected word, by the scalar reference.
#[cold]
fn redo(keys: &[WordRow; 8], lane: usize, raised: u32) -> Deck {
    let mut key = [0; 32];
    for (bytes, row) in key.as_chunks_mut().0.iter_mut().zip(keys) {
        *bytes = row[lane].to_le_bytes();
    }
    let mut tape = Tape::new(&key, 0);
    key.zeroize();
    let mut order: [usize; DECK_CARDS] = std::array::from_fn(|place| place);
    shuffle_with(&mut order, || tape.word(), |product| draws::threshold(product).saturating_add(raised));
    let numbers = order.map(|card| card as u8);
    Deck::try_from(&numbers[..]).expect("swaps keep a permutation")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::AuditKey;

    const AUDIT_KEY: &str = "a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf";

    #[test]
    fn every_lane_of_the_audit_path_equals_the_scalar_reference() {
        let key: AuditKey = AUDIT_KEY.parse().expect("64 digits");
        let prepared = PreparedAuditKey::new(&key);
        let mut block = DeckBlock::default();
        for first in (0..200).map(|n| 64 * n).chain([(1 << 32) - 1, (1 << 32) - 40, u64::MAX - 63]) {
            audit_block(&prepared, first, BLOCK_HANDS, &mut block);
            for lane in 0..BLOCK_HANDS {
                let hand_key = key.hand_key(first + lane as u64);
                assert_eq!(
                    block.deck(lane),
                    crate::shuffle::shuffle_deck(hand_key.bytes()),
                    "{first} + {lane}"
                );
            }
        }
    }
}
