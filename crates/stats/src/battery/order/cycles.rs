//! Cycles and fixed points of the deck as a permutation of card numbers.
//!
//! Null: cycles follow the Stirling numbers of the first kind and fixed points de Montmort's distribution. Parts of
//! both: χ² of the histogram, the mean (4.538 and 1), the most extreme deck. The same on a deck and its inverse, so
//! it is counted once.

use crate::battery::kernel;
use crate::battery::lists::List;
use crate::battery::nulls::histogram;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Statistic, common_sum};
use crate::battery::tier::Tier;
use crate::math::permutation;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::DeckBlock;
use deckproof_deck::deck::orders::Decks;

pub(in crate::battery) struct Cycles;

/// 0 to 52 of either.
const VALUES: usize = DECK_CARDS + 1;

const ABOUT: About = About {
    id: "cycles",
    version: 3,
    tier: Tier::Core,
    title: "cycles and fixed points",
    null: "The cycles and fixed points of a deck are those of a uniform permutation.",
    source: "cycles: Stirling numbers of the first kind over 52! (Feller 1968, X.6); fixed points: \
             de Montmort (1713); histogram: Pearson χ² of cells expecting 10, bound by Agrawal (2020); mean: \
             saddle point (Lugannani & Rice 1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact",
    detects: "Wrong cycle types, such as Sattolo's single cycle, and cards left in their places.",
    decks_min: 1,
    design: Design::PLAIN,
};

const CYCLES: histogram::Names = histogram::Names {
    histogram: "cycles-histogram",
    mean: "cycles-mean",
    extreme: "cycles-extreme",
    axis: "cycles",
};

const FIXED_POINTS: histogram::Names = histogram::Names {
    histogram: "fixed-points-histogram",
    mean: "fixed-points-mean",
    extreme: "fixed-points-extreme",
    axis: "fixed points",
};

impl Statistic for Cycles {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn cells(&self) -> usize {
        2 * VALUES
    }

    fn parts(&self, _: u64) -> u64 {
        6
    }

    /// Decks by cycles 0..=52, then decks by fixed points 0..=52.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let (cycles, fixed_points) = counts.split_at_mut(VALUES);
        kernel::cycles::cycles(blocks, cycles, fixed_points);
    }

    fn observe_orders(&self, _blocks: &[DeckBlock], decks: Decks, counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let (cycles, fixed_points) = counts.split_at_mut(VALUES);
        kernel::by_order::cycles(decks.orders, cycles, fixed_points);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let (cycles, fixed_points) = counts.split_at(VALUES);
        common_sum([cycles, fixed_points].map(|histogram| histogram.iter().copied()))
    }

    fn lists(&self) -> Vec<List> {
        vec![
            List::new("cycles of the deck", 0..VALUES, |value| value.to_string()),
            List::new("cards that lie at their own places", VALUES..2 * VALUES, |value| value.to_string()),
        ]
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let (cycles, fixed_points) = counts.split_at(VALUES);
        let mut outcomes = histogram::outcomes(permutation::cycles(), cycles, &CYCLES);
        outcomes.extend(histogram::outcomes(permutation::fixed_points(), fixed_points, &FIXED_POINTS));
        outcomes
    }
}
