//! Repeats: decks, or parts of decks, that come again.

pub(super) mod collisions;
pub mod duplicates;
pub(super) mod packets;
