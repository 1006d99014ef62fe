//! Matches: cards that lie where they lay some decks ago, forwards, bottom to top, or exchanged with places.
//!
//! Null: the cards of deck t + L at their places of deck t are the fixed points of a uniform permutation, for L =
//! 1..=32; so are those of deck t + 1 at their places of deck t turned over, and the fixed points of c_{t+1}∘c_t,
//! 52 when a deck is the inverse of the last. Within one lag all values are independent, for the relative decks of
//! a lag are: so the decks that match at one place are Bin(n, 1/52). Parts: histogram, mean and most extreme deck of each
//! kind, and the place that matches most or least often, Bonferroni over the 32 lags. Links do not cross a segment of 65,536 decks.

use crate::battery::kernel::matches::stretches;
use crate::battery::kernel::planes::Minterms;
use crate::battery::nulls::histogram::{self, Names, names};
use crate::battery::nulls::table;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Scope, Statistic, about_and_cells, checked_sum};
use crate::battery::stream;
use crate::battery::tier::Tier;
use crate::math::permutation;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::DeckBlock;

pub(in crate::battery) struct Matches;

const LAGS: usize = 32;

/// 0 to 52 matches.
const VALUES: usize = DECK_CARDS + 1;

const ABOUT: About = About {
    id: "matches",
    version: 4,
    tier: Tier::Deep,
    title: "matches with earlier decks",
    null: "The cards that lie where they lay up to 32 decks before are the fixed points of a uniform permutation.",
    source: "fixed points: de Montmort (1713); histogram: Pearson χ² of cells expecting 10, bound by Agrawal (2020); \
             mean: saddle point (Lugannani & Rice 1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact; \
             place-max-cell: Bin(n, 1/52) at each of 52 places, exact; Bonferroni (1936) over the lags and places",
    detects: "Decks that come back whole or in part: as they were, turned over, or with cards and places exchanged; a card that never or \
              often comes to its place again.",
    decks_min: LAGS as u64 + 2,
    design: Design { parts: 10, scope: Scope::Segment, ..Design::PLAIN },
};

const LAGGED: Names = names!("lag", "matches");

const REVERSED: Names = names!("reversed", "matches");

const INVERSE: Names = names!("inverse", "matches");

impl Statistic for Matches {
    about_and_cells!(ABOUT, 1 + (LAGS + 2) * VALUES + LAGS * DECK_CARDS);

    /// Decks, then histograms of 0..=52: lags 1 to 32, turned over, inverse; then at lags 1 to 32 how many match at each place.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        counts[0] += stream::decks_of(blocks);
        let (histograms, places) = counts[1..].split_at_mut((LAGS + 2) * VALUES);
        let (lagged, others) = histograms.split_at_mut(LAGS * VALUES);
        let (reversed, inverted) = others.split_at_mut(VALUES);
        let mut minterms = Minterms::default();
        stretches(blocks, |decks, inverses| {
            let counts = lagged.chunks_mut(VALUES).zip(places.chunks_mut(DECK_CARDS));
            for (lag, counts) in (1..).zip(counts) {
                decks.count_matches(decks, lag, false, &mut minterms, counts);
            }
            decks.count_matches(decks, 1, true, &mut minterms, (reversed, &mut []));
            // c_{t+1}(c_t(p)) = p if and only if c_t is v_{t+1} there.
            decks.count_matches(inverses, 1, false, &mut minterms, (inverted, &mut []));
        });
    }

    /// The number of links is known from the number of segments, which the counts do not say: each segment
    /// drops L of them at lag L.
    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let decks = counts[0];
        let first = checked_sum(&counts[1..=VALUES])?;
        let last = [LAGS, LAGS + 1].map(|place| checked_sum(&counts[1 + place * VALUES..][..VALUES]));
        let descends = |sums: &[Option<u64>]| sums[1].is_some_and(|next| sums[0] >= Some(next));
        let sums: Vec<Option<u64>> = counts[1..].chunks(VALUES).take(LAGS).map(checked_sum).collect();
        let matched = |histogram: &[u64]| {
            let all = (0u64..).zip(histogram).map(|(value, &count)| value.checked_mul(count));
            all.sum::<Option<u64>>()
        };
        let places = counts[1 + (LAGS + 2) * VALUES..].chunks(DECK_CARDS);
        let mut by_lag = counts[1..].chunks(VALUES).zip(places);
        let are_places_sound = by_lag.all(|(histogram, places)| {
            checked_sum(places).is_some_and(|all| matched(histogram) == Some(all))
                && places.iter().all(|&decks| Some(decks) <= checked_sum(histogram))
        });
        let is_sound =
            are_places_sound && first <= decks && last == [Some(first); 2] && sums.windows(2).all(descends);
        is_sound.then_some(decks)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        // 0..=52, of which 51 has probability 0.
        let distribution = permutation::fixed_points();
        let (histograms, places) = counts[1..].split_at((LAGS + 2) * VALUES);
        let (lagged, others) = histograms.split_at(LAGS * VALUES);
        let of_lags = lagged.chunks(VALUES).zip(places.chunks(DECK_CARDS)).map(|(own, places)| {
            let mut of_lag = histogram::outcomes(distribution, own, &LAGGED);
            let (cells, links) = (places.iter().copied(), own.iter().sum());
            of_lag.push(table::most_extreme_cell("place-max-cell", cells, links, 1.0 / DECK_CARDS as f64));
            of_lag
        });
        let mut outcomes = histogram::worst_of_each(of_lags.collect());
        outcomes.extend(histogram::outcomes(distribution, &others[..VALUES], &REVERSED));
        outcomes.extend(histogram::outcomes(distribution, &others[VALUES..], &INVERSE));
        outcomes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::{counts, deck};

    #[test]
    fn decks_that_come_back_match_everywhere() {
        let mut cut: Vec<u8> = (0..52).collect();
        cut.rotate_left(20);
        let turned: Vec<u8> = cut.iter().rev().copied().collect();
        let cut = deck(&cut);
        let counts = counts(&Matches, &[cut, deck(&turned), cut, cut.inverse()]);
        // Lag 2: deck 2 is deck 0 again. Turned over: 0→1 and 1→2. Inverse: 2→3.
        assert_eq!(counts[1 + VALUES + 52], 1);
        assert_eq!(counts[1 + LAGS * VALUES + 52], 2);
        assert_eq!(counts[1 + (LAGS + 1) * VALUES + 52], 1);
        // No card of deck 1 lies where it lay in deck 0; deck 2 has all where they lay in deck 0.
        let places = &counts[1 + (LAGS + 2) * VALUES..];
        assert_eq!(places[DECK_CARDS..2 * DECK_CARDS], [1; DECK_CARDS]);
    }

    /// The first card is never that of 3 decks before: 2·52·32·(51/52)^9997 (decimal, Python) is what its 0 of 9,997 bounds.
    #[test]
    fn a_card_that_never_comes_to_its_place_again_is_seen() {
        let mut counts = vec![0; Matches.cells()];
        counts[0] = 10_000;
        for lag in 1..=LAGS {
            counts[1 + (lag - 1) * VALUES + 1] = 10_000 - lag as u64;
        }
        let places = &mut counts[1 + (LAGS + 2) * VALUES..];
        places.fill(192);
        places[2 * DECK_CARDS] = 0;
        let outcomes = Matches.outcomes(&counts, 10_000);
        let worst = outcomes.iter().find(|own| own.part == "place-max-cell").expect("it is there");
        assert!((worst.p_value / 1.643642837684e-81 - 1.0).abs() < 1e-9, "{:e}", worst.p_value);
    }
}
