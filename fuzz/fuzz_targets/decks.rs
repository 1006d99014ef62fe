//! Texts and bytes of decks in every format.
#![no_main]

use deckproof::deck::block::DeckBlock;
use deckproof::source::DeckSource;
use deckproof::source::format::{Format, Numbering, Written};
use deckproof::source::stream::Stream;
use libfuzzer_sys::fuzz_target;

// The first byte says which format is meant, so that a run reads its bytes once.
fuzz_target!(|bytes: &[u8]| {
    let Some((&first, bytes)) = bytes.split_first() else { return };
    let format = [None, Some(Format::Raw), Some(Format::Indices), Some(Format::Cards)][usize::from(first % 4)];
    if let Ok(mut stream) = Stream::open(bytes, "fuzzed", &Written::new(format, Numbering::RankSuit), None) {
        let _ = stream.fill(0, &mut DeckBlock::default());
    }
});
