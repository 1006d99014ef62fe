//! The same without any instructions in particular: the specification of the byte permutes.

use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::orders::{Decks, ORDER_BYTES, Order};

pub(super) fn cycles(orders: &[Order], cycles: &mut [u64], fixed_points: &mut [u64]) {
    for order in orders {
        let order = order.bytes();
        let mut lowest = *Order::IDENTITY.bytes();
        // The lowest place of a cycle comes round to all of it within as many steps as there are cards.
        for _ in 0..DECK_CARDS {
            lowest = std::array::from_fn(|place| lowest[place].min(lowest[usize::from(order[place])]));
        }
        cycles[own_places(&lowest)] += 1;
        fixed_points[own_places(order)] += 1;
    }
}

fn own_places(places: &[u8; ORDER_BYTES]) -> usize {
    (0..DECK_CARDS).filter(|&place| usize::from(places[place]) == place).count()
}

pub(super) fn descents(orders: &[Order], counts: &mut [u64]) {
    for order in orders {
        let falls = order.bytes()[..DECK_CARDS].windows(2).filter(|pair| pair[0] > pair[1]);
        counts[falls.count()] += 1;
    }
}

pub(super) fn follow(orders: &[Order], inverses: &[Order], out: &mut [Order]) {
    for ((order, inverse), out) in orders.iter().zip(inverses).zip(out) {
        // The delimiter is 52, at place 52.
        let behind = |place: u8| usize::from(place + 1) % (DECK_CARDS + 1);
        let next = |symbol: usize| match inverse.bytes().get(symbol) {
            Some(&place) if symbol <= DECK_CARDS => order.bytes()[behind(place)],
            _ => symbol as u8,
        };
        *out = Order::of_bytes(std::array::from_fn(next));
    }
}

pub(super) fn turned(decks: Decks, out: &mut [Order]) {
    for ((order, inverse), out) in decks.orders.iter().zip(decks.inverses).zip(out) {
        let top = usize::from(inverse.bytes()[0]);
        let cut = |place: usize| order.bytes()[(top + place) % DECK_CARDS];
        let is_turned = cut(DECK_CARDS - 1) < cut(1);
        let turn = |place: usize| match place {
            DECK_CARDS.. => place as u8,
            _ if is_turned => cut(DECK_CARDS - place),
            _ => cut(place),
        };
        *out = Order::of_bytes(std::array::from_fn(turn));
    }
}

pub(super) fn equal_or_inverse(decks: Decks, out: &mut [Order]) {
    for ((order, inverse), out) in decks.orders.iter().zip(decks.inverses).zip(out) {
        *out = if inverse.bytes() < order.bytes() { *inverse } else { *order };
    }
}
