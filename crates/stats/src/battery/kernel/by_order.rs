//! What is counted deck by deck where a deck lies in one register: plainly in `plain`, by byte permutes in `vbmi`.

mod plain;
#[cfg(target_arch = "x86_64")]
mod vbmi;

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::battery::kernel::fingerprint::mix_words;
use crate::battery::kernel::planes::{BLOCKS, Minterms};
use crate::battery::kernel::value_counts::{VALUES, value_counts};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, EMPTY_LANE, Row};
use deckproof_deck::deck::orders::{Decks, Order, to_rows};

/// Adds each deck to `cycles[number of cycles]` and to `fixed_points[number of fixed points]`.
///
/// # Panics
/// If a histogram has fewer than 53 cells.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni"
))]
pub fn cycles(orders: &[Order], cycles: &mut [u64], fixed_points: &mut [u64]) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni" => vbmi::cycles(orders, cycles, fixed_points),
        _ => plain::cycles(orders, cycles, fixed_points),
    }
}

/// Adds each order to `counts[#{k < 51: order[k] > order[k + 1]}]`.
///
/// # Panics
/// If there are fewer than 52 cells.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni"
))]
pub fn descents(orders: &[Order], counts: &mut [u64]) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni" => vbmi::descents(orders, counts),
        _ => plain::descents(orders, counts),
    }
}

/// Symbols of the cyclic word delimiter, c₀, …, c₅₁: the cards and the delimiter 52.
const SYMBOLS: usize = DECK_CARDS + 1;

/// Adds each deck to `counts[53·a + b]`, once for every symbol b that directly follows a in the cyclic word of the
/// delimiter 52 and its cards.
///
/// # Panics
/// If there are fewer than 53² counts.
pub fn followers(decks: Decks, counts: &mut [u64]) {
    assert!(counts.len() >= SYMBOLS * SYMBOLS, "{} counts, wanted {}", counts.len(), SYMBOLS * SYMBOLS);
    let blocks = decks.orders.len().div_ceil(BLOCK_HANDS).min(BLOCKS);
    let mut rows = vec![[[EMPTY_LANE; BLOCK_HANDS]; SYMBOLS]; blocks];
    let mut minterms = Minterms::default();
    let many = BLOCKS * BLOCK_HANDS;
    for (orders, inverses) in decks.orders.chunks(many).zip(decks.inverses.chunks(many)) {
        let blocks = orders.len().div_ceil(BLOCK_HANDS);
        let pairs = orders.chunks(BLOCK_HANDS).zip(inverses.chunks(BLOCK_HANDS));
        for (rows, (orders, inverses)) in rows.iter_mut().zip(pairs) {
            let mut next = [Order::EMPTY; BLOCK_HANDS];
            follow(orders, inverses, &mut next[..orders.len()]);
            to_rows(&next[..orders.len()], rows);
        }
        for (symbol, cells) in counts.chunks_exact_mut(SYMBOLS).enumerate().take(SYMBOLS) {
            let mut counted = [0; VALUES];
            value_counts(&mut minterms, &rows[..blocks], |rows: &[Row; SYMBOLS]| &rows[symbol], &mut counted);
            cells.iter_mut().zip(counted).for_each(|(cell, counted)| *cell += counted);
        }
    }
}

/// What follows every symbol in each deck. The delimiter is at its own place, behind the last card.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni"
))]
fn follow(orders: &[Order], inverses: &[Order], out: &mut [Order]) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni" => vbmi::follow(orders, inverses, out),
        _ => plain::follow(orders, inverses, out),
    }
}

/// Shows the fingerprints of the orders, as [`fingerprints`](super::fingerprint::fingerprints) has them, at most 64 at a time.
pub fn fingerprints(orders: &[Order], visit: &mut dyn FnMut(&[u128])) {
    for orders in orders.chunks(BLOCK_HANDS) {
        let mut keys = [0; BLOCK_HANDS];
        mix(orders, &mut keys);
        visit(&keys[..orders.len()]);
    }
}

#[multiversion(targets("x86_64+bmi2+avx2"))]
fn mix(orders: &[Order], keys: &mut [u128; BLOCK_HANDS]) {
    for (order, key) in orders.iter().zip(keys) {
        let mut words = [0; 7];
        for (word, bytes) in words.iter_mut().zip(order.bytes().as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        // Four cards, and four bytes that are none.
        words[6] &= u64::from(u32::MAX);
        *key = mix_words(words);
    }
}

/// Puts into `out` what [`turned`](super::canonical::turned) makes of every deck; behind the cards it may be anything.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni"
))]
pub fn turned(decks: Decks, out: &mut [Order]) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni" => vbmi::turned(decks, out),
        _ => plain::turned(decks, out),
    }
}

/// Puts into `out` every deck or its inverse, whichever comes first in lexicographic order.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni"
))]
pub fn equal_or_inverse(decks: Decks, out: &mut [Order]) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni" => vbmi::equal_or_inverse(decks, out),
        _ => plain::equal_or_inverse(decks, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::canonical;
    use crate::battery::kernel::fingerprint;
    use crate::battery::kernel::sample::{SIZES, blocks, check};
    use deckproof_deck::deck::block::DeckBlock;
    use deckproof_deck::deck::orders::{inverses, push_decks};

    fn with_decks(blocks: &[DeckBlock], show: impl FnOnce(Decks)) {
        let (mut orders, mut inverse) = (Vec::new(), Vec::new());
        blocks.iter().for_each(|block| push_decks(block, &mut orders));
        inverses(&orders, &mut inverse);
        show(Decks { orders: &orders, inverses: &inverse });
    }

    type Cycles = fn(&[Order], &mut [u64], &mut [u64]);

    #[test]
    fn cycles_and_fixed_points_equal_walking_them() {
        for kernel in [cycles as Cycles, plain::cycles] {
            check::<106>(
                |blocks, counts| {
                    let (cycles, fixed) = counts.split_at_mut(53);
                    with_decks(blocks, |decks| kernel(decks.orders, cycles, fixed));
                },
                |deck, counts| {
                    let (mut seen, mut cycles) = ([false; DECK_CARDS], 0);
                    for start in 0..DECK_CARDS {
                        cycles += usize::from(!seen[start]);
                        let mut place = start;
                        while !std::mem::replace(&mut seen[place], true) {
                            place = usize::from(deck.indices()[place]);
                        }
                    }
                    let fixed = deck.indices().iter().zip(0u8..).filter(|&(&card, place)| card == place);
                    counts[cycles] += 1;
                    counts[53 + fixed.count()] += 1;
                },
            );
        }
    }

    #[test]
    fn descents_of_inverses_are_those_of_the_places() {
        for kernel in [descents as fn(&[Order], &mut [u64]), plain::descents] {
            check::<DECK_CARDS>(
                |blocks, counts| with_decks(blocks, |decks| kernel(decks.inverses, counts)),
                |deck, counts| {
                    counts[deck.places().windows(2).filter(|pair| pair[0] > pair[1]).count()] += 1;
                },
            );
        }
    }

    #[test]
    fn followers_equal_plain_counting() {
        check::<{ SYMBOLS * SYMBOLS }>(
            |blocks, counts| with_decks(blocks, |decks| followers(decks, counts)),
            |deck, counts| {
                let mut symbol = DECK_CARDS;
                for &card in deck.indices() {
                    counts[symbol * 53 + usize::from(card)] += 1;
                    symbol = usize::from(card);
                }
                counts[symbol * 53 + DECK_CARDS] += 1;
            },
        );
        with_decks(&blocks(3, 41), |decks| {
            let mut rows = [[Order::EMPTY; 169], [Order::EMPTY; 169]];
            follow(decks.orders, decks.inverses, &mut rows[0]);
            plain::follow(decks.orders, decks.inverses, &mut rows[1]);
            assert!(rows[0].iter().zip(&rows[1]).all(|(a, b)| a.bytes()[..SYMBOLS] == b.bytes()[..SYMBOLS]));
        });
    }

    fn keys_of(orders: &[Order]) -> Vec<u128> {
        let mut keys = Vec::new();
        fingerprints(orders, &mut |some| keys.extend_from_slice(some));
        keys
    }

    type Form = for<'a, 'b> fn(Decks<'a>, &'b mut [Order]);

    fn check_forms(kernels: [Form; 2], lanes: fn(&DeckBlock, &mut DeckBlock)) {
        for (number, hands_last) in SIZES {
            let blocks = blocks(number, hands_last);
            let mut expected = Vec::new();
            for block in &blocks {
                let (mut form, mut keys) = (DeckBlock::default(), [0; BLOCK_HANDS]);
                lanes(block, &mut form);
                fingerprint::fingerprints(&form, &mut keys);
                expected.extend_from_slice(&keys[..block.hands()]);
            }
            for kernel in kernels {
                with_decks(&blocks, |decks| {
                    let mut forms = vec![Order::EMPTY; decks.orders.len()];
                    kernel(decks, &mut forms);
                    assert!(keys_of(&forms) == expected, "{number} blocks, {hands_last} hands in the last");
                });
            }
        }
    }

    #[test]
    fn fingerprints_of_all_forms_are_those_of_the_lanes() {
        let copy: Form = |decks, out| out.copy_from_slice(decks.orders);
        check_forms([copy, copy], |block, out| out.clone_from(block));
        check_forms([turned, plain::turned], canonical::turned);
        check_forms([equal_or_inverse, plain::equal_or_inverse], canonical::equal_or_inverse);
    }
}
