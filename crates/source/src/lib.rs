//! Decks, from wherever they come: the certified shuffle, recorded decks, other programs, flawed dealers.

pub mod source;
