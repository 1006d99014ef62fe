//! One deck after another, for what is measured in plain loops.

use crate::card::DECK_CARDS;
use crate::deck::block::{BLOCK_HANDS, EMPTY_LANE, Row};

/// Card numbers from the top.
pub(super) type Order = [u8; DECK_CARDS];

/// A number of the deck in every lane, measured deck by deck; 0 where a lane is empty.
pub(super) fn in_lanes(rows: &[Row; DECK_CARDS], measure: impl Fn(&Order) -> usize) -> Row {
    let mut measured = [0; BLOCK_HANDS];
    for (lane, value) in measured.iter_mut().enumerate() {
        if rows[0][lane] != EMPTY_LANE {
            *value = measure(&std::array::from_fn(|place| rows[place][lane])) as u8;
        }
    }
    measured
}

#[cfg(test)]
pub(super) mod sample {
    use super::Order;
    use crate::card::DECK_CARDS;

    /// Orders of many shapes: every `(a·place + b) mod 52` with a prime to 52.
    pub(in crate::battery) fn orders() -> impl Iterator<Item = Order> {
        let steps = (1..DECK_CARDS).filter(|step| step % 2 == 1 && step % 13 != 0);
        let order =
            |step: usize, first: usize| std::array::from_fn(|at| ((step * at + first) % DECK_CARDS) as u8);
        steps.flat_map(move |step| (0..DECK_CARDS).map(move |first| order(step, first)))
    }
}
