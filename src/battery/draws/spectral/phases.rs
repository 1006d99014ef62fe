//! Digits as fractions of a turn.

use crate::deck::block::BLOCK_HANDS;

/// Draws of bases 13 and more: phases of smaller ones are coarse, and a coefficient might be a multiple.
pub(super) const WIDE_DRAWS: usize = 40;

/// The phase of each digit of a base, as a 16-bit fraction of a turn.
pub(super) type Phases = [u16; BLOCK_HANDS];

/// `(d + 1/2)/m`.
pub(super) fn phases(base: usize) -> Phases {
    std::array::from_fn(|digit| (((2 * digit + 1) << 15) / base) as u16)
}
