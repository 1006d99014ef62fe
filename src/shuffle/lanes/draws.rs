//! The draws of 64 hands: 14 words of each lane become the 51 places its swaps exchange.

use multiversion::multiversion;

use crate::card::DECK_CARDS;
use crate::deck::block::{BLOCK_HANDS, Row};
use crate::shuffle::lanes::WordRow;

/// Words that serve a deck of 52 when none is rejected.
pub(super) const WORDS: usize = 14;

/// How many ranges 52, 51, … each of the words serves (protocol `deckproof/v1`, section 3).
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
    doubted: &mut Row,
) {
    digits[0] = [0; BLOCK_HANDS];
    let mut range = DECK_CARDS;
    let mut doubts = [0u16; BLOCK_HANDS];
    for ((row, batch), threshold) in words.iter().zip(BATCHES).zip(THRESHOLDS) {
        let mut high: [u16; BLOCK_HANDS] = std::array::from_fn(|lane| (row[lane] >> 16) as u16);
        let mut low: [u16; BLOCK_HANDS] = std::array::from_fn(|lane| row[lane] as u16);
        for _ in 0..batch {
            draw(range as u16, &mut high, &mut low, &mut digits[range - 1]);
            range -= 1;
        }
        let floor = (threshold.saturating_add(raised) >> 16) as u16;
        for (doubt, &high) in doubts.iter_mut().zip(&high) {
            *doubt |= u16::from(high <= floor);
        }
    }
    *doubted = doubts.map(|doubt| doubt as u8);
}

/// One draw: `w·r` leaves its top part in the digits and its low 32 bits in the halves.
#[inline(always)]
fn draw(range: u16, high: &mut [u16; BLOCK_HANDS], low: &mut [u16; BLOCK_HANDS], digits: &mut Row) {
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
