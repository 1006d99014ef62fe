//! Matches: cards that lie where they lay some decks ago, forwards, bottom to top, or exchanged with places.
//!
//! Null: the cards of deck t + L at their places of deck t are the fixed points of a uniform permutation, for L =
//! 1..=16; so are those of deck t + 1 at their places of deck t turned over, and the fixed points of c_{t+1}∘c_t,
//! 52 when a deck is the inverse of the last. Within one lag all values are independent, for the relative decks of
//! a lag are. Parts: histogram, mean and most extreme deck of each kind, Bonferroni over the 16 lags. Links do not
//! cross a segment of 65,536 decks.

use crate::battery::kernel::matches::stretches;
use crate::battery::kernel::planes::Minterms;
use crate::battery::nulls::histogram::{self, Names, names};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Scope, Statistic, about_and_cells};
use crate::battery::stream;
use crate::battery::tier::Tier;
use crate::math::permutation;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::DeckBlock;

pub(in crate::battery) struct Matches;

const LAGS: usize = 16;

/// 0 to 52 matches.
const VALUES: usize = DECK_CARDS + 1;

const ABOUT: About = About {
    id: "matches",
    version: 3,
    tier: Tier::Deep,
    title: "matches with earlier decks",
    null: "The cards that lie where they lay up to 16 decks before are the fixed points of a uniform permutation.",
    source: "fixed points: de Montmort (1713); histogram: Pearson χ² of cells expecting 10, bound by Agrawal (2020); \
             mean: saddle point (Lugannani & Rice 1980), bound by Chernoff (1952); extreme: 1−(1−q)^N, exact; \
             Bonferroni (1936) over the lags",
    detects: "Decks that come back whole or in part: as they were, turned over, or with cards and places exchanged.",
    decks_min: LAGS as u64 + 2,
    design: Design { parts: 9, scope: Scope::Segment, ..Design::PLAIN },
};

const LAGGED: Names = names!("lag", "matches");

const REVERSED: Names = names!("reversed", "matches");

const INVERSE: Names = names!("inverse", "matches");

impl Statistic for Matches {
    about_and_cells!(ABOUT, 1 + (LAGS + 2) * VALUES);

    /// Decks, then histograms of 0..=52: lags 1 to 16, turned over, inverse.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        counts[0] += stream::decks_of(blocks);
        let (lagged, others) = counts[1..].split_at_mut(LAGS * VALUES);
        let (reversed, inverted) = others.split_at_mut(VALUES);
        let mut minterms = Minterms::default();
        stretches(blocks, |decks, inverses| {
            for (lag, histogram) in (1..).zip(lagged.chunks_mut(VALUES)) {
                decks.count_matches(decks, lag, false, &mut minterms, histogram);
            }
            decks.count_matches(decks, 1, true, &mut minterms, reversed);
            // c_{t+1}(c_t(p)) = p if and only if c_t is v_{t+1} there.
            decks.count_matches(inverses, 1, false, &mut minterms, inverted);
        });
    }

    /// The number of links is known from the number of segments, which the counts do not say: each segment
    /// drops L of them at lag L.
    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let decks = counts[0];
        let links = |histogram: &[u64]| histogram.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
        let first = links(&counts[1..=VALUES])?;
        let last = [LAGS, LAGS + 1].map(|place| links(&counts[1 + place * VALUES..][..VALUES]));
        let descends = |sums: &[Option<u64>]| sums[1].is_some_and(|next| sums[0] >= Some(next));
        let sums: Vec<Option<u64>> = counts[1..].chunks(VALUES).take(LAGS).map(links).collect();
        let is_sound = first <= decks && last == [Some(first); 2] && sums.windows(2).all(descends);
        is_sound.then_some(decks)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        // 0..=52, of which 51 has probability 0.
        let distribution = permutation::fixed_points();
        let (lagged, others) = counts[1..].split_at(LAGS * VALUES);
        let of_lags =
            lagged.chunks(VALUES).map(|own| histogram::outcomes(distribution, own, &LAGGED)).collect();
        let mut outcomes = histogram::worst_of_each(of_lags);
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
    }
}
