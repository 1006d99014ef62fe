//! The binary `deckproof`.

fn main() {}
