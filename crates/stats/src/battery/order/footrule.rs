//! Footrule: how far the cards lie from their own places.
//!
//! Null: `Σ|c[i] − i|` follows the exact distribution of a uniform permutation. It is even and counted by halves,
//! the places moved up. Parts: χ² of the histogram, the mean (901 whole, 450.5 by halves), the most extreme deck.
//! The same on a deck and its inverse.

use crate::battery::kernel;
use crate::battery::lists::List;
use crate::battery::nulls::histogram;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Statistic, common_sum};
use crate::battery::tier::Tier;
use crate::battery::view::View;
use crate::math::permutation;
use deckproof_deck::deck::block::DeckBlock;

pub(in crate::battery) struct Footrule;

const ABOUT: About = About {
    id: "footrule",
    version: 2,
    tier: Tier::Deep,
    title: "footrule",
    null: "The cards lie as far from their own places as those of a uniform permutation.",
    source: "Σ|c[i] − i| by halves (Spearman 1906; Diaconis & Graham 1977), distribution by counting unmatched places; \
             histogram: Pearson χ² of cells expecting 10, bound by Agrawal (2020); mean: saddle point (Lugannani & \
             Rice 1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact",
    detects: "Cards that stay near their places or are sent far: few riffles, weak sorts, naive swaps, reversed decks.",
    decks_min: 1,
    design: Design { views: View::OF_STEPS, ..Design::PLAIN },
};

const NAMES: histogram::Names =
    histogram::Names { histogram: "histogram", mean: "mean", extreme: "extreme", axis: "half the footrule" };

impl Statistic for Footrule {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn cells(&self) -> usize {
        kernel::footrule::CELLS
    }

    fn parts(&self, _: u64) -> u64 {
        3
    }

    /// Decks by half the footrule, 0..=676.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        kernel::footrule::half_footrule(blocks, counts);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        common_sum([counts.iter().copied()])
    }

    fn lists(&self) -> Vec<List> {
        vec![List::new("half of how far the cards lie from their own places", 0..self.cells(), |half| {
            half.to_string()
        })]
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        histogram::outcomes(permutation::half_footrule(), counts, &NAMES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::deck::Deck;

    #[test]
    fn a_deck_turned_over_has_the_largest_footrule() {
        let reversed: Vec<u8> = (0..52).rev().collect();
        let mut block = DeckBlock::default();
        block.push(&Deck::try_from(&reversed[..]).expect("a permutation"));
        let mut counts = vec![0; Footrule.cells()];
        Footrule.observe(&[block], &mut counts);
        // n²/2 (Diaconis & Graham 1977), reached by (26!)² of 52! decks: 1/C(52, 26).
        assert_eq!(counts[676], 1);
        let share = permutation::half_footrule().upper(676);
        assert!((share * 495_918_532_948_104.0 - 1.0).abs() < 1e-12, "{share:e}");
        let p_value = Footrule.finish(&counts, 1)[0].p_value;
        assert!(p_value < 8.0 * share, "{p_value:e}");
    }
}
