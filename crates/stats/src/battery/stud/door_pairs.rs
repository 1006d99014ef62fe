//! How often two door cards are of one rank, and how many are of one suit.
//!
//! Null: of n door cards of one deck no two are of one rank with probability `Π_{i<n} (52 − 4i)/(52 − i)`, 0.3452 of six and
//! 0.2102 of seven; of n cards of one deck the most of one suit are m in as many ways as `Π C(13, k)` over four suits of k cards,
//! the largest m. Parts: `paired`, the deals with a pair among the doors, Bin(N, 1 − p), exact; `suited`, the most doors of one
//! suit: χ² of the histogram, the mean, the most extreme deal.

use std::sync::OnceLock;

use crate::battery::nulls::histogram::{self, Names, names};
use crate::battery::outcome::{Exhibit, Outcome};
use crate::battery::statistic::{About, Design, common_sum};
use crate::battery::stud::HandStatistic;
use crate::battery::stud::deals::Deals;
use crate::battery::stud::table::StudTable;
use crate::battery::tier::Tier;
use crate::math::binomial;
use crate::math::distribution::Distribution;
use crate::math::sampling;
use deckproof_deck::card::DECK_CARDS;

pub(super) struct DoorPairs;

pub(super) const ABOUT: About = About {
    id: "door-pairs",
    version: 2,
    tier: Tier::Stud,
    title: "pairs and suits among the door cards",
    null: "Door cards are of one rank and of one suit as often as in as many cards of one deck.",
    source: "no pair among n cards: Π_{i<n} (52 − 4i)/(52 − i); deals with a pair: binomial, exact; most of one suit: products of \
             C(13, k), exact; histogram: Pearson χ², bound by Agrawal (2020); mean: saddle point, bound by Chernoff (1952); \
             extreme: exact",
    detects: "Deals that are made again, or put right, for what the open cards show.",
    decks_min: 10,
    design: Design { family: Some("open-pairs"), parts: 4, ..Design::OF_DECKS },
};

/// The third card of a seat is its door.
const DOOR: usize = 2;

/// Deals without a pair and with one; behind them those by the most doors of one suit.
const PAIRED: usize = 2;

const SUITED: Names = names!("suited", "most doors of one suit");

impl HandStatistic for DoorPairs {
    fn cells(&self, table: &StudTable) -> usize {
        PAIRED + suited(table).points().len()
    }

    /// Deals without a pair among the doors, and those with one; then by the most doors of one suit.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        let doors: Vec<usize> =
            (0..deals.table.players()).map(|seat| usize::from(deals.table.places(seat)[DOOR])).collect();
        let (paired, most) = counts.split_at_mut(PAIRED);
        let first = suited(deals.table).first() as usize;
        for block in deals.blocks {
            for lane in 0..block.hands() {
                let (mut ranks, mut suits) = (0u16, [0; 4]);
                for &place in &doors {
                    let card = block.row(place)[lane];
                    ranks |= 1 << (card / 4);
                    suits[usize::from(card % 4)] += 1;
                }
                paired[usize::from(ranks.count_ones() as usize != doors.len())] += 1;
                most[suits.into_iter().fold(0, usize::max) - first] += 1;
            }
        }
    }

    fn decks_in(&self, _: &StudTable, counts: &[u64]) -> Option<u64> {
        let (paired, most) = counts.split_at(PAIRED);
        common_sum([paired, most].map(|own| own.iter().copied()))
    }

    fn outcomes(&self, table: &StudTable, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let paired = 1.0 - without_a_pair(table.players());
        let (own, most) = counts.split_at(PAIRED);
        let (lower, upper) = binomial::tails(decks, paired, own[1].min(decks));
        let mut outcomes = vec![Outcome {
            exhibit: Exhibit::Histogram {
                axis: "pairs among the doors, none 0 or some 1",
                values: vec![0.0, 1.0],
                observed: own.to_vec(),
                expected: [1.0 - paired, paired].map(|share| share * decks as f64).to_vec(),
            },
            ..Outcome::exact("paired", "deals with a pair among the doors", own[1] as f64, lower, upper)
        }];
        outcomes.extend(histogram::outcomes(suited(table), most, &SUITED));
        outcomes
    }
}

/// The most doors of one suit at a table.
fn suited(table: &StudTable) -> &'static Distribution {
    static DISTRIBUTIONS: [OnceLock<Distribution>; DECK_CARDS] = [const { OnceLock::new() }; DECK_CARDS];
    DISTRIBUTIONS[table.players()].get_or_init(|| sampling::most_of_one_suit(table.players()))
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
    fn a_pair_and_a_suit_among_the_doors_are_counted_once() {
        let table = StudTable::of(RuleSet::ALL[0], 6).expect("a table of six");
        let mut block = DeckBlock::default();
        for doors in [[0, 4, 8, 12, 16, 20], [0, 1, 8, 12, 16, 20], [0, 1, 2, 12, 13, 20]] {
            let mut cards: Vec<u8> = (0..52).filter(|card| !doors.contains(card)).collect();
            doors.into_iter().rev().for_each(|door| cards.insert(12, door));
            block.push(&Deck::try_from(&cards[..]).expect("a permutation"));
        }
        let hands = [Hands::of_block(table, &block)];
        let mut counts = vec![0; DoorPairs.cells(table)];
        DoorPairs.observe(&Deals { table, blocks: std::slice::from_ref(&block), hands: &hands }, &mut counts);
        // A pair in two of three; six, five and three clubs, of 2 to 6.
        assert_eq!(counts, [1, 2, 0, 1, 0, 1, 1]);
        assert_eq!(DoorPairs.decks_in(table, &counts), Some(3));
        counts[3] += 1;
        assert_eq!(DoorPairs.decks_in(table, &counts), None);
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
