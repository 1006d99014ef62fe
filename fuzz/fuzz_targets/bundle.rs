//! Reveal bundles, from the bytes to the verdict.
#![no_main]

use libfuzzer_sys::fuzz_target;
use deckproof::verify::{Statements, verify_bundle};

fuzz_target!(|bytes: &[u8]| {
    let _ = verify_bundle(bytes, None, &Statements::default());
});
