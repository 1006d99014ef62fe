//! Pairs of places: do two places hold cards of one rank or suit, or high cards together, more than by chance?
//!
//! Null: the cards of two places are of one rank in Bin(N, 3/51) decks and of one suit in Bin(N, 12/51), exactly;
//! `Σ(x − 25.5)(y − 25.5)` has mean −N·225.25/51, for a deck has no card twice, and standard deviation
//! `√N·225.25·0.991941`. Parts: the most extreme of the 1,326 pairs in each, Bonferroni.

use std::sync::OnceLock;

use crate::battery::kernel;
use crate::battery::kernel::place_pairs::PAIRS;
use crate::battery::nulls::table;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Statistic, about_and_cells, checked_sum};
use crate::battery::tier::Tier;
use crate::battery::view::{Label, View};
use crate::math::distribution::Distribution;
use crate::math::{bonferroni, chernoff, normal};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::DeckBlock;

pub(in crate::battery) struct PlacePairs;

/// Fewer decks than this and products of two uniform numbers are not yet normal at 1e-6.
const CORRELATION_DECKS_MIN: u64 = 100;

const ABOUT: About = About {
    id: "place-pairs",
    version: 2,
    tier: Tier::Deep,
    title: "pairs of places",
    null: "Two places hold cards of one rank, of one suit, or high together, as often as any two.",
    source: "same rank Bin(N, 3/51), same suit Bin(N, 12/51), exact; correlation with mean −1/51 and deviation \
             0.991941/√N, bound by Chernoff (1952) of the exact products; Bonferroni (1936) over 1,326 pairs",
    detects: "Seats that are dealt pairs or suited cards; packets and seats whose cards stay together.",
    decks_min: 10,
    design: Design { parts: 3, views: View::OF_CARDS, label: Label::Card, ..Design::PLAIN },
};

/// What all pairs of one deck add up to: 13·6 of one rank, 4·78 of one suit, and `−½Σ(2c − 51)²`.
const SAME_RANK_SUM: u64 = 78;
const SAME_SUIT_SUM: u64 = 312;
const PRODUCT_SUM: i64 = -23_426;

impl Statistic for PlacePairs {
    about_and_cells!(ABOUT, 3 * PAIRS);

    /// For the pairs (0,1), (0,2), … (50,51): decks with one rank, then with one suit, then the sums of
    /// `(2x − 51)(2y − 51)` as two's complement.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let (ranks, rest) = counts.split_at_mut(PAIRS);
        let (suits, products) = rest.split_at_mut(PAIRS);
        kernel::place_pairs::place_pairs(blocks, ranks, suits, products);
    }

    /// The p-values ask for the largest and the smallest of each list.
    fn keep(&self, counts: &mut [u64]) {
        let (alike, products) = counts.split_at_mut(2 * PAIRS);
        alike.chunks_mut(PAIRS).for_each(<[u64]>::sort_unstable);
        products.sort_unstable_by_key(|&sum| sum as i64);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let sum = |part: usize| checked_sum(&counts[part * PAIRS..][..PAIRS]);
        let products =
            counts[2 * PAIRS..].iter().try_fold(0i64, |sum, &count| sum.checked_add(count as i64))?;
        let decks = sum(0)? / SAME_RANK_SUM;
        let is_sound = sum(0)? == decks.checked_mul(SAME_RANK_SUM)?
            && sum(1)? == decks.checked_mul(SAME_SUIT_SUM)?
            && products == i64::try_from(decks).ok()?.checked_mul(PRODUCT_SUM)?;
        is_sound.then_some(decks)
    }

    fn outcomes(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let of = |part: usize| counts[part * PAIRS..][..PAIRS].iter().copied();
        let mut outcomes = vec![
            table::most_extreme_cell("same-rank", of(0), decks, 3.0 / 51.0),
            table::most_extreme_cell("same-suit", of(1), decks, 12.0 / 51.0),
        ];
        if decks >= CORRELATION_DECKS_MIN {
            outcomes.push(correlation(of(2).map(|sum| sum as i64), decks));
        }
        outcomes
    }
}

/// `Var((X − 25.5)(Y − 25.5))^½ / 225.25` for two cards of one deck.
const DEVIATION: f64 = 0.991_941;

/// `−(2x − 51)(2y − 51)` of the highest and the lowest card.
const PRODUCT_MAX: i64 = 51 * 51;

/// Half of `(2x − 51)(2y − 51) + 51²`, which is even, of two different cards.
fn products() -> &'static Distribution {
    static PRODUCTS: OnceLock<Distribution> = OnceLock::new();
    PRODUCTS.get_or_init(|| {
        let mut points = vec![0.0; (PRODUCT_MAX + 51 * 49) as usize / 2 + 1];
        for x in 0..DECK_CARDS as i64 {
            for y in (0..DECK_CARDS as i64).filter(|&y| y != x) {
                points[((2 * x - 51) * (2 * y - 51) + PRODUCT_MAX) as usize / 2] += 1.0 / (52.0 * 51.0);
            }
        }
        Distribution::new(0, points)
    })
}

/// The pair whose correlation is furthest from −1/51.
fn correlation(sums: impl Iterator<Item = i64>, decks: u64) -> Outcome {
    // (2x − 51)(2y − 51) is four times (x − 25.5)(y − 25.5), of variance 225.25.
    const SQUARE: f64 = 4.0 * 225.25;
    let n = decks as f64;
    let away = |sum: i64| sum as f64 + n * SQUARE / 51.0;
    let worst = sums.max_by(|&a, &b| away(a).abs().total_cmp(&away(b).abs())).unwrap_or(0);
    let z = away(worst) / (n.sqrt() * SQUARE * DEVIATION);
    // Only a forged tally has a sum that no cards have.
    let halves = worst.saturating_add(PRODUCT_MAX.saturating_mul(decks as i64)) / 2;
    let bound = u64::try_from(halves).map_or(1.0, |sum| chernoff::bound(products(), decks, sum));
    Outcome::bound("correlation", "z", z, bonferroni(PAIRS as f64, normal::two_sided(z)))
        .bounded_by(bonferroni(2.0 * PAIRS as f64, bound))
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::deck::Deck;

    #[test]
    fn one_deck_adds_its_constants_and_empty_lanes_nothing() {
        let mut block = DeckBlock::default();
        (0..3).for_each(|_| block.push(&Deck::in_order()));
        let mut counts = vec![0; PlacePairs.cells()];
        PlacePairs.observe(&[block, DeckBlock::default()], &mut counts);
        assert_eq!(PlacePairs.decks_in(&counts), Some(3));
        // Cards 0 and 1 are of one rank, 0 and 4 of one suit; (−51)(−49) each.
        assert_eq!((counts[0], counts[3], counts[PAIRS], counts[PAIRS + 3]), (3, 0, 0, 3));
        assert_eq!(counts[2 * PAIRS] as i64, 3 * 51 * 49);
        counts[7] += 1;
        assert_eq!(PlacePairs.decks_in(&counts), None);
    }

    /// The highest and the lowest card, deck after deck: 2 of 2,652 pairs of cards have that product, and the bound is
    /// that probability itself for both sides and all pairs. Hoeffding's range of ±51·49 forgot them.
    #[test]
    fn the_bound_of_the_correlation_is_the_chance_of_the_furthest_cards() {
        let sums =
            |decks: i64| std::iter::repeat_n(-51 * 51 * decks, 1).chain(std::iter::repeat_n(-18 * decks, 5));
        for decks in [10, 20, 40] {
            let bound = correlation(sums(decks), decks as u64).p_value_bound.expect("it has one");
            let exact = 2.0 * 1_326.0 * (2.0f64 / 2_652.0).powi(decks as i32);
            assert!((bound / exact.min(1.0) - 1.0).abs() < 1e-6, "{decks}: {bound:e} for {exact:e}");
        }
        // Near the normal tail e^{−z²/2}, where only the range gives e^{−z²/15.7}.
        let decks = 10_000;
        let sum = -(decks as f64 * 901.0 / 51.0) + 8.0 * 901.0 * DEVIATION * (decks as f64).sqrt();
        let outcome = correlation([sum as i64].into_iter(), decks);
        let bound = outcome.p_value_bound.expect("it has one");
        assert!(bound > outcome.p_value && bound < 2.0 * 1_326.0 * libm::exp(-0.45f64 * 64.0), "{bound:e}");
    }

    #[test]
    fn deviation_is_that_of_two_cards_of_a_deck() {
        let value = |card: u32| f64::from(card) - 25.5;
        let pairs = (0..52).flat_map(|x| (0..52).filter(move |&y| y != x).map(move |y| value(x) * value(y)));
        let n = f64::from(52 * 51);
        let mean = pairs.clone().sum::<f64>() / n;
        let variance = pairs.map(|product| (product - mean).powi(2)).sum::<f64>() / n;
        assert!((mean + 225.25 / 51.0).abs() < 1e-10);
        assert!((variance.sqrt() / 225.25 - DEVIATION).abs() < 1e-6);
    }
}
