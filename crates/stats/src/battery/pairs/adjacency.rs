//! Adjacency: which card follows which, with a delimiter before and after the deck.
//!
//! With `S_ab` the number of times b follows a, in the mean E = N/52, over the pairs a < b of 53 symbols: `Q_s = Σ(S_ab + S_ba − 2E)²/(2E)` is χ²(1325) and `Q_a
//! = Σ(S_ab − S_ba)²/(2N·53/(52·51))` is χ²(1326). Plain Pearson is wrong, for every symbol is left and entered
//! exactly once a deck. For one deck both scores are constant and their covariances are projections
//! (`fixtures/math/adjacency.py` enumerates n = 4..6), so their means are exact and their variances exactly
//! 2·1325(1 − 1/N) and 2·1326(1 − 1/N).

use crate::battery::kernel;
use crate::battery::nulls::table;
use crate::battery::outcome::{Exhibit, Outcome};
use crate::battery::statistic::{About, Design, Statistic};
use crate::battery::tier::Tier;
use crate::battery::view::{Label, View};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::DeckBlock;
use deckproof_deck::deck::orders::Decks;

pub(in crate::battery) struct Adjacency;

/// Cards and the delimiter.
const SYMBOLS: usize = DECK_CARDS + 1;

const ABOUT: About = About {
    id: "adjacency",
    version: 1,
    tier: Tier::Core,
    title: "adjacency",
    null: "Every card, and the end of the deck, follows every other card equally often.",
    source: "53 symbols with a delimiter; symmetric: Σ(S_ab+S_ba−2E)²/(2E) ~ χ²(1325), antisymmetric: \
             Σ(S_ab−S_ba)²/(2N·53/(52·51)) ~ χ²(1326), exact means and variances; max-cell: \
             2·2756·P(Bin(N,1/52) as far out), Bonferroni (1936)",
    detects: "Neighbours that stay together or keep their order: riffles, overhand shuffles, cuts, sorts.",
    decks_min: 10,
    design: Design { parts: 3, views: &View::ALL, ..Design::PLAIN },
};

impl Statistic for Adjacency {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    /// Which card follows which is the same question by any order of the cards, and is labelled by their names; which place
    /// or card follows that of the next card is not.
    fn label(&self, view: View) -> Label {
        if view == View::Deck { Label::Card } else { Label::Number }
    }

    fn cells(&self) -> usize {
        SYMBOLS * SYMBOLS
    }

    /// `counts[53·a + b]`: b follows a.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        kernel::adjacency::adjacency(blocks, counts);
    }

    fn observe_orders(&self, _blocks: &[DeckBlock], decks: Decks, counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        kernel::by_order::followers(decks, counts);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let is_diagonal_empty = (0..SYMBOLS).all(|symbol| counts[(SYMBOLS + 1) * symbol] == 0);
        table::common_margin(counts, SYMBOLS).filter(|_| is_diagonal_empty)
    }

    fn outcomes(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let cards = DECK_CARDS as f64;
        let expected = decks as f64 / cards;
        let (mut symmetric, mut antisymmetric) = (0.0, 0.0);
        for a in 0..SYMBOLS {
            for b in a + 1..SYMBOLS {
                let (there, back) = (counts[SYMBOLS * a + b] as f64, counts[SYMBOLS * b + a] as f64);
                symmetric += (there + back - 2.0 * expected).powi(2);
                antisymmetric += (there - back).powi(2);
            }
        }
        let difference_variance = 2.0 * decks as f64 * (cards + 1.0) / (cards * (cards - 1.0));
        let off_diagonal = |(i, &count): (usize, &u64)| (i % (SYMBOLS + 1) != 0).then_some(count);
        let cells = counts.iter().enumerate().filter_map(off_diagonal);
        let exhibit = Exhibit::Table {
            row_axis: "card",
            column_axis: "card that follows",
            side: SYMBOLS,
            observed: counts.to_vec(),
            expected,
            // Exact off the diagonal, which is empty: one cell alone is Bin(N, 1/52).
            deviation: (expected * (1.0 - 1.0 / cards)).sqrt(),
        };
        vec![
            Outcome {
                exhibit,
                ..table::quadratic("symmetric", symmetric / (2.0 * expected), 1325.0, expected)
            },
            table::quadratic("antisymmetric", antisymmetric / difference_variance, 1326.0, expected),
            table::most_extreme_cell("max-cell", cells, decks, 1.0 / cards),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::counts;
    use crate::math::gamma::ln_factorial;
    use deckproof_deck::deck::Deck;

    /// One deck has the constant scores 1325 and 1326, so ten copies of it have ten times that.
    #[test]
    fn copies_of_one_deck_multiply_the_degrees_of_freedom() {
        let outcomes = Adjacency.finish(&counts(&Adjacency, &[Deck::in_order(); 10]), 10);
        assert!((outcomes[0].score - 13_250.0).abs() < 1e-6, "{}", outcomes[0].score);
        assert!((outcomes[1].score - 13_260.0).abs() < 1e-6, "{}", outcomes[1].score);
        assert_eq!(outcomes[2].score, 10.0);
    }

    /// Every two cards beside each other equally often, as near as so many decks can: a deck has 53 of 1,378 pairs and none
    /// twice, so that the pairs of the next deck miss those of all before with at most the chance of 53 draws without
    /// replacement. No p-value is smaller, but where both are below what is printed.
    #[test]
    fn the_most_even_neighbours_are_no_rarer_than_their_p_value() {
        const PAIRS: u64 = 1_378;
        for decks in 10..=2_000u64 {
            let arcs = SYMBOLS as u64 * decks;
            let (each, more) = (arcs / PAIRS, arcs % PAIRS);
            let mut counts = vec![0; Adjacency.cells()];
            let pairs = (0..SYMBOLS).flat_map(|a| (a + 1..SYMBOLS).map(move |b| SYMBOLS * a + b));
            pairs.zip(0..).for_each(|(cell, pair)| counts[cell] = each + u64::from(pair < more));
            let p_value = Adjacency.finish(&counts, decks)[0].p_value;
            // Draws without replacement: C(free, 53)/C(1378, 53) for each deck, until all pairs were there once.
            let ln_choose = |n: u64| ln_factorial(n) - ln_factorial(n.saturating_sub(53));
            let all = (PAIRS / 53).min(decks);
            let ln_exact: f64 = (0..all).map(|deck| ln_choose(PAIRS - 53 * deck) - ln_choose(PAIRS)).sum();
            assert!(
                ln_exact < -690.0 || libm::log(p_value) >= ln_exact,
                "{decks}: {p_value:e} for e^{ln_exact}"
            );
        }
    }
}
