//! Overlaps and guesses: what one deck tells of the next, counted on relative decks.
//!
//! Null: the cards common to the first m places of neighbouring decks are hypergeometric(52, m, m), m = 14, 21, 26;
//! on a relative deck these are the first m places that hold a number below m. Who guesses each next card to be the
//! one that followed the last in the deck before, or else the next one undealt, and sees every card, is right
//! with probability 1/k when k are left, so that hits have the distribution of cycles, whatever the guesses. Parts:
//! histogram, mean, most extreme deck of each.

use std::sync::OnceLock;

use multiversion::multiversion;

use crate::battery::nulls::histogram::names;
use crate::battery::nulls::numbers::{Count, Number, Numbers};
use crate::battery::statistic::{About, Design};
use crate::battery::tier::Tier;
use crate::battery::view::View;
use crate::math::distribution::Distribution;
use crate::math::{permutation, sampling};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, Row};
use deckproof_deck::deck::inverse::inverse_rows;

pub(in crate::battery) static OVERLAPS: Numbers = Numbers {
    about: &About {
        id: "overlaps",
        version: 3,
        tier: Tier::Deep,
        title: "overlaps of first places, guesses from the deck before",
        null: "The first places share cards with those of the deck before, and guesses from it hit, as by chance.",
        source: "overlaps: hypergeometric(52, m, m) for m = 14, 21, 26; guesses: distribution of cycles (Diaconis & Graham \
                 1981); histogram: Pearson χ² of cells expecting 10, bound by Agrawal (2020); mean: saddle point, \
                 bound by Chernoff (1952); extreme: exact",
        detects: "Decks that are not gathered or shuffled enough between hands; riffles, cuts, cards carried over.",
        decks_min: 1,
        design: Design { views: &[View::Relative], ..Design::PLAIN },
    },
    numbers: &[
        Number::of(names!("first-14", "cards"), overlap::<14>),
        Number::of(names!("first-21", "cards"), overlap::<21>),
        Number::of(names!("first-26", "cards"), overlap::<26>),
        Number::of(names!("guesses", "hits"), permutation::cycles),
    ],
    count: Count::Lanes(&[
        |rows| common(rows, 14),
        |rows| common(rows, 21),
        |rows| common(rows, 26),
        guesses,
    ]),
};

fn overlap<const M: usize>() -> &'static Distribution {
    static DISTRIBUTIONS: [OnceLock<Distribution>; 3] = [const { OnceLock::new() }; 3];
    let place = usize::from(M > 14) + usize::from(M > 21);
    DISTRIBUTIONS[place].get_or_init(|| sampling::overlap(DECK_CARDS as u64, M as u64))
}

/// Cards below m at places below m, in every lane.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn common(rows: &[Row; DECK_CARDS], m: u8) -> Row {
    let mut found = [0; BLOCK_HANDS];
    for row in &rows[..usize::from(m)] {
        for lane in 0..BLOCK_HANDS {
            found[lane] += u8::from(row[lane] < m);
        }
    }
    found
}

/// Hits of one who guesses what followed before, in every lane: an order that is a relative deck says to which place of
/// the next deck each card of the last one goes, so its inverse tells the next deck in places of the last.
fn guesses(rows: &[Row; DECK_CARDS]) -> Row {
    let mut next = [[0; BLOCK_HANDS]; DECK_CARDS];
    inverse_rows(rows, &mut next);
    hits(&next)
}

/// Lanes whose sets of cards stay in registers.
const LANES: usize = 8;

/// How many cards of each deck are the lowest one left above the card before, or else the lowest one left.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn hits(rows: &[Row; DECK_CARDS]) -> Row {
    let mut found = [0; BLOCK_HANDS];
    for (group, found) in found.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        // Sets of cards, the guess a set of one.
        let (mut undealt, mut guess, mut hits) =
            ([(1u64 << DECK_CARDS) - 1; LANES], [1u64; LANES], [0u64; LANES]);
        for row in rows {
            let cards = &row.as_chunks::<LANES>().0[group];
            for lane in 0..LANES {
                let card = 1 << u64::from(cards[lane] % BLOCK_HANDS as u8);
                hits[lane] += u64::from(card == guess[lane]);
                undealt[lane] &= !card;
                let above = undealt[lane] & card.wrapping_neg();
                let left = if above == 0 { undealt[lane] } else { above };
                guess[lane] = left & left.wrapping_neg();
            }
        }
        *found = hits.map(|hits| hits as u8);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk;
    use crate::battery::walk::Order;
    use deckproof_deck::deck::inverse_of;

    fn guesses(order: &Order) -> u8 {
        super::guesses(&order.map(|card| [card; BLOCK_HANDS]))[BLOCK_HANDS - 1]
    }

    /// Card by card: what followed it before if that is left, or else the next one that is.
    fn guessed_card_by_card(order: &Order) -> u8 {
        let mut left: Vec<u8> = (0..DECK_CARDS as u8).collect();
        let (mut guess, mut hits) = (0, 0);
        for card in inverse_of(order) {
            hits += u8::from(card == guess);
            left.retain(|&other| other != card);
            let above = left.iter().find(|&&other| other > card);
            guess = above.or(left.first()).copied().unwrap_or_default();
        }
        hits
    }

    fn common(order: &Order, m: u8) -> u8 {
        super::common(&order.map(|card| [card; BLOCK_HANDS]), m)[0]
    }

    #[test]
    fn common_cards_and_guesses_equal_looking_at_every_place() {
        for order in walk::sample::orders() {
            for m in [14, 21, 26] {
                let plain = order[..usize::from(m)].iter().filter(|&&card| card < m).count();
                assert_eq!(usize::from(common(&order, m)), plain, "{order:?}");
            }
            assert_eq!(guesses(&order), guessed_card_by_card(&order), "{order:?}");
        }
    }

    #[test]
    fn a_deck_in_the_old_order_is_guessed_and_a_cut_but_once_missed() {
        let sorted: Order = std::array::from_fn(|place| place as u8);
        assert_eq!((guesses(&sorted), common(&sorted, 21)), (52, 21));
        let cut: Order = std::array::from_fn(|place| ((place + 40) % 52) as u8);
        assert_eq!((guesses(&cut), common(&cut, 14)), (51, 2));
        let reversed: Order = std::array::from_fn(|place| 51 - place as u8);
        assert_eq!(guesses(&reversed), 1);
    }
}
