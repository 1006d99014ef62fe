//! Seedings: how a program makes the first state of a generator from a small number.

pub mod go;
pub mod programs;

use crate::generator::Generator;
use crate::generator::additive::{GLIBC_LONG, GLIBC_RANDOM, GLIBC_SHORT};
use crate::seeding::go::GO_SEED;
use crate::seeding::programs::{DOTNET_SEED, LUA, PYTHON, R_SET_SEED};

/// A published seeding.
pub struct Seeding {
    /// What it is called here.
    pub name: &'static str,
    /// The generator that it starts.
    pub generator: &'static str,
    /// Bits of a seed.
    pub bits: u32,
    /// The state before the first call.
    pub state: fn(u64) -> Vec<u64>,
}

/// All of them.
pub static SEEDINGS: &[&Seeding] =
    &[&INIT_GENRAND, &INIT_GENRAND_64, &SRANDOM, &PYTHON, &R_SET_SEED, &DOTNET_SEED, &LUA, &GO_SEED];

impl Seeding {
    /// The seeding of that name.
    pub fn named(name: &str) -> Option<&'static Seeding> {
        SEEDINGS.iter().copied().find(|seeding| seeding.name == name)
    }

    /// The generator that it starts.
    ///
    /// # Panics
    /// If the list names one that does not exist, which a test excludes.
    pub fn generator(&self) -> &'static Generator {
        Generator::named(self.generator).expect("every seeding starts a generator of the list")
    }
}

/// `init_genrand` of mt19937ar.c; `std::mt19937(seed)`.
pub static INIT_GENRAND: Seeding = Seeding {
    name: "init_genrand",
    generator: "mt19937",
    bits: 32,
    state: |seed| {
        let mut state = vec![seed & 0xffff_ffff; 625];
        for i in 1..624 {
            let before = state[i - 1] ^ state[i - 1] >> 30;
            state[i] = (before * 1_812_433_253 + i as u64) & 0xffff_ffff;
        }
        state[624] = 0;
        state
    },
};

/// `init_genrand64` of mt19937-64.c; `std::mt19937_64(seed)`.
pub static INIT_GENRAND_64: Seeding = Seeding {
    name: "init_genrand64",
    generator: "mt19937-64",
    bits: 64,
    state: |seed| {
        let mut state = vec![seed; 313];
        for i in 1..312 {
            let before = state[i - 1] ^ state[i - 1] >> 62;
            state[i] = before.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(i as u64);
        }
        state[312] = 0;
        state
    },
};

/// `srandom` and `srand` of glibc.
pub static SRANDOM: Seeding = Seeding {
    name: "srandom",
    generator: "glibc-random",
    bits: 32,
    state: |seed| {
        let mut state = srandom_fill(seed as u32);
        (0..310).for_each(|_| _ = (GLIBC_RANDOM.next)(&mut state));
        state
    },
};

/// The words that `srandom` fills in before it throws 310 outputs away, the oldest first.
pub fn srandom_fill(seed: u32) -> Vec<u64> {
    // glibc takes 0 for 1, and its words are signed.
    let mut word = i64::from(seed.max(1) as i32);
    let mut words = vec![word as u32];
    while words.len() < GLIBC_LONG {
        word = (16_807 * (word % 127_773) - 2_836 * (word / 127_773)) as i32 as i64;
        if word < 0 {
            word += 2_147_483_647;
        }
        words.push(word as u32);
    }
    words.rotate_left(GLIBC_SHORT);
    words.into_iter().map(u64::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seeding_starts_a_generator_of_the_list() {
        for seeding in SEEDINGS {
            assert_eq!((seeding.state)(1).len(), seeding.generator().words, "{}", seeding.name);
            assert_eq!(Seeding::named(seeding.name).map(|found| found.bits), Some(seeding.bits));
        }
    }
}
