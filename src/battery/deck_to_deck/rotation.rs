//! Packs in rotation: order within the relative decks 2 to 16 decks on.
//!
//! Null: at every lag L the relative decks `r = v_{t+L}∘c_t` are independent and uniform, so that their descents,
//! and those of their inverses, follow the Eulerian numbers. Parts: `falls-…` of r, `later-falls-…` of its inverse,
//! each the χ² of the histogram, the mean and the most extreme pair, the worst of the 15 lags by Bonferroni. Links
//! stay inside a block of 64 decks; of a segment of 65,536 decks the first 8 blocks and then every 32nd are looked
//! at, for a pack that comes round does so always.

use crate::battery::nulls::histogram::{self, Names};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Scope, Statistic};
use crate::battery::stream;
use crate::battery::tier::Tier;
use crate::battery::view::View;
use crate::battery::walk::Order;
use crate::card::DECK_CARDS;
use crate::deck::block::{BLOCK_HANDS, DeckBlock};
use crate::deck::inverse_of;
use crate::math::permutation;

pub(in crate::battery) struct Rotation;

const ABOUT: About = About {
    id: "rotation",
    version: 1,
    tier: Tier::Deep,
    title: "order within relative decks 2 to 16 decks on",
    null: "How a deck lies in the one 2 to 16 decks later is a uniform permutation.",
    source: "descents of v_{t+L}∘c_t and of its inverse, L = 2..16: Eulerian numbers over 52!; histogram: Pearson χ² of cells \
             expecting 10, bound by Agrawal (2020); mean: saddle point (Lugannani & Rice 1980), bound by Chernoff (1952); \
             extreme: 1−(1−q)^N; Bonferroni (1936) over lags; riffles: Bayer & Diaconis (1992)",
    detects: "Several packs in rotation, a shoe or a shuffling machine, each shuffled too little before it comes again.",
    decks_min: 12,
};

/// Decks on. One deck on is what the relative view shows to every statistic of order.
const LAGS: std::ops::RangeInclusive<usize> = 2..=16;

/// Values 0..=51 of descents.
const VALUES: usize = DECK_CARDS;

/// A histogram of each kind.
const OF_LAG: usize = 2 * VALUES;

/// Blocks at the beginning of a segment that are all looked at, and the step from there on.
const FIRST: usize = 8;
const EVERY: usize = 32;

const FALLS: Names =
    Names { histogram: "falls-histogram", mean: "falls-mean", extreme: "falls-extreme", axis: "descents" };

const LATER_FALLS: Names = Names {
    histogram: "later-falls-histogram",
    mean: "later-falls-mean",
    extreme: "later-falls-extreme",
    axis: "descents of the inverse",
};

impl Statistic for Rotation {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn scope(&self) -> Scope {
        Scope::Segment
    }

    fn views(&self) -> &'static [View] {
        &[View::Deck]
    }

    fn cells(&self) -> usize {
        1 + LAGS.count() * OF_LAG
    }

    fn parts(&self, _: u64) -> u64 {
        6
    }

    /// Decks, then for every lag the histograms of descents of `v_{t+L}∘c_t` and of `v_t∘c_{t+L}`.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let (decks, tables) = counts.split_first_mut().expect("the decks have a cell");
        *decks += stream::decks_of(blocks);
        let seen = blocks.iter().enumerate().filter(|(number, _)| *number < FIRST || number % EVERY == 0);
        for (_, block) in seen {
            let decks: Vec<Order> = (0..block.hands()).map(|lane| *block.deck(lane).indices()).collect();
            let places: Vec<Order> = decks.iter().map(inverse_of).collect();
            for (lag, table) in LAGS.zip(tables.chunks_mut(OF_LAG)) {
                for link in lag..decks.len() {
                    table[falls(&decks[link - lag], &places[link])] += 1;
                    table[VALUES + falls(&decks[link], &places[link - lag])] += 1;
                }
            }
        }
    }

    /// A block of B decks has B − L links at lag L, and blocks hold at most 64: the further, the fewer.
    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let decks = counts[0];
        let mut before = u64::MAX;
        for (lag, table) in LAGS.zip(counts[1..].chunks(OF_LAG)) {
            let sum = |own: &[u64]| own.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
            let [links, later] = [sum(&table[..VALUES])?, sum(&table[VALUES..])?];
            let most = u128::from(decks) * (BLOCK_HANDS - lag) as u128;
            if links != later || links > before || u128::from(links) * BLOCK_HANDS as u128 > most {
                return None;
            }
            before = links;
        }
        Some(decks)
    }

    fn finish(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        assert_eq!(counts.len(), self.cells());
        if decks < ABOUT.decks_min {
            return Vec::new();
        }
        let of_kind = |first: usize, names: &Names| {
            let of_lag = |table: &[u64]| {
                histogram::outcomes(permutation::descents(), &table[first..first + VALUES], names)
            };
            histogram::worst_of_each(counts[1..].chunks(OF_LAG).map(of_lag).collect())
        };
        of_kind(0, &FALLS).into_iter().chain(of_kind(VALUES, &LATER_FALLS)).collect()
    }
}

/// Descents of `places∘cards`.
fn falls(cards: &Order, places: &Order) -> usize {
    let moved = cards.map(|card| places[usize::from(card) % DECK_CARDS]);
    moved.iter().zip(&moved[1..]).map(|(here, next)| usize::from(here > next)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck::Deck;

    /// Ten packs in turn, each cut once before it comes again: one descent ten decks on, and as many on the way back.
    #[test]
    fn a_pack_that_is_cut_and_comes_again_has_one_descent() {
        let packs: Vec<Order> = crate::battery::walk::sample::orders().step_by(7).take(10).collect();
        let mut block = DeckBlock::default();
        for number in 0..40 {
            let mut cards = packs[number % 10].to_vec();
            cards.rotate_left(5 * (number / 10));
            block.push(&Deck::try_from(&cards[..]).expect("a permutation"));
        }
        let mut counts = vec![0; Rotation.cells()];
        Rotation.observe(&[block], &mut counts);
        assert_eq!(Rotation.decks_in(&counts), Some(40));
        let at_ten = &counts[1 + 8 * OF_LAG..][..OF_LAG];
        assert_eq!((at_ten[1], at_ten[VALUES + 1], at_ten.iter().sum::<u64>()), (30, 30, 60));
        let outcomes = Rotation.finish(&counts, 40);
        let convicting = |part: &str| {
            let outcome = outcomes.iter().find(|outcome| outcome.part == part).expect("40 decks feed it");
            outcome.p_value_bound.unwrap_or(outcome.p_value)
        };
        assert!(convicting("falls-mean") < 1e-100 && convicting("later-falls-mean") < 1e-100);
        counts[1] += 1;
        assert_eq!(Rotation.decks_in(&counts), None);
    }

    /// By the composed permutation itself.
    #[test]
    fn falls_are_descents_of_the_relative_deck() {
        let orders: Vec<Order> = crate::battery::walk::sample::orders().take(60).collect();
        for pair in orders.windows(2) {
            let relative: Vec<usize> = pair[0]
                .iter()
                .map(|card| pair[1].iter().position(|c| c == card).expect("a permutation"))
                .collect();
            let wanted = relative.windows(2).filter(|two| two[0] > two[1]).count();
            assert_eq!(falls(&pair[0], &inverse_of(&pair[1])), wanted);
        }
    }
}
