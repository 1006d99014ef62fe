//! The seeding of Go's math/rand: three numbers of 31 bits a word, added to a state that lies far down the generator's sequence.
//!
//! That state, which Go keeps as a table, is what 7.8·10^12 steps make of the words of seed 1 (Go, gen_cooked.go). The sequence is
//! linear modulo 2^64, so that the steps are one power of x modulo x^607 − x^334 − 1.

use std::sync::LazyLock;

use crate::generator::congruential::{PRIME, power};
use crate::generator::programs::GO_LONG;
use crate::seeding::Seeding;

/// Park & Miller's later multiplier.
const MULTIPLIER: u64 = 48_271;

/// What 0 is replaced by.
const ZERO: u64 = 89_482_311;

/// Numbers thrown away before the first word.
const SKIPPED: u64 = 20;

/// Steps that make the table.
const STEPS: u64 = 7_800_000_000_000;

/// Where the oldest word lies in Go's array, which is walked downward.
const OLDEST: usize = 333;

/// `rand.NewSource(n)`; n counts modulo 2^31 − 1.
pub static GO_SEED: Seeding = Seeding {
    name: "go",
    generator: "go",
    bits: 31,
    state: |seed| {
        let start = start(seed);
        let mut state: Vec<u64> = (0..GO_LONG).map(|age| word(start, age)).collect();
        state.push(0);
        state
    },
};

/// The first number of a seed.
pub(crate) fn start(seed: u64) -> u64 {
    match (seed as i64).rem_euclid(PRIME as i64) as u64 {
        0 => ZERO,
        seed => seed,
    }
}

/// The word of an age of the first state, the oldest being 0.
pub(crate) fn word(start: u64, age: usize) -> u64 {
    let place = (OLDEST + GO_LONG - age) % GO_LONG;
    let [first, second, third] = TABLE.multipliers[place].map(|multiplier| start * multiplier % PRIME);
    (first << 40 ^ second << 20 ^ third) ^ TABLE.cooked[place]
}

struct Table {
    /// What the first number is multiplied by for each word.
    multipliers: Vec<[u64; 3]>,
    /// What is added to each word.
    cooked: Vec<u64>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let multipliers: Vec<[u64; 3]> = (0..GO_LONG as u64)
        .map(|place| [1, 2, 3].map(|number| power(MULTIPLIER, SKIPPED + 3 * place + number)))
        .collect();
    let cooked = cooked(&multipliers);
    Table { multipliers, cooked }
});

/// A polynomial of degree below 607 modulo 2^64.
type Polynomial = Vec<u64>;

fn cooked(multipliers: &[[u64; 3]]) -> Vec<u64> {
    let seeded = |age: usize| {
        let [first, second, third] = multipliers[(OLDEST + GO_LONG - age) % GO_LONG];
        first << 20 ^ second << 10 ^ third
    };
    let words: Vec<u64> = (0..GO_LONG).map(seeded).collect();
    let mut of_step = steps(STEPS);
    let mut cooked = vec![0; GO_LONG];
    for age in 0..GO_LONG as u64 {
        // Word number n lies n places below that of the oldest, counted around.
        let number = ((STEPS + age) % GO_LONG as u64) as usize;
        let own = of_step.iter().zip(&words).fold(0u64, |sum, (a, b)| sum.wrapping_add(a.wrapping_mul(*b)));
        cooked[(OLDEST + GO_LONG - number) % GO_LONG] = own;
        of_step = times_x(of_step);
    }
    cooked
}

/// x^n modulo x^607 − x^334 − 1.
fn steps(n: u64) -> Polynomial {
    let mut power = vec![0; GO_LONG];
    power[0] = 1;
    for bit in (0..u64::BITS - n.leading_zeros()).rev() {
        power = square(&power);
        if n >> bit & 1 == 1 {
            power = times_x(power);
        }
    }
    power
}

fn times_x(mut polynomial: Polynomial) -> Polynomial {
    polynomial.rotate_right(1);
    polynomial[334] = polynomial[334].wrapping_add(polynomial[0]);
    polynomial
}

fn square(polynomial: &Polynomial) -> Polynomial {
    let mut product = vec![0u64; 2 * GO_LONG - 1];
    for (i, a) in polynomial.iter().enumerate() {
        for (own, b) in product[i..].iter_mut().zip(polynomial) {
            *own = own.wrapping_add(a.wrapping_mul(*b));
        }
    }
    for high in (GO_LONG..product.len()).rev() {
        let own = product[high];
        for lower in [high - GO_LONG + 334, high - GO_LONG] {
            product[lower] = product[lower].wrapping_add(own);
        }
    }
    product.truncate(GO_LONG);
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first number of Go's table, rng.go.
    #[test]
    fn the_table_is_that_of_go() {
        assert_eq!(TABLE.cooked[0] as i64, -4_181_792_142_133_755_926);
    }
}
