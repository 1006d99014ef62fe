//! The certified shuffle: the scalar reference, which is the specification.

pub mod exact;
#[cfg(feature = "lanes")]
pub mod lanes;

use crate::card::DECK_CARDS;
use crate::deck::Deck;
use crate::key::HandKey;
use crate::keystream::Keystream;

/// Largest product of the ranges drawn from one word: 2^19 keeps a rejection below 1.3·10⁻⁴ a word
/// and every product below 2^53, so that a double is enough for a second implementation.
const BATCH_PRODUCT_MAX: u32 = 1 << 19;

/// `shuffle(m, K)` of PROTOCOL.md, section 3: Durstenfeld's shuffle of 0..m with the
/// batched draws of Brackett-Rozinsky & Lemire (2024, "Batched ranged random integer generation").
///
/// # Exactness
/// A batch of ranges `r_1 … r_k` with product `b` accepts a word `w` exactly when the low part left
/// after the multiplications is at least `2^32 mod b`; then every tuple of draws owns the same number
/// `⌊2^32 / b⌋` of accepted words. The 51 draws of a deck therefore are independent and exactly
/// uniform given uniform words, and tuples of draws map one-to-one onto the 52! orders.
///
/// # Panics
/// If `m` is above 2^19.
pub fn shuffle(m: usize, key: &[u8; 32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..m).collect();
    let mut keystream = Keystream::new(key, 0);
    shuffle_with(&mut order, || keystream.word(), threshold);
    order
}

/// The deck of a hand or cut seed: `shuffle(52, K)`.
pub fn shuffle_deck(key: &[u8; 32]) -> Deck {
    let order = shuffle(DECK_CARDS, key);
    let numbers: [u8; DECK_CARDS] = std::array::from_fn(|place| order[place] as u8);
    Deck::try_from(&numbers[..]).expect("swaps keep a permutation")
}

/// The secret deck of a hand: `shuffle(52, HK)`.
pub fn shuffle_hand(key: &HandKey) -> Deck {
    shuffle_deck(key.bytes())
}

/// [`shuffle_hand`], and the words of the keystream that it read, in order: those it rejected too.
pub fn shuffle_hand_reading(key: &HandKey) -> (Deck, Vec<u32>) {
    let mut keystream = Keystream::new(key.bytes(), 0);
    let (mut order, mut words) = (std::array::from_fn::<_, DECK_CARDS, _>(|place| place), Vec::new());
    shuffle_with(
        &mut order,
        || {
            let word = keystream.word();
            words.push(word);
            word
        },
        threshold,
    );
    let numbers = order.map(|number| number as u8);
    (Deck::try_from(&numbers[..]).expect("swaps keep a permutation"), words)
}

/// `2^32 mod b`: the smallest low part a batch of product `b` accepts.
fn threshold(product: u32) -> u32 {
    ((1u64 << 32) % u64::from(product)) as u32
}

/// The shuffle with its words and its rejection threshold given, so that tests can force the retry.
fn shuffle_with(order: &mut [usize], mut word: impl FnMut() -> u32, threshold: impl Fn(u32) -> u32) {
    assert!(order.len() <= BATCH_PRODUCT_MAX as usize, "a range must fit into one batch");
    let mut n = order.len();
    while n >= 2 {
        let (batch, product) = batch_from(n);
        let draws = loop {
            let (draws, low) = draw(word(), n, batch);
            if low >= threshold(product) {
                break draws;
            }
        };
        exchange(order, n, &draws[..batch]);
        n -= batch;
    }
}

/// The draws of one word for the ranges `n, n−1, …`, and the low part that decides on the word.
fn draw(word: u32, n: usize, batch: usize) -> ([usize; BATCH_MAX], u32) {
    let mut draws = [0usize; BATCH_MAX];
    let mut low = word;
    for (draw, range) in draws.iter_mut().zip((n + 1 - batch..=n).rev()) {
        let wide = u64::from(low) * range as u64;
        *draw = (wide >> 32) as usize;
        low = wide as u32;
    }
    (draws, low)
}

/// `swap a[r−1], a[d_r]` for the ranges `n, n−1, …`.
fn exchange(order: &mut [usize], n: usize, draws: &[usize]) {
    for (&draw, range) in draws.iter().zip((n + 1 - draws.len()..=n).rev()) {
        order.swap(range - 1, draw);
    }
}

/// No batch is longer: 2·3·…·9 = 362,880 fits 2^19, and 2·…·10 does not.
const BATCH_MAX: usize = 8;

/// How many ranges `n, n−1, …` one word serves, and their product.
fn batch_from(n: usize) -> (usize, u32) {
    let (mut length, mut product) = (0, 1u32);
    while n - length >= 2 {
        let next = product as u64 * (n - length) as u64;
        if next > u64::from(BATCH_PRODUCT_MAX) {
            break;
        }
        product = next as u32;
        length += 1;
    }
    (length, product)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shuffle::exact::{batches, check_batch, check_orders};

    const TWO_32: u64 = 1 << 32;

    #[test]
    fn the_batches_of_52_are_those_of_the_specification() {
        let lengths: Vec<usize> = batches(DECK_CARDS).iter().map(|batch| batch.1).collect();
        assert_eq!(lengths, [3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 5, 6, 4]);
        assert!(batches(DECK_CARDS).iter().all(|batch| batch.2 <= 1 << 19));
    }

    #[test]
    fn every_tuple_of_a_deck_batch_owns_the_same_number_of_words() {
        for (n, length, product) in batches(DECK_CARDS) {
            assert_eq!(check_batch(n, length, product, threshold(product)), Ok(u64::from(product)));
        }
    }

    #[test]
    fn for_two_to_eight_every_order_has_the_same_weight() {
        for m in 2..=8 {
            assert_eq!(check_orders(m), Ok(()));
        }
    }

    /// The specification of section 3 in another form: one division of `w·b` instead of a chain.
    fn shuffle_by_division(
        m: usize,
        mut word: impl FnMut() -> u32,
        least: impl Fn(u32) -> u32,
    ) -> Vec<usize> {
        let mut order: Vec<usize> = (0..m).collect();
        for (n, length, product) in batches(m) {
            let wide = loop {
                let wide = u64::from(word()) * u64::from(product);
                if wide % TWO_32 >= u64::from(least(product)) {
                    break wide;
                }
            };
            let mut tuple = wide / TWO_32;
            let mut draws: Vec<(usize, usize)> = Vec::new();
            for range in n + 1 - length..=n {
                draws.push((range, (tuple % range as u64) as usize));
                tuple /= range as u64;
            }
            for &(range, draw) in draws.iter().rev() {
                order.swap(range - 1, draw);
            }
        }
        order
    }

    #[test]
    fn forced_rejections_take_the_whole_batch_again_from_the_next_word() {
        let mut rejected = 0;
        for number in 0..200u8 {
            let key = [number; 32];
            let half = |_: u32| 1 << 31;
            let (mut keystream, mut words) = (Keystream::new(&key, 0), 0);
            let mut order: Vec<usize> = (0..DECK_CARDS).collect();
            shuffle_with(
                &mut order,
                || {
                    words += 1;
                    keystream.word()
                },
                half,
            );
            let mut keystream = Keystream::new(&key, 0);
            assert_eq!(order, shuffle_by_division(DECK_CARDS, || keystream.word(), half), "key {number}");
            rejected += words - 14;
        }
        // Half of the words are rejected, so about 14 a deck.
        assert!((2_000..4_000).contains(&rejected), "{rejected} words rejected in 200 decks");
    }

    #[test]
    fn a_low_part_at_the_threshold_is_accepted_and_one_below_is_not() {
        let word = 0x1234_5678;
        let (_, low) = draw(word, DECK_CARDS, 3);
        let words_taken = |least: u32| {
            let mut taken = 0;
            let mut order: Vec<usize> = (0..DECK_CARDS).collect();
            let next = || {
                taken += 1;
                // After the first word, all ones: their low part is accepted by any threshold met here.
                if taken == 1 { word } else { u32::MAX }
            };
            shuffle_with(&mut order, next, |product| if product == 52 * 51 * 50 { least } else { 0 });
            taken
        };
        assert_eq!(words_taken(low), 14);
        assert_eq!(words_taken(low + 1), 15);
    }
}
