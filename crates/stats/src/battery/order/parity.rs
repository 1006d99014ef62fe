//! Parity: whether a deck takes an even or odd number of swaps.
//!
//! Null: even decks are Bin(N, ½), exact. The same on a deck and its inverse.

use crate::battery::kernel;
use crate::battery::outcome::{Exhibit, Outcome};
use crate::battery::statistic::{About, Design, Statistic, about_and_cells, checked_sum};
use crate::battery::tier::Tier;
use crate::math::binomial;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::DeckBlock;
use deckproof_deck::deck::orders::Decks;

pub(in crate::battery) struct Parity;

const ABOUT: About = About {
    id: "parity",
    version: 1,
    tier: Tier::Deep,
    title: "parity",
    null: "Half of all decks are even permutations.",
    source: "even decks ~ Bin(N, 1/2), exact",
    detects: "Dealers that swap a fixed number of times, and shuffles made of even permutations.",
    decks_min: 1,
    design: Design::PLAIN,
};

impl Statistic for Parity {
    about_and_cells!(ABOUT, 2);

    /// Even decks, odd decks.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let (mut by_cycles, mut by_fixed_points) = ([0; DECK_CARDS + 1], [0; DECK_CARDS + 1]);
        kernel::cycles::cycles(blocks, &mut by_cycles, &mut by_fixed_points);
        add_parities(&by_cycles, counts);
    }

    fn observe_orders(&self, _blocks: &[DeckBlock], decks: Decks, counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let (mut by_cycles, mut by_fixed_points) = ([0; DECK_CARDS + 1], [0; DECK_CARDS + 1]);
        kernel::by_order::cycles(decks.orders, &mut by_cycles, &mut by_fixed_points);
        add_parities(&by_cycles, counts);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        checked_sum(counts)
    }

    fn outcomes(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let half = decks as f64 / 2.0;
        let (lower, upper) = binomial::tails(decks, 0.5, counts[0].min(decks));
        vec![Outcome {
            exhibit: Exhibit::Histogram {
                axis: "swaps, even 0 or odd 1",
                values: vec![0.0, 1.0],
                observed: counts.to_vec(),
                expected: vec![half, half],
            },
            ..Outcome::exact("even", "even decks", counts[0] as f64, lower, upper)
        }]
    }
}

/// A permutation is even or odd as its cards less its cycles are.
fn add_parities(by_cycles: &[u64; DECK_CARDS + 1], counts: &mut [u64]) {
    for (cycles, decks) in by_cycles.iter().enumerate() {
        counts[(DECK_CARDS - cycles) % 2] += decks;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::counts;
    use deckproof_deck::deck::Deck;

    #[test]
    fn one_swap_makes_an_even_deck_odd() {
        let mut swapped = Deck::in_order();
        swapped.swap(4, 17);
        assert_eq!(counts(&Parity, &[Deck::in_order(), swapped]), [1, 1]);
        let p_value = Parity.finish(&[32, 0], 32)[0].p_value;
        assert!((p_value * 2f64.powi(31) - 1.0).abs() < 1e-12, "{p_value}");
    }
}
