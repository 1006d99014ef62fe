//! The numbers of .NET's generator as multiples of the seed.

use crate::generator::programs::{DOTNET_LONG, DOTNET_MODULUS};
use crate::way::Draws;

/// 2^31 − 1.
pub(super) const PRIME: u64 = DOTNET_MODULUS as u64;

/// Whether neither, one or both of two differences of the seeding overflow.
pub(super) const CASES: usize = 4;

/// Places whose differences may, in the first of four rounds: the last word is negative before it.
const OVERFLOWS: [usize; 2] = [23, DOTNET_LONG - 1];

/// What an overflow of 32 bits, up or down, adds modulo 2^31 − 1.
const ADDED: [u64; 2] = [PRIME - 2, 2];

/// What the seed is subtracted from.
const BEGINNING: u64 = 161_803_398;

/// `slope·seed + constant`, with what overflows add.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Number {
    pub(super) slope: u64,
    constants: [u64; CASES],
}

impl Number {
    /// Without the seed.
    pub(super) fn constant(&self, case: usize) -> u64 {
        self.constants[case]
    }

    /// Of a seed.
    pub(super) fn value(&self, seed: u64, case: usize) -> u64 {
        (self.slope * seed + self.constants[case]) % PRIME
    }
}

/// The seeding of [`dotnet_fill`](crate::seeding::programs) modulo 2^31 − 1.
fn fill(last: u64, one: u64, added: [u64; 2]) -> [u64; DOTNET_LONG] {
    let mut words = [0; DOTNET_LONG];
    let (mut before, mut next) = (last, one);
    words[DOTNET_LONG - 1] = last;
    for i in 1..DOTNET_LONG {
        let place = 21 * i % DOTNET_LONG - 1;
        words[place] = next;
        next = difference(before, next);
        before = words[place];
    }
    for round in 1..5 {
        for i in 0..DOTNET_LONG {
            words[i] = difference(words[i], words[(i + 31) % DOTNET_LONG]);
            for (place, added) in OVERFLOWS.into_iter().zip(added) {
                if round == 1 && i == place {
                    words[i] = (words[i] + added) % PRIME;
                }
            }
        }
    }
    words
}

const fn difference(a: u64, b: u64) -> u64 {
    (a + PRIME - b) % PRIME
}

/// Numbers of so many calls and a deck.
pub(super) fn numbers(calls: usize) -> Vec<Number> {
    let [first, second] = ADDED;
    let count = calls + size_of::<Draws>() + 1;
    let of = |last, one, added| sequence(fill(last, one, added), count);
    let slopes = of(PRIME - 1, 0, [0, 0]);
    let plain = of(BEGINNING, 1, [0, 0]);
    let overflows = [of(0, 0, [first, 0]), of(0, 0, [0, second])];
    let number = |at: usize| Number {
        slope: slopes[at],
        constants: std::array::from_fn(|case| {
            let own = overflows.iter().enumerate().filter(|(bit, _)| case >> bit & 1 == 1);
            own.fold(plain[at], |sum, (_, added)| (sum + added[at]) % PRIME)
        }),
    };
    (0..count).map(number).collect()
}

fn sequence(mut words: [u64; DOTNET_LONG], count: usize) -> Vec<u64> {
    let mut step = |call: usize| {
        let place = call % DOTNET_LONG;
        words[place] = difference(words[place], words[(place + 21) % DOTNET_LONG]);
        words[place]
    };
    (0..count).map(&mut step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::programs::DOTNET;
    use crate::seeding::programs::DOTNET_SEED;

    /// Numbers of the generator itself, which is held against those of .NET (`fixtures/vectors.csv`); all four cases come.
    #[test]
    fn numbers_are_multiples_of_the_seed() {
        let numbers = numbers(1_000);
        let mut cases = [false; CASES];
        for seed in (1..2_147_483_647).step_by(40_000_003) {
            let mut state = (DOTNET_SEED.state)(seed);
            let outputs: Vec<u64> = (0..1_000).map(|_| (DOTNET.next)(&mut state)).collect();
            let is_own = |case: &usize| {
                numbers.iter().zip(&outputs).all(|(own, output)| own.value(seed, *case) == *output)
            };
            let case = (0..CASES).find(is_own).unwrap_or_else(|| panic!("seed {seed}"));
            cases[case] = true;
        }
        assert_eq!(cases, [true; CASES]);
    }
}
