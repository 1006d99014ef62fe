//! The constant words of a hand key: SHA-256 rounds, and the message around the index of the hand.

use crate::key::AuditKey;

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
