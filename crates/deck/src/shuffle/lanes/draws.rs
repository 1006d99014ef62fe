//! The draws of 64 hands: 14 words of each lane become the 51 places its swaps exchange.

use multiversion::multiversion;

use crate::card::DECK_CARDS;
use crate::deck::block::{BLOCK_HANDS, Row};
use crate::shuffle::lanes::WordRow;

/// 16 bits of 64 hands.
type Halves = [u16; BLOCK_HANDS];

/// Words that serve a deck of 52 when none is rejected.
pub(super) const WORDS: usize = 14;

/// How many ranges 52, 51, … each of the words serves (PROTOCOL.md, section 3).
const BATCHES: [usize; WORDS] = [3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 5, 6, 4];

/// `2^32 mod b`: words whose low part is below it are drawn again.
pub(super) fn threshold(product: u32) -> u32 {
    (1u64 << 32).rem_euclid(u64::from(product)) as u32
}

/// The thresholds of the 14 batches.
const THRESHOLDS: [u32; WORDS] = {
    let mut thresholds = [0; WORDS];
    let (mut word, mut range) = (0, DECK_CARDS as u64);
    while word < WORDS {
        let (mut product, mut left) = (1, BATCHES[word]);
        while left > 0 {
            product *= range;
            range -= 1;
            left -= 1;
        }
        thresholds[word] = ((1u64 << 32) % product) as u32;
        word += 1;
    }
    thresholds
};

/// The draws `digits[r − 1] = d_r` of all lanes, and which lanes *may* hold a word below its threshold
/// (not zero: the high half of the low part does not exceed the threshold's; 0.1 % of lanes).
///
/// Words are worked in halves of 16 bits: `t = w·r` needs only `⌊t / 2^32⌋` and `t mod 2^32`, the
/// ranges are below 2^6, and 16-bit lanes multiply twice as many at a time as 32-bit ones.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn digits(
    words: &[WordRow; WORDS],
    raised: u32,
    digits: &mut [Row; DECK_CARDS],
    needs_scalar: &mut Row,
) {
    digits[0] = [0; BLOCK_HANDS];
    let mut doubts = [0; BLOCK_HANDS];
    // Ranges that are constants make every multiplication a single 16-bit instruction.
    macro_rules! batches {
        ($($word:literal: $range:literal $($later:literal)*;)*) => { $(
            let [mut high, mut low] = halves(&words[$word]);
            draw($range, &mut high, &mut low, &mut digits[$range - 1]);
            $( draw($later, &mut high, &mut low, &mut digits[$later - 1]); )*
            doubt(&mut doubts, &high, THRESHOLDS[$word].saturating_add(raised));
        )* };
    }
    batches! {
        0: 52 51 50; 1: 49 48 47; 2: 46 45 44; 3: 43 42 41; 4: 40 39 38; 5: 37 36 35; 6: 34 33 32;
        7: 31 30 29; 8: 28 27 26 25; 9: 24 23 22 21; 10: 20 19 18 17; 11: 16 15 14 13 12;
        12: 11 10 9 8 7 6; 13: 5 4 3 2;
    }
    for (needs_scalar, &doubt) in needs_scalar.iter_mut().zip(&doubts) {
        *needs_scalar = doubt as u8;
    }
}

/// High and low halves of a word of every lane.
#[inline(always)]
fn halves(row: &WordRow) -> [Halves; 2] {
    let (mut high, mut low) = ([0; BLOCK_HANDS], [0; BLOCK_HANDS]);
    for lane in 0..BLOCK_HANDS {
        high[lane] = (row[lane] >> 16) as u16;
        low[lane] = row[lane] as u16;
    }
    [high, low]
}

/// A word is needs_scalar unless its low part exceeds the threshold already in the high half.
#[inline(always)]
fn doubt(doubts: &mut Halves, high: &Halves, threshold: u32) {
    let floor = (threshold >> 16) as u16;
    for (doubt, &high) in doubts.iter_mut().zip(high) {
        *doubt |= u16::from(high <= floor);
    }
}

/// One draw: `w·r` leaves its top part in the digits and its low 32 bits in the halves.
#[inline(always)]
fn draw(range: u16, high: &mut Halves, low: &mut Halves, digits: &mut Row) {
    for lane in 0..BLOCK_HANDS {
        let carried = (u32::from(low[lane]) * u32::from(range)) >> 16;
        let shifted = high[lane].wrapping_mul(range);
        let middle = shifted.wrapping_add(carried as u16);
        let top = ((u32::from(high[lane]) * u32::from(range)) >> 16) as u16;
        digits[lane] = (top + u16::from(middle < shifted)) as u8;
        low[lane] = low[lane].wrapping_mul(range);
        high[lane] = middle;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_zero_is_needs_scalar_in_every_batch_and_a_large_low_part_in_none() {
        for word in 0..WORDS {
            let mut words = [[0x0123_4567; BLOCK_HANDS]; WORDS];
            words[word][word] = 0;
            let (mut rows, mut needs_scalar) = ([[0; BLOCK_HANDS]; DECK_CARDS], [0; BLOCK_HANDS]);
            digits(&words, 0, &mut rows, &mut needs_scalar);
            let expected: Row = std::array::from_fn(|lane| u8::from(lane == word));
            assert_eq!(needs_scalar, expected, "word {word}");
        }
    }

    #[test]
    fn thresholds_are_the_remainders_of_the_protocol() {
        assert_eq!((THRESHOLDS[0], THRESHOLDS[13]), (threshold(52 * 51 * 50), threshold(120)));
        assert_eq!(BATCHES.iter().sum::<usize>(), DECK_CARDS - 1);
    }
}
