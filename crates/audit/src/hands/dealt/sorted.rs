//! Rows that somebody sorted by the card: the first two cards of every seat stand in one order.
//!
//! Of a fair deal a pair does so with probability 9/17 at most (the ranks rise or are equal), so that of 200 seats all do once in 10^55 files
//! for each of eight orders. A query (ORDER BY hand, street, card) and a program that shows a seat its cards sorted leave it so.

use std::cmp::Ordering;

use crate::hands::dealt::read::OrderedHand;
use deckproof_deck::card::Card;
use deckproof_deck::text::decimal::thousands;

/// Fewer seats say nothing.
const SEATS_MIN: usize = 200;

/// An order of cards, and what it goes by.
type Order = (&'static str, fn(Card, Card) -> Ordering);

const ORDERS: [Order; 4] = [
    ("their rank", |one, other| one.rank().cmp(&other.rank())),
    ("their suit", |one, other| (one.suit(), one.rank()).cmp(&(other.suit(), other.rank()))),
    ("the alphabet", |one, other| one.to_string().cmp(&other.to_string())),
    ("the alphabet", |one, other| spelled(one).cmp(&spelled(other))),
];

/// With its ten as a number.
fn spelled(card: Card) -> String {
    card.to_string().replace('T', "10")
}

/// Why the order of these hands is not that of their dealing, if it is not.
pub(super) fn sorted(hands: &[OrderedHand]) -> Option<String> {
    let pairs: Vec<[Card; 2]> = hands.iter().flat_map(pairs).collect();
    // The same deck in every hand is a fault of another kind.
    let first = |hand: &OrderedHand| hand.cards.first().map(|dealt| dealt.card);
    let is_one_deck = hands.windows(2).all(|two| first(&two[0]) == first(&two[1]));
    if pairs.len() < SEATS_MIN || is_one_deck {
        return None;
    }
    let (by, way) = ORDERS.iter().find_map(|(by, order)| {
        let is_all =
            |against: Ordering| pairs.iter().all(|[first, second]| order(*first, *second) != against);
        let ways = [(Ordering::Greater, "up"), (Ordering::Less, "down")];
        ways.into_iter().find(|(against, _)| is_all(*against)).map(|(_, way)| (by, way))
    })?;
    Some(format!(
        "the first two cards of all {} seats of third street are in the order of {by}, {way}: the rows were sorted by card, wanted them in the \
         order of dealing (ORDER BY hand, dealt position)",
        thousands(pairs.len() as u64)
    ))
}

/// The first two cards of each seat.
fn pairs(hand: &OrderedHand) -> Vec<[Card; 2]> {
    let of_seat = |seat: u8| {
        let mut own = hand.cards.iter().filter(|dealt| dealt.seat == seat && dealt.street == 3);
        Some([own.next()?.card, own.next()?.card])
    };
    (1..=8).filter_map(of_seat).collect()
}
