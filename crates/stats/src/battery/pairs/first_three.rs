//! The first three cards in order: a large table that is sparse for long.
//!
//! Null: the first three cards in order are uniform on 52·51·50 = 132,600 cells, an exact multinomial. Parts:
//! `total`. Below an expectation of 10 a cell, `χ² = M − N + 2M·pairs/N` moves in the steps of the colliding pairs
//! `Σ O(O−1)/2`, which have mean λ = N(N−1)/2M and variance λ(1 − 1/M) and are judged as a Poisson count, whose
//! skewness they have where it matters; then Pearson's χ²(132,599).

use crate::battery::nulls::throws::{Fallen, Throws};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Statistic, about_and_cells, checked_sum};
use crate::battery::tier::Tier;
use crate::battery::view::Label;
use crate::math::multinomial::{Cells, EXPECTATION_MIN};
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};

pub(in crate::battery) struct FirstThree;

const ABOUT: About = About {
    id: "first-three",
    version: 2,
    tier: Tier::Deep,
    title: "first three cards in order",
    null: "The first three cards come in each of their 132,600 orders as often as in any other.",
    source: "Pearson (1900), χ²(132599), exact mean and variance; below an expectation of 10 as colliding pairs, \
             Poisson(N(N−1)/2M): Knuth, TAOCP 2, 3.3.2 I; bounds by Hoeffding (1956), Anderson & Samuels (1967), \
             Agrawal (2020)",
    detects: "First cards taken from a list, dealt together or kept apart.",
    decks_min: 52,
    design: Design { label: Label::Card, ..Design::PLAIN },
};

const CELLS: usize = 52 * 51 * 50;

impl Statistic for FirstThree {
    about_and_cells!(ABOUT, CELLS);

    /// `50·(51·a + b′) + c′` for the cards a, b, c, where b′ and c′ number the cards still to come.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), CELLS);
        for block in blocks {
            cells_of(block)[..block.hands()].iter().for_each(|&cell| counts[cell as usize] += 1);
        }
    }

    /// Only how often each number of decks came is looked at, never which three cards it was.
    fn keep(&self, counts: &mut [u64]) {
        counts.sort_unstable();
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        checked_sum(counts)
    }

    fn outcomes(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let (n, m) = (decks as f64, CELLS as f64);
        let fallen = || Fallen::of_cells(counts.iter().copied());
        let throws = Throws { keys: n, compared: 0.5 * n * (n - 1.0), cells: m };
        vec![if n < m {
            throws.outcome("total", fallen())
        } else {
            let cells = Cells::uniform(counts);
            if n < EXPECTATION_MIN * m {
                Outcome { p_value_bound: Some(cells.bound()), ..throws.outcome("total", fallen()) }
            } else {
                Outcome::pearson("total", &cells)
            }
        }]
    }
}

/// The cell of every lane; of no meaning where a lane is empty.
fn cells_of(block: &DeckBlock) -> [u32; BLOCK_HANDS] {
    let [first, second, third] = [0, 1, 2].map(|place| block.row(place));
    std::array::from_fn(|lane| {
        let [a, b, c] = [first, second, third].map(|row| u32::from(row[lane]));
        let second = b - u32::from(b > a);
        let third = c.wrapping_sub(u32::from(c > a)).wrapping_sub(u32::from(c > b));
        50 * (51 * a + second) + third
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::deck::Deck;

    #[test]
    fn every_three_cards_have_their_own_cell() {
        let mut counts = vec![0; CELLS];
        let mut block = DeckBlock::default();
        for a in 0..52u8 {
            for b in (0..52).filter(|&b| b != a) {
                for c in (0..52).filter(|&c| c != a && c != b) {
                    let mut deck = Deck::in_order();
                    // The deck's own places, after every swap.
                    for (place, card) in [(0, a), (1, b), (2, c)] {
                        deck.swap(place, usize::from(deck.places()[usize::from(card)]));
                    }
                    block.push(&deck);
                    if block.hands() == BLOCK_HANDS {
                        FirstThree.observe(&[std::mem::take(&mut block)], &mut counts);
                    }
                }
            }
        }
        FirstThree.observe(&[block], &mut counts);
        assert!(counts.iter().all(|&count| count == 1));
        assert_eq!(FirstThree.decks_in(&counts), Some(132_600));
    }

    #[test]
    fn pairs_say_what_pearson_says() {
        // χ² = M − N + 2M·pairs/N, whatever the counts.
        let counts: Vec<u64> = (0..CELLS as u64).map(|cell| cell * cell % 7 % 3).collect();
        let (n, m) = (counts.iter().sum::<u64>() as f64, CELLS as f64);
        let pairs = Fallen::of_cells(counts.iter().copied()).pairs as f64;
        let pearson = Cells::uniform(&counts).pearson();
        assert!((pearson / (m - n + 2.0 * m * pairs / n) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_hundred_decks_with_one_beginning_convict_and_different_ones_do_not() {
        let mut counts = vec![0; CELLS];
        counts[5] = 100;
        let outcome = &FirstThree.finish(&counts, 100)[0];
        assert!(outcome.p_value_bound.is_some_and(|bound| bound < 1e-100), "{outcome:?}");
        let apart: Vec<u64> = (0..CELLS as u64).map(|cell| u64::from(cell < 100)).collect();
        assert!(FirstThree.finish(&apart, 100)[0].p_value > 0.99);
        assert!(FirstThree.finish(&apart, 51).is_empty());
        // Every cell once: too even by far, by all that is known.
        assert!(FirstThree.finish(&vec![1; CELLS], CELLS as u64)[0].p_value < 1e-100);
    }
}
