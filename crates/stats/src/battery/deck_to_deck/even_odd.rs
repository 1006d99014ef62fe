//! Even and odd decks: whether every other deck is dealt like the ones between.
//!
//! Null: even-numbered and odd-numbered decks have one distribution of card × place. With g = 2 groups of N_g decks
//! and O = ΣO_g, `(51/52)·Σ_g Σ (O_g − N_g·O/N)²/(N_g/52)` is χ²(2601), mean exactly 2601 for uniform decks;
//! `cell`, the most uneven cell, exactly hypergeometric given its decks in all. A block holds 64 decks, so that the
//! lane tells even from odd.

use crate::battery::kernel;
use crate::battery::nulls::table;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Statistic, about_and_cells};
use crate::battery::tier::Tier;
use crate::battery::view::Label;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::DeckBlock;

pub(in crate::battery) struct EvenOdd;

const ABOUT: About = About {
    id: "even-odd",
    version: 2,
    tier: Tier::Deep,
    title: "even against odd decks",
    null: "Cards lie at the same places in even-numbered as in odd-numbered decks.",
    source: "two-sample Pearson χ² with the factor of a deck: (51/52)·Σ_g Σ (O_g − N_g·O/N)²/(N_g/52) ~ χ²(2601); \
             cell: hypergeometric, given how often it comes, Bonferroni (1936)",
    detects: "Dealers that alternate: two shufflers, two compartments, a generator with an even rhythm.",
    decks_min: 10,
    design: Design { parts: 2, label: Label::Card, ..Design::PLAIN },
};

const TABLE: usize = kernel::card_place::CELLS;

impl Statistic for EvenOdd {
    about_and_cells!(ABOUT, 2 * TABLE);

    /// `counts[52·card + place]` of the even decks, then of the odd ones.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let (even, odd) = counts.split_at_mut(TABLE);
        kernel::card_place::card_place_by_lane(blocks, even, odd);
    }

    /// The p-values compare the two counts of each cell, never which cell it is.
    fn keep(&self, counts: &mut [u64]) {
        let (even, odd) = counts.split_at_mut(TABLE);
        let mut cells: Vec<(u64, u64)> = even.iter().copied().zip(odd.iter().copied()).collect();
        cells.sort_unstable();
        even.iter_mut().zip(odd).zip(cells).for_each(|((even, odd), cell)| (*even, *odd) = cell);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let (even, odd) = counts.split_at(TABLE);
        table::decks_of_cells(even)?.checked_add(table::decks_of_cells(odd)?)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let (even, odd) = counts.split_at(TABLE);
        let sizes = [even, odd].map(|group| table::decks_of_cells(group).unwrap_or(0));
        let total = table::two_groups("total", [even, odd], sizes, DECK_CARDS);
        total.into_iter().chain([table::most_uneven_cell("cell", [even, odd], sizes)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::{counts, reversed};
    use deckproof_deck::deck::Deck;

    #[test]
    fn two_decks_in_turn_are_as_far_apart_as_decks_can_be() {
        let counts = counts(&EvenOdd, &[Deck::in_order(), reversed()].repeat(10));
        // 104 cells, each 5 away from its share, in two groups of 10: 51·104·25·(1/10 + 1/10).
        let outcome = &EvenOdd.finish(&counts, 20)[0];
        assert!((outcome.score - 26_520.0).abs() < 1e-6 && outcome.p_value < 1e-300, "{}", outcome.score);
        // Ten decks of ten and none of the others, of C(20, 10) ways: 2·2704 chances.
        let cell = &EvenOdd.finish(&counts, 20)[1];
        assert!((cell.p_value / (5_408.0 / 184_756.0) - 1.0).abs() < 1e-9, "{}", cell.p_value);
    }
}
