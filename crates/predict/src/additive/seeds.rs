//! The seed of `srandom` behind low bits of the words: `16807·x mod 2^31 − 1` fills them, and three bits of each of two dozen
//! point to one point of a lattice.

use crate::additive::lifting::Low;
use crate::budget::Budget;
use crate::candidate::Seed;
use crate::generator::additive::{GLIBC_LONG, GLIBC_SHORT};
use crate::generator::congruential::{PRIME, power};
use crate::lattice::Basis;
use crate::seeding::{SRANDOM, srandom_fill};

/// Calls between the seed and the first record that are thought of, besides the 310 that `srandom` makes itself.
const CALLS_MAX: u64 = 100_000;

/// Calls that `srandom` makes.
const DISCARDED: u64 = 310;

/// Words of the first state that follow each other: all but the three that lie behind them.
const IN_ORDER: usize = GLIBC_LONG - GLIBC_SHORT;

/// Dimensions and first words that are tried.
const PARTS: [(usize, usize); 4] = [(0, 24), (4, 24), (0, 28), (2, 20)];

/// Fewer low bits point to nothing.
const BITS_MIN: u32 = 3;

/// A seed, and the calls between it and the state.
pub(super) struct Seeded {
    seed: u32,
    calls: u64,
}

impl Seeded {
    /// The state.
    pub(super) fn state(&self) -> Vec<u64> {
        let mut state = (SRANDOM.state)(u64::from(self.seed));
        (0..self.calls).for_each(|_| _ = (SRANDOM.generator().next)(&mut state));
        state
    }
}

impl From<Seeded> for Seed {
    fn from(seeded: Seeded) -> Seed {
        Seed { seeding: SRANDOM.name, seed: u64::from(seeded.seed), calls: seeded.calls }
    }
}

/// The seed nearest before the state, if there is one.
pub(super) fn seed(low: &Low, budget: &Budget) -> Option<Seeded> {
    if low.bits < BITS_MIN {
        return None;
    }
    let parts: Vec<_> = PARTS
        .iter()
        .map(|&(first, count)| (first, Basis::of_multiples(&powers(count), PRIME.into())))
        .collect();
    let mut before = low.clone();
    for calls in 0..=CALLS_MAX + DISCARDED {
        if calls >= DISCARDED {
            let found = parts.iter().find_map(|(first, basis)| seed_at(&before, *first, basis));
            if let Some(seed) = found {
                return Some(Seeded { seed, calls: calls - DISCARDED });
            }
            if calls % 1_024 == 0 && budget.is_spent() {
                return None;
            }
        }
        before.back();
    }
    None
}

fn powers(count: usize) -> Vec<u64> {
    std::iter::successors(Some(1), |power| Some(power * 16_807 % PRIME)).take(count).collect()
}

/// The seed whose first state has these low bits.
fn seed_at(low: &Low, first: usize, basis: &Basis) -> Option<u32> {
    let step = 1u64 << low.bits;
    // x = low + 2^k·y with y < 2^(31 − k), so that y lies within one part in 2^k of the modulus.
    let inverse = inverse_of(step);
    let target: Vec<i128> = low.words[first..]
        .iter()
        .take(basis.dimensions())
        .map(|&word| i128::from(u64::from(word) * inverse % PRIME) + i128::from(PRIME / step / 2))
        .collect();
    let y = basis.near(&target)[0].rem_euclid(i128::from(PRIME)) as u64;
    let word = y * step % PRIME;
    let mask = step as u32 - 1;
    let mut next = word;
    for &low in &low.words[first..IN_ORDER] {
        if next as u32 & mask != low {
            return None;
        }
        next = next * 16_807 % PRIME;
    }
    // Words 3 to 30 lie first; the seed itself is word 0.
    let seed = (0..first + GLIBC_SHORT).fold(word, |word, _| word * inverse_of(16_807) % PRIME);
    let mut seeds =
        [seed as u32, (seed as u32).wrapping_sub(PRIME as u32), (seed + PRIME) as u32].into_iter();
    seeds.find(|&seed| {
        let state = srandom_fill(seed);
        low.words.iter().zip(state).all(|(low, word)| word as u32 & mask == *low)
    })
}

/// `1/a mod 2^31 − 1`, by Fermat.
fn inverse_of(a: u64) -> u64 {
    power(a, PRIME - 2)
}
