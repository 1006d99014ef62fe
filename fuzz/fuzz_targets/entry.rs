//! Log entries and transcripts: what is read is printed as the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use deckproof::log::entry::Entry;
use deckproof::stud::transcript;

fuzz_target!(|text: &str| {
    if let Ok(entry) = Entry::parse(text) {
        assert_eq!(entry.to_string(), text);
    }
    if let Ok(cards) = transcript::parse(text) {
        assert_eq!(transcript::print(&cards), text);
    }
});
