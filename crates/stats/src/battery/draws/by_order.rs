//! Generators behind other start orders: the statistics of draws as dealers see them who number the cards another
//! way.
//!
//! Null: that of the statistic it repeats, for cards renamed by a fixed order leave a deck uniform. It reads the
//! first decks by each of the six usual start orders (by ranks or suits, aces high or low, a new pack and that
//! turned over), each counted apart; every part takes the worst of them by Bonferroni. Draws undone from a wrong
//! start order look like chance whatever the generator, so that a weak one would hide behind a new pack.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use crate::battery::draws::linear::REGISTERS;
use crate::battery::draws::spectral::WITHOUT_LAGS;
use crate::battery::nulls::histogram;
use crate::battery::outcome::Outcome;
use crate::battery::pack::{ORDERS, renamed};
use crate::battery::statistic::{About, Design, Scope, Statistic};
use crate::battery::tier::Tier;
use crate::battery::view::Label;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};

/// A statistic of a prefix, by every start order.
pub(in crate::battery) struct ByOrder {
    about: &'static About,
    of: &'static dyn Statistic,
    /// Decks read, one block of 64 or less or whole blocks.
    decks: u64,
}

const LINEAR_ABOUT: About = About {
    id: "linear-complexity-orders",
    version: 2,
    tier: Tier::Deep,
    title: "linear complexity and ranks of bits, by start orders",
    null: "No bit of the numbers that a shuffle of a new deck in a usual order must have drawn follows linearly from others.",
    source: "linear-complexity without relations on the first 256 decks by six usual start orders, Bonferroni (1936) over orders",
    detects: "Linear generators behind another order of a new deck than the plan names.",
    decks_min: 32,
    design: Design {
        family: Some("linear-complexity"),
        label: Label::Card,
        scope: Scope::Prefix,
        ..Design::OF_DECKS
    },
};

pub(in crate::battery) static LINEAR: ByOrder = ByOrder { about: &LINEAR_ABOUT, of: &REGISTERS, decks: 256 };

const SPECTRAL_ABOUT: About = About {
    id: "spectral-orders",
    version: 4,
    tier: Tier::Deep,
    title: "spectral scan of the draws, by start orders",
    null: "No wave runs through the numbers that a shuffle of a new deck in a usual order must have drawn.",
    source: "spectral without lags on the first 16 decks by six usual start orders, Bonferroni (1936) over orders",
    detects: "Congruential, additive and subtractive generators behind another order of a new deck than the plan names.",
    decks_min: 10,
    design: Design { family: Some("spectral"), label: Label::Card, scope: Scope::Prefix, ..Design::OF_DECKS },
};

pub(in crate::battery) static SPECTRAL: ByOrder =
    ByOrder { about: &SPECTRAL_ABOUT, of: &WITHOUT_LAGS, decks: 16 };

impl Statistic for ByOrder {
    fn about(&self) -> &'static About {
        self.about
    }

    fn cells(&self) -> usize {
        ORDERS.len() * self.of.cells()
    }

    fn parts(&self, decks: u64) -> u64 {
        self.of.parts(decks)
    }

    fn decks_read(&self, part: &str, counts: &[u64], _decks: u64) -> u64 {
        self.of.decks_read(part, counts, counts[0])
    }

    /// For every order the counts of the statistic.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let read = (self.decks as usize).div_ceil(BLOCK_HANDS);
        ORDERS.par_iter().zip(counts.par_chunks_mut(self.of.cells())).for_each(|(order, own)| {
            let mut numbered: Vec<DeckBlock> =
                blocks.iter().take(read).map(|block| renamed(block, *order)).collect();
            numbered.iter_mut().for_each(|block| block.truncate(self.decks as usize));
            self.of.observe(&numbered, own);
        });
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let mut decks = counts.chunks(self.of.cells()).map(|own| self.of.decks_in(own));
        let first = decks.next().flatten()?;
        (decks.all(|other| other == Some(first)) && first <= self.decks).then_some(first)
    }

    fn can_hold(&self, held: u64, decks: u64) -> bool {
        held == decks.min(self.decks)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        // The first count of each is how many decks it was shown.
        histogram::worst_of_each(
            counts.chunks(self.of.cells()).map(|own| self.of.finish(own, own[0])).collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::draws::spectral::SPECTRAL as OF_SPECTRAL;
    use crate::battery::walk::sample::outcome;
    use deckproof_deck::deck::Deck;

    /// Decks swapped by RANDU, from a new deck in one of the orders.
    fn blocks(order: usize, decks: usize) -> Vec<DeckBlock> {
        let number = ORDERS[order];
        let mut start = [0u8; 52];
        (0..52).for_each(|card| start[number(card / 4, card % 4)] = card as u8);
        let mut state = 12_345_u64;
        let mut blocks = vec![DeckBlock::default(); decks.div_ceil(64)];
        for deck in 0..decks {
            let mut cards = start;
            for place in (1..52).rev() {
                state = state * 65_539 % (1 << 31);
                cards.swap(place, ((state * (place as u64 + 1)) >> 31) as usize);
            }
            blocks[deck / 64].push(&Deck::try_from(&cards[..]).expect("swaps keep a permutation"));
        }
        blocks
    }

    fn p_value(statistic: &dyn Statistic, counts: &[u64], part: &str) -> f64 {
        outcome(&statistic.finish(counts, 512), part).p_value
    }

    #[test]
    fn randu_is_seen_behind_every_start_order() {
        // By ranks with aces low is by ranks with aces high, turned: that one is not hidden.
        for order in [0, 1, 5] {
            let blocks = blocks(order, 64);
            let (mut own, mut counts) = (vec![0; OF_SPECTRAL.cells()], vec![0; SPECTRAL.cells()]);
            SPECTRAL.observe(&blocks, &mut counts);
            assert_eq!(SPECTRAL.decks_in(&counts), Some(16));
            assert!(p_value(&SPECTRAL, &counts, "short") < 1e-12, "order {order}");
            // By the order that decks are written in nothing is to be seen, unless it is that one.
            OF_SPECTRAL.observe(&blocks, &mut own);
            assert_eq!(p_value(&OF_SPECTRAL, &own, "short") < 1e-6, order == 0, "order {order}");
            counts[OF_SPECTRAL.cells()] += 1;
            assert_eq!(SPECTRAL.decks_in(&counts), None);
        }
    }

    #[test]
    fn only_the_first_decks_are_read() {
        let blocks = blocks(4, 640);
        let mut counts = vec![0; LINEAR.cells()];
        LINEAR.observe(&blocks[..9], &mut counts);
        assert_eq!(LINEAR.decks_in(&counts), Some(256));
        assert!(LINEAR.can_hold(256, 576) && !LINEAR.can_hold(256, 255) && LINEAR.can_hold(40, 40));
        // RANDU's low bits are never drawn by scaling: its complexity is high, and no p-value is small.
        assert!(p_value(&LINEAR, &counts, "complexity") > 1e-6);
    }
}
