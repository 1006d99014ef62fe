//! The shuffle undone, 64 decks at a time: the digits a Fisher–Yates shuffle must have drawn.
//!
//! Each way maps the 52! orders one-to-one onto digits `d` in 0..m for the bases m = 2..=52. Where a lane
//! is empty, each digit lies from its base to 63, so that no table has a cell for it.

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::battery::kernel::mask;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, Row};

/// `digits[m − 1]` holds the digits of base m.
pub type Digits = [Row; DECK_CARDS];

/// Rows that stay in registers: four of 64 bytes are eight of the 16 of AVX2. Of the 32 of AVX-512 13 hide that a row waits
/// for its last comparison.
const ROWS: usize = 4;

/// Cards that stay in registers beside their counts.
const PAIR: usize = 2;

/// Durstenfeld's (1964) downward loop from 0..52: base i + 1 for i = 51, …, 1, swapped with `d`.
pub fn down(cards: &[Row; DECK_CARDS], digits: &mut Digits) {
    *digits = *cards;
    undo(digits);
}

/// The upward loop from 0..52: base 52 − i for i = 0, …, 50, swapped with `i + d`.
///
/// Turned over and with cards counted from the other end, `51 − c[51 − i]`, it is the downward loop, and
/// a swap with `j` one with `51 − j`.
pub fn up(cards: &[Row; DECK_CARDS], digits: &mut Digits) {
    for (row, card) in digits.iter_mut().zip(cards.iter().rev()) {
        *row = card.map(|card| (DECK_CARDS as u8 - 1).wrapping_sub(card));
    }
    undo(digits);
    for (row, place) in digits.iter_mut().zip(0u8..) {
        // Empty lanes hold 51 − 63 and become place + 12.
        *row = row.map(|drawn| place.wrapping_sub(drawn));
    }
}

/// Turns decks into draws in place, the shuffle's fold run backwards: the draw at `i` is found by
/// following the card through the swaps `51, 50, …`:
/// `x = c_i; for k in (i+1..52).rev() { if x == k { x = j_k } }`.
///
/// With AVX-512 a masked blend replaces three instructions.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn undo(rows: &mut [Row; DECK_CARDS]) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl" => undo_some::<13>(rows),
        _ => undo_some::<ROWS>(rows),
    }
}

/// So many rows at a time, of which 52 is a multiple.
#[inline(always)]
fn undo_some<const ROWS: usize>(rows: &mut [Row; DECK_CARDS]) {
    for first in (0..DECK_CARDS).step_by(ROWS).rev() {
        // Rows behind are draws already.
        let (four, behind) = rows[first..].split_first_chunk_mut::<ROWS>().expect("52 is a multiple");
        let mut draws = *four;
        for (draw, later) in behind.iter().zip(first + ROWS..DECK_CARDS).rev() {
            for row in &mut draws {
                follow(row, draw, later as u8);
            }
        }
        for later in (1..ROWS).rev() {
            let (earlier, draw) = draws.split_at_mut(later);
            for row in earlier {
                follow(row, &draw[0], (first + later) as u8);
            }
        }
        *four = draws;
    }
}

/// A card that came to stand at `later` was fetched from where the draw says.
#[inline(always)]
fn follow(places: &mut Row, draw: &Row, later: u8) {
    for lane in 0..BLOCK_HANDS {
        let hit = mask(places[lane] == later);
        places[lane] = places[lane] & !hit | draw[lane] & hit;
    }
}

/// Lehmer's (1960) code, the index drawn from a bag kept in order: base 52 − i counts the later entries
/// smaller than the one at place i, which is the card less the smaller ones before it.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub fn lehmer(cards: &[Row; DECK_CARDS], digits: &mut Digits) {
    for first in (0..DECK_CARDS).step_by(PAIR) {
        let (before, pair) = cards[..first + PAIR].split_at(first);
        let pair: [Row; PAIR] = [pair[0], pair[1]];
        let mut ranks = pair;
        for row in before {
            for (rank, card) in ranks.iter_mut().zip(&pair) {
                take_smaller(rank, card, row);
            }
        }
        take_smaller(&mut ranks[1], &pair[1], &pair[0]);
        for (rank, place) in ranks.iter().zip(first..) {
            digits[DECK_CARDS - 1 - place] = *rank;
        }
    }
}

/// Takes one off the ranks of the cards that lie above the other ones. Compared as signed bytes, which is
/// what the instruction sets have.
#[inline(always)]
fn take_smaller(ranks: &mut Row, cards: &Row, others: &Row) {
    for lane in 0..BLOCK_HANDS {
        ranks[lane] = ranks[lane].wrapping_add(mask(cards[lane] as i8 > others[lane] as i8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::{SIZES, blocks};
    use crate::battery::undone;
    use crate::battery::walk::Order;

    fn check(kernel: fn(&[Row; DECK_CARDS], &mut Digits), plain: fn(&Order) -> undone::Digits) {
        for (number, hands_last) in SIZES {
            for block in &blocks(number, hands_last) {
                // What stood there before must not show through.
                let mut digits = [[7; BLOCK_HANDS]; DECK_CARDS];
                kernel(block.rows(), &mut digits);
                for (lane, deck) in (0..block.hands()).map(|lane| (lane, block.deck(lane))) {
                    let found = digits.map(|row| row[lane]);
                    assert_eq!(found, plain(deck.indices())[1..], "lane {lane}");
                }
                for (base, row) in (1..).zip(&digits) {
                    assert!(row[block.hands()..].iter().all(|&digit| digit >= base && digit < 64));
                }
            }
        }
    }

    #[test]
    fn downward_swaps_are_undone_as_swap_by_swap() {
        check(down, undone::down);
    }

    #[test]
    fn upward_swaps_are_undone_as_swap_by_swap() {
        check(up, undone::up);
    }

    #[test]
    fn bag_indices_are_those_of_counting_the_bag() {
        check(lehmer, undone::lehmer);
    }
}
