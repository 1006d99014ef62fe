//! Place → place some decks on: which place the card of each place has come to.

use multiversion::multiversion;

use crate::battery::kernel::mask;
use crate::card::DECK_CARDS;
use crate::deck::block::{BLOCK_HANDS, DeckBlock, EMPTY_LANE, Row};

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

/// Adds each pair of decks t and t + `lag` of one block to `counts[52·before + after]`, once for every card: the
/// place it had and the place it has.
///
/// # Panics
/// If there are fewer than 52² counts.
pub fn place_to_place(blocks: &[&DeckBlock], lag: usize, counts: &mut [u64]) {
    assert!(counts.len() >= CELLS, "{} counts, wanted {CELLS}", counts.len());
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
                let mut counts: Vec<u64> = (0..CELLS as u64).collect();
                let mut expected = counts.clone();
                place_to_place(&blocks.iter().collect::<Vec<_>>(), lag, &mut counts);
                for block in &blocks {
                    for lane in lag..block.hands() {
                        let (before, after) = (block.deck(lane - lag), block.deck(lane));
                        for (place, card) in before.indices().iter().enumerate() {
                            let now = after.indices().iter().position(|other| other == card);
                            expected[DECK_CARDS * place + now.expect("a deck holds every card")] += 1;
                        }
                    }
                }
                assert!(counts == expected, "{number} blocks, {hands_last} hands in the last, lag {lag}");
            }
        }
    }
}
