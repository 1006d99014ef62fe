//! The good randomness under a flaw: exact draws that follow from the seed and the deck's number.

use crate::dealers::{CardOrder, durstenfeld};
use deckproof_deck::keystream::Keystream;

/// Draws for one deck. Everything but the planted fault is exact.
pub(super) struct Dice {
    keystream: Keystream,
    seed: u64,
    deck: u64,
}

impl Dice {
    /// The dice of one deck.
    pub(super) fn new(seed: u64, deck: u64) -> Dice {
        Dice::labelled(seed, deck, 0)
    }

    /// Further dice that do not depend on the deck: label 1 and up.
    pub(super) fn labelled(seed: u64, number: u64, label: u64) -> Dice {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_be_bytes());
        key[8..16].copy_from_slice(&number.to_be_bytes());
        key[16..24].copy_from_slice(&label.to_be_bytes());
        Dice { keystream: Keystream::new(&key, 0), seed, deck: number }
    }

    /// The seed of the dealer.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of the deck.
    pub(super) fn deck(&self) -> u64 {
        self.deck
    }

    /// 32 fair bits.
    pub(super) fn word(&mut self) -> u32 {
        self.keystream.word()
    }

    /// 64 fair bits.
    pub(super) fn long(&mut self) -> u64 {
        u64::from(self.word()) << 32 | u64::from(self.word())
    }

    /// `count` fair bits, at most 32.
    pub(super) fn bits(&mut self, count: u32) -> u32 {
        self.word() >> (32 - count)
    }

    /// Uniform on 0..m, m > 0 (Lemire 2019, "Fast random integer generation in an interval").
    pub(super) fn below(&mut self, m: u32) -> u32 {
        loop {
            let wide = u64::from(self.word()) * u64::from(m);
            let low = wide as u32;
            // Below 2^32 mod m a low part belongs to the surplus; dividing is rarely needed to see it.
            if low >= m || low >= m.wrapping_neg() % m {
                return (wide >> 32) as u32;
            }
        }
    }

    /// Whether a draw with probability 1/m succeeds.
    pub(super) fn one_in(&mut self, m: u32) -> bool {
        self.below(m) == 0
    }

    /// A uniform multiple of 2^-53 in [0, 1), as `Math.random()` promises it.
    pub(super) fn unit(&mut self) -> f64 {
        (self.long() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A fair deck.
    pub(super) fn fair(&mut self) -> CardOrder {
        durstenfeld(|m| self.below(m))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_stay_below_their_bound_and_reach_it() {
        let mut dice = Dice::new(1, 0);
        for m in [1, 2, 51, 52] {
            let seen: std::collections::BTreeSet<_> = (0..2_000).map(|_| dice.below(m)).collect();
            assert_eq!(seen.into_iter().collect::<Vec<_>>(), (0..m).collect::<Vec<_>>());
        }
    }

    #[test]
    fn seeds_decks_and_labels_have_their_own_dice() {
        let words = [Dice::new(1, 2), Dice::new(2, 1), Dice::labelled(1, 2, 1), Dice::new(1, 2)]
            .map(|mut dice| dice.long());
        assert_eq!(words[0], words[3]);
        assert!(words[0] != words[1] && words[0] != words[2] && words[1] != words[2]);
    }
}
