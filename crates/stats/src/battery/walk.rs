//! One deck after another, for the plain loops that the lanes are tested against.

use deckproof_deck::card::DECK_CARDS;

/// Card numbers from the top.
pub(super) type Order = [u8; DECK_CARDS];

pub(super) mod sample {
    use super::Order;
    use deckproof_deck::card::DECK_CARDS;

    /// Orders of many shapes: every `(a·place + b) mod 52` with a prime to 52.
    pub(in crate::battery) fn orders() -> impl Iterator<Item = Order> {
        let steps = (1..DECK_CARDS).filter(|step| step % 2 == 1 && step % 13 != 0);
        let order =
            |step: usize, first: usize| std::array::from_fn(|at| ((step * at + first) % DECK_CARDS) as u8);
        steps.flat_map(move |step| (0..DECK_CARDS).map(move |first| order(step, first)))
    }
}
