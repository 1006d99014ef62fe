//! Neighbours of one kind, and the ranks of the first cards.
//!
//! Null: of the 51 pairs of neighbours 12 are of one suit and 3 of one rank in the mean, with exact distributions
//! by inserting kind after kind; so has the longest run of cards of one suit, and of one colour; the j-th smallest of the first m card numbers, x = card + 1, has the distribution
//! `C(x−1, j−1)C(52−x, m−j)/C(52, m)`: lowest, middle and highest of the first 7. Parts: histogram, mean, most
//! extreme deck of each.

use std::sync::OnceLock;

use crate::battery::nulls::histogram::names;
use crate::battery::nulls::numbers::{Count, Number, Numbers};
use crate::battery::statistic::{About, Design};
use crate::battery::tier::Tier;
use crate::battery::view::{Label, View};
use crate::math::distribution::Distribution;
use crate::math::sampling;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, Row};

/// Cards whose lowest, middle and highest are looked at.
const FIRST: usize = 7;

pub(in crate::battery) static NEIGHBOURS: Numbers = Numbers {
    about: &About {
        id: "neighbours",
        version: 4,
        tier: Tier::Deep,
        title: "neighbours of one suit or rank, runs of one suit or colour, order of the first seven",
        null: "Neighbours are of one suit or rank, runs of one suit or colour long, and the first seven cards high or low, as by chance.",
        source: "neighbours and longest runs: exact by inserting kinds (David & Barton 1962, chapter 7); order statistics: \
                 C(x−1,j−1)C(52−x,m−j)/C(52,m) (David & Nagaraja 2003, 3.7); histogram: Pearson χ², bound by Agrawal \
                 (2020); mean: saddle point, bound by Chernoff (1952); extreme: exact",
        detects: "Hands gathered but not shuffled apart; decks shuffled again for a long run of a suit or colour; first cards picked high or low.",
        decks_min: 1,
        design: Design { views: View::OF_CARDS, label: Label::Card, ..Design::PLAIN },
    },
    numbers: &[
        Number::of(names!("suit", "neighbours of one suit"), suit_distribution),
        Number::of(names!("rank", "neighbours of one rank"), rank_distribution),
        Number::of(names!("suit-run", "longest run of one suit"), suit_run_distribution),
        Number::of(names!("colour-run", "longest run of one colour"), colour_run_distribution),
        Number::of(names!("lowest", "lowest of the first seven"), first_distribution::<1>),
        Number::of(names!("middle", "middle of the first seven"), first_distribution::<4>),
        Number::of(names!("highest", "highest of the first seven"), first_distribution::<7>),
    ],
    count: Count::Lanes(&MEASURES),
};

/// What each of them is of a deck in every lane.
const MEASURES: [fn(&[Row; DECK_CARDS]) -> Row; 7] = [
    |rows| same_neighbours(rows, |card| card % 4),
    |rows| same_neighbours(rows, |card| card / 4),
    |rows| longest_run(rows, |card| card % 4),
    |rows| longest_run(rows, colour),
    |rows| smallest(rows, 1),
    |rows| smallest(rows, 4),
    |rows| smallest(rows, 7),
];

fn suit_distribution() -> &'static Distribution {
    static DISTRIBUTION: OnceLock<Distribution> = OnceLock::new();
    DISTRIBUTION.get_or_init(|| sampling::same_neighbours(4, 13))
}

fn rank_distribution() -> &'static Distribution {
    static DISTRIBUTION: OnceLock<Distribution> = OnceLock::new();
    DISTRIBUTION.get_or_init(|| sampling::same_neighbours(13, 4))
}

fn suit_run_distribution() -> &'static Distribution {
    static DISTRIBUTION: OnceLock<Distribution> = OnceLock::new();
    DISTRIBUTION.get_or_init(|| sampling::longest_run_of_a_kind(4, 13))
}

fn colour_run_distribution() -> &'static Distribution {
    static DISTRIBUTION: OnceLock<Distribution> = OnceLock::new();
    DISTRIBUTION.get_or_init(|| sampling::longest_run_of_a_kind(2, 26))
}

fn first_distribution<const J: usize>() -> &'static Distribution {
    static DISTRIBUTIONS: [OnceLock<Distribution>; FIRST] = [const { OnceLock::new() }; FIRST];
    DISTRIBUTIONS[J - 1].get_or_init(|| sampling::order_statistic(DECK_CARDS as u64, FIRST as u64, J as u64))
}

/// Neighbours of one kind in every lane.
fn same_neighbours(rows: &[Row; DECK_CARDS], kind: impl Fn(u8) -> u8) -> Row {
    let mut same = [0; BLOCK_HANDS];
    for pair in rows.windows(2) {
        for lane in 0..BLOCK_HANDS {
            same[lane] += u8::from(kind(pair[0][lane]) == kind(pair[1][lane]));
        }
    }
    same
}

/// The most cards of one kind in a row in every lane.
fn longest_run(rows: &[Row; DECK_CARDS], kind: impl Fn(u8) -> u8) -> Row {
    let (mut run, mut longest) = ([1; BLOCK_HANDS], [1; BLOCK_HANDS]);
    for pair in rows.windows(2) {
        for lane in 0..BLOCK_HANDS {
            let is_same = kind(pair[0][lane]) == kind(pair[1][lane]);
            run[lane] = run[lane] * u8::from(is_same) + 1;
            longest[lane] = longest[lane].max(run[lane]);
        }
    }
    longest
}

/// 1 of diamonds and hearts, the suits 1 and 2.
fn colour(card: u8) -> u8 {
    (card ^ card >> 1) & 1
}

/// The j-th smallest of the first seven card numbers, plus one, in every lane: they are sorted by exchanging
/// neighbours (Knuth, TAOCP 3, 5.3.4), which lanes can do.
fn smallest(rows: &[Row; DECK_CARDS], j: usize) -> Row {
    let mut cards: [Row; FIRST] = std::array::from_fn(|place| rows[place]);
    for round in 0..FIRST {
        for left in (round % 2..FIRST - 1).step_by(2) {
            let (lower, upper) = cards.split_at_mut(left + 1);
            for (a, b) in lower[left].iter_mut().zip(&mut upper[0]) {
                (*a, *b) = (*a.min(b), *a.max(b));
            }
        }
    }
    cards[j - 1].map(|card| card + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::{self, Order};
    use deckproof_deck::card::Card;

    #[test]
    fn a_sorted_deck_has_39_neighbours_of_one_rank_and_none_of_one_suit() {
        let sorted: Order = std::array::from_fn(|place| place as u8);
        let rows = sorted.map(|card| [card; BLOCK_HANDS]);
        let measured: Vec<usize> = MEASURES.iter().map(|measure| measure(&rows)[0].into()).collect();
        // Suits go round; of colours two and two lie together.
        assert_eq!(measured, [0, 39, 1, 2, 1, 4, 7]);
    }

    #[test]
    fn neighbours_equal_looking_at_every_pair() {
        for order in walk::sample::orders() {
            let rows = order.map(|card| [card; BLOCK_HANDS]);
            let pairs =
                || order.windows(2).map(|pair| (Card::from_index(pair[0]), Card::from_index(pair[1])));
            let suits = pairs().filter(|(a, b)| a.map(Card::suit) == b.map(Card::suit)).count();
            let ranks = pairs().filter(|(a, b)| a.map(Card::rank) == b.map(Card::rank)).count();
            let cards: Vec<Option<Card>> = order.iter().map(|&card| Card::from_index(card)).collect();
            let longest = |runs: &mut dyn Iterator<Item = usize>| runs.max().unwrap_or(0);
            let suit = |card: &Option<Card>| card.map(Card::suit);
            let of_suit = longest(&mut cards.chunk_by(|a, b| suit(a) == suit(b)).map(<[_]>::len));
            let is_red = |card: &Option<Card>| matches!(suit(card), Some(1 | 2));
            let of_colour = longest(&mut cards.chunk_by(|a, b| is_red(a) == is_red(b)).map(<[_]>::len));
            let measured = [0, 1, 2, 3].map(|own: usize| usize::from(MEASURES[own](&rows)[0]));
            assert_eq!(measured, [suits, ranks, of_suit, of_colour], "{order:?}");
        }
    }

    #[test]
    fn the_first_seven_are_sorted() {
        for order in walk::sample::orders() {
            let mut first: [u8; FIRST] = std::array::from_fn(|place| order[place]);
            first.sort_unstable();
            let rows = order.map(|card| [card; BLOCK_HANDS]);
            for j in [1, 4, 7] {
                assert_eq!(smallest(&rows, j)[0], first[j - 1] + 1, "{order:?}");
            }
        }
    }
}
