//! Decks made by sorting: by a number for each card, or with a comparator that guesses, as programmers write it.
//!
//! Not every draw can be undone: keys show only which is larger. The answers of a comparator can: V8 sorts 52 cards by inserting them
//! one after another into those before, each by halving (`third_party/v8/builtins/array-sort.tq`), so that where a card
//! was inserted tells every answer. Only how long the run was that it began with is not certain.

use crate::deck::{DECK_CARDS, Deck};
use crate::way::inverse;

/// Cards by their keys, the least first; equal keys in the order of the new deck.
pub fn by_keys(keys: &[u64; DECK_CARDS]) -> Deck {
    let mut deck: Deck = std::array::from_fn(|card| card as u8);
    deck.sort_by_key(|card| keys[usize::from(*card)]);
    deck
}

/// `Array.prototype.sort` of V8 of 52 cards; `is_less` answers each comparison of a card with one before.
pub fn by_comparisons(mut is_less: impl FnMut() -> bool) -> Deck {
    let mut deck: Deck = std::array::from_fn(|card| card as u8);
    let is_falling = is_less();
    let mut run = 2;
    while run < DECK_CARDS && is_less() == is_falling {
        run += 1;
    }
    if is_falling {
        deck[..run].reverse();
    }
    for card in run..DECK_CARDS {
        let (mut left, mut right) = (0, card);
        while left < right {
            let middle = left + (right - left) / 2;
            if is_less() {
                right = middle;
            } else {
                left = middle + 1;
            }
        }
        deck[left..=card].rotate_right(1);
    }
    deck
}

/// The answers that dealt a deck, for every length of the run that it may have begun with.
pub fn comparisons(deck: &Deck) -> Vec<Vec<bool>> {
    let places = inverse(deck);
    let inserted: [usize; DECK_CARDS] =
        std::array::from_fn(|card| (0..card).filter(|&other| places[other] < places[card]).count());
    let is_falling = inserted[1] == 0;
    let is_of_run = |card: &usize| inserted[*card] == if is_falling { 0 } else { *card };
    let longest = (1..DECK_CARDS).take_while(is_of_run).count() + 1;
    (2..=longest).map(|run| answers(&inserted, run, is_falling)).collect()
}

fn answers(inserted: &[usize; DECK_CARDS], run: usize, is_falling: bool) -> Vec<bool> {
    let mut answers = vec![is_falling; run - 1];
    if run < DECK_CARDS {
        answers.push(!is_falling);
    }
    for (card, &place) in inserted.iter().enumerate().skip(run) {
        let (mut left, mut right) = (0, card);
        while left < right {
            let middle = left + (right - left) / 2;
            answers.push(place <= middle);
            if place <= middle {
                right = middle;
            } else {
                left = middle + 1;
            }
        }
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Node.js 20.20.2: `[...Array(52).keys()].sort(() => r() - 0.5)` with r of minstd (48271) from 1.
    const NODE: &str = "2 21 30 32 5 28 27 51 1 47 46 6 12 4 45 20 15 22 29 11 0 19 37 23 16 9 17 39 40 31 36 3 24 13 38 44 42 7 49 18 43 8 50 25 41 26 14 34 48 33 10 35";

    fn minstd() -> impl FnMut() -> bool {
        let mut state = 1u64;
        move || {
            state = state * 48_271 % 0x7fff_ffff;
            state < 0x4000_0000
        }
    }

    #[test]
    fn comparisons_deal_as_node_does_and_come_back() {
        let mut answers = Vec::new();
        let mut less = minstd();
        let deck = by_comparisons(|| {
            answers.push(less());
            answers[answers.len() - 1]
        });
        assert_eq!(deck.map(|card| card.to_string()).join(" "), NODE);
        assert!(comparisons(&deck).contains(&answers));
        for answers in comparisons(&deck) {
            let mut answers = answers.into_iter();
            assert_eq!(by_comparisons(|| answers.next().expect("as many as it wants")), deck);
            assert_eq!(answers.next(), None);
        }
    }

    /// By hand: falling keys turn the deck, equal ones leave it.
    #[test]
    fn keys_sort_and_equal_ones_keep_their_order() {
        assert_eq!(by_keys(&std::array::from_fn(|card| 100 - card as u64))[..3], [51, 50, 49]);
        assert_eq!(by_keys(&[7; DECK_CARDS])[..3], [0, 1, 2]);
        let mut nothing = 0;
        assert_eq!(
            by_comparisons(|| {
                nothing += 1;
                true
            })[..3],
            [51, 50, 49]
        );
        assert_eq!(nothing, 51);
    }
}
