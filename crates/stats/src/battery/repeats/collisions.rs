//! Collisions: decks that begin with the same cards.
//!
//! Null: the first five cards in order fall into 311,875,200 equally likely cells, the first seven as a set into
//! 133,784,560. Parts: `five-in-order`, `seven-as-a-set`, the pairs `Σ k(k−1)/2` among the decks of each segment of
//! 65,536, a Poisson count of mean `Σ n(n−1)/2M`; at 65,536 decks 6.9 and 16.1. From a mean of 0.01 on, so that one
//! pair alone rejects nobody: 2,498 and 1,637 decks. What may convict is the number of repeats against a proven
//! bound.

use crate::battery::nulls::throws::{Fallen, Throws};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, SEGMENT_DECKS, Scope, Statistic, about_and_cells};
use crate::battery::stream;
use crate::battery::tier::Tier;
use crate::battery::view::Label;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};

pub(in crate::battery) struct Collisions;

const ABOUT: About = About {
    id: "collisions",
    version: 1,
    tier: Tier::Deep,
    title: "decks that begin with the same cards",
    null: "The first five cards in order and the first seven as a set come again as rarely as they should.",
    source: "pairs of equal keys in segments of 65,536 decks, Poisson(Σ n(n−1)/2M), M = 311,875,200 and 133,784,560: \
             Knuth, TAOCP 2, 3.3.2 I; Arratia, Goldstein & Gordon (1989); repeats bounded by Hoeffding (1956) and \
             Anderson & Samuels (1967)",
    detects: "Hands taken from a list, first cards that hang on few random bits, draws that avoid what came before.",
    decks_min: SEVEN.decks_min,
    design: Design { parts: 2, label: Label::Card, scope: Scope::Segment, ..Design::PLAIN },
};

/// One way to look at the first cards.
struct Key {
    part: &'static str,
    /// Equally likely values.
    cells: f64,
    /// Fewer decks and less than 0.01 pairs are expected.
    decks_min: u64,
}

/// 52·51·50·49·48.
const FIVE: Key = Key { part: "five-in-order", cells: 311_875_200.0, decks_min: 2_498 };

/// C(52, 7).
const SEVEN: Key = Key { part: "seven-as-a-set", cells: 133_784_560.0, decks_min: 1_637 };

/// Decks of a whole segment, and steps from one to the next.
const LOTS: [u64; 2] = [SEGMENT_DECKS, SEGMENT_DECKS - 1];

/// Decks, pairs compared, then pairs and repeats of each key.
const CELLS: usize = 6;

impl Statistic for Collisions {
    about_and_cells!(ABOUT, CELLS);

    /// Decks; pairs of decks compared; pairs and repeats of five in order; pairs and repeats of seven as a set.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), CELLS);
        let decks = stream::decks_of(blocks);
        let (mut fives, mut sevens) =
            (Vec::with_capacity(decks as usize), Vec::with_capacity(decks as usize));
        for block in blocks {
            fives.extend_from_slice(&five_in_order(block)[..block.hands()]);
            sevens.extend_from_slice(&seven_as_a_set(block)[..block.hands()]);
        }
        let (fives, sevens) = (Fallen::of_keys(&mut fives), Fallen::of_keys(&mut sevens));
        let added = [decks, decks * decks.saturating_sub(1) / 2];
        let fallen = [fives.pairs, fives.repeats, sevens.pairs, sevens.repeats];
        counts.iter_mut().zip(added.into_iter().chain(fallen)).for_each(|(count, added)| *count += added);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let (decks, compared) = (counts[0], u128::from(counts[1]));
        let is_whole = LOTS.iter().any(|&lot| compared == compared_in(decks, lot));
        let are_sound =
            [fallen(counts, 0), fallen(counts, 1)].iter().all(|own| own.is_sound(decks, compared));
        (is_whole && are_sound).then_some(decks)
    }

    fn outcomes(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let outcome = |(key, number): (&Key, usize)| {
            let throws = Throws { keys: counts[0] as f64, compared: counts[1] as f64, cells: key.cells };
            (decks >= key.decks_min).then(|| throws.outcome(key.part, fallen(counts, number)))
        };
        [(&FIVE, 0), (&SEVEN, 1)].into_iter().filter_map(outcome).collect()
    }
}

/// How the keys of one kind fell.
fn fallen(counts: &[u64], number: usize) -> Fallen {
    Fallen { pairs: counts[2 + 2 * number], repeats: counts[3 + 2 * number] }
}

/// Pairs compared among so many decks in whole lots and a rest.
pub(in crate::battery) fn compared_in(decks: u64, lot: u64) -> u128 {
    let pairs = |n: u64| u128::from(n) * u128::from(n.saturating_sub(1)) / 2;
    u128::from(decks / lot) * pairs(lot) + pairs(decks % lot)
}

/// The first five cards as a number in base 52, below 2^29.
fn five_in_order(block: &DeckBlock) -> [u32; BLOCK_HANDS] {
    let mut keys = [0; BLOCK_HANDS];
    for row in &block.rows()[..5] {
        for (key, &card) in keys.iter_mut().zip(row) {
            *key = *key * DECK_CARDS as u32 + u32::from(card);
        }
    }
    keys
}

/// The first seven cards as the bits of a number.
fn seven_as_a_set(block: &DeckBlock) -> [u64; BLOCK_HANDS] {
    let mut keys = [0; BLOCK_HANDS];
    for row in &block.rows()[..7] {
        keys.iter_mut().zip(row).for_each(|(key, &card)| *key |= 1 << card);
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::deck::Deck;

    fn block(decks: &[[u8; 7]]) -> DeckBlock {
        let mut block = DeckBlock::default();
        for first in decks {
            let rest = (0..52).filter(|card| !first.contains(card));
            let cards: Vec<u8> = first.iter().copied().chain(rest).collect();
            block.push(&Deck::try_from(&cards[..]).expect("a permutation"));
        }
        block
    }

    #[test]
    fn cells_are_falling_products_and_binomials() {
        let five: f64 = (48..=52).map(f64::from).product();
        let seven: f64 = (0..7).map(|i| f64::from(52 - i) / f64::from(i + 1)).product();
        assert!((FIVE.cells - five).abs() < 0.5 && (SEVEN.cells - seven).abs() < 0.5);
        for key in [FIVE, SEVEN] {
            let mean = |n: u64| (n * (n - 1)) as f64 / 2.0 / key.cells;
            assert!(mean(key.decks_min) >= 0.01 && mean(key.decks_min - 1) < 0.01, "{}", key.part);
        }
    }

    #[test]
    fn equal_beginnings_are_counted_within_their_segment() {
        let (a, b, c) = ([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 7, 6], [7, 2, 3, 4, 5, 6, 1]);
        let mut counts = vec![0; CELLS];
        // Five in order: a and b. As sets: all three.
        Collisions.observe(&[block(&[a, b, c])], &mut counts);
        assert_eq!(counts, [3, 3, 1, 1, 3, 2]);
        // Four in order and six of a set are not enough.
        let mut others = vec![0; CELLS];
        Collisions.observe(&[block(&[a, [1, 2, 3, 4, 6, 5, 8]])], &mut others);
        assert_eq!(others, [2, 1, 0, 0, 0, 0]);
        assert_eq!(Collisions.decks_in(&counts), Some(3));
        Collisions.observe(&[block(&[a]), block(&[])], &mut counts);
        assert_eq!(counts, [4, 3, 1, 1, 3, 2]);
    }

    #[test]
    fn counts_of_no_whole_segments_are_refused() {
        let whole = compared_in(3 * 65_536 + 10, 65_536);
        assert_eq!(whole, 3 * 2_147_450_880 + 45);
        let counts = |compared| vec![3 * 65_536 + 10, compared, 20, 20, 48, 48];
        assert_eq!(Collisions.decks_in(&counts(whole as u64)), Some(196_618));
        assert_eq!(Collisions.decks_in(&counts(whole as u64 + 1)), None);
        assert_eq!(Collisions.decks_in(&[u64::MAX; CELLS]), None);
        // Means of 20.7 and 48.2: nothing unusual.
        let outcomes = Collisions.finish(&counts(whole as u64), 196_618);
        assert!(outcomes.len() == 2 && outcomes.iter().all(|outcome| outcome.p_value > 0.9));
    }
}
