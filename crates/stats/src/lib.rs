//! Statistics of decks and of the hands they deal: blocks of 64 decks in, integers and outcomes out. No level, no file.

pub mod battery;
pub mod math;
