//! Visible boards: the two, three and four up cards of a seat on fourth, fifth and sixth street.
//!
//! Null: a board of m cards is a set of ranks r with Π C(4, m_r) of C(52, m) ways: 91, 455 and 1,820 classes,
//! exact, of one seat a deck in turn. Parts: `fourth`, `fifth`, `sixth`, χ² of the classes from the best down,
//! pooled to an expectation of 10.

use std::sync::OnceLock;

use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, common_sum};
use crate::battery::stud::deals::Deals;
use crate::battery::stud::table::StudTable;
use crate::battery::stud::{HandStatistic, parts};
use crate::battery::tier::Tier;
use deckproof_deck::card::Card;
use deckproof_stud::stud::board::Board;
use deckproof_stud::stud::card_set::CardSet;

pub(super) struct Boards;

pub(super) const ABOUT: About = About {
    id: "boards",
    version: 1,
    tier: Tier::Stud,
    title: "visible boards of two to four cards",
    null: "The up cards of a seat are any two, three or four cards.",
    source: "ranks of m cards in Π C(4, m_r) of C(52, m) ways, one seat a deck in turn; Pearson (1900) χ² pooled to \
             expectations of 10, bound by Agrawal (2020)",
    detects: "Boards that pair, or look strong, too often or too seldom.",
    decks_min: 1_000,
    design: Design { parts: STREETS.len() as u64, ..Design::OF_DECKS },
};

const RANKS: usize = 13;

/// The first of a hand's cards that lies open: the door.
const DOOR: usize = 2;

/// Up cards, and what the part is called.
const STREETS: [(usize, &str); 3] = [(2, "fourth"), (3, "fifth"), (4, "sixth")];

/// The classes of boards of so many cards.
struct Classes {
    /// The class of ranks in any order, `Σ rank_i·13^i`.
    of_ranks: Vec<u16>,
    /// The probability of each class, the best first.
    points: Vec<f64>,
}

impl HandStatistic for Boards {
    fn cells(&self, _: &StudTable) -> usize {
        classes().iter().map(|classes| classes.points.len()).sum()
    }

    /// Boards by class, the best first: two cards, three cards, four cards.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        let [two, three, four] = classes();
        let (of_two, rest) = counts.split_at_mut(two.points.len());
        let (of_three, of_four) = rest.split_at_mut(three.points.len());
        for (block, hands) in deals.iter() {
            for lane in 0..block.hands() {
                let rank = |up: usize| usize::from(hands.turn[DOOR + up][lane] / 4);
                let pair = rank(0) + RANKS * rank(1);
                let trio = pair + RANKS * RANKS * rank(2);
                let quartet = trio + RANKS * RANKS * RANKS * rank(3);
                of_two[usize::from(two.of_ranks[pair])] += 1;
                of_three[usize::from(three.of_ranks[trio])] += 1;
                of_four[usize::from(four.of_ranks[quartet])] += 1;
            }
        }
    }

    fn decks_in(&self, _: &StudTable, counts: &[u64]) -> Option<u64> {
        common_sum(split(counts).map(|(_, own, _)| own.iter().copied()))
    }

    fn outcomes(&self, _: &StudTable, counts: &[u64], _: u64) -> Vec<Outcome> {
        split(counts).filter_map(|(part, own, points)| parts::shape(part, own, points)).collect()
    }
}

/// Each street with its counts and probabilities.
fn split(counts: &[u64]) -> impl Iterator<Item = (&'static str, &[u64], &'static [f64])> {
    let mut counts = counts;
    STREETS.iter().zip(classes()).map(move |(&(_, part), classes)| {
        let (own, rest) = counts.split_at(classes.points.len());
        counts = rest;
        (part, own, &classes.points[..])
    })
}

fn classes() -> &'static [Classes; 3] {
    static CLASSES: OnceLock<[Classes; 3]> = OnceLock::new();
    CLASSES.get_or_init(|| STREETS.map(|(cards, _)| Classes::of(cards)))
}

impl Classes {
    fn of(cards: usize) -> Classes {
        // Descending ranks, each board once, the best first.
        let mut boards: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..cards {
            let longer = |board: &Vec<usize>| {
                let highest = board.last().copied().unwrap_or(RANKS - 1);
                let next = (0..=highest).filter(|rank| board.iter().filter(|held| *held == rank).count() < 4);
                next.map(|rank| board.iter().copied().chain([rank]).collect()).collect::<Vec<_>>()
            };
            boards = boards.iter().flat_map(longer).collect();
        }
        boards.sort_by_cached_key(|board| std::cmp::Reverse(strength(board)));
        let index_of = |ranks: &[usize]| ranks.iter().rev().fold(0, |index, rank| RANKS * index + rank);
        let mut of_ranks = vec![u16::MAX; RANKS.pow(cards as u32)];
        boards.iter().zip(0..).for_each(|(board, class)| of_ranks[index_of(board)] = class);
        let mut weights = vec![0.0; boards.len()];
        for index in 0..of_ranks.len() {
            let mut ranks: [usize; 4] = std::array::from_fn(|place| index / RANKS.pow(place as u32) % RANKS);
            let ranks = &mut ranks[..cards];
            ranks.sort_unstable_by(|a, b| b.cmp(a));
            // In this order of ranks the suits are drawn one after the other.
            let suits = |(place, rank): (usize, &usize)| {
                4 - ranks[..place].iter().filter(|held| *held == rank).count()
            };
            let ways: usize = ranks.iter().enumerate().map(suits).product();
            // That of the same ranks in descending order.
            let class = of_ranks[index_of(ranks)];
            of_ranks[index] = class;
            weights[usize::from(class)] += ways as f64;
        }
        Classes { of_ranks, points: parts::normalised(weights) }
    }
}

/// The strength of a board, whatever its suits; `None` where five cards of one rank are asked.
fn strength(ranks: &[usize]) -> Option<Board> {
    let mut set = CardSet::EMPTY;
    for &rank in ranks {
        let suits = (0..4).filter_map(|suit| Card::new(rank as u8, suit));
        set = set.with(suits.into_iter().find(|&card| !set.contains(card))?);
    }
    Some(Board::of(set))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::stud::sample::rows;

    /// The project's exact counts of boards, made by an independent program.
    #[test]
    fn classes_have_the_exact_counts_and_order() {
        let sets = [1_326.0, 22_100.0, 270_725.0];
        assert_eq!(classes().each_ref().map(|classes| classes.points.len()), [91, 455, 1_820]);
        let mut checked = 0;
        for row in rows(include_str!("../../../../../fixtures/rank/visible_classes.csv")) {
            let (cards, place): (usize, usize) =
                (row[0].parse().expect("cards"), row[1].parse().expect("a place"));
            if cards < 2 {
                continue;
            }
            let letters = "23456789TJQKA";
            let ranks = row[2].chars().map(|letter| letters.find(letter).expect("a rank"));
            let index = ranks.zip(0..).map(|(rank, place)| rank * RANKS.pow(place)).sum::<usize>();
            let classes = &classes()[cards - 2];
            let count: f64 = row[3].parse().expect("a count");
            assert_eq!(usize::from(classes.of_ranks[index]), place - 1, "{row:?}");
            assert!((classes.points[place - 1] - count / sets[cards - 2]).abs() < 1e-15, "{row:?}");
            checked += 1;
        }
        assert!(checked > 600, "{checked}");
    }
}
