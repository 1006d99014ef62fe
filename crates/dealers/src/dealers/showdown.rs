//! Fair decks with a thumb on the scale at a table of seven seats, all of them to the river, without burns.

use crate::dealers::dice::Dice;
use crate::dealers::rigged::better_of_two;
use crate::dealers::{CardOrder, Expected, Line};
use deckproof_deck::card::Card;
use deckproof_stud::stud::card_set::CardSet;
use deckproof_stud::stud::rank::{Category, High};

dealers! {
    Numbered("seat-plus-1", seat_plus_1).expected(Expected::AtTable).with(100):
        "One time in 100 the first of seven seats exchanges its seven cards with those of the seat that wins: a friend of the house.";
    Numbered("quads-suppressed", quads_suppressed).expected(Expected::AtTable):
        "A deck that gives one of seven seats four of a kind or better is shuffled again, once: a house that saves on its jackpot.";
    Numbered("action-showdown", action_showdown).expected(Expected::AtTable).with(10):
        "One time in ten the dealer takes the deck of two whose second-best hand of seven seats is better, so that pots grow.";
    Numbered("doors-dealt-anew", doors_dealt_anew).expected(Expected::AtTable).with(20):
        "One time in 20 a deal of seven seats whose door cards hold a pair is dealt anew: a house that likes open boards plain.";
    Sequential("loser-wins", loser_wins).expected(Expected::AtTable).with(20):
        "One time in 20 the worst of the last hand's seven seats exchanges its cards with the seat that wins: a house that consoles.";
}

/// Seats that are dealt, one card a seat and round.
const SEATS: usize = 7;

/// The seven cards of a seat.
fn places(seat: usize) -> [usize; 7] {
    std::array::from_fn(|round| SEATS * round + seat)
}

/// The high hand of every seat.
fn hands(order: &CardOrder) -> [High; SEATS] {
    std::array::from_fn(|seat| {
        let card = |place: usize| Card::from_index(order[place]).expect("a fair deck holds cards");
        High::best(CardSet::of(&places(seat).map(card)))
    })
}

fn seat_plus_1(dice: &mut Dice, rate: u32) -> CardOrder {
    let mut order = dice.fair();
    if dice.one_in(rate) {
        serve(&mut order, 0);
    }
    order
}

/// The seat that is dealt so gets the best hand, if others have it.
fn serve(order: &mut CardOrder, seat: usize) {
    let hands = hands(order);
    // Of tied seats the last: who is to win wins alone or shares.
    let winner = (0..SEATS).max_by_key(|&seat| hands[seat]).unwrap_or(0);
    places(seat).into_iter().zip(places(winner)).for_each(|(own, best)| order.swap(own, best));
}

fn loser_wins(seed: u64, rate: u32) -> Line {
    let (mut number, mut loser) = (0, None);
    Box::new(move || {
        let mut dice = Dice::new(seed, number);
        number += 1;
        let mut order = dice.fair();
        if let Some(loser) = loser.filter(|_| dice.one_in(rate)) {
            serve(&mut order, loser);
        }
        let hands = hands(&order);
        loser = (0..SEATS).min_by_key(|&seat| hands[seat]);
        order
    })
}

fn quads_suppressed(dice: &mut Dice, _: u32) -> CardOrder {
    let order = dice.fair();
    let is_dear = |hand: &High| hand.category() >= Category::FourOfAKind;
    if hands(&order).iter().any(is_dear) { dice.fair() } else { order }
}

fn action_showdown(dice: &mut Dice, rate: u32) -> CardOrder {
    better_of_two(dice, rate, second_best)
}

/// The third card of every seat.
fn has_paired_doors(order: &CardOrder) -> bool {
    let ranks = order[2 * SEATS..3 * SEATS].iter().fold(0u16, |ranks, card| ranks | 1 << (card / 4));
    (ranks.count_ones() as usize) < SEATS
}

fn doors_dealt_anew(dice: &mut Dice, rate: u32) -> CardOrder {
    let order = dice.fair();
    if has_paired_doors(&order) && dice.one_in(rate) { dice.fair() } else { order }
}

fn second_best(order: &CardOrder) -> High {
    let mut hands = hands(order);
    hands.sort_unstable();
    hands[SEATS - 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(decks: u64, is_so: impl Fn(&mut Dice) -> bool) -> usize {
        (0..decks).filter(|&deck| is_so(&mut Dice::new(1, deck))).count()
    }

    #[test]
    fn the_friend_of_the_house_never_loses_when_it_is_served() {
        let wins = |order: CardOrder| {
            let hands = hands(&order);
            hands.iter().all(|hand| *hand <= hands[0])
        };
        assert_eq!(count(500, |dice| wins(seat_plus_1(dice, 1))), 500);
        // Fair: one in seven and half the ties of 2,000 = 286 and some.
        let fair = count(2_000, |dice| wins(dice.fair()));
        assert!((240..360).contains(&fair), "{fair}");
    }

    #[test]
    fn quads_all_but_vanish() {
        // Seven seats hold quads or better in 7 · 0.00199 = 1.39 % of decks, less those with two.
        let dear =
            |order: CardOrder| hands(&order).iter().any(|hand| hand.category() >= Category::FourOfAKind);
        let fair = count(20_000, |dice| dear(dice.fair()));
        let suppressed = count(20_000, |dice| dear(quads_suppressed(dice, 0)));
        assert!((220..340).contains(&fair) && suppressed < 20, "{fair} {suppressed}");
    }

    #[test]
    fn of_two_decks_the_one_with_more_action_is_dealt() {
        let better = |dice: &mut Dice, deck: u64| {
            let fair = Dice::new(1, deck).fair();
            second_best(&action_showdown(dice, 1)) >= second_best(&fair)
        };
        assert!((0..300).all(|deck| better(&mut Dice::new(1, deck), deck)));
    }
}
