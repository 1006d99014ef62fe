//! Generators of Go, .NET, Lua and bash.

use crate::generator::Generator;
use crate::generator::congruential::MINSTD0_NUMBERS;
use crate::generator::xorshift::XOSHIRO256_PLUS;

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
    max: (1 << 63) - 1,
    has_counter: true,
    next: |state| {
        let place = state[GO_LONG] as usize % GO_LONG;
        let word = state[place].wrapping_add(state[(place + GO_STEP) % GO_LONG]);
        state[place] = word;
        state[GO_LONG] = (place as u64 + 1) % GO_LONG as u64;
        word & !(1 << 63)
    },
    ..Generator::PLAIN
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
    state_bits: 1_705.0,
    max: (1 << 31) - 2,
    has_counter: true,
    next: |state| {
        let place = state[DOTNET_LONG] as usize % DOTNET_LONG;
        let word = dotnet_difference(state[place] as i32, state[(place + DOTNET_STEP) % DOTNET_LONG] as i32);
        state[place] = u64::from(word as u32);
        state[DOTNET_LONG] = (place as u64 + 1) % DOTNET_LONG as u64;
        u64::from(word as u32)
    },
    ..Generator::PLAIN
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
    next: |state| {
        let output = state[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        (XOSHIRO256_PLUS.next)(state);
        output
    },
    ..XOSHIRO256_PLUS
};

/// What means no number before, in a state of bash.
pub const BASH_NONE: u64 = 1 << 15;

/// Upper and lower half of minstd's x, as bash since 5.1 puts them together.
pub const fn bash_folded(x: u64) -> u64 {
    (x >> 16 ^ x) & 0x7fff
}

/// The lowest bits of minstd's x, as bash 4.0 to 5.0 takes them.
pub const fn bash_low(x: u64) -> u64 {
    x & 0x7fff
}

/// A number that is the one before is passed over. The last word of a state is that number.
fn bash_next(state: &mut [u64], folded: fn(u64) -> u64) -> u64 {
    // A state of 0 stays 0.
    for _ in 0..BASH_REPEATS_MAX {
        state[0] = MINSTD0_NUMBERS.next(state[0]);
        let output = folded(state[0]);
        if output != state[1] {
            state[1] = output;
            return output;
        }
    }
    state[1]
}

/// No state in use gives a number so often in a row.
const BASH_REPEATS_MAX: usize = 64;

/// `RANDOM` of bash since 5.1.
pub static BASH: Generator = Generator {
    name: "bash",
    source: "bash 5.1 and later, lib/sh/random.c: RANDOM",
    words: 2,
    word_bits: 31,
    state_bits: 46.0,
    max: 0x7fff,
    has_counter: true,
    next: |state| bash_next(state, bash_folded),
    ..Generator::PLAIN
};

/// `RANDOM` of bash 4.0 to 5.0, and of later ones with `BASH_COMPAT=50`.
pub static BASH_LOW: Generator = Generator {
    name: "bash-low",
    source: "bash 4.0 to 5.0, variables.c: RANDOM",
    next: |state| bash_next(state, bash_low),
    ..BASH
};
