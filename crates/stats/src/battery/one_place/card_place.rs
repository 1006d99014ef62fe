//! Card × place: how often every card stood at every place.
//!
//! Null: every card is equally often at every place. A deck is a permutation, so the cells of one deck vary 51/52
//! as much as independent draws and `(51/52)·Σ(O − E)²/E` is χ² with 51² = 2601 degrees of freedom, mean exactly
//! 2601 and variance exactly 5202(1 − 1/N). One place over the cards, and one card over the places, are exact
//! multinomials and take no factor.

use crate::battery::kernel;
use crate::battery::nulls::table;
use crate::battery::one_place::margins;
use crate::battery::outcome::{Exhibit, Outcome};
use crate::battery::statistic::{About, Design, Statistic, about_and_cells};
use crate::battery::tier::Tier;
use crate::battery::view::{Label, View};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::DeckBlock;

pub(in crate::battery) struct CardPlace;

const ABOUT: About = About {
    id: "card-place",
    version: 4,
    tier: Tier::Core,
    title: "card × place",
    null: "Every card is equally often at every place.",
    source: "total: (51/52)·Σ(O−E)²/E ~ χ²(2601), exact mean 2601 and variance 5202(1−1/N); max-cell: \
             2·2704·P(Bin(N,1/52) as far out), Bonferroni (1936); each-place, each-card: Pearson (1900) χ² of 52 \
             exact multinomials, bound by Agrawal (2020), theorem 1.2; ranks, suits and DCT-II contrasts with factor \
             51/52, first m places with factor 51/(52−m), χ² on the lattice of whole counts (Yates 1934); mean-rank: saddle point, bound by Chernoff (1952)",
    detects: "Cards that prefer places: skipped or biased swaps, too few riffles, a slipped card, decks too even.",
    decks_min: 10,
    design: Design { parts: 15, views: View::OF_STEPS, label: Label::Card, ..Design::PLAIN },
};

impl Statistic for CardPlace {
    about_and_cells!(ABOUT, DECK_CARDS * DECK_CARDS);

    /// `counts[52·card + place]`.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        kernel::card_place::card_place(blocks, counts);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        table::common_margin(counts, DECK_CARDS)
    }

    fn outcomes(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let by_card: Vec<Vec<u64>> = counts.chunks(DECK_CARDS).map(<[u64]>::to_vec).collect();
        let column = |place: usize| by_card.iter().map(|row| row[place]).collect();
        let by_place: Vec<Vec<u64>> = (0..DECK_CARDS).map(column).collect();
        let cell = table::most_extreme_cell("max-cell", counts.iter().copied(), decks, 1.0 / 52.0);
        let lines = [table::worst_line("each-place", &by_place), table::worst_line("each-card", &by_card)];
        let parts = [total(counts, decks), cell].into_iter().chain(lines.into_iter().flatten());
        parts.chain(margins::outcomes(counts, decks)).collect()
    }
}

fn total(counts: &[u64], decks: u64) -> Outcome {
    let cards = DECK_CARDS as f64;
    let expected = decks as f64 / cards;
    let exhibit = Exhibit::Table {
        row_axis: "card",
        column_axis: "place",
        side: DECK_CARDS,
        observed: counts.to_vec(),
        expected,
        // Exact: one cell alone is Bin(N, 1/52).
        deviation: (expected * (1.0 - 1.0 / cards)).sqrt(),
    };
    Outcome { exhibit, ..table::card_place_total("total", counts, decks) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::outcome;

    /// 2·2704·P(Bin(520, 1/52) ≥ 30), summed with whole numbers (`fractions.Fraction` of Python 3.11).
    #[test]
    fn the_fullest_cell_has_its_exact_binomial_tail() {
        let mut counts = vec![10; DECK_CARDS * DECK_CARDS];
        counts[0] = 30;
        for other in 1..=20 {
            counts[other] = 9;
            counts[DECK_CARDS * other] = 9;
            counts[(DECK_CARDS + 1) * other] = 11;
        }
        let p_value = outcome(&CardPlace.finish(&counts, 520), "max-cell").p_value;
        assert!((p_value / 9.228_545_098_332_51e-4 - 1.0).abs() < 1e-9, "{p_value}");
    }
}
