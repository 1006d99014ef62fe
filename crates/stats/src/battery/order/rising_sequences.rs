//! Rising sequences: how many riffles a deck looks like.
//!
//! Null: rising sequences less one, the descents of the inverse, follow the Eulerian numbers. Parts: χ² of the
//! histogram, the mean (26.5), the most extreme deck.

use crate::battery::kernel;
use crate::battery::lists::List;
use crate::battery::nulls::histogram;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Statistic, common_sum};
use crate::battery::tier::Tier;
use crate::battery::view::View;
use crate::math::permutation;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::DeckBlock;
use deckproof_deck::deck::orders::Decks;

pub(in crate::battery) struct RisingSequences;

const ABOUT: About = About {
    id: "rising-sequences",
    version: 3,
    tier: Tier::Core,
    title: "rising sequences",
    null: "The rising sequences of a deck are those of a uniform permutation.",
    source: "descents of the inverse plus one, Eulerian numbers over 52! (Bayer & Diaconis 1992); histogram: \
             Pearson χ² of cells expecting 10, bound by Agrawal (2020); mean: saddle point (Lugannani & \
             Rice 1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact",
    detects: "Too few riffles, cuts and other shuffles that keep cards in sequence.",
    decks_min: 1,
    design: Design { views: View::OF_STEPS, ..Design::PLAIN },
};

const NAMES: histogram::Names =
    histogram::Names { histogram: "histogram", mean: "mean", extreme: "extreme", axis: "rising sequences" };

impl Statistic for RisingSequences {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn cells(&self) -> usize {
        DECK_CARDS
    }

    fn parts(&self, _: u64) -> u64 {
        3
    }

    /// Decks by descents of the inverse 0..=51, which are rising sequences less one.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        kernel::inverse_descents::inverse_descents(blocks, counts);
    }

    fn observe_orders(&self, _blocks: &[DeckBlock], decks: Decks, counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        kernel::by_order::descents(decks.inverses, counts);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        common_sum([counts.iter().copied()])
    }

    fn lists(&self) -> Vec<List> {
        vec![List::new("rising sequences", 0..DECK_CARDS, |value| (value + 1).to_string())]
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        histogram::outcomes(permutation::rising_sequences(), counts, &NAMES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::deck::Deck;

    #[test]
    fn a_perfect_riffle_has_two_rising_sequences() {
        let riffle: Vec<u8> = (0..52).map(|place| place / 2 + 26 * (place % 2)).collect();
        let mut block = DeckBlock::default();
        block.push(&Deck::try_from(&riffle[..]).expect("a riffle is a permutation"));
        let mut counts = vec![0; 52];
        RisingSequences.observe(&[block], &mut counts);
        assert_eq!(counts[1], 1);
        assert_eq!(RisingSequences.finish(&counts, 1)[0].score, 2.0);
    }
}
