//! Counters of 32 bits of which a function makes the outputs: small generators of JavaScript that a seed starts. The state is the counter,
//! so that a seed is a state and every place of the stream is a number of 32 bits.

use crate::generator::Generator;
use crate::generator::congruential::Congruence;

/// `x ← x + c mod 2^32`, c odd, and what comes out.
pub trait Counter {
    /// c.
    const STEP: u32;

    /// The output of the new state.
    fn output(x: u32) -> u32;

    /// The states.
    const NUMBERS: Congruence =
        Congruence { multiplier: 1, increment: Self::STEP as u64, modulus: 1 << u32::BITS };
}

const fn generator<C: Counter>(name: &'static str, source: &'static str) -> Generator {
    Generator {
        name,
        source,
        next: |state| {
            state[0] = C::NUMBERS.next(state[0]);
            u64::from(C::output(state[0] as u32))
        },
        ..Generator::PLAIN
    }
}

/// Ettinger's.
pub struct Mulberry32;

impl Counter for Mulberry32 {
    const STEP: u32 = 0x6d2b_79f5;

    #[inline(always)]
    fn output(x: u32) -> u32 {
        let t = (x ^ x >> 15).wrapping_mul(1 | x);
        let t = t.wrapping_add((t ^ t >> 7).wrapping_mul(61 | t)) ^ t;
        t ^ t >> 14
    }
}

/// The same as a generator.
pub static MULBERRY32: Generator =
    generator::<Mulberry32>("mulberry32", "Ettinger (2017), mulberry32.c; programs in JavaScript");

/// The counter of Steele, Lea & Flood (2014) with 32 bits.
pub struct Splitmix32;

impl Counter for Splitmix32 {
    const STEP: u32 = 0x9e37_79b9;

    #[inline(always)]
    fn output(x: u32) -> u32 {
        let t = (x ^ x >> 16).wrapping_mul(0x21f0_aaad);
        let t = (t ^ t >> 15).wrapping_mul(0x735a_2d97);
        t ^ t >> 15
    }
}

/// The same as a generator.
pub static SPLITMIX32: Generator =
    generator::<Splitmix32>("splitmix32", "bryc, PRNGs in JavaScript: splitmix32");
