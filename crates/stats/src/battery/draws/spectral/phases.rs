//! Digits as fractions of a turn.

use std::sync::OnceLock;

use crate::battery::draws::spectral::vectors::{Vector, vector};
use crate::battery::stream::base_of;
use deckproof_deck::deck::block::BLOCK_HANDS;

/// Draws of bases 13 and more: phases of smaller ones are coarse, and a coefficient might be a multiple.
pub(super) const WIDE_DRAWS: usize = 40;

/// The phase of each digit of a base, as a 16-bit fraction of a turn.
pub(in crate::battery::draws) type Phases = [u16; BLOCK_HANDS];

/// `(d + 1/2)/m`.
pub(in crate::battery::draws) fn phases(base: usize) -> Phases {
    std::array::from_fn(|digit| (((2 * digit + 1) << 15) / base) as u16)
}

/// Largest coefficient of a short wave: RANDU's planes are `x − 6y + 9z`.
pub(super) const COEFFICIENT_MAX: usize = 9;

/// The unit vector of each digit of a draw.
type OfDigits = [Vector; BLOCK_HANDS];

/// The unit vectors of the digits of every draw, so many phases further, 0 to 9 times.
pub(super) fn vectors_of(times: usize) -> &'static [OfDigits] {
    static VECTORS: OnceLock<Vec<OfDigits>> = OnceLock::new();
    let all = VECTORS.get_or_init(|| {
        let of_draw =
            |times: u16, draw: usize| phases(base_of(draw)).map(|phase| vector(phase.wrapping_mul(times)));
        let of_all = |times| (0..WIDE_DRAWS).map(move |draw| of_draw(times, draw));
        (0..=COEFFICIENT_MAX as u16).flat_map(of_all).collect()
    });
    &all[times * WIDE_DRAWS..][..WIDE_DRAWS]
}
