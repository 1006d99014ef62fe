//! Generators of Go, .NET and Lua.

use crate::generator::Generator;

/// Words of Go's generator.
pub const GO_LONG: usize = 607;

/// What lies between the oldest word and the other one that is added.
const GO_STEP: usize = 334;

/// `x[i] = x[i − 607] + x[i − 273] mod 2^64`, of which 63 bits come out. The last word of a state is the place of the oldest.
pub static GO: Generator = Generator {
    name: "go",
    source: "Go math/rand, rng.go: Mitchell & Reeds (1986)",
    words: GO_LONG + 1,
    word_bits: 64,
    state_bits: 38_848.0,
    min: 0,
    max: (1 << 63) - 1,
    is_linear: false,
    has_counter: true,
    next: |state| {
        let place = state[GO_LONG] as usize % GO_LONG;
        let word = state[place].wrapping_add(state[(place + GO_STEP) % GO_LONG]);
        state[place] = word;
        state[GO_LONG] = (place as u64 + 1) % GO_LONG as u64;
        word & !(1 << 63)
    },
};

/// Words of .NET's generator.
pub const DOTNET_LONG: usize = 55;

/// What lies between the oldest word and the one that is subtracted.
const DOTNET_STEP: usize = 21;

/// The largest number of 31 bits.
pub const DOTNET_MODULUS: i32 = i32::MAX;

/// `x[i] = x[i − 55] − x[i − 34] mod 2^31 − 1`. The last word of a state is the place of the oldest.
pub static DOTNET: Generator = Generator {
    name: "dotnet",
    source: ".NET Framework System.Random; seeded System.Random of .NET; after Knuth (1981), 3.2.2",
    words: DOTNET_LONG + 1,
    word_bits: 32,
    state_bits: 1_705.0,
    min: 0,
    max: (1 << 31) - 2,
    is_linear: false,
    has_counter: true,
    next: |state| {
        let place = state[DOTNET_LONG] as usize % DOTNET_LONG;
        let word = dotnet_difference(state[place] as i32, state[(place + DOTNET_STEP) % DOTNET_LONG] as i32);
        state[place] = u64::from(word as u32);
        state[DOTNET_LONG] = (place as u64 + 1) % DOTNET_LONG as u64;
        u64::from(word as u32)
    },
};

/// A difference as .NET brings it back into the range.
pub const fn dotnet_difference(a: i32, b: i32) -> i32 {
    let difference = a.wrapping_sub(b);
    let difference = if difference == DOTNET_MODULUS { difference - 1 } else { difference };
    if difference < 0 { difference.wrapping_add(DOTNET_MODULUS) } else { difference }
}

/// xoshiro256**, whose outputs are no sums of bits.
pub static XOSHIRO256_STAR_STAR: Generator = Generator {
    name: "xoshiro256**",
    source: "Blackman & Vigna (2018); math.random of Lua 5.4",
    words: 4,
    word_bits: 64,
    state_bits: 256.0,
    min: 0,
    max: u64::MAX,
    is_linear: false,
    has_counter: false,
    next: |state| {
        let output = state[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = state[1] << 17;
        state[2] ^= state[0];
        state[3] ^= state[1];
        state[1] ^= state[2];
        state[0] ^= state[3];
        state[2] ^= shifted;
        state[3] = state[3].rotate_left(45);
        output
    },
};
