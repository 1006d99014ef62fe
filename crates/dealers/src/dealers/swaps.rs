//! Shuffles whose loop is wrong: the draws are exact, the swaps are not Durstenfeld's.

use std::ops::Range;

use crate::dealers::dice::Dice;
use crate::dealers::{CardOrder, in_order};
use deckproof_deck::card::DECK_CARDS;

dealers! {
    Numbered("naive-swap", naive_swap):
        "Every card is swapped with any of the 52: 52^52 equally likely runs cannot fall evenly on 52! orders.";
    Numbered("sattolo", sattolo):
        "The loop draws below i instead of up to i (Sattolo 1986; the code CoinPoker published): only 52-cycles.";
    Numbered("skip-last", skip_last):
        "The loop begins one card too early, so the last card of the new deck never moves.";
    Numbered("stop-early", stop_early).with(2):
        "The loop ends one step too soon (i > 1), so the top two cards keep the order they fell into.";
    Numbered("half-deck", stop_early).with(26):
        "The loop stops after 26 places, the top half keeps what the swaps left there.";
    Numbered("round-not-floor", round_not_floor):
        "The index is rounded instead of cut, so both ends have half the weight of the others.";
}

/// Atwood 2007, "The danger of naïveté"; the bias was known to Robbins & Bolker 1981.
fn naive_swap(dice: &mut Dice, _: u32) -> CardOrder {
    let mut order = in_order();
    for place in 0..DECK_CARDS {
        order.swap(place, dice.below(52) as usize);
    }
    order
}

/// Every card of these places, from the last one on, is swapped with the one that `other` finds.
fn swapped(places: Range<usize>, mut other: impl FnMut(usize) -> usize) -> CardOrder {
    let mut order = in_order();
    places.rev().for_each(|last| order.swap(last, other(last)));
    order
}

/// Sattolo 1986, "An algorithm to generate a random cyclic permutation".
fn sattolo(dice: &mut Dice, _: u32) -> CardOrder {
    swapped(1..DECK_CARDS, |last| dice.below(last as u32) as usize)
}

fn skip_last(dice: &mut Dice, _: u32) -> CardOrder {
    swapped(1..DECK_CARDS - 1, |last| dice.below(last as u32 + 1) as usize)
}

fn stop_early(dice: &mut Dice, first: u32) -> CardOrder {
    swapped(first as usize..DECK_CARDS, |last| dice.below(last as u32 + 1) as usize)
}

/// `Math.round(Math.random() * i)`: 0 and i own half an interval each.
fn round_not_floor(dice: &mut Dice, _: u32) -> CardOrder {
    swapped(1..DECK_CARDS, |last| (dice.unit() * last as f64).round() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decks(deal: fn(&mut Dice, u32) -> CardOrder, parameter: u32) -> impl Iterator<Item = CardOrder> {
        (0..500).map(move |deck| deal(&mut Dice::new(1, deck), parameter))
    }

    #[test]
    fn sattolo_deals_one_cycle_of_52() {
        for order in decks(sattolo, 0) {
            let ring = std::iter::successors(Some(0), |&card: &u8| Some(order[usize::from(card)]));
            let length = 1 + ring.skip(1).take_while(|&card| card != 0).count();
            assert_eq!(length, 52);
        }
    }

    #[test]
    fn skip_last_leaves_the_last_card() {
        assert!(decks(skip_last, 0).all(|order| order[51] == 51));
        assert!(decks(skip_last, 0).any(|order| order[0] != 0 && order[50] != 50));
    }

    #[test]
    fn stopping_at_the_first_place_is_the_whole_shuffle_and_later_is_not() {
        let whole = |deck| Dice::new(1, deck).fair();
        assert!(decks(stop_early, 1).enumerate().all(|(deck, order)| order == whole(deck as u64)));
        let differs = |first| {
            decks(stop_early, first).enumerate().filter(move |(deck, order)| *order != whole(*deck as u64))
        };
        // The missing step would have swapped the top two cards every second time.
        assert!((200..300).contains(&differs(2).count()));
        assert!(differs(2).all(|(deck, order)| order[2..] == whole(deck as u64)[2..]));
        assert!(differs(26).all(|(deck, order)| order[26..] == whole(deck as u64)[26..]));
    }

    #[test]
    fn rounding_gives_the_ends_half_their_weight() {
        // Place 51 holds card 0 with probability 1/102 instead of 1/52: 4.9 of 500 expected, not 9.6.
        let seen = (0..20_000).filter(|&deck| round_not_floor(&mut Dice::new(1, deck), 0)[51] == 0).count();
        assert!((140..260).contains(&seen), "{seen} of 196 expected");
    }

    #[test]
    fn naive_swaps_put_a_card_one_place_ahead_too_often() {
        // The Markov chain of one card's place gives card 1 at place 0 the probability 0.0260043 (iterated
        // by an independent program): 520 of 20,000, and 385 on a fair deck.
        let seen = (0..20_000).filter(|&deck| naive_swap(&mut Dice::new(1, deck), 0)[0] == 1).count();
        assert!((440..600).contains(&seen), "{seen}");
    }
}
