//! Fingerprints of 96 bits, by which duplicates are found without keeping decks.

use multiversion::multiversion;

use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, Row};

/// Words of eight cards; the last one holds four.
const WORDS: usize = 7;

/// The first 16 round constants of SHA-512 (FIPS 180-4, section 4.2.3): arbitrary, and visibly so.
const CONSTANTS: [u64; 16] = [
    0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd, 0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019, 0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe, 0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1, 0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694,
];

/// The fingerprints of the decks of a block; 0 in the lanes that hold none.
///
/// With the cards as little-endian words w₀ … w₆ of eight bytes (w₆ of four, w₇ = 0) and all sums of
/// words modulo 2^64,
/// ```text
/// A = (w₀+k₀)(w₁+k₁) + (w₂+k₂)(w₃+k₃) + (w₄+k₄)(w₅+k₅)   + (w₆+k₆)(w₇+k₇)     mod 2^128
/// B = (w₀+k₈)(w₂+k₉) + (w₁+k₁₀)(w₃+k₁₁) + (w₄+k₁₂)(w₆+k₁₃) + (w₅+k₁₄)(w₇+k₁₅)   mod 2^128
/// fingerprint = mix A + 2^64·⌊mix B / 2^32⌋
/// ```
/// where `fold` is the exclusive or of the halves and `mix X = fold(fold X · ⌊2^64/φ⌋)`.
///
/// The sums are those of the hash family NH (Black, Halevi, Krawczyk, Krovetz & Rogaway 1999, "UMAC"):
/// with random k two given decks agree in A, and in B, with a probability of at most 2^−64. The k are
/// fixed here, so no proof is left against a shuffler made to collide; among n decks of a shuffler that
/// knows nothing of the k about n²/2^97 pairs are expected to agree by accident, 10⁻¹¹ for 10⁹ decks.
pub fn fingerprints(block: &DeckBlock, keys: &mut [u128; BLOCK_HANDS]) {
    mix_lanes(block.rows(), keys);
    keys[block.hands()..].fill(0);
}

/// The same of rows that are no decks any more, such as the ranks of the cards or half of their places.
pub(in crate::battery) fn of_rows(rows: &[Row; DECK_CARDS], hands: usize, keys: &mut [u128; BLOCK_HANDS]) {
    mix_lanes(rows, keys);
    keys[hands..].fill(0);
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2+bmi2", "aarch64+neon"))]
fn mix_lanes(rows: &[Row; DECK_CARDS], keys: &mut [u128; BLOCK_HANDS]) {
    let mut words = [[0; BLOCK_HANDS]; WORDS];
    for (words, rows) in words.iter_mut().zip(rows.chunks(8)) {
        let low = quads(&rows[..4]);
        let high = if rows.len() == 8 { quads(&rows[4..]) } else { [0; BLOCK_HANDS] };
        for lane in 0..BLOCK_HANDS {
            words[lane] = u64::from(high[lane]) << 32 | u64::from(low[lane]);
        }
    }
    for (lane, key) in keys.iter_mut().enumerate() {
        let mut deck = [0; WORDS];
        for (word, row) in deck.iter_mut().zip(&words) {
            *word = row[lane];
        }
        *key = mix_words(deck);
    }
}

/// Four cards of every lane as a little-endian word.
#[inline(always)]
fn quads(rows: &[Row]) -> [u32; BLOCK_HANDS] {
    let mut words = [0; BLOCK_HANDS];
    for (lane, word) in words.iter_mut().enumerate() {
        let [a, b, c, d] = [rows[0][lane], rows[1][lane], rows[2][lane], rows[3][lane]];
        let (low, high) = (u16::from(b) << 8 | u16::from(a), u16::from(d) << 8 | u16::from(c));
        *word = u32::from(high) << 16 | u32::from(low);
    }
    words
}

#[inline(always)]
pub(super) fn mix_words([w0, w1, w2, w3, w4, w5, w6]: [u64; WORDS]) -> u128 {
    let k = &CONSTANTS;
    let product = |left: u64, a: usize, right: u64, b: usize| {
        u128::from(left.wrapping_add(k[a])) * u128::from(right.wrapping_add(k[b]))
    };
    let first = product(w0, 0, w1, 1)
        .wrapping_add(product(w2, 2, w3, 3))
        .wrapping_add(product(w4, 4, w5, 5))
        .wrapping_add(product(w6, 6, 0, 7));
    let second = product(w0, 8, w2, 9)
        .wrapping_add(product(w1, 10, w3, 11))
        .wrapping_add(product(w4, 12, w6, 13))
        .wrapping_add(product(w5, 14, 0, 15));
    u128::from(mix(second) >> 32) << 64 | u128::from(mix(first))
}

/// The halves folded, multiplied by 2^64/φ (Knuth 1998, "Sorting and Searching", section 6.4) and folded
/// again. One wide product: two narrow ones would be vectorised, for the worse.
#[inline(always)]
fn mix(sum: u128) -> u64 {
    fold(u128::from(fold(sum)) * 0x9e37_79b9_7f4a_7c15)
}

#[inline(always)]
fn fold(wide: u128) -> u64 {
    wide as u64 ^ (wide >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::{blocks, decks};
    use deckproof_deck::deck::Deck;

    fn fingerprint(numbers: &[u8]) -> u128 {
        let (mut block, mut keys) = (DeckBlock::default(), [0; BLOCK_HANDS]);
        block.push(&Deck::try_from(numbers).expect("a permutation"));
        fingerprints(&block, &mut keys);
        keys[0]
    }

    /// Values of an independent Python program that works from the formula and computes the constants
    /// as cube roots of primes.
    #[test]
    fn fingerprints_are_those_of_the_formula() {
        let order: Vec<u8> = (0..52).collect();
        let reversed: Vec<u8> = (0..52).rev().collect();
        let strided: Vec<u8> = (0..52).map(|place: u32| ((17 * place + 5) % 52) as u8).collect();
        assert_eq!(fingerprint(&order), 0x8bf8_926f_2b0b_0130_92d4_94de);
        assert_eq!(fingerprint(&reversed), 0x6d9e_dcf6_2f67_090e_7efc_0435);
        assert_eq!(fingerprint(&strided), 0x02e0_8e7c_667e_e513_22e7_6c27);
    }

    #[test]
    fn every_lane_has_the_fingerprint_of_its_deck_and_empty_lanes_have_0() {
        for block in blocks(3, 41) {
            let mut keys = [1; BLOCK_HANDS];
            fingerprints(&block, &mut keys);
            for (lane, deck) in decks(std::slice::from_ref(&block)).enumerate() {
                assert_eq!(keys[lane], fingerprint(deck.indices()), "lane {lane}");
            }
            assert!(keys[block.hands()..].iter().all(|&key| key == 0));
        }
    }

    /// Of 96 bits 48 ± 4.9 differ between unrelated keys; seven deviations leave 10⁻¹¹ a pair.
    fn check_unrelated(first: u128, second: u128, bits_total: &mut [u32; 96]) {
        let differing = first ^ second;
        assert!((14..=82).contains(&differing.count_ones()), "{first:024x} and {second:024x}");
        for (bit, total) in bits_total.iter_mut().enumerate() {
            *total += (differing >> bit & 1) as u32;
        }
    }

    #[test]
    fn a_swap_a_cut_or_a_reversal_changes_every_bit_half_of_the_time() {
        let (mut bits_total, mut pairs) = ([0; 96], 0);
        for deck in decks(&blocks(2, 1)).take(40) {
            let original = fingerprint(deck.indices());
            let mut check = |numbers: &[u8]| {
                check_unrelated(original, fingerprint(numbers), &mut bits_total);
                pairs += 1;
            };
            let mut numbers = *deck.indices();
            numbers.reverse();
            check(&numbers);
            for place in 1..DECK_CARDS {
                let mut cut = *deck.indices();
                cut.rotate_left(place);
                check(&cut);
                for other in 0..place {
                    let mut swapped = *deck.indices();
                    swapped.swap(place, other);
                    check(&swapped);
                }
            }
        }
        // 40·1,378 pairs: seven deviations are 822 of 27,560.
        assert!(bits_total.iter().all(|&total| total.abs_diff(pairs / 2) < 822), "{bits_total:?} of {pairs}");
    }
}
