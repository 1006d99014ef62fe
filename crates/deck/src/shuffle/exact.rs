//! The scaling from words to cards counted out: every tuple of draws owns as many words as any other.

use crate::card::DECK_CARDS;
use crate::shuffle::{batch_from, draw, exchange, threshold};

const TWO_32: u64 = 1 << 32;

/// Cards up to which whole orders are enumerated: the draws of eight cards come from one word.
const CARDS_ENUMERATED: usize = 8;

/// The batches of a shuffle of `m`: first range, length, product.
pub(super) fn batches(m: usize) -> Vec<(usize, usize, u32)> {
    let (mut n, mut batches) = (m, Vec::new());
    while n >= 2 {
        let (length, product) = batch_from(n);
        batches.push((n, length, product));
        n -= length;
    }
    batches
}

/// Counts, for every batch of draws of a deck, the words that each tuple owns, and enumerates every order of two to eight
/// cards. Gives the number of tuples counted.
///
/// # Errors
/// What is not exactly uniform: the batch and the tuple, or the number of cards.
pub fn check() -> Result<u64, String> {
    let mut tuples = 0;
    for (n, length, product) in batches(DECK_CARDS) {
        tuples += check_batch(n, length, product, threshold(product))?;
    }
    (2..=CARDS_ENUMERATED).try_for_each(check_orders)?;
    Ok(tuples)
}

/// Shows that every tuple owns `⌊2^32 / b⌋` accepted words, and gives the number of tuples.
///
/// The tuple's number is `⌊w·b / 2^32⌋`, which never falls as `w` rises, so the words of a tuple
/// are an interval. Its two ends are asked of the code itself, and the words just outside the
/// accepted part are shown to be rejected or another tuple's.
pub(super) fn check_batch(n: usize, length: usize, product: u32, least: u32) -> Result<u64, String> {
    let (b, least) = (u64::from(product), u64::from(least));
    let read = |word: u64| {
        let (draws, low) = draw(word as u32, n, length);
        (tuple_index(&draws[..length], n), u64::from(low))
    };
    for tuple in 0..b {
        let first = (tuple * TWO_32 + least).div_ceil(b);
        let end = ((tuple + 1) * TWO_32).div_ceil(b);
        let (at_first, at_last) = (read(first), read(end - 1));
        let is_own = [at_first, at_last].iter().all(|(own, low)| *own == Some(tuple) && *low >= least);
        // The word before the first is rejected, or belongs to the tuple before.
        let is_bounded = first
            .checked_sub(1)
            .map(read)
            .is_none_or(|(before, low)| low < least || before.is_some_and(|before| before + 1 == tuple));
        if end - first != TWO_32 / b || !is_own || !is_bounded {
            return Err(format!("draws from {n} cards: tuple {tuple} owns {} words or others", end - first));
        }
    }
    Ok(b)
}

/// The draws of a batch as one number: `d_n` is the most significant digit. None if a draw is outside its range.
fn tuple_index(draws: &[usize], n: usize) -> Option<u64> {
    draws
        .iter()
        .enumerate()
        .try_fold(0, |index, (i, &draw)| (draw < n - i).then(|| index * (n - i) as u64 + draw as u64))
}

/// Shows that the tuples of draws of `m` cards lead to all `m!` orders, each to one of its own.
pub(super) fn check_orders(m: usize) -> Result<(), String> {
    let factorial: usize = (2..=m).product();
    let mut orders: Vec<Vec<usize>> = (0..factorial as u64).map(|tuple| order_of_tuple(m, tuple)).collect();
    orders.sort_unstable();
    orders.dedup();
    let is_whole = matches!(batches(m)[..], [(_, _, product)] if product as usize == factorial);
    if is_whole && orders.len() == factorial {
        Ok(())
    } else {
        Err(format!("{m} cards: found {} orders, wanted {factorial}", orders.len()))
    }
}

/// The order a tuple of draws leads to, the tuple given by its number.
fn order_of_tuple(m: usize, mut tuple: u64) -> Vec<usize> {
    let mut draws: Vec<usize> = Vec::new();
    for range in 2..=m as u64 {
        draws.push((tuple % range) as usize);
        tuple /= range;
    }
    draws.reverse();
    let mut order: Vec<usize> = (0..m).collect();
    exchange(&mut order, m, &draws);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tuples_are_counted() {
        let products: u64 = batches(DECK_CARDS).iter().map(|batch| u64::from(batch.2)).sum();
        assert_eq!(check(), Ok(products));
        assert_eq!(order_of_tuple(3, 0), [1, 2, 0]);
    }

    /// A threshold that accepts one word too many or rejects one too many leaves some tuple with more or fewer. The low parts
    /// of words are multiples of the powers of two in the product, so that the next lower threshold is one of them.
    #[test]
    fn a_wrong_threshold_is_seen() {
        for (n, length, product) in batches(DECK_CARDS) {
            let right = threshold(product);
            assert!(check_batch(n, length, product, right).is_ok(), "{n}");
            assert!(check_batch(n, length, product, right + 1).is_err(), "{n}");
            let lower = right.checked_sub(1 << product.trailing_zeros());
            assert!(lower.is_none_or(|lower| check_batch(n, length, product, lower).is_err()), "{n}");
        }
    }
}
