//! Which card follows which: increments in a table that is a power of two wide.

use multiversion::multiversion;

use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, Row};

/// The symbol before the first card and after the last one: the word is cyclic.
pub const DELIMITER: usize = DECK_CARDS;

/// Symbols: the cards and the delimiter.
pub const SYMBOLS: usize = DECK_CARDS + 1;

/// Cells of the table.
pub const CELLS: usize = SYMBOLS * SYMBOLS;

/// A cell for every pair of 6-bit values, so that an index is a shift and needs no check. Cells of 16 bits
/// would leave more room in the first-level cache, and take half as long again.
type Table = [u32; 64 * 64];

/// Blocks whose pairs surely fit into 32 bits of a cell: a deck holds a pair at most once.
const BLOCKS_MAX: usize = 1 << 25;

/// Adds each deck to `counts[a·53 + b]`, once for every symbol `b` that directly follows `a` in the
/// cyclic word delimiter, c₀, …, c₅₁ (the delimiter is 52).
///
/// # Panics
/// If there are fewer than 53² counts.
pub fn adjacency(blocks: &[DeckBlock], counts: &mut [u64]) {
    assert!(counts.len() >= CELLS, "{} counts, wanted {CELLS}", counts.len());
    for blocks in blocks.chunks(BLOCKS_MAX) {
        let mut table = [0; 64 * 64];
        blocks.iter().for_each(|block| count(block.rows(), &mut table));
        for (cells, row) in counts.chunks_exact_mut(SYMBOLS).zip(table.chunks_exact(64)) {
            for (cell, &counted) in cells.iter_mut().zip(row) {
                *cell += u64::from(counted);
            }
        }
    }
}

/// Empty lanes fall into the cells of the symbol 63, which nobody reads and which may wrap.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn count(rows: &[Row; DECK_CARDS], table: &mut Table) {
    let delimiter = [DELIMITER as u8; BLOCK_HANDS];
    increment(table, &delimiter, &rows[0]);
    for pair in rows.windows(2) {
        increment(table, &pair[0], &pair[1]);
    }
    increment(table, &rows[DECK_CARDS - 1], &delimiter);
}

#[inline(always)]
fn increment(table: &mut Table, first: &Row, second: &Row) {
    let mut cells = [0; BLOCK_HANDS];
    for lane in 0..BLOCK_HANDS {
        cells[lane] = u16::from(first[lane]) << 6 | u16::from(second[lane]);
    }
    for cell in cells {
        let cell = &mut table[usize::from(cell) % (64 * 64)];
        *cell = cell.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::check;

    #[test]
    fn every_cell_equals_plain_counting() {
        check::<CELLS>(adjacency, |deck, counts| {
            let mut symbol = DELIMITER;
            for &card in deck.indices() {
                counts[symbol * 53 + usize::from(card)] += 1;
                symbol = usize::from(card);
            }
            counts[symbol * 53 + DELIMITER] += 1;
        });
    }
}
