//! The longest increasing and decreasing subsequences, a set of pile tops for every lane.

use multiversion::multiversion;

use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, Row};

/// Lanes whose sets stay in registers: four of AVX2.
const LANES: usize = 16;

/// The length of the longest increasing subsequence of every lane; of no meaning where a lane is empty.
pub fn longest_increasing(cards: &[Row; DECK_CARDS]) -> Row {
    piles(&cards.each_ref())
}

/// The length of the longest decreasing subsequence of every lane, which increases from the bottom of the
/// deck up; of no meaning where a lane is empty.
pub fn longest_decreasing(cards: &[Row; DECK_CARDS]) -> Row {
    let mut upward = cards.each_ref();
    upward.reverse();
    piles(&upward)
}

/// Patience sorting (Schensted 1961) on a set of pile tops, which are the bits that are zero: a card takes
/// the place of the next higher top. The carry of adding its bit runs up to that top and there sets
/// the bit, and past the last top it runs out of the word (Hyyrö 2004, "Bit-parallel LCS-length computation
/// revisited").
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx512vpopcntdq", "x86_64+avx2", "aarch64+neon"))]
fn piles(cards: &[&Row; DECK_CARDS]) -> Row {
    let mut found = [0; BLOCK_HANDS];
    for (lanes, found) in found.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let mut sets = [u64::MAX; LANES];
        for row in cards {
            let row: &[u8; LANES] = &row.as_chunks().0[lanes];
            for (set, &card) in sets.iter_mut().zip(row) {
                let bit = 1u64.wrapping_shl(u32::from(card));
                *set = set.wrapping_add(*set & bit) | *set & !bit;
            }
        }
        for (found, set) in found.iter_mut().zip(sets) {
            *found = set.count_zeros() as u8;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::check_numbers;

    /// Piles of cards, each card on the first pile with a higher top.
    fn patience(cards: impl Iterator<Item = u8>) -> usize {
        let mut tops: Vec<u8> = Vec::new();
        for card in cards {
            let pile = tops.partition_point(|&top| top < card);
            match tops.get_mut(pile) {
                Some(top) => *top = card,
                None => tops.push(card),
            }
        }
        tops.len()
    }

    #[test]
    fn increasing_and_decreasing_lengths_are_those_of_patience() {
        check_numbers(longest_increasing, |cards| patience(cards.iter().copied()));
        check_numbers(longest_decreasing, |cards| patience(cards.iter().map(|card| 51 - card)));
    }
}
