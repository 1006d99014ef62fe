//! Even and odd decks: whether every other deck is dealt like the ones between.
//!
//! Null: even-numbered and odd-numbered decks have one law of card × place. With g = 2 groups of N_g decks and
//! O = ΣO_g, `(51/52)·Σ_g Σ (O_g − N_g·O/N)²/(N_g/52)` is χ²(2601), mean exactly 2601 for uniform decks. A block holds
//! 64 decks, so that the lane tells even from odd. Needs 10 decks. It sees dealers that alternate: two shufflers,
//! two seats of a generator's output, a machine with two compartments.

use crate::battery::{About, Outcome, Statistic, Tier, table};
use crate::card::DECK_CARDS;
use crate::deck::block::DeckBlock;

pub(super) struct EvenOdd;

const ABOUT: About = About {
    id: "even-odd",
    version: 1,
    tier: Tier::Deep,
    title: "even against odd decks",
    null: "Cards lie at the same places in even-numbered as in odd-numbered decks.",
    source: "two-sample Pearson χ² with the factor of a deck: (51/52)·Σ_g Σ (O_g − N_g·O/N)²/(N_g/52) ~ χ²(2601)",
    sees: "Dealers that alternate: two shufflers, two compartments, a generator with an even rhythm.",
    decks_min: 10,
};

const TABLE: usize = DECK_CARDS * DECK_CARDS;

impl Statistic for EvenOdd {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn cells(&self) -> usize {
        2 * TABLE
    }

    /// `counts[52·card + place]` of the even decks, then of the odd ones.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let (even, odd) = counts.split_at_mut(TABLE);
        for block in blocks {
            for (place, row) in block.rows().iter().enumerate() {
                for (lane, &card) in row[..block.hands()].iter().enumerate() {
                    let group = if lane % 2 == 0 { &mut *even } else { &mut *odd };
                    group[DECK_CARDS * usize::from(card) + place] += 1;
                }
            }
        }
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let (even, odd) = counts.split_at(TABLE);
        let groups = [even, odd].map(|group| table::common_margin(group, DECK_CARDS));
        groups[0]?.checked_add(groups[1]?)
    }

    fn finish(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        assert_eq!(counts.len(), self.cells());
        let (even, odd) = counts.split_at(TABLE);
        let sizes = [even, odd].map(|group| group.iter().step_by(DECK_CARDS).sum::<u64>() as f64);
        if decks < ABOUT.decks_min || sizes[0] < 1.0 || sizes[1] < 1.0 {
            return Vec::new();
        }
        let (cards, n) = (DECK_CARDS as f64, sizes[0] + sizes[1]);
        // Both groups lie equally far from their share: O_0 − N_0·O/N = (N_1·O_0 − N_0·O_1)/N.
        let away = |(&a, &b): (&u64, &u64)| (sizes[1] * a as f64 - sizes[0] * b as f64) / n;
        let squares: f64 = even.iter().zip(odd).map(|pair| away(pair).powi(2)).sum();
        let score = (cards - 1.0) * squares * (1.0 / sizes[0] + 1.0 / sizes[1]);
        let freedom = (cards - 1.0) * (cards - 1.0);
        vec![table::quadratic("total", score, freedom, sizes[0].min(sizes[1]) / cards)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck::Deck;

    #[test]
    fn two_decks_in_turn_are_as_far_apart_as_decks_can_be() {
        let reversed: Vec<u8> = (0..52).rev().collect();
        let reversed = Deck::try_from(&reversed[..]).expect("a permutation");
        let mut block = DeckBlock::default();
        for _ in 0..10 {
            block.push(&Deck::in_order());
            block.push(&reversed);
        }
        let mut counts = vec![0; EvenOdd.cells()];
        EvenOdd.observe(&[block], &mut counts);
        assert_eq!(EvenOdd.decks_in(&counts), Some(20));
        // 104 cells, each 5 away from its share, in two groups of 10: 51·104·25·(1/10 + 1/10).
        let outcome = &EvenOdd.finish(&counts, 20)[0];
        assert!((outcome.score - 26_520.0).abs() < 1e-6 && outcome.p_value < 1e-300, "{}", outcome.score);
    }
}
