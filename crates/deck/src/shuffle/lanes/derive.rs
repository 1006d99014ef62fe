//! The hand keys of the audit path for 64 hands side by side: HMAC-SHA-256 from kept midstates.

use multiversion::multiversion;
use multiversion::target::match_target;
use sha2::block_api::compress256;
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::deck::block::BLOCK_HANDS;
use crate::key::AuditKey;
use crate::shuffle::lanes::WordRow;
use crate::shuffle::lanes::message::{OUTER_SUFFIX, PREFIX, ROUNDS, SUFFIX};
#[cfg(target_arch = "x86_64")]
use crate::shuffle::lanes::sha_instructions;

/// The first 32 bits of the fractional parts of the square roots of the first eight primes
/// (FIPS 180-4, section 5.3.3).
const INITIAL: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// An audit key made ready for the lanes: the two states of HMAC-SHA-256 after its key blocks
/// (RFC 2104; they are as secret as the key). Wiped on drop.
pub struct PreparedAuditKey {
    inner: [u32; 8],
    outer: [u32; 8],
}

impl Drop for PreparedAuditKey {
    fn drop(&mut self) {
        self.inner.zeroize();
        self.outer.zeroize();
    }
}

impl ZeroizeOnDrop for PreparedAuditKey {}

impl PreparedAuditKey {
    /// Runs the two compressions that all hands share.
    pub fn new(key: &AuditKey) -> PreparedAuditKey {
        PreparedAuditKey { inner: midstate(key, 0x36), outer: midstate(key, 0x5c) }
    }

    /// The hand keys `first .. first + 64` as little-endian words.
    pub(super) fn hand_keys(&self, first: u64) -> [WordRow; 8] {
        let (high, low) = ((first >> 32) as u32, first as u32);
        let mut keys = self.hand_keys_below(high, low);
        // Once in 2^32 hands the low word wraps inside a block: the lanes behind it take the next high.
        let wrap = low.wrapping_neg() as usize;
        if (1..BLOCK_HANDS).contains(&wrap) {
            let next = self.hand_keys_below(high.wrapping_add(1), low);
            for (row, next) in keys.iter_mut().zip(&next) {
                row[wrap..].copy_from_slice(&next[wrap..]);
            }
        }
        keys
    }

    /// The hand keys of the indices `high·2^32 + (low + lane mod 2^32)`.
    fn hand_keys_below(&self, high: u32, low: u32) -> [WordRow; 8] {
        let mut keys = [[0; BLOCK_HANDS]; 8];
        derive(&self.inner, &self.outer, high, low, &mut keys);
        keys
    }
}

/// The state after the block `key ⊕ pad`.
fn midstate(key: &AuditKey, pad: u8) -> [u32; 8] {
    let mut block = [pad; 64];
    for (byte, key) in block.iter_mut().zip(key.bytes()) {
        *byte ^= key;
    }
    let mut state = INITIAL;
    compress256(&mut state, &[block]);
    block.zeroize();
    state
}

/// Two compressions a hand, by the SHA instructions where there are some, else lane by lane. Sixteen
/// lanes of AVX-512 beat the SHA instructions, eight of AVX2 do not.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl",
    "x86_64+avx2+sha",
    "x86_64+avx2",
    "x86_64+sha+sse4.1",
    "aarch64+neon"
))]
fn derive(inner: &[u32; 8], outer: &[u32; 8], high: u32, low: u32, keys: &mut [WordRow; 8]) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl" => derive_in_lanes(inner, outer, high, low, keys),
        "x86_64+sha" => sha_instructions::derive(inner, outer, high, low, keys),
        _ => derive_in_lanes(inner, outer, high, low, keys),
    }
}

/// The lanes; two loops, because the variables of two compressions do not fit into the registers.
#[inline(always)]
fn derive_in_lanes(inner: &[u32; 8], outer: &[u32; 8], high: u32, low: u32, keys: &mut [WordRow; 8]) {
    let mut digests = [[0; BLOCK_HANDS]; 8];
    inner_lanes(inner, high, low, &mut digests);
    outer_lanes(outer, &digests, keys);
}

#[inline(always)]
fn inner_lanes(midstate: &[u32; 8], high: u32, low: u32, digests: &mut [WordRow; 8]) {
    for lane in 0..BLOCK_HANDS {
        let mut message = [0; 16];
        message[..7].copy_from_slice(&PREFIX);
        message[7] = high;
        message[8] = low.wrapping_add(lane as u32);
        message[9..].copy_from_slice(&SUFFIX);
        for (row, word) in digests.iter_mut().zip(compress(midstate, message)) {
            row[lane] = word;
        }
    }
}

#[inline(always)]
fn outer_lanes(midstate: &[u32; 8], digests: &[WordRow; 8], keys: &mut [WordRow; 8]) {
    for lane in 0..BLOCK_HANDS {
        let mut message = [0; 16];
        for (word, row) in message.iter_mut().zip(digests) {
            *word = row[lane];
        }
        message[8..].copy_from_slice(&OUTER_SUFFIX);
        for (row, word) in keys.iter_mut().zip(compress(midstate, message)) {
            row[lane] = word.swap_bytes();
        }
    }
}

/// FIPS 180-4, section 6.2.2, the message schedule in a ring of 16 words.
#[inline(always)]
fn compress(start: &[u32; 8], mut message: [u32; 16]) -> [u32; 8] {
    let mut state = *start;
    macro_rules! rounds {
        ($($round:literal)*) => { $( step(&mut state, &mut message, $round); )* };
    }
    rounds!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
    rounds!(32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
    std::array::from_fn(|word| state[word].wrapping_add(start[word]))
}

#[inline(always)]
fn step(state: &mut [u32; 8], message: &mut [u32; 16], round: usize) {
    if round >= 16 {
        let (two, fifteen) = (message[(round + 14) % 16], message[(round + 1) % 16]);
        let far = two.rotate_right(17) ^ two.rotate_right(19) ^ two >> 10;
        let near = fifteen.rotate_right(7) ^ fifteen.rotate_right(18) ^ fifteen >> 3;
        let sum = far.wrapping_add(message[(round + 9) % 16]).wrapping_add(near);
        message[round % 16] = message[round % 16].wrapping_add(sum);
    }
    let [a, b, c, d, e, f, g, h] = *state;
    let choice = g ^ e & (f ^ g);
    let majority = a & b | c & (a | b);
    let upper = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
    let lower = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
    let first = h
        .wrapping_add(upper)
        .wrapping_add(choice)
        .wrapping_add(ROUNDS[round])
        .wrapping_add(message[round % 16]);
    *state = [first.wrapping_add(lower).wrapping_add(majority), a, b, c, d.wrapping_add(first), e, f, g];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_deriving_gives_the_keys_of_the_hmac_crate() {
        let key = AuditKey::from_bytes(std::array::from_fn(|place| 7 * place as u8));
        let prepared = PreparedAuditKey::new(&key);
        for first in [0u64, 12_345, 5 << 40] {
            let (high, low) = ((first >> 32) as u32, first as u32);
            let mut in_lanes = [[0; BLOCK_HANDS]; 8];
            derive_in_lanes(&prepared.inner, &prepared.outer, high, low, &mut in_lanes);
            assert!(in_lanes == prepared.hand_keys(first), "this machine's way differs from the lanes");
            for lane in 0..BLOCK_HANDS {
                let expected = key.hand_key(first + lane as u64);
                let words = expected.bytes().as_chunks().0.iter().map(|&word| u32::from_le_bytes(word));
                assert!(words.eq(in_lanes.iter().map(|row| row[lane])), "hand {first} + {lane}");
            }
        }
    }
}
