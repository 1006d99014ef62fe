//! Exports of PokerStars.
#![no_main]

use libfuzzer_sys::fuzz_target;
use deckproof::stud::history::pokerstars;

fuzz_target!(|text: &str| {
    let _ = pokerstars::read(text);
});
