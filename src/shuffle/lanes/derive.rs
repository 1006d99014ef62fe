//! The hand keys of the audit path for 64 hands side by side: HMAC-SHA-256 from kept midstates.

use multiversion::multiversion;
use multiversion::target::match_target;
use sha2::block_api::compress256;
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::deck::block::BLOCK_HANDS;
use crate::key::AuditKey;
use crate::shuffle::lanes::WordRow;
#[cfg(target_arch = "x86_64")]
use crate::shuffle::lanes::sha_instructions;

/// The first 32 bits of the fractional parts of the square roots of the first eight primes
/// (FIPS 180-4, section 5.3.3).
const INITIAL: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4,
/// section 4.2.2).
#[rustfmt::skip]
pub(super) const ROUNDS: [u32; 64] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
];

/// The message of a hand up to its index: `u32be(1) ‖ label ‖ 0x00`, whole words.
pub(super) const PREFIX: [u32; 7] = {
    let label = AuditKey::LABEL.as_bytes();
    assert!(label.len() == 23, "the prefix fills seven words");
    let mut bytes = [0; 28];
    bytes[3] = 1;
    let mut place = 0;
    while place < label.len() {
        bytes[4 + place] = label[place];
        place += 1;
    }
    let mut words = [0; 7];
    let mut word = 0;
    while word < words.len() {
        let at = 4 * word;
        words[word] = u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        word += 1;
    }
    words
};

/// The words after the index, `u32be(256)` and the padding of 64 + 40 bytes (FIPS 180-4, section 5.1.1).
pub(super) const SUFFIX: [u32; 7] = [256, PADDING, 0, 0, 0, 0, 8 * (64 + 40)];

/// The words after the inner digest in the outer block: the padding of 64 + 32 bytes.
pub(super) const OUTER_SUFFIX: [u32; 8] = [PADDING, 0, 0, 0, 0, 0, 0, 8 * (64 + 32)];

/// The padding bit of a message that ends on a word.
const PADDING: u32 = 1 << 31;

/// An audit key made ready for the lanes: the two states of HMAC-SHA-256 after its key blocks
/// (RFC 2104; they are as secret as the key). Wiped on drop.
#[derive(ZeroizeOnDrop)]
pub struct PreparedAuditKey {
    inner: [u32; 8],
    outer: [u32; 8],
}

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
