//! Pairs of places: cards of one rank, cards of one suit, products of card numbers.

#[cfg(target_arch = "x86_64")]
mod wide;

use multiversion::multiversion;
use multiversion::target::match_target;

use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, Row};

/// Pairs p < q of places, in the order (0,1), (0,2), … (50,51).
pub const PAIRS: usize = DECK_CARDS * (DECK_CARDS - 1) / 2;

/// Adds to each pair of places how many decks have cards of one rank there, how many of one suit, and the sum of
/// `(2x − 51)(2y − 51)` as two's complement. On an AMD EPYC of family 26 12 ns a deck in registers of 64 bytes, by lanes of
/// AVX2 90.
///
/// # Panics
/// If a list has fewer than [`PAIRS`] counts.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+avx512vnni+gfni",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn place_pairs(blocks: &[DeckBlock], ranks: &mut [u64], suits: &mut [u64], products: &mut [u64]) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+avx512vnni+gfni" => wide::place_pairs(blocks, ranks, suits, products),
        _ => blocks.iter().for_each(|block| by_lane(block, ranks, suits, products)),
    }
}

/// Cards as their distance `2c − 51` from the middle; 0 in empty lanes.
type Centred = [i16; BLOCK_HANDS];

#[inline(always)]
fn by_lane(block: &DeckBlock, ranks: &mut [u64], suits: &mut [u64], products: &mut [u64]) {
    let (rows, empty) = (block.rows(), (BLOCK_HANDS - block.hands()) as u64);
    let mut centred = [[0i16; BLOCK_HANDS]; DECK_CARDS];
    for (centred, row) in centred.iter_mut().zip(rows) {
        for lane in 0..block.hands() {
            centred[lane] = 2 * i16::from(row[lane]) - 51;
        }
    }
    let mut pair = 0;
    for p in 0..DECK_CARDS {
        for q in p + 1..DECK_CARDS {
            // An empty lane holds 63 twice: one rank and one suit too many.
            ranks[pair] += u64::from(count_alike(&rows[p], &rows[q], 0xfc)) - empty;
            suits[pair] += u64::from(count_alike(&rows[p], &rows[q], 0x03)) - empty;
            products[pair] = products[pair].wrapping_add(product(&centred[p], &centred[q]) as u64);
            pair += 1;
        }
    }
}

/// Lanes whose cards agree in the bits of the mask.
#[inline(always)]
fn count_alike(a: &Row, b: &Row, mask: u8) -> u8 {
    let mut count = 0u8;
    for lane in 0..BLOCK_HANDS {
        count += u8::from((a[lane] ^ b[lane]) & mask == 0);
    }
    count
}

#[inline(always)]
fn product(a: &Centred, b: &Centred) -> i64 {
    let mut sum = 0i32;
    for lane in 0..BLOCK_HANDS {
        sum += i32::from(a[lane]) * i32::from(b[lane]);
    }
    i64::from(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::sample::check;

    #[test]
    fn every_pair_equals_looking_at_one_deck_after_another() {
        type Kernel = fn(&[DeckBlock], &mut [u64], &mut [u64], &mut [u64]);
        let lanes: Kernel = |blocks, ranks, suits, products| {
            blocks.iter().for_each(|block| by_lane(block, ranks, suits, products));
        };
        for kernel in [place_pairs as Kernel, lanes] {
            check::<{ 3 * PAIRS }>(
                |blocks, counts| {
                    let (ranks, rest) = counts.split_at_mut(PAIRS);
                    let (suits, products) = rest.split_at_mut(PAIRS);
                    kernel(blocks, ranks, suits, products);
                },
                |deck, counts| {
                    let pairs = (0..DECK_CARDS).flat_map(|p| (p + 1..DECK_CARDS).map(move |q| (p, q)));
                    for (pair, (p, q)) in pairs.enumerate() {
                        let [x, y] = [p, q].map(|place| i64::from(deck.indices()[place]));
                        counts[pair] += u64::from(x / 4 == y / 4);
                        counts[PAIRS + pair] += u64::from(x % 4 == y % 4);
                        let own = &mut counts[2 * PAIRS + pair];
                        *own = own.wrapping_add(((2 * x - 51) * (2 * y - 51)) as u64);
                    }
                },
            );
        }
    }
}
