//! The certified shuffle: the scalar reference, which is the specification.

pub mod lanes;

use crate::card::DECK_CARDS;
use crate::deck::Deck;
use crate::tape::Tape;

/// Largest product of the ranges drawn from one word: 2^19 keeps a rejection below 1.3·10⁻⁴ a word
/// and every product below 2^53, so that a double is enough for a second implementation.
const BATCH_PRODUCT_MAX: u32 = 1 << 19;

/// `shuffle(m, K)` of protocol `deckproof/v1`, section 3: Durstenfeld's shuffle of 0..m with the
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
    let mut tape = Tape::new(key, 0);
    shuffle_with(&mut order, || tape.word(), |product| (1u64 << 32).rem_euclid(u64::from(product)) as u32);
    order
}

/// The deck of a hand or cut seed: `shuffle(52, K)`.
pub fn shuffle_deck(key: &[u8; 32]) -> Deck {
    let order = shuffle(DECK_CARDS, key);
    let numbers: [u8; DECK_CARDS] = std::array::from_fn(|place| order[place] as u8);
    Deck::try_from(&numbers[..]).expect("swaps keep a permutation")
}

/// The shuffle with its words and its rejection threshold given, so that tests can force the retry.
fn shuffle_with(order: &mut [usize], mut word: impl FnMut() -> u32, threshold: impl Fn(u32) -> u32) {
    assert!(order.len() <= BATCH_PRODUCT_MAX as usize, "a range must fit into one batch");
    let mut n = order.len();
    while n >= 2 {
        let (batch, product) = batch_from(n);
        let mut draws = [0usize; BATCH_MAX];
        loop {
            let mut low = word();
            for (draw, range) in draws.iter_mut().zip((n + 1 - batch..=n).rev()) {
                let wide = u64::from(low) * range as u64;
                *draw = (wide >> 32) as usize;
                low = wide as u32;
            }
            if low >= threshold(product) {
                break;
            }
        }
        for (&draw, range) in draws.iter().zip((n + 1 - batch..=n).rev()) {
            order.swap(range - 1, draw);
        }
        n -= batch;
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
