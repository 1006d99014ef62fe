//! Checkpoints and shards behind a right checksum.
#![no_main]

use std::path::Path;

use deckproof::audit::checkpoint;
use libfuzzer_sys::fuzz_target;
use sha2::{Digest, Sha256};

fuzz_target!(|body: &[u8]| {
    let digest = Sha256::digest(body);
    let _ = checkpoint::decode(Path::new("fuzzed"), &[body, &digest].concat());
});
