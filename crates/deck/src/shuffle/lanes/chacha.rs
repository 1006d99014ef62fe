//! The first ChaCha20 block of 64 keys side by side: the 14 words that serve a deck.

use multiversion::multiversion;

use crate::deck::block::BLOCK_HANDS;
use crate::shuffle::lanes::WordRow;
use crate::shuffle::lanes::draws::WORDS;

/// "expand 32-byte k" (RFC 8439, section 2.3).
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// The first [`WORDS`] words of `keystream(K, 0)` of all lanes: counter and nonce are zero.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn first_words(keys: &[WordRow; 8], words: &mut [WordRow; WORDS]) {
    for lane in 0..BLOCK_HANDS {
        let mut start = [0; 16];
        start[..4].copy_from_slice(&CONSTANTS);
        for (word, row) in start[4..12].iter_mut().zip(keys) {
            *word = row[lane];
        }
        let mut state = start;
        // Written out: a loop inside the lane loop would not be vectorised.
        double_round(&mut state);
        double_round(&mut state);
        double_round(&mut state);
        double_round(&mut state);
        double_round(&mut state);
        double_round(&mut state);
        double_round(&mut state);
        double_round(&mut state);
        double_round(&mut state);
        double_round(&mut state);
        for (word, row) in words.iter_mut().enumerate() {
            row[lane] = state[word].wrapping_add(start[word]);
        }
    }
}

#[inline(always)]
fn double_round(state: &mut [u32; 16]) {
    quarter_round(state, 0, 4, 8, 12);
    quarter_round(state, 1, 5, 9, 13);
    quarter_round(state, 2, 6, 10, 14);
    quarter_round(state, 3, 7, 11, 15);
    quarter_round(state, 0, 5, 10, 15);
    quarter_round(state, 1, 6, 11, 12);
    quarter_round(state, 2, 7, 8, 13);
    quarter_round(state, 3, 4, 9, 14);
}

/// RFC 8439, section 2.1.
#[inline(always)]
fn quarter_round(state: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
    state[a] = state[a].wrapping_add(state[b]);
    state[d] = (state[d] ^ state[a]).rotate_left(16);
    state[c] = state[c].wrapping_add(state[d]);
    state[b] = (state[b] ^ state[c]).rotate_left(12);
    state[a] = state[a].wrapping_add(state[b]);
    state[d] = (state[d] ^ state[a]).rotate_left(8);
    state[c] = state[c].wrapping_add(state[d]);
    state[b] = (state[b] ^ state[c]).rotate_left(7);
}
