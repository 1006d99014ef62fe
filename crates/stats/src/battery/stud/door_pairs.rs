//! How often two door cards are of one rank.
//!
//! Null: of n door cards of one deck no two are of one rank with probability `Π_{i<n} (52 − 4i)/(52 − i)`, 0.3452 of six and
//! 0.2102 of seven. Part: `paired`, the deals with a pair among the doors, Bin(N, 1 − p), exact.

use crate::battery::outcome::{Exhibit, Outcome};
use crate::battery::statistic::{About, Design};
use crate::battery::stud::HandStatistic;
use crate::battery::stud::deals::Deals;
use crate::battery::stud::table::StudTable;
use crate::battery::tier::Tier;
use crate::math::binomial;
use deckproof_deck::card::DECK_CARDS;

pub(super) struct DoorPairs;

pub(super) const ABOUT: About = About {
    id: "door-pairs",
    version: 1,
    tier: Tier::Stud,
    title: "pairs among the door cards",
    null: "Two door cards are of one rank as often as in as many cards of one deck.",
    source: "no pair among n cards: Π_{i<n} (52 − 4i)/(52 − i); deals with a pair: binomial, exact",
    detects: "Deals that are made again, or put right, for what the open cards show.",
    decks_min: 10,
    design: Design { family: Some("open-pairs"), ..Design::OF_DECKS },
};

/// The third card of a seat is its door.
const DOOR: usize = 2;

impl HandStatistic for DoorPairs {
    fn cells(&self, _: &StudTable) -> usize {
        2
    }

    /// Deals without a pair among the doors, and those with one.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        let doors: Vec<usize> =
            (0..deals.table.players()).map(|seat| usize::from(deals.table.places(seat)[DOOR])).collect();
        for block in deals.blocks {
            for lane in 0..block.hands() {
                let ranks =
                    doors.iter().fold(0u16, |ranks, &place| ranks | 1 << (block.row(place)[lane] / 4));
                counts[usize::from(ranks.count_ones() as usize != doors.len())] += 1;
            }
        }
    }

    fn outcomes(&self, table: &StudTable, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let paired = 1.0 - without_a_pair(table.players());
        let (lower, upper) = binomial::tails(decks, paired, counts[1].min(decks));
        vec![Outcome {
            exhibit: Exhibit::Histogram {
                axis: "pairs among the doors, none 0 or some 1",
                values: vec![0.0, 1.0],
                observed: counts.to_vec(),
                expected: [1.0 - paired, paired].map(|share| share * decks as f64).to_vec(),
            },
            ..Outcome::exact("paired", "deals with a pair among the doors", counts[1] as f64, lower, upper)
        }]
    }
}

/// That so many cards of a deck are of as many ranks.
fn without_a_pair(cards: usize) -> f64 {
    (0..cards).map(|dealt| (DECK_CARDS - 4 * dealt) as f64 / (DECK_CARDS - dealt) as f64).product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::stud::deals::Hands;
    use deckproof_deck::deck::Deck;
    use deckproof_deck::deck::block::DeckBlock;
    use deckproof_stud::stud::rules::RuleSet;

    /// The places of doors at a table of six are 12 to 17.
    #[test]
    fn a_pair_among_the_doors_is_counted_once() {
        let table = StudTable::of(RuleSet::ALL[0], 6).expect("a table of six");
        let mut block = DeckBlock::default();
        for doors in [[0, 4, 8, 12, 16, 20], [0, 1, 8, 12, 16, 20], [0, 1, 2, 12, 13, 20]] {
            let mut cards: Vec<u8> = (0..52).filter(|card| !doors.contains(card)).collect();
            doors.into_iter().rev().for_each(|door| cards.insert(12, door));
            block.push(&Deck::try_from(&cards[..]).expect("a permutation"));
        }
        let (hands, mut counts) = ([Hands::of_block(table, &block)], [0; 2]);
        DoorPairs.observe(&Deals { table, blocks: std::slice::from_ref(&block), hands: &hands }, &mut counts);
        assert_eq!(counts, [1, 2]);
    }

    /// Python: 4^n·C(13, n)/C(52, n).
    #[test]
    fn doors_without_a_pair_are_as_rare_as_choices_of_ranks() {
        for (cards, wanted) in [
            (2, 0.941_176_470_588_235_3),
            (6, 0.345_247_886_388_598),
            (7, 0.210_150_887_366_972_68),
            (8, 0.112_080_473_262_385_43),
        ] {
            assert!((without_a_pair(cards) - wanted).abs() < 1e-14, "{cards}: {}", without_a_pair(cards));
        }
    }
}
