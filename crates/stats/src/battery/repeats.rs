//! Repeats: decks, or beginnings of decks, that come again.

pub(super) mod collisions;
pub mod duplicates;
