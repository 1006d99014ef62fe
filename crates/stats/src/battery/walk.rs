//! One deck after another, for the plain loops that the lanes are tested against.

use deckproof_deck::card::DECK_CARDS;

/// Card numbers from the top.
pub(super) type Order = [u8; DECK_CARDS];

pub(super) mod sample {
    use std::ops::Range;

    use super::Order;
    use crate::battery::outcome::Outcome;
    use crate::battery::statistic::Statistic;
    use deckproof_dealers::dealers::TestDealer;
    use deckproof_deck::card::DECK_CARDS;
    use deckproof_deck::deck::Deck;
    use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
    use deckproof_deck::shuffle::shuffle_deck;

    /// Decks of a test dealer with seed 1.
    pub(in crate::battery) fn dealt(name: &str, decks: Range<u64>) -> Vec<Deck> {
        let mut deals = TestDealer::named(name).expect("it is in the list").deals(1);
        decks.map(|number| Deck::try_from(&deals.order(number)[..]).expect("it deals decks")).collect()
    }

    /// The same decks in blocks.
    pub(in crate::battery) fn blocks(decks: &[Deck]) -> Vec<DeckBlock> {
        let block = |decks: &[Deck]| {
            let mut block = DeckBlock::default();
            decks.iter().for_each(|deck| block.push(deck));
            block
        };
        decks.chunks(BLOCK_HANDS).map(block).collect()
    }

    /// What a statistic counts of some decks; its counts say how many they are.
    pub(in crate::battery) fn counts(statistic: &dyn Statistic, decks: &[Deck]) -> Vec<u64> {
        let mut counts = vec![0; statistic.cells()];
        statistic.observe(&blocks(decks), &mut counts);
        assert_eq!(statistic.decks_in(&counts), Some(decks.len() as u64));
        counts
    }

    /// A deck of these cards, from the top.
    pub(in crate::battery) fn deck(cards: &[u8]) -> Deck {
        Deck::try_from(cards).expect("a permutation")
    }

    /// The deck in order, turned over.
    pub(in crate::battery) fn reversed() -> Deck {
        deck(&(0..DECK_CARDS as u8).rev().collect::<Vec<u8>>())
    }

    /// The outcome of a part, for which there are decks enough.
    pub(in crate::battery) fn outcome<'a>(outcomes: &'a [Outcome], part: &str) -> &'a Outcome {
        outcomes.iter().find(|own| own.part == part).unwrap_or_else(|| panic!("no {part}: {outcomes:?}"))
    }

    /// What a part convicts with: the bound of its p-value, where it has one.
    pub(in crate::battery) fn convicting(outcomes: &[Outcome], part: &str) -> f64 {
        let outcome = outcome(outcomes, part);
        outcome.p_value_bound.unwrap_or(outcome.p_value)
    }

    /// Orders of many shapes: every `(a·place + b) mod 52` with a prime to 52, and shuffled decks, for the former have no
    /// neighbours of one suit.
    pub(in crate::battery) fn orders() -> impl Iterator<Item = Order> {
        let steps = (1..DECK_CARDS).filter(|step| step % 2 == 1 && step % 13 != 0);
        let order =
            |step: usize, first: usize| std::array::from_fn(|at| ((step * at + first) % DECK_CARDS) as u8);
        let even = steps.flat_map(move |step| (0..DECK_CARDS).map(move |first| order(step, first)));
        even.chain((0..DECK_CARDS).map(|key| *shuffle_deck(&[key as u8; 32]).indices()))
    }
}
