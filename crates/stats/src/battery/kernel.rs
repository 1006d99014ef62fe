//! Counting kernels: what the statistics of the first battery count, 64 decks at a time.
//!
//! Each adds the decks of consecutive blocks to counts whose layout it documents. Lanes that hold no
//! deck hold 63 at every place, for which no table has a cell.

pub mod adjacency;
pub mod by_order;
pub mod canonical;
pub mod card_place;
pub mod cycles;
pub mod digits;
pub mod exceedances;
pub mod fingerprint;
pub mod footrule;
pub mod inverse_descents;
pub mod inversions;
pub mod lags;
pub mod longest_cycle;
pub mod longest_run;
pub mod matches;
pub mod monotone;
pub mod neighbours;
pub mod place_pairs;
pub(super) mod planes;
pub mod rare_hands;
pub mod records;
pub mod seat_suits;
pub mod undo;
pub(super) mod value_counts;

use deckproof_deck::deck::block::{BLOCK_HANDS, Row};

/// Adds one to the cell of each lane that holds a deck.
#[inline(always)]
pub(super) fn tally<Value: Copy + Into<u64>>(
    counts: &mut [u64],
    values: &[Value; BLOCK_HANDS],
    hands: usize,
) {
    for &value in &values[..hands] {
        counts[value.into() as usize] += 1;
    }
}

/// All ones where the condition holds: arithmetic that lanes can do, unlike a branch.
#[inline(always)]
fn mask(condition: bool) -> u8 {
    0u8.wrapping_sub(u8::from(condition))
}

/// Adds one to the lanes where the left row is above the right one. Compared as signed bytes, which
/// is what the instruction sets have; all values are below 64.
#[inline(always)]
pub(super) fn count_above(counts: &mut Row, left: &Row, right: &Row) {
    for lane in 0..BLOCK_HANDS {
        counts[lane] = counts[lane].wrapping_sub(mask(left[lane] as i8 > right[lane] as i8));
    }
}

#[cfg(test)]
mod sample {
    //! Blocks for the kernels' tests.

    use crate::battery::walk::sample::reversed;
    use deckproof_deck::card::DECK_CARDS;
    use deckproof_deck::deck::Deck;
    use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, Row};
    use deckproof_deck::key::AuditKey;
    use deckproof_deck::shuffle::lanes::{PreparedAuditKey, audit_block};

    /// Shuffled decks with the extremes in some lanes, the last block partly filled.
    pub(super) fn blocks(number: usize, hands_last: usize) -> Vec<DeckBlock> {
        let key = PreparedAuditKey::new(&AuditKey::from_bytes([number as u8; 32]));
        let mut blocks = vec![DeckBlock::default(); number];
        for (index, block) in blocks.iter_mut().enumerate() {
            let hands = if index + 1 == number { hands_last } else { BLOCK_HANDS };
            audit_block(&key, 64 * index as u64, hands, block);
        }
        if number > 1 {
            blocks[0].replace(3, &Deck::in_order());
            blocks[0].replace(63, &reversed());
        }
        blocks
    }

    /// Every deck of the blocks.
    pub(super) fn decks(blocks: &[DeckBlock]) -> impl Iterator<Item = Deck> + '_ {
        blocks.iter().flat_map(|block| (0..block.hands()).map(|lane| block.deck(lane)))
    }

    /// Block numbers around the groups of 8 and 64 that kernels work in, each with a partial block.
    pub(super) const SIZES: [(usize, usize); 8] =
        [(1, 0), (1, 1), (1, 64), (2, 17), (8, 64), (9, 63), (64, 64), (75, 5)];

    /// Compares a number of every lane with the same number of one deck after another.
    pub(super) fn check_numbers(
        kernel: fn(&[Row; DECK_CARDS]) -> Row,
        plain: impl Fn(&[u8; DECK_CARDS]) -> usize,
    ) {
        for block in SIZES.into_iter().flat_map(|(number, hands_last)| blocks(number, hands_last)) {
            let found = kernel(block.rows());
            for (lane, &number) in found[..block.hands()].iter().enumerate() {
                let deck = block.deck(lane);
                assert_eq!(usize::from(number), plain(deck.indices()), "lane {lane}: {deck}");
            }
        }
    }

    /// Compares a kernel with plain counting; the counts start at different values, for kernels add.
    pub(super) fn check<const CELLS: usize>(
        kernel: impl Fn(&[DeckBlock], &mut [u64]),
        plain: impl Fn(&Deck, &mut [u64]),
    ) {
        for (number, hands_last) in SIZES {
            let blocks = blocks(number, hands_last);
            let mut counts: Vec<u64> = (0..CELLS as u64).collect();
            let mut expected = counts.clone();
            kernel(&blocks, &mut counts);
            decks(&blocks).for_each(|deck| plain(&deck, &mut expected));
            assert!(counts == expected, "{number} blocks, {hands_last} hands in the last");
        }
    }
}
