//! The shuffle undone swap by swap: the plain loops that the lanes are tested against.
//!
//! Each way maps the 52! orders one-to-one onto digits `d_m` in 0..m for m = 2..=52, which are
//! therefore independent and uniform: a weak generator is tested on its own outputs.

use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::inverse_of;

use crate::battery::walk::Order;

/// `digits[m]` is the digit of base m; bases 0 and 1 hold 0.
pub(crate) type Digits = [u8; DECK_CARDS + 1];

/// Durstenfeld's (1964) downward loop from 0..52: base i + 1 for i = 51, …, 1, swapped with `d`.
pub(super) fn down(order: &Order) -> Digits {
    undo(order, (1..DECK_CARDS).rev().map(|i| (i, i + 1, 0)))
}

/// The upward loop from 0..52: base 52 − i for i = 0, …, 50, swapped with `i + d`.
pub(super) fn up(order: &Order) -> Digits {
    undo(order, (0..DECK_CARDS - 1).map(|i| (i, DECK_CARDS - i, i)))
}

/// Swaps backwards: the card of place i was fetched from where it now is, `from + d`.
fn undo(order: &Order, steps: impl Iterator<Item = (usize, usize, usize)>) -> Digits {
    let mut deck: Order = std::array::from_fn(|place| place as u8);
    let mut place_of = deck;
    let mut digits = [0; DECK_CARDS + 1];
    for (i, base, from) in steps {
        let j = usize::from(place_of[usize::from(order[i])]);
        digits[base] = (j - from) as u8;
        deck.swap(i, j);
        place_of[usize::from(deck[i])] = i as u8;
        place_of[usize::from(deck[j])] = j as u8;
    }
    digits
}

/// Lehmer's (1960) code, the index drawn from a bag kept in order: base 52 − i counts the later entries
/// smaller than the one at place i.
pub(crate) fn lehmer(order: &Order) -> Digits {
    let mut digits = [0; DECK_CARDS + 1];
    let mut seen = 0u64;
    for (i, &card) in order.iter().enumerate() {
        digits[DECK_CARDS - i] = card - (seen & ((1 << card) - 1)).count_ones() as u8;
        seen |= 1 << card;
    }
    digits
}

/// [`down`] of the inverse.
pub(super) fn down_inverse(order: &Order) -> Digits {
    down(&inverse_of(order))
}

/// [`up`] of the inverse.
pub(super) fn up_inverse(order: &Order) -> Digits {
    up(&inverse_of(order))
}

/// [`lehmer`] of the inverse.
pub(super) fn lehmer_inverse(order: &Order) -> Digits {
    lehmer(&inverse_of(order))
}

/// [`down`] of the cards from the last to the first.
pub(super) fn down_from_the_end(order: &Order) -> Digits {
    down(&from_the_end(order))
}

/// [`up`] of the cards from the last to the first.
pub(super) fn up_from_the_end(order: &Order) -> Digits {
    up(&from_the_end(order))
}

fn from_the_end(order: &Order) -> Order {
    let mut order = *order;
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::keystream::Keystream;

    fn drawn(seed: u8) -> Digits {
        let mut keystream = Keystream::new(&[seed; 32], 0);
        std::array::from_fn(|base| if base < 2 { 0 } else { (keystream.word() % base as u32) as u8 })
    }

    /// Every way forward gives back the digits it was dealt with.
    #[test]
    fn digits_dealt_with_are_recovered() {
        for seed in 0..20 {
            let digits = drawn(seed);
            let sorted: Order = std::array::from_fn(|place| place as u8);
            let mut deck = sorted;
            (1..52).rev().for_each(|i| deck.swap(i, usize::from(digits[i + 1])));
            assert_eq!((down(&deck), down_inverse(&inverse_of(&deck))), (digits, digits));
            let popped: Order = std::array::from_fn(|place| deck[51 - place]);
            assert_eq!(down_from_the_end(&popped), digits);
            let mut deck = sorted;
            (0..51).for_each(|i| deck.swap(i, i + usize::from(digits[52 - i])));
            assert_eq!((up(&deck), up_inverse(&inverse_of(&deck))), (digits, digits));
            let popped: Order = std::array::from_fn(|place| deck[51 - place]);
            assert_eq!(up_from_the_end(&popped), digits);
            let mut bag = sorted.to_vec();
            let deck: Order = std::array::from_fn(|i| bag.remove(usize::from(digits[52 - i])));
            assert_eq!((lehmer(&deck), lehmer_inverse(&inverse_of(&deck))), (digits, digits));
        }
    }
}
