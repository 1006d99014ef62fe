//! Checkpoints and shards behind a right checksum.
#![no_main]

use libfuzzer_sys::fuzz_target;
use deckproof::audit::checkpoint;
use sha2::{Digest, Sha256};

fuzz_target!(|body: &[u8]| {
    let path = std::env::temp_dir().join(format!("deckproof-fuzz-{}", std::process::id()));
    let digest = Sha256::digest(body);
    if std::fs::write(&path, [body, &digest].concat()).is_ok() {
        let _ = checkpoint::read(&path);
    }
});
