//! Cycles and fixed points of a deck read as the permutation place → card.

use multiversion::multiversion;

use crate::battery::kernel::{mask, tally};
use crate::card::DECK_CARDS;
use crate::deck::block::{BLOCK_HANDS, DeckBlock, Row};

/// Cells of each histogram: 0 to 52.
pub const CELLS: usize = DECK_CARDS + 1;

/// Points taken out of the permutation in one walk through the rows.
const PIVOTS: usize = 4;

/// Adds each deck to `cycles[number of cycles]` and to `fixed_points[number of fixed points]`.
///
/// # Panics
/// If a histogram has fewer than 53 cells.
pub fn cycles(blocks: &[DeckBlock], cycles: &mut [u64], fixed_points: &mut [u64]) {
    for block in blocks {
        let (mut rows, mut found) = (*block.rows(), [[0; BLOCK_HANDS]; 2]);
        contract(&mut rows, &mut found);
        tally(cycles, &found[0], block.hands());
        tally(fixed_points, &found[1], block.hands());
    }
}

/// Takes out the points 51, 50, …: what led to a point now leads where the point led, and a point that
/// leads to itself was the last of its cycle. Counts cycles and fixed points.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn contract(rows: &mut [Row; DECK_CARDS], found: &mut [Row; 2]) {
    let [cycles, fixed_points] = found;
    for (row, point) in rows.iter().zip(0..) {
        count_equal(fixed_points, row, point);
    }
    for first in (0..DECK_CARDS).step_by(PIVOTS).rev() {
        let (front, pivots) = rows.split_at_mut(first);
        let mut targets: [Row; PIVOTS] = *pivots.first_chunk().expect("52 is a multiple of 4");
        for pivot in (0..PIVOTS).rev() {
            let target = targets[pivot];
            let point = (first + pivot) as u8;
            count_equal(cycles, &target, point);
            for earlier in &mut targets[..pivot] {
                redirect(earlier, &target, point);
            }
        }
        for row in front {
            let mut places = *row;
            for pivot in (0..PIVOTS).rev() {
                redirect(&mut places, &targets[pivot], (first + pivot) as u8);
            }
            *row = places;
        }
    }
}

#[inline(always)]
fn count_equal(counts: &mut Row, row: &Row, point: u8) {
    for lane in 0..BLOCK_HANDS {
        counts[lane] = counts[lane].wrapping_sub(mask(row[lane] == point));
    }
}

/// Where a row leads to the point it now leads to the point's target.
#[inline(always)]
fn redirect(row: &mut Row, target: &Row, point: u8) {
    for lane in 0..BLOCK_HANDS {
        row[lane] ^= (row[lane] ^ target[lane]) & mask(row[lane] == point);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::check;

    #[test]
    fn cycles_equal_walking_them() {
        check::<CELLS>(
            |blocks, counts| cycles(blocks, counts, &mut [0; CELLS]),
            |deck, counts| {
                let (mut seen, mut cycles) = ([false; DECK_CARDS], 0);
                for start in 0..DECK_CARDS {
                    cycles += usize::from(!seen[start]);
                    let mut place = start;
                    while !std::mem::replace(&mut seen[place], true) {
                        place = usize::from(deck.indices()[place]);
                    }
                }
                counts[cycles] += 1;
            },
        );
    }

    #[test]
    fn fixed_points_equal_plain_counting() {
        check::<CELLS>(
            |blocks, counts| cycles(blocks, &mut [0; CELLS], counts),
            |deck, counts| {
                let fixed = deck.indices().iter().zip(0u8..).filter(|&(&card, place)| card == place);
                counts[fixed.count()] += 1;
            },
        );
    }
}
