//! Before and after: whether the second half of the decks is dealt like the first.
//!
//! Null: the first and the second half of every segment of 65,536 decks have one law of card × place; the halves are
//! pooled over the segments, and of at most 65,536 decks they are before and after. With g = 2 groups
//! `(51/52)·Σ_g Σ (O_g − N_g·O/N)²/(N_g/k)` is χ²(51(k − 1)), its mean exact, for the cards (k = 52), the ranks
//! (13) and the suits (4). Needs 20 decks. It sees dealers that change on the way: warmth, wear, a
//! counter that wraps, somebody else's hands.

use crate::battery::{About, Outcome, Scope, Statistic, Tier, kernel, stream, table};
use crate::card::DECK_CARDS;
use crate::deck::block::DeckBlock;

pub(super) struct Halves;

const ABOUT: About = About {
    id: "halves",
    version: 1,
    tier: Tier::Deep,
    title: "first against second half",
    null: "Cards lie at the same places in the first as in the second half of each segment of 65,536 decks.",
    source: "two-sample Pearson χ² with the factor of a deck: (51/52)·Σ_g Σ (O_g − N_g·O/N)²/(N_g/k) ~ χ²(51(k−1)), \
             k = 52 cards, 13 ranks, 4 suits; first halves of all segments against second halves",
    sees: "Dealers that change on the way: wear, a change of hands, a generator that runs into a flaw.",
    decks_min: 20,
};

const TABLE: usize = kernel::card_place::CELLS;

/// What a card counts as.
type Class = fn(usize) -> usize;

/// Classes of cards, how many there are, and the name of the part.
const CLASSES: [(Class, usize, &str); 3] =
    [(|card| card, DECK_CARDS, "total"), (|card| card / 4, 13, "ranks"), (|card| card % 4, 4, "suits")];

impl Statistic for Halves {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn scope(&self) -> Scope {
        Scope::Segment
    }

    fn cells(&self) -> usize {
        2 * TABLE
    }

    /// `counts[52·card + place]` of the first ⌊n/2⌋ decks of a segment, then of the others.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let (first, second) = counts.split_at_mut(TABLE);
        let mut left = (stream::decks_of(blocks) / 2) as usize;
        let mut whole = 0;
        while let Some(block) = blocks.get(whole).filter(|block| block.hands() <= left) {
            left -= block.hands();
            whole += 1;
        }
        kernel::card_place::card_place(&blocks[..whole], first);
        // The middle runs through this block: few decks, counted one by one.
        if let Some(block) = blocks.get(whole) {
            for (place, row) in block.rows().iter().enumerate() {
                for (lane, &card) in row[..block.hands()].iter().enumerate() {
                    let half = if lane < left { &mut *first } else { &mut *second };
                    half[DECK_CARDS * usize::from(card) + place] += 1;
                }
            }
            kernel::card_place::card_place(&blocks[whole + 1..], second);
        }
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let (first, second) = counts.split_at(TABLE);
        let first = table::common_margin(first, DECK_CARDS)?;
        let second = table::common_margin(second, DECK_CARDS)?;
        first.checked_add(second).filter(|_| first <= second)
    }

    fn finish(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        assert_eq!(counts.len(), self.cells());
        if decks < ABOUT.decks_min {
            return Vec::new();
        }
        let (first, second) = counts.split_at(TABLE);
        let sizes = [first, second].map(|half| half[..DECK_CARDS].iter().sum::<u64>());
        let part = |&(class, classes, part): &(Class, usize, &'static str)| {
            let groups = [first, second].map(|half| by_class(half, class, classes));
            table::two_groups(part, [&groups[0], &groups[1]], sizes, classes)
        };
        CLASSES.iter().filter_map(part).collect()
    }
}

fn by_class(counts: &[u64], class: Class, classes: usize) -> Vec<u64> {
    let mut sums = vec![0; classes * DECK_CARDS];
    for (card, row) in counts.chunks(DECK_CARDS).enumerate() {
        let own = &mut sums[DECK_CARDS * class(card)..][..DECK_CARDS];
        own.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck::Deck;

    #[test]
    fn a_change_in_the_middle_of_a_block_is_cut_at_the_deck() {
        let reversed: Vec<u8> = (0..52).rev().collect();
        let (sorted, reversed) = (Deck::in_order(), Deck::try_from(&reversed[..]).expect("a permutation"));
        // 100 decks in blocks of 63, as relative decks come: 50 in order, 50 turned over.
        let mut blocks = vec![DeckBlock::default(), DeckBlock::default()];
        for deck in 0..100 {
            blocks[deck / 63].push(if deck < 50 { &sorted } else { &reversed });
        }
        let mut counts = vec![0; Halves.cells()];
        Halves.observe(&blocks, &mut counts);
        assert_eq!(Halves.decks_in(&counts), Some(100));
        assert!((0..52).all(|card| counts[53 * card] == 50 && counts[TABLE + 51 * (card + 1)] == 50));
        let outcomes = Halves.finish(&counts, 100);
        // 104 cells, each 25 away from its share, in two groups of 50: 51·104·625·(1/50 + 1/50).
        assert!((outcomes[0].score - 132_600.0).abs() < 1e-6, "{}", outcomes[0].score);
        assert!(outcomes.iter().all(|outcome| outcome.p_value < 1e-100));
        // One deck more belongs to the second half.
        blocks[1].push(&reversed);
        let mut counts = vec![0; Halves.cells()];
        Halves.observe(&blocks, &mut counts);
        assert_eq!((counts[0], counts[51], counts[TABLE + 51]), (50, 0, 51));
    }
}
