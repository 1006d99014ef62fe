//! From draws to decks without an indexed load: the swaps of 64 hands as a fold.

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::card::DECK_CARDS;
use crate::deck::block::{BLOCK_HANDS, Row};

/// Rows of the result that stay in registers: four of 64 bytes are eight of the 16 of AVX2. Of the 32 of AVX-512 13 hide that
/// a row waits for its last comparison.
const ROWS: usize = 4;

/// Turns draws into decks in place: the card at place `i` is found by following place `j_i` back through the
/// swaps `i + 1, i + 2, …`: `x = j_i; for k in i+1..52 { if x == j_k { x = k } }`.
///
/// With AVX-512 a masked blend replaces three instructions.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn decks(rows: &mut [Row; DECK_CARDS]) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl" => some_decks::<13>(rows),
        _ => some_decks::<ROWS>(rows),
    }
}

/// So many rows at a time, of which 52 is a multiple.
#[inline(always)]
fn some_decks<const ROWS: usize>(rows: &mut [Row; DECK_CARDS]) {
    for first in (0..DECK_CARDS).step_by(ROWS) {
        // Rows in front of `first` are cards already and are not looked at again.
        let (four, behind) = rows[first..].split_first_chunk_mut::<ROWS>().expect("52 is a multiple");
        let mut cards = *four;
        for later in 1..ROWS {
            for card in &mut cards[..later] {
                follow(card, &four[later], (first + later) as u8);
            }
        }
        for (draw, later) in behind.iter().zip(first + ROWS..) {
            for card in &mut cards {
                follow(card, draw, later as u8);
            }
        }
        *four = cards;
    }
}

/// Where the draw names the place followed, the trail goes on at `later`.
#[inline(always)]
fn follow(places: &mut Row, draw: &Row, later: u8) {
    for lane in 0..BLOCK_HANDS {
        let hit = 0u8.wrapping_sub(u8::from(places[lane] == draw[lane]));
        places[lane] = places[lane] & !hit | later & hit;
    }
}
