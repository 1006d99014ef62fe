//! The keystream: the ChaCha20 keystream of a key, read as words or bytes.

use chacha20::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// `keystream(K, lane)`: the ChaCha20 (RFC 8439) keystream of a 256-bit key with block counter from 0 and
/// nonce words `(0, lane, 0)`, which is stream number `lane` of a generator with a 64-bit counter.
///
/// Portable: the words are frozen by the vectors of PROTOCOL.md, section 3.
pub struct Keystream(ChaCha20Rng);

impl Keystream {
    /// The keystream of a key and a lane, at its start.
    pub fn new(key: &[u8; 32], lane: u32) -> Keystream {
        let mut keystream = ChaCha20Rng::from_seed(*key);
        keystream.set_stream(u64::from(lane));
        Keystream(keystream)
    }

    /// The next little-endian word.
    pub fn word(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// The next bytes.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }
}
