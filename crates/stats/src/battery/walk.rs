//! One deck after another, for the plain loops that the lanes are tested against.

use deckproof_deck::card::DECK_CARDS;

/// Card numbers from the top.
pub(super) type Order = [u8; DECK_CARDS];

pub(super) mod sample {
    use super::Order;
    use deckproof_deck::card::DECK_CARDS;
    use deckproof_deck::shuffle::shuffle_deck;

    /// Orders of many shapes: every `(a·place + b) mod 52` with a prime to 52, and shuffled decks, for the former have no
    /// neighbours of one suit.
    pub(in crate::battery) fn orders() -> impl Iterator<Item = Order> {
        let steps = (1..DECK_CARDS).filter(|step| step % 2 == 1 && step % 13 != 0);
        let order =
            |step: usize, first: usize| std::array::from_fn(|at| ((step * at + first) % DECK_CARDS) as u8);
        let even = steps.flat_map(move |step| (0..DECK_CARDS).map(move |first| order(step, first)));
        even.chain((0..DECK_CARDS).map(|key| *shuffle_deck(&[key as u8; 32]).indices()))
    }
}
