//! The Mersenne twisters of Matsumoto and Nishimura (1998; 2004 with 64 bits). Words: the state, and the place of the next.

use crate::generator::Generator;

const SIZE: usize = 624;
const MIDDLE: usize = 397;
const SIZE_64: usize = 312;
const MIDDLE_64: usize = 156;

/// 32 bits.
pub static MT19937: Generator = Generator {
    name: "mt19937",
    source: "Matsumoto & Nishimura (1998), mt19937ar.c; ISO C++ [rand.predef]",
    words: SIZE + 1,
    state_bits: 19_937.0,
    is_linear: true,
    has_counter: true,
    next: |state| {
        let place = state[SIZE] as usize % SIZE;
        let word = twisted(state, place);
        state[place] = word;
        state[SIZE] = (place as u64 + 1) % SIZE as u64;
        tempered(word)
    },
    ..Generator::PLAIN
};

/// The word that comes to a place, from the words there, behind it, and in the middle.
fn twisted(state: &[u64], place: usize) -> u64 {
    let joined = state[place] & 0x8000_0000 | state[(place + 1) % SIZE] & 0x7fff_ffff;
    let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
    state[(place + MIDDLE) % SIZE] ^ joined >> 1 ^ odd
}

#[inline(always)]
pub(crate) fn tempered(word: u64) -> u64 {
    let mut word = word as u32;
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c_5680;
    word ^= word << 15 & 0xefc6_0000;
    u64::from(word ^ word >> 18)
}

/// 64 bits.
pub static MT19937_64: Generator = Generator {
    name: "mt19937-64",
    source: "Nishimura & Matsumoto (2004), mt19937-64.c; ISO C++ [rand.predef]",
    words: SIZE_64 + 1,
    word_bits: 64,
    state_bits: 19_937.0,
    max: u64::MAX,
    is_linear: true,
    has_counter: true,
    next: |state| {
        let place = state[SIZE_64] as usize % SIZE_64;
        let word = twisted_64(state, place);
        state[place] = word;
        state[SIZE_64] = (place as u64 + 1) % SIZE_64 as u64;
        tempered_64(word)
    },
    ..Generator::PLAIN
};

const UPPER_64: u64 = 0xffff_ffff_8000_0000;

fn twisted_64(state: &[u64], place: usize) -> u64 {
    let joined = state[place] & UPPER_64 | state[(place + 1) % SIZE_64] & !UPPER_64;
    let odd = if joined & 1 == 1 { 0xb502_6f5a_a966_19e9 } else { 0 };
    state[(place + MIDDLE_64) % SIZE_64] ^ joined >> 1 ^ odd
}

#[inline(always)]
pub(crate) fn tempered_64(mut word: u64) -> u64 {
    word ^= word >> 29 & 0x5555_5555_5555_5555;
    word ^= word << 17 & 0x71d6_7fff_eda6_0000;
    word ^= word << 37 & 0xfff7_eee0_0000_0000;
    word ^ word >> 43
}
