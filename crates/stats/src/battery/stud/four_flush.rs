//! The river of a four-flush: whether the seventh card makes the flush, seat by seat.
//!
//! Null: of six cards exactly four are of one suit with probability 4·C(13,4)·C(39,2)/C(52,6), and then the seventh
//! is one of the 9 left among 46 cards; four up cards are of one suit with probability 4·C(13,4)/C(52,4); exact, of
//! every seat in every deck. Parts: `river`, completed of four-flushes; `six-cards`, four-flushes of decks;
//! `boards`, four up cards of one suit; each binomial at every seat, the worst seat by Bonferroni. Not judged where
//! the river comes from a reshuffle.

use multiversion::multiversion;

use crate::battery::nulls::histogram;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, common_sum};
use crate::battery::stud::deals::Deals;
use crate::battery::stud::table::{HAND_CARDS, River, StudTable};
use crate::battery::stud::{HandStatistic, parts};
use crate::battery::tier::Tier;
use deckproof_deck::deck::block::{BLOCK_HANDS, Row};

pub(super) struct FourFlush;

pub(super) const ABOUT: About = About {
    id: "four-flush",
    version: 2,
    tier: Tier::Stud,
    title: "river of a four-flush",
    null: "Nine of 46 rivers complete a four-flush.",
    source: "completed ~ Bin(four-flushes, 9/46); four-flushes ~ Bin(N, 4·C(13,4)·C(39,2)/C(52,6)), boards ~ Bin(N, 4·C(13,4)/C(52,4)); \
             every seat, the worst by Bonferroni (1936)",
    detects: "Rivers that come too often or too seldom for who draws to a flush, at one seat too; boards of one suit.",
    decks_min: 1,
    design: Design { parts: 3, ..Design::OF_DECKS },
};

/// Completed, missed, no four-flush after six cards; four up cards of one suit.
const CELLS: usize = 4;

/// 4·C(13,4)·C(39,2) of C(52,6).
const FOUR_OF_SIX: f64 = 4.0 * 715.0 * 741.0 / 20_358_520.0;

/// 4·C(13,4) of C(52,4).
const FOUR_OF_FOUR: f64 = 4.0 * 715.0 / 270_725.0;

/// The up cards of a hand.
const UP: std::ops::Range<usize> = 2..6;

impl HandStatistic for FourFlush {
    fn is_known_at(&self, table: &StudTable) -> bool {
        table.river() != River::Reshuffled
    }

    fn cells(&self, table: &StudTable) -> usize {
        table.players() * CELLS
    }

    /// For every seat: completed, missed, no four-flush after six cards; boards of one suit.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        for (block, _) in deals.iter() {
            for (seat, own) in counts.chunks_mut(CELLS).enumerate() {
                let places = deals.table.places(seat);
                let cards: [&Row; HAND_CARDS] =
                    std::array::from_fn(|card| block.row(usize::from(places[card])));
                let (mut found, mut is_board) = ([0; BLOCK_HANDS], [0; BLOCK_HANDS]);
                rivers(&cards, &mut found, &mut is_board);
                found[..block.hands()].iter().for_each(|&cell| own[usize::from(cell)] += 1);
                own[3] += is_board[..block.hands()].iter().map(|&is| u64::from(is)).sum::<u64>();
            }
        }
    }

    fn decks_in(&self, _: &StudTable, counts: &[u64]) -> Option<u64> {
        let decks = common_sum(counts.chunks(CELLS).map(|own| own[..3].iter().copied()))?;
        counts.chunks(CELLS).all(|own| own[3] <= decks).then_some(decks)
    }

    fn outcomes(&self, _: &StudTable, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let seats = || counts.chunks(CELLS);
        let draws = |own: &[u64]| own[0].saturating_add(own[1]);
        let rivers = seats().map(|own| parts::share("river", "four-flushes", own[0], draws(own), 9.0 / 46.0));
        let six = seats().map(|own| parts::share("six-cards", "decks", draws(own), decks, FOUR_OF_SIX));
        let boards = seats().map(|own| parts::share("boards", "decks", own[3], decks, FOUR_OF_FOUR));
        let lists = rivers.zip(six).zip(boards).map(|((river, six), board)| vec![river, six, board]);
        histogram::worst_of_each(lists.collect())
    }
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn rivers(cards: &[&Row; HAND_CARDS], found: &mut Row, is_board: &mut Row) {
    for (lane, (cell, is_board)) in found.iter_mut().zip(is_board).enumerate() {
        let suit = |card: usize| cards[card][lane] & 3;
        // The suit that four of six cards have, or none: suits count in fields of four bits.
        let mut counts = 0u16;
        for card in 0..HAND_CARDS - 1 {
            counts += 1 << (4 * u16::from(suit(card)));
        }
        let four = counts & 0x4444 & !((counts & 0x2222) << 1 | (counts & 0x1111) << 2);
        let is_made = four >> (4 * u16::from(suit(HAND_CARDS - 1))) & 4 != 0;
        *cell = if four == 0 { 2 } else { u8::from(!is_made) };
        *is_board = u8::from(UP.clone().skip(1).all(|card| suit(card) == suit(UP.start)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::stud::sample;

    #[test]
    fn lanes_agree_with_plain_counting() {
        for block in sample::blocks(21, 20) {
            let cards: [&Row; HAND_CARDS] = std::array::from_fn(|card| block.row(card));
            let (mut found, mut is_board) = ([9; BLOCK_HANDS], [9; BLOCK_HANDS]);
            rivers(&cards, &mut found, &mut is_board);
            for lane in 0..BLOCK_HANDS {
                let suits: Vec<u8> = cards.iter().map(|row| row[lane] % 4).collect();
                let of_suit = |suit: u8| suits[..6].iter().filter(|&&held| held == suit).count();
                let wanted = match (0..4).find(|&suit| of_suit(suit) == 4) {
                    Some(suit) if suits[6] == suit => 0,
                    Some(_) => 1,
                    None => 2,
                };
                assert_eq!(found[lane], wanted, "{suits:?}");
                let board = [suits[2], suits[3], suits[4], suits[5]];
                assert_eq!(is_board[lane] == 1, board.iter().all(|&suit| suit == board[0]), "{suits:?}");
            }
        }
    }

    /// A seat that always makes its flush is found among seven, and its share alone is judged.
    #[test]
    fn a_seat_that_draws_too_well_is_found() {
        let table = &StudTable::all()[0];
        let mut counts: Vec<u64> = [20, 84, 896, 10].repeat(table.players());
        let smallest = |counts: &[u64]| {
            let outcomes = FourFlush.outcomes(table, counts, 1_000);
            outcomes.iter().map(|outcome| outcome.p_value).fold(1.0, f64::min)
        };
        assert!(smallest(&counts) > 1e-3);
        (counts[4], counts[5]) = (104, 0);
        assert!(smallest(&counts) < 1e-20);
        assert_eq!(FourFlush.decks_in(table, &counts), Some(1_000));
        counts[7] = 1_001;
        assert_eq!(FourFlush.decks_in(table, &counts), None);
    }
}
