//! Place → place some decks on: which place the card of each place has come to.

use multiversion::multiversion;

use crate::battery::kernel::mask;
use crate::battery::kernel::planes::{self, Minterms};
use crate::battery::kernel::value_counts::{VALUES, value_counts};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, EMPTY_LANE, Row};
use deckproof_deck::deck::orders::{self, composed, inverses, push_decks, to_rows};

/// Cells of the table of one lag.
pub const CELLS: usize = DECK_CARDS * DECK_CARDS;

/// Blocks looked at together: each adds at most two to a byte of a sum.
const BLOCKS: usize = 16;

/// Lanes looked at together, one register of AVX2.
const HALF: usize = BLOCK_HANDS / 2;

/// Places before and after whose sums stay in registers: eight of 16.
const BEFORE: usize = 4;
const AFTER: usize = 2;

/// What a lane without a deck `lag` later holds: no card, and not what an empty lane holds.
const NO_DECK: u8 = EMPTY_LANE - 1;

/// The decks of a block, each in the lane of the deck `lag` before it.
type Later = [Row; DECK_CARDS];

/// Adds each pair of decks t and t + L of one block to the `[52·before + after]` of the table of the lag L, once for every
/// card: the place it had and the place it has.
///
/// # Panics
/// If there are fewer than 52² counts for each lag.
pub fn place_to_place(blocks: &[&DeckBlock], lags: &[usize], counts: &mut [u64]) {
    assert!(counts.len() >= CELLS * lags.len(), "{} counts, wanted {CELLS} for each lag", counts.len());
    if orders::are_possible() {
        return by_order(blocks, lags, counts);
    }
    lags.iter().zip(counts.chunks_mut(CELLS)).for_each(|(&lag, table)| by_lane(blocks, lag, table));
}

/// One deck after another: the relative decks, and how often each place is in each of their rows. On an AMD EPYC of
/// family 26 four lags take 25 ns a deck, by lanes 180.
fn by_order(blocks: &[&DeckBlock], lags: &[usize], counts: &mut [u64]) {
    let mut rows = vec![[[EMPTY_LANE; BLOCK_HANDS]; DECK_CARDS]; blocks.len().min(planes::BLOCKS)];
    let mut decks: Vec<_> = rows.iter().map(|_| [const { Vec::new() }; 2]).collect();
    let (mut moved, mut minterms) = (Vec::new(), Minterms::default());
    for blocks in blocks.chunks(planes::BLOCKS) {
        for ([cards, places], block) in decks.iter_mut().zip(blocks) {
            cards.clear();
            push_decks(block, cards);
            inverses(cards, places);
        }
        for (&lag, table) in lags.iter().zip(counts.chunks_mut(CELLS)) {
            for ([cards, places], rows) in decks.iter().zip(&mut rows).take(blocks.len()) {
                let links = cards.len().saturating_sub(lag);
                composed(&cards[..links], places.get(lag..).unwrap_or_default(), &mut moved);
                to_rows(&moved, rows);
            }
            for (before, cells) in table.chunks_mut(DECK_CARDS).enumerate() {
                let mut counted = [0; VALUES];
                value_counts(
                    &mut minterms,
                    &rows[..blocks.len()],
                    |rows: &Later| &rows[before],
                    &mut counted,
                );
                cells.iter_mut().zip(counted).for_each(|(cell, counted)| *cell += counted);
            }
        }
    }
}

/// 64 decks side by side, one lag.
fn by_lane(blocks: &[&DeckBlock], lag: usize, counts: &mut [u64]) {
    let mut later = [[[NO_DECK; BLOCK_HANDS]; DECK_CARDS]; BLOCKS];
    for blocks in blocks.chunks(BLOCKS) {
        for (later, block) in later.iter_mut().zip(blocks) {
            move_up(block, lag, later);
        }
        count(blocks, &later, counts);
    }
}

fn move_up(block: &DeckBlock, lag: usize, later: &mut Later) {
    let pairs = block.hands().saturating_sub(lag);
    for (later, row) in later.iter_mut().zip(block.rows()) {
        *later = [NO_DECK; BLOCK_HANDS];
        later[..pairs].copy_from_slice(&row[lag.min(BLOCK_HANDS)..][..pairs]);
    }
}

/// Not compiled for AVX-512: its mask registers make byte comparisons slower, not faster.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn count(blocks: &[&DeckBlock], later: &[Later], counts: &mut [u64]) {
    for before in (0..DECK_CARDS).step_by(BEFORE) {
        for after in (0..DECK_CARDS).step_by(AFTER) {
            let mut sums = [[0u8; HALF]; BEFORE * AFTER];
            for (block, later) in blocks.iter().zip(later) {
                let own: &[Row; BEFORE] =
                    block.rows()[before..].first_chunk().expect("52 is a multiple of 4");
                let next: &[Row; AFTER] = later[after..].first_chunk().expect("52 is a multiple of 2");
                for half in 0..BLOCK_HANDS / HALF {
                    let [first, second] = next.each_ref().map(|row| lanes(row, half));
                    // One by one, so that every sum stays in a register however the loops around are compiled.
                    add(&mut sums[0], lanes(&own[0], half), first);
                    add(&mut sums[1], lanes(&own[0], half), second);
                    add(&mut sums[2], lanes(&own[1], half), first);
                    add(&mut sums[3], lanes(&own[1], half), second);
                    add(&mut sums[4], lanes(&own[2], half), first);
                    add(&mut sums[5], lanes(&own[2], half), second);
                    add(&mut sums[6], lanes(&own[3], half), first);
                    add(&mut sums[7], lanes(&own[3], half), second);
                }
            }
            for (pair, sum) in sums.iter().enumerate() {
                let total: u64 = sum.iter().map(|&count| u64::from(count)).sum();
                counts[DECK_CARDS * (before + pair / AFTER) + after + pair % AFTER] += total;
            }
        }
    }
}

#[inline(always)]
fn lanes(row: &Row, half: usize) -> &[u8; HALF] {
    &row.as_chunks().0[half]
}

/// Adds one to the lanes where a card before is the card after.
#[inline(always)]
fn add(sum: &mut [u8; HALF], before: &[u8; HALF], after: &[u8; HALF]) {
    for lane in 0..HALF {
        sum[lane] = sum[lane].wrapping_sub(mask(before[lane] == after[lane]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::{SIZES, blocks};

    #[test]
    fn every_cell_equals_following_every_card() {
        for (number, hands_last) in SIZES {
            let blocks = blocks(number, hands_last);
            for lag in [1, 2, 16, 63] {
                let counts: Vec<u64> = (0..CELLS as u64).collect();
                let mut expected = counts.clone();
                for block in &blocks {
                    for lane in lag..block.hands() {
                        let (before, after) = (block.deck(lane - lag), block.deck(lane));
                        for (place, card) in before.indices().iter().enumerate() {
                            let now = after.indices().iter().position(|other| other == card);
                            expected[DECK_CARDS * place + now.expect("a deck holds every card")] += 1;
                        }
                    }
                }
                let seen: Vec<&DeckBlock> = blocks.iter().collect();
                let [mut found, mut two] = [counts.clone(), counts.repeat(2)];
                by_lane(&seen, lag, &mut found);
                assert!(found == expected, "{number} blocks, {hands_last} hands in the last, lag {lag}");
                by_order(&seen, &[1, lag], &mut two);
                assert!(two[CELLS..] == expected, "one by one, {number} blocks, {hands_last}, lag {lag}");
            }
        }
    }
}
