//! Packs in rotation: order within the relative decks 2 to 32 decks on.
//!
//! Null: at every lag L the relative decks `r = v_{t+L}∘c_t` are independent and uniform, so that their descents,
//! and those of their inverses, follow the Eulerian numbers. Parts: `falls-…` of r, `later-falls-…` of its inverse,
//! each the χ² of the histogram, the mean and the most extreme pair, the worst of the 31 lags by Bonferroni. Links
//! stay inside a block of 64 decks.

use crate::battery::kernel::by_order::descents;
use crate::battery::nulls::histogram::{self, Names, names};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Scope, Statistic, about_and_cells, checked_sum};
use crate::battery::stream;
use crate::battery::tier::Tier;
use crate::math::permutation;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_deck::deck::orders::{composed, inverses, push_decks};

pub(in crate::battery) struct Rotation;

const ABOUT: About = About {
    id: "rotation",
    version: 3,
    tier: Tier::Deep,
    title: "order within relative decks 2 to 32 decks on",
    null: "How a deck lies in the one 2 to 32 decks later is a uniform permutation.",
    source: "descents of v_{t+L}∘c_t and of its inverse, L = 2..32: Eulerian numbers over 52!; histogram: Pearson χ² of cells \
             expecting 10, bound by Agrawal (2020); mean: saddle point (Lugannani & Rice 1980), bound by Chernoff (1952); \
             extreme: 1−(1−q)^N; Bonferroni (1936) over lags; riffles: Bayer & Diaconis (1992); links inside each lot of 64 decks",
    detects: "Several packs in rotation, a shoe or a shuffling machine, each shuffled too little before it comes again.",
    decks_min: 12,
    design: Design { parts: 6, scope: Scope::Segment, ..Design::OF_DECKS },
};

/// Decks on. One deck on is what the relative view shows to every statistic of order.
const LAGS: std::ops::RangeInclusive<usize> = 2..=32;

/// Values 0..=51 of descents.
const VALUES: usize = DECK_CARDS;

/// A histogram of each kind.
const OF_LAG: usize = 2 * VALUES;

const FALLS: Names = names!("falls", "descents");

const LATER_FALLS: Names = names!("later-falls", "descents of the inverse");

impl Statistic for Rotation {
    about_and_cells!(ABOUT, 1 + LAGS.count() * OF_LAG);

    /// Decks, then for every lag the histograms of descents of `v_{t+L}∘c_t` and of `v_t∘c_{t+L}`.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let (seen_decks, tables) = counts.split_first_mut().expect("the decks have a cell");
        *seen_decks += stream::decks_of(blocks);
        let [mut decks, mut places, mut moved] = [const { Vec::new() }; 3];
        for block in blocks {
            decks.clear();
            push_decks(block, &mut decks);
            inverses(&decks, &mut places);
            for (lag, table) in LAGS.zip(tables.chunks_mut(OF_LAG)) {
                let (falls, later_falls) = table.split_at_mut(VALUES);
                let links = decks.len().saturating_sub(lag);
                let [later, later_places] =
                    [&decks, &places].map(|orders| orders.get(lag..).unwrap_or_default());
                composed(&decks[..links], later_places, &mut moved);
                descents(&moved, falls);
                composed(later, &places[..links], &mut moved);
                descents(&moved, later_falls);
            }
        }
    }

    /// A block of B decks has B − L links at lag L, and blocks hold at most 64: the further, the fewer.
    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let decks = counts[0];
        let mut before = u64::MAX;
        for (lag, table) in LAGS.zip(counts[1..].chunks(OF_LAG)) {
            let [links, later] = [checked_sum(&table[..VALUES])?, checked_sum(&table[VALUES..])?];
            let most = u128::from(decks) * (BLOCK_HANDS - lag) as u128;
            if links != later || links > before || u128::from(links) * BLOCK_HANDS as u128 > most {
                return None;
            }
            before = links;
        }
        Some(decks)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let of_kind = |first: usize, names: &Names| {
            let of_lag = |table: &[u64]| {
                histogram::outcomes(permutation::descents(), &table[first..first + VALUES], names)
            };
            histogram::worst_of_each(counts[1..].chunks(OF_LAG).map(of_lag).collect())
        };
        of_kind(0, &FALLS).into_iter().chain(of_kind(VALUES, &LATER_FALLS)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::Order;
    use crate::battery::walk::sample::{convicting, counts, deck, orders};
    use deckproof_deck::deck::Deck;

    /// Ten packs in turn, each cut once before it comes again: one descent ten decks on, and as many on the way back.
    #[test]
    fn a_pack_that_is_cut_and_comes_again_has_one_descent() {
        let packs: Vec<Order> = orders().step_by(7).take(10).collect();
        let cut_again = |number: usize| {
            let mut cards = packs[number % 10];
            cards.rotate_left(5 * (number / 10));
            deck(&cards)
        };
        let mut counts = counts(&Rotation, &(0..40).map(cut_again).collect::<Vec<Deck>>());
        let at_ten = &counts[1 + 8 * OF_LAG..][..OF_LAG];
        assert_eq!((at_ten[1], at_ten[VALUES + 1], at_ten.iter().sum::<u64>()), (30, 30, 60));
        let outcomes = Rotation.finish(&counts, 40);
        for part in ["falls-mean", "later-falls-mean"] {
            assert!(convicting(&outcomes, part) < 1e-100, "{outcomes:?}");
        }
        counts[1] += 1;
        assert_eq!(Rotation.decks_in(&counts), None);
    }

    /// By the relative decks themselves, each card looked for.
    #[test]
    fn falls_are_descents_of_the_relative_decks() {
        let orders: Vec<Order> = orders().step_by(11).take(60).collect();
        let mut expected = vec![0; Rotation.cells()];
        expected[0] = 60;
        for (lag, table) in LAGS.zip(expected[1..].chunks_mut(OF_LAG)) {
            for pair in (lag..60).map(|deck| [&orders[deck - lag], &orders[deck]]) {
                for (first, [from, to]) in [(0, pair), (VALUES, [pair[1], pair[0]])] {
                    let place = |card: &u8| to.iter().position(|other| other == card).expect("a permutation");
                    let relative: Vec<usize> = from.iter().map(place).collect();
                    table[first + relative.windows(2).filter(|two| two[0] > two[1]).count()] += 1;
                }
            }
        }
        let decks: Vec<Deck> = orders.iter().map(|order| deck(order)).collect();
        assert!(counts(&Rotation, &decks) == expected);
    }
}
