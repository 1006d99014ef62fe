//! The longest cycle of a deck read as the permutation place → card.

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::battery::kernel::mask;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, Row};

/// Points taken out of the permutation in one walk through the rows: as many as the registers of AVX2 hold; those of AVX-512 hold four.
const PIVOTS: usize = 2;

/// A point of every lane: where it leads and how many points it represents.
#[derive(Clone, Copy)]
struct Point {
    target: Row,
    length: Row,
}

/// The length of the longest cycle of every lane; of no meaning where a lane is empty.
///
/// Takes out the points 51, 50, …: what led to a point now leads where the point led and represents the
/// point too; a point that leads to itself was the last of its cycle and represents all of it.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub fn longest_cycle(cards: &[Row; DECK_CARDS]) -> Row {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl" => longest::<4>(cards),
        _ => longest::<PIVOTS>(cards),
    }
}

/// So many points at a time, of which 52 is a multiple.
#[inline(always)]
fn longest<const PIVOTS: usize>(cards: &[Row; DECK_CARDS]) -> Row {
    let mut points = cards.map(|target| Point { target, length: [1; BLOCK_HANDS] });
    let mut longest = [0; BLOCK_HANDS];
    for first in (0..DECK_CARDS).step_by(PIVOTS).rev() {
        let (front, pivots) = points.split_at_mut(first);
        let mut pivots: [Point; PIVOTS] = *pivots.first_chunk().expect("52 is a multiple");
        for pivot in (0..PIVOTS).rev() {
            let (earlier, taken) = pivots.split_at_mut(pivot);
            close(&mut longest, &taken[0], (first + pivot) as u8);
            earlier.iter_mut().for_each(|point| redirect(point, &taken[0], (first + pivot) as u8));
        }
        for point in front {
            let mut led = *point;
            for pivot in (0..PIVOTS).rev() {
                redirect(&mut led, &pivots[pivot], (first + pivot) as u8);
            }
            *point = led;
        }
    }
    longest
}

/// Where the point leads to itself, its cycle is whole.
#[inline(always)]
fn close(longest: &mut Row, point: &Point, number: u8) {
    for (longest, (target, length)) in longest.iter_mut().zip(point.target.iter().zip(&point.length)) {
        *longest = (*longest).max(length & mask(*target == number));
    }
}

/// Where a point leads to the one taken out, it takes over its target and its length.
#[inline(always)]
fn redirect(point: &mut Point, taken: &Point, number: u8) {
    for lane in 0..BLOCK_HANDS {
        let hit = mask(point.target[lane] == number);
        point.target[lane] = point.target[lane] & !hit | taken.target[lane] & hit;
        point.length[lane] = point.length[lane].wrapping_add(taken.length[lane] & hit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::check_numbers;

    #[test]
    fn longest_cycle_equals_walking_all_of_them() {
        check_numbers(longest_cycle, |cards| {
            let (mut seen, mut longest) = (0u64, 0);
            for start in 0..DECK_CARDS {
                let (mut at, mut length) = (start, 0);
                while seen >> at & 1 == 0 {
                    seen |= 1 << at;
                    at = usize::from(cards[at]);
                    length += 1;
                }
                longest = longest.max(length);
            }
            longest
        });
    }
}
