//! The certified shuffle for 64 hands at a time, byte-identical to the scalar reference on every lane.

mod chacha;
mod derive;
mod draws;
mod fold;
mod message;
#[cfg(target_arch = "x86_64")]
mod sha_instructions;

use multiversion::multiversion;
use multiversion::target::match_target;
use zeroize::Zeroize;

use crate::card::DECK_CARDS;
use crate::deck::Deck;
use crate::deck::block::{BLOCK_HANDS, DeckBlock};
use crate::key::HandKey;
use crate::keystream::Keystream;
use crate::shuffle::shuffle_with;

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
/// is in the certificate.
///
/// # Panics
/// If `hands` is above 64.
pub fn audit_block(key: &PreparedAuditKey, first: u64, hands: usize, block: &mut DeckBlock) {
    assert!(hands <= BLOCK_HANDS, "a block holds {BLOCK_HANDS} decks, not {hands}");
    shuffle_rows(&key.hand_keys(first), hands, NOT_RAISED, block);
}

/// The instruction set this machine runs the lanes with, for reports of speed.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl",
    "x86_64+avx2+sha",
    "x86_64+avx2",
    "x86_64+sha+sse4.1",
    "aarch64+neon"
))]
pub fn instruction_set() -> &'static str {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl" => "AVX-512 (bytes counted with AVX2)",
        "x86_64+avx2+sha" => "AVX2 and SHA instructions",
        "x86_64+avx2" => "AVX2",
        "x86_64+sha+sse4.1" => "SSE2 and SHA instructions",
        "aarch64+neon" => "NEON",
        _ => "no instruction set in particular",
    }
}

/// What the shuffle adds to its rejection thresholds: nothing. Tests raise them.
const NOT_RAISED: u32 = 0;

/// The shuffle of all lanes.
fn shuffle_rows(keys: &[WordRow; 8], hands: usize, raised: u32, block: &mut DeckBlock) {
    let mut words = [[0; BLOCK_HANDS]; draws::WORDS];
    chacha::first_words(keys, &mut words);
    let mut needs_scalar = [0; BLOCK_HANDS];
    block.fill(hands, |rows| {
        draws::digits(&words, raised, rows, &mut needs_scalar);
        fold::decks(rows);
    });
    for lane in (0..hands).filter(|&lane| needs_scalar[lane] != 0) {
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
    let mut keystream = Keystream::new(&key, 0);
    key.zeroize();
    let mut order: [usize; DECK_CARDS] = std::array::from_fn(|place| place);
    shuffle_with(&mut order, || keystream.word(), |product| draws::threshold(product).saturating_add(raised));
    let numbers = order.map(|card| card as u8);
    Deck::try_from(&numbers[..]).expect("swaps keep a permutation")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck::block::EMPTY_LANE;
    use crate::key::AuditKey;
    use crate::shuffle::shuffle_deck;

    const AUDIT_KEY: &str = "a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf";

    fn check_audit(first: u64, hands: usize) {
        let key: AuditKey = AUDIT_KEY.parse().expect("64 digits");
        // What stood in the block before must not show through.
        let mut block = DeckBlock::default();
        (0..BLOCK_HANDS).for_each(|_| block.push(&Deck::in_order()));
        audit_block(&PreparedAuditKey::new(&key), first, hands, &mut block);
        assert_eq!(block.hands(), hands);
        for lane in 0..hands {
            let expected = shuffle_deck(key.hand_key(first + lane as u64).bytes());
            assert_eq!(block.deck(lane), expected, "hand {first} + {lane}");
        }
        assert!(block.rows().iter().all(|row| row[hands..].iter().all(|&card| card == EMPTY_LANE)));
    }

    #[test]
    fn every_lane_of_the_audit_path_equals_the_scalar_reference() {
        (0..300).for_each(|number| check_audit(64 * number, BLOCK_HANDS));
    }

    #[test]
    fn a_block_across_two_to_the_32_takes_both_high_words() {
        for first in [(1 << 32) - 1, (1 << 32) - 40, (1 << 32) - 63, 1 << 32, u64::MAX - 63] {
            check_audit(first, BLOCK_HANDS);
        }
    }

    #[test]
    fn partial_blocks_leave_the_other_lanes_empty() {
        (0..=BLOCK_HANDS).for_each(|hands| check_audit(1_000_003, hands));
    }

    /// Seeds whose first block holds one and two rejected words, and their decks; from the project's
    /// protocol vectors, made by an independent Python program.
    const REJECTING: [(&str, &str); 2] = [
        (
            "7106556dba7ae33dd9ebc29c7c400d9cff5cc946ab3402cb00000000000020b8",
            "Qs6d4c7cJcAd2hJhAs5d3c6h6c8cQcTc9dTsKdJs2cQh4s8s2sQd8d5h4h8h3d7s4dKcAc3hAhKs7d3s5s9sJd9cTd9hTh5c7hKh6s2d",
        ),
        (
            "7106556dba7ae33dd9ebc29c7c400d9cff5cc946ab3402cb00000000024f6980",
            "KcJc3cAd7h6d9s5hQc7c2cKh9h4d6sThJs5c5d6cQdKs9d9c6h8cTs8hJhQsTdAhAc2d2h3h4c4s3d5sQh7dAs8d7sJd2s4hKdTc8s3s",
        ),
    ];

    #[test]
    fn seeds_that_reject_a_word_give_the_decks_of_the_vectors() {
        for lane in [0, 5, 63] {
            let mut keys = HandKeys::default();
            for filler in 0..lane {
                keys.push(&HandKey::from_bytes([filler; 32]));
            }
            for (seed, _) in REJECTING.iter().take(BLOCK_HANDS - usize::from(lane)) {
                keys.push(&seed.parse().expect("64 digits"));
            }
            let mut block = DeckBlock::default();
            shuffle_block(&keys, &mut block);
            for (place, (_, deck)) in (usize::from(lane)..keys.hands()).zip(REJECTING) {
                assert_eq!(block.deck(place).to_string(), deck);
            }
        }
    }

    /// The scalar deck with raised thresholds, and how many words it took.
    fn raised_deck(key: &[u8; 32], raised: u32) -> (Deck, usize) {
        let (mut order, mut keystream, mut words) =
            ((0..DECK_CARDS).collect::<Vec<_>>(), Keystream::new(key, 0), 0);
        let word = || {
            words += 1;
            keystream.word()
        };
        shuffle_with(&mut order, word, |product| ((1u64 << 32) % u64::from(product)) as u32 + raised);
        let numbers: Vec<u8> = order.iter().map(|&card| card as u8).collect();
        (Deck::try_from(&numbers[..]).expect("a permutation"), words)
    }

    #[test]
    fn lanes_follow_a_raised_threshold_as_the_scalar_reference_does() {
        for raised in [1 << 20, 1 << 27, 3 << 29] {
            let (mut keys, mut expected, mut retries) = (HandKeys::default(), Vec::new(), 0);
            for number in 0..BLOCK_HANDS as u8 {
                let key = [number ^ 0x5a; 32];
                keys.push(&HandKey::from_bytes(key));
                let (deck, words) = raised_deck(&key, raised);
                expected.push(deck);
                retries += words - draws::WORDS;
            }
            let mut block = DeckBlock::default();
            shuffle_rows(&keys.words, keys.hands, raised, &mut block);
            assert!(raised < 1 << 27 || retries > 20, "{retries} retries at {raised}");
            for (lane, deck) in expected.iter().enumerate() {
                assert_eq!(block.deck(lane), *deck, "lane {lane}, thresholds raised by {raised}");
            }
        }
    }

    #[test]
    fn keys_can_be_cleared_and_pushed_again() {
        let (mut keys, mut block) = (HandKeys::default(), DeckBlock::default());
        keys.push(&HandKey::from_bytes([9; 32]));
        keys.clear();
        shuffle_block(&keys, &mut block);
        assert!(block.is_empty());
        keys.push(&HandKey::from_bytes([8; 32]));
        shuffle_block(&keys, &mut block);
        assert_eq!((block.hands(), block.deck(0)), (1, shuffle_deck(&[8; 32])));
    }
}
