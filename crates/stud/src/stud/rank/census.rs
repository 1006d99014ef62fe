//! Every set of five, six or seven cards, ranked and counted: the proof of the ranking.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::stud::card_set::CardSet;
use crate::stud::low::{LOW_CLASSES, Low8};
use crate::stud::rank::{CLASSES_FIVE, High};
use deckproof_deck::card::{Card, DECK_CARDS};

/// Counts over all sets of one size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankCensus {
    /// Sets by high category (weakest first) and by low strength (0 none, 56 the best).
    pub joint: [[u64; LOW_CLASSES + 1]; 10],
    /// Sets by ordinal of the high hand, 1 to 7,462; place 0 stays empty.
    pub ordinals: Vec<u64>,
}

impl RankCensus {
    fn empty() -> RankCensus {
        RankCensus { joint: [[0; LOW_CLASSES + 1]; 10], ordinals: vec![0; CLASSES_FIVE + 1] }
    }

    /// All sets.
    pub fn sets_total(&self) -> u64 {
        self.ordinals.iter().sum()
    }

    /// Sets of one high category, the weakest being 0.
    pub fn category_total(&self, category: usize) -> u64 {
        self.joint[category].iter().sum()
    }

    /// Sets whose low has this strength, 0 being none.
    pub fn low_total(&self, strength: usize) -> u64 {
        self.joint.iter().map(|lows| lows[strength]).sum()
    }

    /// Distinct high hands.
    pub fn classes_total(&self) -> usize {
        self.ordinals.iter().filter(|&&count| count > 0).count()
    }

    fn count(&mut self, cards: CardSet) {
        let high = High::best(cards);
        let low = Low8::best(cards).map_or(0, Low8::strength);
        self.joint[high.category() as usize][usize::from(low)] += 1;
        self.ordinals[usize::from(high.ordinal())] += 1;
    }

    fn merge(mut self, other: RankCensus) -> RankCensus {
        self.joint
            .as_flattened_mut()
            .iter_mut()
            .zip(other.joint.as_flattened())
            .for_each(|(sum, count)| *sum += count);
        self.ordinals.iter_mut().zip(&other.ordinals).for_each(|(sum, count)| *sum += count);
        self
    }
}

/// Ranks every set of `size` cards, on all threads of the pool.
///
/// # Panics
/// If the size is not five, six or seven.
pub fn census(size: usize) -> RankCensus {
    assert!((5..=7).contains(&size), "{size} cards have no best five");
    let pairs: Vec<(usize, usize)> =
        (1..DECK_CARDS).flat_map(|upper| (0..upper).map(move |lower| (upper, lower))).collect();
    pairs
        .into_par_iter()
        .map(|(upper, lower)| {
            let mut counts = RankCensus::empty();
            let set = CardSet::EMPTY.with(card(upper)).with(card(lower));
            count_below(set, lower, size - 2, &mut counts);
            counts
        })
        .reduce(RankCensus::empty, RankCensus::merge)
}

/// Counts the set with every choice of `left` more cards below `below`.
fn count_below(set: CardSet, below: usize, left: usize, counts: &mut RankCensus) {
    for next in (0..below).map(card) {
        match left {
            1 => counts.count(set.with(next)),
            _ => count_below(set.with(next), usize::from(next.index()), left - 1, counts),
        }
    }
}

fn card(index: usize) -> Card {
    Card::from_index(index as u8).expect("an index below 52")
}
