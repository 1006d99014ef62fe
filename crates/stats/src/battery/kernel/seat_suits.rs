//! The suits of the first three cards of every seat: codes of six bits, counted by planes.

use multiversion::multiversion;

use crate::battery::kernel::planes::{BLOCKS, Minterms};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, EMPTY_LANE, Row};

/// Seats at a table: from two to eight.
pub const SEATS: std::ops::RangeInclusive<usize> = 2..=8;

/// A seat and a number of seats: 2 + 3 + … + 8.
pub const TABLES: usize = 35;

/// Suits of three cards in order.
pub const CODES: usize = 64;

/// Cells of all tables.
pub const CELLS: usize = TABLES * CODES;

/// The places of the first three cards of every seat of every table: two rounds down and one up serve the
/// seats in turn.
pub fn first_three() -> impl Iterator<Item = [usize; 3]> {
    SEATS.flat_map(|seats| (0..seats).map(move |seat| [seat, seats + seat, 2 * seats + seat]))
}

/// Adds each deck to `counts[64·table + 16·a + 4·b + c]` for the suits a, b, c of the first three cards of each
/// seat, in the order of [`first_three`].
///
/// # Panics
/// If there are fewer than 2,240 counts.
pub fn seat_suits(blocks: &[DeckBlock], counts: &mut [u64]) {
    assert!(counts.len() >= CELLS, "{} counts, wanted {CELLS}", counts.len());
    for blocks in blocks.chunks(BLOCKS) {
        count(blocks, counts);
    }
}

/// Empty lanes have code 63, as missing blocks have: that cell gets what the others leave of the decks.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx512bitalg", "x86_64+avx2", "aarch64+neon"))]
fn count(blocks: &[DeckBlock], counts: &mut [u64]) {
    let mut codes = [[EMPTY_LANE; BLOCK_HANDS]; BLOCKS];
    let decks: u64 = blocks.iter().map(|block| block.hands() as u64).sum();
    let mut minterms = Minterms::default();
    for (cells, places) in counts.chunks_exact_mut(CODES).zip(first_three()) {
        for (code, block) in codes.iter_mut().zip(blocks) {
            encode(code, block.rows(), places);
        }
        minterms.read(&codes[..blocks.len()], |code| code);
        let mut rest = decks;
        let (last, others) = cells.split_last_mut().expect("a table has cells");
        for (cell, code) in others.iter_mut().zip(0..) {
            let counted = minterms.count(code);
            *cell += counted;
            rest -= counted;
        }
        *last += rest;
    }
}

#[inline(always)]
fn encode(code: &mut Row, rows: &[Row; DECK_CARDS], places: [usize; 3]) {
    let [first, second, third] = places.map(|place| &rows[place]);
    for lane in 0..BLOCK_HANDS {
        code[lane] = (first[lane] & 3) << 4 | (second[lane] & 3) << 2 | third[lane] & 3;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::check;

    #[test]
    fn every_cell_equals_dealing_the_seats() {
        check::<CELLS>(seat_suits, |deck, counts| {
            let mut table = 0;
            for seats in 2..=8 {
                for seat in 0..seats {
                    let dealt = deck.indices().iter().skip(seat).step_by(seats).take(3);
                    let code = dealt.fold(0, |code, card| 4 * code + usize::from(card % 4));
                    counts[64 * table + code] += 1;
                    table += 1;
                }
            }
            assert_eq!(table, TABLES);
        });
    }
}
