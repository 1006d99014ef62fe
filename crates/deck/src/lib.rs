//! Cards and decks, keys and the keystream, the certified shuffle, and the commitment to a deck.

pub mod card;
pub mod commitment;
pub mod deck;
pub mod json;
pub mod key;
pub mod keystream;
pub mod shuffle;
pub mod text;
