//! Rare hands: whether they come as evenly as chance spreads them.
//!
//! Null: of seven seats with seven cards each some seat is rolled up, or makes four of a kind, or a royal flush,
//! with probabilities exact by inclusion and exclusion; decks are independent, so that the decks of a group of B
//! with such a hand are Bin(B, p), of variance Bp(1 − p) and not Poisson's Bp. Groups are 256 decks in a row for
//! rolled-up trips and quads, 4,096 for royals; what is left at the end of a segment of 65,536 decks is not
//! counted. Parts of each kind: histogram, mean and most extreme group, and `dispersion`, Σ|X − m| for m next to
//! Bp.

use std::sync::OnceLock;

use crate::battery::kernel::rare_hands::{self, Rare, SEATS};
use crate::battery::nulls::histogram::{self, Names, names};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Scope, Statistic, about_and_cells, checked_sum};
use crate::battery::stream;
use crate::battery::tier::Tier;
use crate::battery::view::Label;
use crate::math::binomial;
use crate::math::distribution::Distribution;
use deckproof_deck::deck::block::DeckBlock;

pub(in crate::battery) struct RareHands;

const ABOUT: About = About {
    id: "rare-hands",
    version: 2,
    tier: Tier::Deep,
    title: "rare hands per group of decks",
    null: "Rolled-up trips, quads and royals at seven seats come as often and as evenly as by chance.",
    source: "decks with such a hand ~ Bin(B, p), p = Σ_j (−1)^(j+1) C(7,j)·(k)_j·w^j/(52)_(cj); histogram: Pearson χ², \
             bound by Agrawal (2020); mean and dispersion Σ|X−m|: saddle point (Lugannani & Rice 1980), bound by \
             Chernoff (1952); extreme: 1−(1−q)^G, exact",
    detects: "Dealers that ration or bunch trips, quads and royal flushes; action hands.",
    decks_min: 256,
    design: Design {
        parts: 4 * KINDS.len() as u64,
        label: Label::Card,
        scope: Scope::Segment,
        ..Design::OF_DECKS
    },
};

/// A kind of rare hand and how it is counted.
struct Kind {
    names: Names,
    dispersion: &'static str,
    is_dealt: Rare,
    /// Decks of a group.
    group: u64,
    /// Hands of this kind, such as 13 ranks of four of a kind, their cards, and the orders in which these can
    /// lie at a seat.
    hands: u64,
    cards: u64,
    orders: u64,
}

const KINDS: [Kind; 3] = [
    Kind {
        names: names!("trips", "decks of 256 with rolled-up trips"),
        dispersion: "trips-dispersion",
        is_dealt: rare_hands::rolled_up,
        group: 256,
        hands: 13,
        cards: 3,
        // Which three of the rank, in which order.
        orders: 4 * 3 * 2,
    },
    Kind {
        names: names!("quads", "decks of 256 with four of a kind"),
        dispersion: "quads-dispersion",
        is_dealt: rare_hands::quads,
        group: 256,
        hands: 13,
        cards: 4,
        orders: 7 * 6 * 5 * 4,
    },
    Kind {
        names: names!("royals", "decks of 4,096 with a royal flush"),
        dispersion: "royals-dispersion",
        is_dealt: rare_hands::royal,
        group: 4_096,
        hands: 4,
        cards: 5,
        orders: 7 * 6 * 5 * 4 * 3,
    },
];

/// Cells of a histogram; the last holds all larger numbers, of which 1e-25 and less are expected.
const VALUES: usize = 41;

/// From here on the saddle point of a dispersion is good.
const GROUPS_MIN: u64 = 10;

impl Statistic for RareHands {
    about_and_cells!(ABOUT, 1 + KINDS.len() * VALUES);

    /// Decks, then groups by their decks with trips, with quads, with royals.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        counts[0] += stream::decks_of(blocks);
        for (kind, histogram) in KINDS.iter().zip(counts[1..].chunks_mut(VALUES)) {
            let (mut decks, mut dealt) = (0, 0);
            for block in blocks {
                for &is_dealt in &(kind.is_dealt)(block.rows())[..block.hands()] {
                    decks += 1;
                    dealt += usize::from(is_dealt);
                    if decks == kind.group {
                        histogram[dealt.min(VALUES - 1)] += 1;
                        (decks, dealt) = (0, 0);
                    }
                }
            }
        }
    }

    /// Every segment leaves out what does not fill a group, and the counts do not say how many there are.
    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let decks = counts[0];
        let grouped = |(kind, own): (&Kind, &[u64])| {
            let groups = checked_sum(own)?;
            groups.checked_mul(kind.group)
        };
        let grouped: Option<Vec<u64>> = KINDS.iter().zip(counts[1..].chunks(VALUES)).map(grouped).collect();
        let grouped = grouped?;
        // Groups of 4,096 are made of those of 256.
        let is_sound = grouped[0] <= decks && grouped[1] == grouped[0] && grouped[2] <= grouped[0];
        is_sound.then_some(decks)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let of_kind = |((kind, distribution), own): ((&Kind, &Distribution), &[u64])| {
            let mut outcomes = histogram::outcomes(distribution, own, &kind.names);
            outcomes.extend(dispersion(kind.dispersion, distribution, own));
            outcomes
        };
        KINDS.iter().zip(distributions()).zip(counts[1..].chunks(VALUES)).flat_map(of_kind).collect()
    }
}

/// Decks of a group with each kind of hand.
fn distributions() -> &'static [Distribution; 3] {
    static DISTRIBUTIONS: OnceLock<[Distribution; 3]> = OnceLock::new();
    DISTRIBUTIONS.get_or_init(|| {
        KINDS.each_ref().map(|kind| binomial::capped(kind.group, kind.probability(), VALUES - 1))
    })
}

impl Kind {
    /// That any of seven seats holds it: a seat has room for one.
    fn probability(&self) -> f64 {
        (1..=SEATS as u64).map(|j| if j % 2 == 1 { self.seats(j) } else { -self.seats(j) }).sum()
    }

    /// `C(7, j)·(k)_j·w^j/(52)_(cj)`: sets of j seats that all hold it, in the mean.
    fn seats(&self, j: u64) -> f64 {
        if j > self.hands {
            return 0.0;
        }
        let choices = (0..j).map(|i| (SEATS as u64 - i) as f64 / (i + 1) as f64);
        let hands = (0..j).map(|i| ((self.hands - i) * self.orders) as f64);
        let places = (0..self.cards * j).map(|i| 1.0 / (52 - i) as f64);
        choices.chain(hands).chain(places).product()
    }
}

/// `Σ |X − m|` over the groups. Squares would let one group of very many outweigh all others, which no saddle
/// point follows.
fn dispersion(part: &'static str, distribution: &Distribution, counts: &[u64]) -> Option<Outcome> {
    let groups: u64 = counts.iter().sum();
    if groups < GROUPS_MIN {
        return None;
    }
    let middle = distribution.mean().round() as u64;
    let mut points = vec![0.0; VALUES];
    distribution.iter().for_each(|(value, point)| points[value.abs_diff(middle) as usize] += point);
    let moves = Distribution::new(0, points);
    let sum = counts.iter().zip(0u64..).map(|(count, value)| count * value.abs_diff(middle)).sum();
    Some(histogram::mean(part, &moves, groups, sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seat_has_the_published_odds() {
        // 52 of C(52, 3) starts; 224,848 and 4,324 of C(52, 7) hands (Alspach 2000, "7-card stud hands").
        for (kind, hands, all) in
            [(0, 52.0, 22_100.0), (1, 224_848.0, 133_784_560.0), (2, 4_324.0, 133_784_560.0)]
        {
            assert!((KINDS[kind].seats(1) / 7.0 / (hands / all) - 1.0).abs() < 1e-13);
        }
    }

    #[test]
    fn groups_have_the_variance_of_a_binomial_distribution() {
        for (kind, distribution) in KINDS.iter().zip(distributions()) {
            let (n, p) = (kind.group as f64, kind.probability());
            assert!((distribution.mean() / (n * p) - 1.0).abs() < 1e-12);
            assert!((distribution.variance() / (n * p * (1.0 - p)) - 1.0).abs() < 1e-10);
        }
    }

    #[test]
    fn rationed_hands_are_too_even_and_bunched_ones_too_uneven() {
        let distribution = &distributions()[0];
        let outcome =
            |counts: Vec<u64>| dispersion("trips-dispersion", distribution, &counts).expect("200 groups");
        let mut rationed = vec![0; VALUES];
        rationed[4] = 200;
        assert!(outcome(rationed).p_value < 1e-12);
        let mut bunched = vec![0; VALUES];
        (bunched[0], bunched[8]) = (95, 105);
        assert!(outcome(bunched).p_value_bound.expect("it has one") < 1e-12);
    }
}
