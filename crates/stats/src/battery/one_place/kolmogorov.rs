//! Kolmogorov and Smirnov: distribution functions of one number a deck, at every point at once.
//!
//! Null: `D = max |S_j/n − F_j|` over the borders of ordered cells, its distribution exact for discrete numbers.
//! Parts: `top-card`, the card number dealt first; `second-level`, the p-values P(X ≤ x) of each deck's inversions
//! X in 64 cells of nearly equal, exactly known probabilities. It reads the first 65,536 decks, for the exact
//! distribution takes their number squared.

use std::sync::OnceLock;

use crate::battery::kernel;
use crate::battery::outcome::{Exhibit, Outcome, Spread};
use crate::battery::statistic::{About, Design, Scope, Statistic, about_and_cells, common_sum};
use crate::battery::tail::Tail;
use crate::battery::tier::Tier;
use crate::math::{kolmogorov, permutation, two_sided};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::DeckBlock;

pub(in crate::battery) struct Kolmogorov;

const ABOUT: About = About {
    id: "kolmogorov-smirnov",
    version: 2,
    tier: Tier::Deep,
    title: "Kolmogorov–Smirnov",
    null: "The first cards, and the p-values of single decks, are distributed as they should be.",
    source: "D = max|S_j/n − F_j| (Kolmogorov 1933), exact for cells by a Poisson chain in its band (Durbin 1973, \
             section 2); below 1e-9 the bound 2·exp(−2nD²) (Massart 1990); second level: Knuth, TAOCP 2, 3.3.1 C; \
             first 65,536 decks at most",
    detects: "Numbers that lean to one side; decks whose own tests come out too well or too badly too often.",
    decks_min: 10,
    design: Design { parts: 2, scope: Scope::Prefix, ..Design::PLAIN },
};

/// Cells of p-values.
const P_VALUES: usize = 64;

impl Statistic for Kolmogorov {
    about_and_cells!(ABOUT, DECK_CARDS + P_VALUES);

    /// Decks by their first card, then by the cell of their p-value.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let (cards, p_values) = counts.split_at_mut(DECK_CARDS);
        for block in blocks {
            kernel::tally(cards, block.row(0), block.hands());
        }
        let mut by_inversions = [0; kernel::inversions::INVERSIONS_CELLS];
        kernel::inversions::inversions(blocks, &mut by_inversions, &mut [0; DECK_CARDS]);
        for (decks, &cell) in by_inversions.iter().zip(&second_level().cells) {
            p_values[cell] += decks;
        }
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let (cards, p_values) = counts.split_at(DECK_CARDS);
        common_sum([cards, p_values].map(|histogram| histogram.iter().copied()))
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let (cards, p_values) = counts.split_at(DECK_CARDS);
        vec![
            outcome("top-card", "card dealt first", &[1.0 / DECK_CARDS as f64; DECK_CARDS], cards),
            outcome("second-level", "cell of 64 of the p-value", &second_level().probabilities, p_values),
        ]
    }
}

/// P-values of a deck's inversions in cells.
struct SecondLevel {
    /// The cell of every number of inversions.
    cells: Vec<usize>,
    /// How often a deck falls into each cell.
    probabilities: Vec<f64>,
}

fn second_level() -> &'static SecondLevel {
    static SECOND_LEVEL: OnceLock<SecondLevel> = OnceLock::new();
    SECOND_LEVEL.get_or_init(|| {
        let distribution = permutation::inversions();
        // Values up to the middle of their step belong below: the distribution is symmetric, and so are the cells.
        let cell = |(value, point): (u64, f64)| {
            ((distribution.lower(value) - 0.5 * point) * P_VALUES as f64) as usize
        };
        let cells: Vec<usize> = distribution.iter().map(|pair| cell(pair).min(P_VALUES - 1)).collect();
        let mut probabilities = vec![0.0; P_VALUES];
        cells.iter().zip(distribution.points()).for_each(|(&cell, point)| probabilities[cell] += point);
        SecondLevel { cells, probabilities }
    })
}

fn outcome(part: &'static str, axis: &'static str, probabilities: &[f64], counts: &[u64]) -> Outcome {
    let found = kolmogorov::distance(probabilities, counts);
    let decks = counts.iter().sum::<u64>() as f64;
    Outcome {
        part,
        score_name: "√n·D".to_owned(),
        score: decks.sqrt() * found.distance,
        p_value: two_sided(found.lower, found.upper),
        tail: if found.is_bound { Tail::Bound } else { Tail::Exact },
        p_value_bound: None,
        spread: Spread::Steps { lower: found.lower, upper: found.upper },
        exhibit: Exhibit::Histogram {
            axis,
            values: (0..counts.len()).map(|cell| cell as f64).collect(),
            observed: counts.to_vec(),
            expected: probabilities.iter().map(|p| p * decks).collect(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::counts;
    use deckproof_deck::deck::Deck;

    #[test]
    fn p_value_cells_are_nearly_equal_and_mirrored() {
        let SecondLevel { cells, probabilities } = second_level();
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // A step of the distribution is at most 0.0063 (663 inversions), a cell 0.0156.
        assert!(probabilities.iter().all(|p| (p - 1.0 / 64.0).abs() < 0.0064), "{probabilities:?}");
        assert_eq!((cells[0], cells[600], cells[1326]), (0, 63 - cells[726], 63));
    }

    #[test]
    fn decks_that_are_alike_are_as_far_off_as_can_be() {
        let counts = counts(&Kolmogorov, &[Deck::in_order(); 50]);
        assert_eq!((counts[0], counts[52]), (50, 50));
        for outcome in Kolmogorov.finish(&counts, 50) {
            // D is all that lies behind the first cell; 2·e^{−2·50·(51/52)²}, twice.
            assert!(outcome.p_value < 4.0 * libm::exp(-96.0f64) && outcome.tail == Tail::Bound);
        }
    }
}
