//! Texts and bytes of decks in every format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use deckproof::deck::block::DeckBlock;
use deckproof::source::DeckSource;
use deckproof::source::format::{Format, Numbering, Written};
use deckproof::source::stream::Stream;

fuzz_target!(|bytes: &[u8]| {
    for format in [None, Some(Format::Raw), Some(Format::Indices), Some(Format::Cards)] {
        if let Ok(mut stream) = Stream::open(bytes, "fuzzed", &Written::new(format, Numbering::RankSuit), None) {
            let _ = stream.fill(0, &mut DeckBlock::default());
        }
    }
});
