//! Strict JSON: both readers agree, and the usual reader takes what they take.
#![no_main]

use libfuzzer_sys::fuzz_target;
use deckproof::json::{Json, Limits, outermost_keys};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { bytes_max: 1 << 20, members_max: 64 };
    assert_eq!(Json::parse(bytes, limits).is_ok(), outermost_keys(bytes, limits).is_ok());
});
