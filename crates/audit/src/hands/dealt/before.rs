//! Bets that a card of the hand before comes again: at the same place in the order dealt, or as the same card of the same seat.
//!
//! The card is bet on where it was not dealt before in this hand. It then comes with one chance in as many as are left, whatever
//! the hand before was: of another table, or long before this one, it gains nothing.

use crate::hands::dealt::bets::{Money, SEATS, STREETS, event};
use crate::hands::dealt::read::DealtTo;
use deckproof_deck::card::Card;

/// How much more often than by chance it is bet to come.
const AGAIN_ODDS: [f64; 8] = [0.0, 0.5, 1.1, 1.5, 2.5, 5.0, 12.0, 30.0];

/// Cards of a seat at most.
const CARDS_OF_SEAT: usize = 7;

/// The bets, and the hand before.
pub(super) struct Before {
    place: Vec<Money>,
    seat: Vec<Money>,
    cards: Vec<Card>,
    by_seat: [[Option<Card>; CARDS_OF_SEAT]; SEATS],
}

impl Before {
    pub fn new() -> Before {
        let money = |parts: usize| vec![Money::of(AGAIN_ODDS.len()); parts];
        Before {
            place: money(1 + STREETS),
            seat: money(1 + STREETS + SEATS),
            cards: Vec::new(),
            by_seat: [[None; CARDS_OF_SEAT]; SEATS],
        }
    }

    /// Bets on the cards of a hand, and remembers them.
    pub fn add(&mut self, cards: &[DealtTo], mut left: u64) {
        let mut by_seat = [[None; CARDS_OF_SEAT]; SEATS];
        let mut held = [0usize; SEATS];
        for (place, dealt) in cards.iter().enumerate() {
            let (seat, street) = (usize::from(dealt.seat), usize::from(dealt.street - 3));
            let of_seat = held[seat];
            let at_place = self.cards.get(place).copied();
            bet(&mut self.place, &[0, 1 + street], at_place, dealt.card, left);
            bet(
                &mut self.seat,
                &[0, 1 + street, 1 + STREETS + seat],
                self.by_seat[seat][of_seat],
                dealt.card,
                left,
            );
            by_seat[seat][of_seat] = Some(dealt.card);
            held[seat] += 1;
            left &= !(1 << dealt.card.index());
        }
        self.cards = cards.iter().map(|dealt| dealt.card).collect();
        self.by_seat = by_seat;
        self.place.iter_mut().chain(&mut self.seat).for_each(Money::settle);
    }

    /// The parts with their names.
    pub fn parts(&self) -> impl Iterator<Item = (String, &Money)> {
        let name = |what: &str, part: usize| match part {
            0 => format!("{what}, all cards"),
            street if street <= STREETS => format!("{what}, street {}", street + 2),
            seat => format!("{what}, seat {}", seat - STREETS - 1),
        };
        let place =
            self.place.iter().enumerate().map(move |(part, money)| (name("the same place", part), money));
        place.chain(
            self.seat.iter().enumerate().map(move |(part, money)| (name("the same seat", part), money)),
        )
    }
}

fn bet(money: &mut [Money], parts: &[usize], wanted: Option<Card>, card: Card, left: u64) {
    let Some(wanted) = wanted.filter(|wanted| left >> wanted.index() & 1 == 1 && left.count_ones() > 1)
    else {
        return;
    };
    let probability = 1.0 / f64::from(left.count_ones());
    for &part in parts {
        money[part].pay(|bettor| event(AGAIN_ODDS[bettor], probability, card == wanted));
    }
}
