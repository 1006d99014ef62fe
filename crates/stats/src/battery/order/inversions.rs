//! Inversions and descents: how far a deck is from sorted.
//!
//! Null: pairs out of order follow the Mahonian numbers, places where a card is higher than the next the Eulerian
//! numbers. Parts of both: χ² of the histogram, the mean (663 and 25.5), the most extreme deck. Inversions are the
//! same on a deck and its inverse.

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

pub(in crate::battery) struct Inversions;

/// 0 to 1326 inversions.
const INVERSION_VALUES: usize = DECK_CARDS * (DECK_CARDS - 1) / 2 + 1;

/// 0 to 51 descents.
const DESCENT_VALUES: usize = DECK_CARDS;

const ABOUT: About = About {
    id: "inversions",
    version: 3,
    tier: Tier::Core,
    title: "inversions and descents",
    null: "The inversions and descents of a deck are those of a uniform permutation.",
    source: "inversions: Mahonian numbers, descents: Eulerian numbers over 52! (Stanley, Enumerative \
             Combinatorics 1, sections 1.3 and 1.4); histogram: Pearson χ² of cells expecting 10, bound by \
             Agrawal (2020); mean: saddle point (Lugannani & Rice 1980), bound by Chernoff (1952); \
             extreme: 1−(1−q)^N, exact",
    detects: "Order that survives: few riffles, partial sorts, naive swaps, reversed decks.",
    decks_min: 1,
    design: Design { views: View::OF_STEPS, ..Design::PLAIN },
};

const INVERSIONS: histogram::Names = histogram::Names {
    histogram: "inversions-histogram",
    mean: "inversions-mean",
    extreme: "inversions-extreme",
    axis: "inversions",
};

const DESCENTS: histogram::Names = histogram::Names {
    histogram: "descents-histogram",
    mean: "descents-mean",
    extreme: "descents-extreme",
    axis: "descents",
};

impl Statistic for Inversions {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn cells(&self) -> usize {
        INVERSION_VALUES + DESCENT_VALUES
    }

    fn parts(&self, _: u64) -> u64 {
        6
    }

    /// Decks by inversions 0..=1326, then decks by descents 0..=51.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let (inversions, descents) = counts.split_at_mut(INVERSION_VALUES);
        kernel::inversions::inversions(blocks, inversions, descents);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let (inversions, descents) = counts.split_at(INVERSION_VALUES);
        common_sum([inversions, descents].map(|histogram| histogram.iter().copied()))
    }

    fn lists(&self) -> Vec<List> {
        let (inversions, descents) = (0..INVERSION_VALUES, INVERSION_VALUES..self.cells());
        vec![
            List::new("pairs of cards that are out of order", inversions, |value| value.to_string()),
            List::new("cards that are higher than the next one", descents, |value| value.to_string()),
        ]
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let (inversions, descents) = counts.split_at(INVERSION_VALUES);
        let mut outcomes = histogram::outcomes(permutation::inversions(), inversions, &INVERSIONS);
        outcomes.extend(histogram::outcomes(permutation::descents(), descents, &DESCENTS));
        outcomes
    }
}
