//! Generators as data: words of state, one step, what comes out. Each is defined once and held against published numbers.

pub mod additive;
pub mod congruential;
pub mod counters;
pub mod mersenne;
pub mod programs;
pub mod xorshift;

use crate::generator::additive::GLIBC_RANDOM;
use crate::generator::congruential::{
    ANSI_C, BORLAND_C, Congruence, DELPHI, MINSTD, MINSTD0, MMIX, MSVC, MUSL, QUICK, RAND48, RAND48_EVERY,
    RANDU, VISUAL_BASIC, WICHMANN_HILL,
};
use crate::generator::counters::{MULBERRY32, SPLITMIX32};
use crate::generator::mersenne::{MT19937, MT19937_64};
use crate::generator::programs::{BASH, BASH_LOW, DOTNET, GO, XOSHIRO256_STAR_STAR};
use crate::generator::xorshift::{
    V8, V8_EVERY, V8_SUM, XOROSHIRO128_PLUS, XORSHIFT32, XORSHIFT64, XORSHIFT128, XORSHIFT128_LINEAR,
    XORSHIFT128_PLUS, XOSHIRO256_PLUS,
};

/// A published generator.
pub struct Generator {
    /// What it is called here.
    pub name: &'static str,
    /// Who published it where, or whose program it is.
    pub source: &'static str,
    /// Words of a state.
    pub words: usize,
    /// Bits used of each word.
    pub word_bits: u32,
    /// `log2` of the number of states.
    pub state_bits: f64,
    /// The least output.
    pub min: u64,
    /// The greatest output.
    pub max: u64,
    /// Whether every bit of an output is a sum modulo 2 of bits of the state.
    pub is_linear: bool,
    /// Whether the last word counts instead of holding bits.
    pub has_counter: bool,
    /// The numbers that it steps by, where it is congruential.
    pub congruence: Option<Congruence>,
    /// One step: the output, and the next state in place.
    pub next: fn(&mut [u64]) -> u64,
}

impl Generator {
    /// One word of 32 bits, from 0 on, with nothing special to it: what the others are written against.
    pub const PLAIN: Generator = Generator {
        name: "",
        source: "",
        words: 1,
        word_bits: 32,
        state_bits: 32.0,
        min: 0,
        max: u32::MAX as u64,
        is_linear: false,
        has_counter: false,
        congruence: None,
        next: |_| 0,
    };

    /// Bits of an output.
    pub fn bits(&self) -> u32 {
        u64::BITS - self.max.leading_zeros()
    }

    /// Words of a state that hold bits.
    pub fn bit_words(&self) -> usize {
        self.words - usize::from(self.has_counter)
    }

    /// The generator of that name.
    pub fn named(name: &str) -> Option<&'static Generator> {
        GENERATORS.iter().copied().find(|generator| generator.name == name)
    }
}

impl std::fmt::Debug for Generator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Generator {
    fn eq(&self, other: &Generator) -> bool {
        self.name == other.name
    }
}

/// All of them.
pub static GENERATORS: &[&Generator] = &[
    &V8, &V8_SUM, &XORSHIFT128_PLUS, &XORSHIFT128_LINEAR, &XORSHIFT32, &XORSHIFT64, &XORSHIFT128,
    &XOROSHIRO128_PLUS, &XOSHIRO256_PLUS, &MT19937, &MT19937_64, &RAND48, &MINSTD0, &MINSTD, &MSVC,
    &BORLAND_C, &DELPHI, &VISUAL_BASIC, &ANSI_C, &QUICK, &RANDU, &MMIX, &MUSL, &WICHMANN_HILL, &GLIBC_RANDOM,
    &GO, &DOTNET, &XOSHIRO256_STAR_STAR, &BASH, &BASH_LOW, &V8_EVERY[0], &V8_EVERY[1], &V8_EVERY[2],
    &RAND48_EVERY[0], &RAND48_EVERY[1], &RAND48_EVERY[2], &MULBERRY32, &SPLITMIX32,
];

/// A state as text: its words in hexadecimal, the first one first, with a dot between two.
pub fn state_text(state: &[u64]) -> String {
    state.iter().map(|word| format!("{word:x}")).collect::<Vec<_>>().join(".")
}

/// The state of that text, if every word is one.
pub fn state_of(text: &str) -> Option<Vec<u64>> {
    text.split('.').map(|word| u64::from_str_radix(word, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeding::Seeding;

    /// Rows `name,state,skipped,dropped,output,…` of `fixtures/vectors.csv`; its README says where each comes from. A state
    /// may be a seeding and its seed.
    #[test]
    fn generators_give_their_published_numbers() {
        let mut seen = Vec::new();
        let rows = include_str!("../fixtures/vectors.csv").lines().filter(|line| !line.starts_with('#'));
        for row in rows {
            let cells: Vec<&str> = row.split(',').collect();
            let generator = Generator::named(cells[0]).expect(cells[0]);
            let seeded = cells[1].split_once(':').map(|(name, seed)| {
                let seeding = Seeding::named(name).expect(name);
                (seeding.state)(seed.parse().expect("a seed"))
            });
            let mut state = seeded.or_else(|| state_of(cells[1])).expect(cells[0]);
            assert_eq!(state.len(), generator.words, "{}", cells[0]);
            let skipped: usize = cells[2].parse().expect("a number of calls");
            (0..skipped).for_each(|_| _ = (generator.next)(&mut state));
            let dropped: u32 = cells[3].parse().expect("a number of bits");
            for wanted in &cells[4..] {
                let output = (generator.next)(&mut state);
                assert_eq!((output >> dropped).to_string(), *wanted, "{}", cells[0]);
                assert!((generator.min..=generator.max).contains(&output));
            }
            seen.push(generator.name);
        }
        for generator in GENERATORS {
            assert!(seen.contains(&generator.name), "no numbers for {}", generator.name);
        }
    }

    /// What `is_linear` promises: outputs of a sum of states are sums of their outputs.
    #[test]
    fn linear_generators_are_linear() {
        for generator in GENERATORS.iter().filter(|generator| generator.is_linear) {
            let mask = u64::MAX >> (64 - generator.word_bits);
            let mut word = 1u64;
            let mut states = [const { Vec::new() }; 3];
            for _ in 0..generator.words {
                for state in &mut states[..2] {
                    word =
                        word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    state.push((word ^ word >> 31) & mask);
                }
            }
            if generator.has_counter {
                states[..2].iter_mut().for_each(|state| state[generator.words - 1] = 0);
            }
            let [first, second, _] = &states;
            states[2] = first.iter().zip(second).map(|(a, b)| a ^ b).collect();
            for _ in 0..2_000 {
                let [a, b, sum] = [0, 1, 2].map(|which: usize| (generator.next)(&mut states[which]));
                assert_eq!(a ^ b, sum, "{}", generator.name);
            }
        }
    }
}
