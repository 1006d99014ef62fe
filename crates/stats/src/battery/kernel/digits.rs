//! How often each digit of an undone shuffle is drawn, and how far it moves from deck to deck.

use multiversion::multiversion;

use crate::battery::kernel::planes::{BLOCKS, Minterms};
use crate::battery::kernel::undo::Digits;
use crate::battery::kernel::value_counts::value_counts;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, EMPTY_LANE, Row, empty_lanes};

/// Cells of a table with the single cell of base 1: 1 + 2 + … + 52.
pub const CELLS: usize = DECK_CARDS * (DECK_CARDS + 1) / 2;

/// One way to undo a shuffle, of [`undo`](crate::battery::kernel::undo).
pub type Way = fn(&[Row; DECK_CARDS], &mut Digits);

/// Where the digits of base m begin in a table: `m(m−1)/2`.
pub const fn offset(base: usize) -> usize {
    base * (base - 1) / 2
}

/// Adds each deck to `counts[m(m−1)/2 + d]` for its digit d of every base m, where base 1 counts the decks, and to
/// `moves[m(m−1)/2 + δ]` how far each digit moves, `δ = d_{t+1} − d_t mod m`, from a deck to the next one of
/// its block.
///
/// # Panics
/// If there are fewer than 1,378 of either counts.
pub fn digits_and_moves(blocks: &[DeckBlock], way: Way, counts: &mut [u64], moves: &mut [u64]) {
    let mut room = vec![[[EMPTY_LANE; BLOCK_HANDS]; DECK_CARDS]; blocks.len().min(BLOCKS)];
    for blocks in blocks.chunks(BLOCKS) {
        let tables = &mut room[..blocks.len()];
        blocks.iter().zip(tables.iter_mut()).for_each(|(block, table)| way(block.rows(), table));
        count(tables, counts);
        for (table, block) in tables.iter_mut().zip(blocks) {
            differences(table);
            empty_lanes(table, block.hands().saturating_sub(1));
        }
        count(tables, moves);
    }
}

fn count(tables: &[Digits], counts: &mut [u64]) {
    let mut minterms = Minterms::default();
    for base in 1..=DECK_CARDS {
        let own = &mut counts[offset(base)..][..base];
        value_counts(&mut minterms, tables, |table: &Digits| &table[base - 1], own);
    }
}

/// Each digit becomes the next deck's less its own; what the last lane gets is of no meaning.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn differences(digits: &mut Digits) {
    for place in 0..DECK_CARDS {
        let (digit, base) = (digits[place], place as u8 + 1);
        // Read across the end of the row where there is a next row: one unaligned load instead of a copy.
        let behind = digits.as_flattened()[BLOCK_HANDS * place + 1..].first_chunk();
        let next: Row =
            behind.copied().unwrap_or_else(|| std::array::from_fn(|lane| digit[(lane + 1) % BLOCK_HANDS]));
        for lane in 0..BLOCK_HANDS {
            // Below zero it wraps above 128, and the base takes it round again.
            let difference = next[lane].wrapping_sub(digit[lane]);
            digits[place][lane] = difference.min(difference.wrapping_add(base));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::{SIZES, blocks};
    use crate::battery::kernel::undo;
    use crate::battery::undone;
    use crate::battery::walk::Order;

    fn check_way(way: Way, plain: fn(&Order) -> undone::Digits) {
        for (number, hands_last) in SIZES {
            let blocks = blocks(number, hands_last);
            // Kernels add to what is there.
            let (mut counts, mut moves) = (vec![3; CELLS], vec![5; CELLS]);
            let (mut expected, mut expected_moves) = (counts.clone(), moves.clone());
            digits_and_moves(&blocks, way, &mut counts, &mut moves);
            for block in &blocks {
                let digits: Vec<undone::Digits> =
                    (0..block.hands()).map(|lane| plain(block.deck(lane).indices())).collect();
                for (deck, base) in digits.iter().flat_map(|deck| (1..=52).map(move |base| (deck, base))) {
                    expected[base * (base - 1) / 2 + usize::from(deck[base])] += 1;
                }
                for (pair, base) in digits.windows(2).flat_map(|pair| (1..=52).map(move |base| (pair, base)))
                {
                    let moved = (base + usize::from(pair[1][base]) - usize::from(pair[0][base])) % base;
                    expected_moves[base * (base - 1) / 2 + moved] += 1;
                }
            }
            assert!(
                counts == expected && moves == expected_moves,
                "{number} blocks, {hands_last} in the last"
            );
        }
    }

    #[test]
    fn every_cell_equals_counting_and_subtracting_deck_by_deck() {
        check_way(undo::down, undone::down);
        check_way(undo::up, undone::up);
        check_way(undo::lehmer, undone::lehmer);
    }
}
