//! Marsaglia's xorshift (2003) and its descendants by Vigna and Blackman, as browsers and libraries have them.

use crate::generator::Generator;

/// Numbers that V8 makes at a time.
pub(crate) const CACHE: u64 = 64;

const SUMS: &str = "Vigna (2014), xorshift128+ with shifts 23, 17, 26";

/// `Math.random` of V8 since 2015: the first word of xorshift128+ without its sum, 64 numbers at a time, handed out from
/// the last to the first. Words: the state at the start of the cache, and how many numbers of it are left.
pub static V8: Generator = Generator {
    name: "v8",
    source: "V8, src/numbers/math-random.cc and src/base/utils/random-number-generator.h",
    words: 3,
    word_bits: 64,
    state_bits: 134.0,
    max: u64::MAX,
    has_counter: true,
    next: |state| from_cache(state, |first, _| first),
    ..Generator::PLAIN
};

/// The same as it was in 2015 and 2016: the sum of both words, of which the lower 52 bits count.
pub static V8_SUM: Generator = Generator {
    name: "v8-sum",
    next: |state| from_cache(state, |first, second| first.wrapping_add(second)),
    ..V8
};

/// Every second, third and fourth number of [`V8`]: tables that draw in turn.
pub static V8_EVERY: [Generator; 3] = [
    Generator { name: "v8-every-2", next: |state| first_of(2, V8.next, state), ..V8 },
    Generator { name: "v8-every-3", next: |state| first_of(3, V8.next, state), ..V8 },
    Generator { name: "v8-every-4", next: |state| first_of(4, V8.next, state), ..V8 },
];

/// The first of some numbers.
fn first_of(numbers: usize, next: fn(&mut [u64]) -> u64, state: &mut [u64]) -> u64 {
    let first = next(state);
    (1..numbers).for_each(|_| _ = next(state));
    first
}

fn from_cache(state: &mut [u64], output: fn(u64, u64) -> u64) -> u64 {
    if state[2] == 0 || state[2] > CACHE {
        (0..CACHE).for_each(|_| step128(state));
        state[2] = CACHE;
    }
    let mut at = [state[0], state[1]];
    (0..state[2]).for_each(|_| step128(&mut at));
    state[2] -= 1;
    output(at[0], at[1])
}

/// Shifts 23, 17, 26 on two words; the new second word is a sum modulo 2.
#[inline]
pub(crate) fn step128(state: &mut [u64]) {
    let (mut old, new) = (state[0], state[1]);
    old ^= old << 23;
    old ^= old >> 17;
    state[0] = new;
    state[1] = old ^ new ^ new >> 26;
}

/// One step back.
pub(crate) fn back128(state: &mut [u64]) {
    let [new, sum] = [state[0], state[1]];
    let mut old = sum ^ new ^ new >> 26;
    old ^= old >> 17 ^ old >> 34 ^ old >> 51;
    old ^= old << 23 ^ old << 46;
    state[0] = old;
    state[1] = new;
}

/// `Math.random` of SpiderMonkey and JavaScriptCore: the sum of both words, of which the lower 53 bits count.
pub static XORSHIFT128_PLUS: Generator = Generator {
    name: "xorshift128+",
    source: SUMS,
    words: 2,
    word_bits: 64,
    state_bits: 128.0,
    max: u64::MAX,
    next: |state| {
        step128(state);
        state[0].wrapping_add(state[1])
    },
    ..Generator::PLAIN
};

/// The first word of it, without the sum.
pub static XORSHIFT128_LINEAR: Generator = Generator {
    name: "xorshift128-linear",
    is_linear: true,
    next: |state| {
        step128(state);
        state[0]
    },
    ..XORSHIFT128_PLUS
};

/// Shifts 13, 17, 5 on 32 bits.
pub static XORSHIFT32: Generator = Generator {
    name: "xorshift32",
    source: "Marsaglia (2003), Journal of Statistical Software 8(14), page 4",
    is_linear: true,
    next: |state| {
        let mut word = state[0] as u32;
        word ^= word << 13;
        word ^= word >> 17;
        word ^= word << 5;
        state[0] = u64::from(word);
        state[0]
    },
    ..Generator::PLAIN
};

/// Shifts 13, 7, 17 on 64 bits.
pub static XORSHIFT64: Generator = Generator {
    name: "xorshift64",
    word_bits: 64,
    state_bits: 64.0,
    max: u64::MAX,
    next: |state| {
        state[0] ^= state[0] << 13;
        state[0] ^= state[0] >> 7;
        state[0] ^= state[0] << 17;
        state[0]
    },
    ..XORSHIFT32
};

/// Shifts 11, 8, 19 on four words of 32 bits.
pub static XORSHIFT128: Generator = Generator {
    name: "xorshift128",
    source: "Marsaglia (2003), Journal of Statistical Software 8(14), page 5",
    words: 4,
    state_bits: 128.0,
    next: |state| {
        let [x, w] = [state[0] as u32, state[3] as u32];
        let t = x ^ x << 11;
        state.copy_within(1.., 0);
        state[3] = u64::from(w ^ w >> 19 ^ t ^ t >> 8);
        state[3]
    },
    ..XORSHIFT32
};

/// Rotations 24, 16, 37.
pub static XOROSHIRO128_PLUS: Generator = Generator {
    name: "xoroshiro128+",
    source: "Blackman & Vigna (2018), xoroshiro128plus.c",
    next: |state| {
        let (first, mut second) = (state[0], state[1]);
        second ^= first;
        state[0] = first.rotate_left(24) ^ second ^ second << 16;
        state[1] = second.rotate_left(37);
        first.wrapping_add(second ^ first)
    },
    ..XORSHIFT128_PLUS
};

/// Four words, the sum of the first and the last.
pub static XOSHIRO256_PLUS: Generator = Generator {
    name: "xoshiro256+",
    source: "Blackman & Vigna (2018), xoshiro256plus.c",
    words: 4,
    state_bits: 256.0,
    next: |state| {
        let output = state[0].wrapping_add(state[3]);
        let shifted = state[1] << 17;
        state[2] ^= state[0];
        state[3] ^= state[1];
        state[1] ^= state[2];
        state[0] ^= state[3];
        state[2] ^= shifted;
        state[3] = state[3].rotate_left(45);
        output
    },
    ..XORSHIFT128_PLUS
};

/// [`XORSHIFT128_PLUS`] with the sum modulo 2: not dealt with, only what is linear in it.
pub static XORSHIFT128_XOR: Generator = Generator {
    name: "xorshift128-xor",
    is_linear: true,
    next: |state| {
        step128(state);
        state[0] ^ state[1]
    },
    ..XORSHIFT128_PLUS
};

/// [`XOROSHIRO128_PLUS`] with the sum modulo 2.
pub static XOROSHIRO128_XOR: Generator = Generator {
    name: "xoroshiro128-xor",
    is_linear: true,
    next: |state| {
        let output = state[0] ^ state[1];
        (XOROSHIRO128_PLUS.next)(state);
        output
    },
    ..XOROSHIRO128_PLUS
};

/// [`XOSHIRO256_PLUS`] with the sum modulo 2.
pub static XOSHIRO256_XOR: Generator = Generator {
    name: "xoshiro256-xor",
    is_linear: true,
    next: |state| {
        let output = state[0] ^ state[3];
        (XOSHIRO256_PLUS.next)(state);
        output
    },
    ..XOSHIRO256_PLUS
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums and sums modulo 2 have the same lowest bit and the same states.
    #[test]
    fn linear_parts_go_with_their_sums() {
        for (plus, xor) in [
            (&XORSHIFT128_PLUS, &XORSHIFT128_XOR),
            (&XOROSHIRO128_PLUS, &XOROSHIRO128_XOR),
            (&XOSHIRO256_PLUS, &XOSHIRO256_XOR),
        ] {
            let mut states =
                [vec![0x1234_5678_9abc_def1; plus.words], vec![0x1234_5678_9abc_def1; plus.words]];
            for _ in 0..200 {
                let outputs = [(plus.next)(&mut states[0]), (xor.next)(&mut states[1])];
                assert_eq!((outputs[0] & 1, &states[0]), (outputs[1] & 1, &states[1]), "{}", plus.name);
            }
        }
    }
}
