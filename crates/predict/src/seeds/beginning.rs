//! The first outputs of many seeds side by side, so that the compiler computes them in vectors.

mod glibc;
mod mersenne;
mod programs;

pub use glibc::glibc;
pub use mersenne::{init_genrand, init_genrand_64, python, r};
pub use programs::{dotnet, go, lua};

use crate::seeding::Seeding;

/// Seeds side by side: eight vectors of 256 bits, so that a multiplication need not wait for the one before.
pub const LANES: usize = 64;

/// Outputs made of each: half of them may be rejected, and a handful of draws must be left.
pub const FIRST: usize = 16;

/// The seeds.
pub type LaneSeeds = [u32; LANES];

/// The outputs: the first of all seeds, the second of all, …
pub type Outputs = [[u64; LANES]; FIRST];

/// Makes them.
pub type Beginning = fn(&LaneSeeds) -> Outputs;

/// The outputs of one seed in the first lane, by its definition.
pub fn slow(seeding: &Seeding, seed: u64) -> Outputs {
    let mut state = (seeding.state)(seed);
    let mut outputs = [[0; LANES]; FIRST];
    outputs.iter_mut().for_each(|output| output[0] = (seeding.generator().next)(&mut state));
    outputs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::list::SEED_SEARCHES;

    #[test]
    fn lanes_are_the_seedings() {
        let mut seed = 1u32;
        let mut seeds: LaneSeeds = std::array::from_fn(|_| {
            seed = seed.wrapping_mul(0x9e37_79b1).wrapping_add(12_345);
            seed
        });
        // Borders: nothing, the least and greatest numbers of 31 and 32 bits, the prime.
        seeds[..6].copy_from_slice(&[0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x7fff_fffe]);
        for search in SEED_SEARCHES {
            let outputs = (search.beginning)(&seeds);
            for (lane, &seed) in seeds.iter().enumerate() {
                let own = slow(search.seeding, u64::from(seed));
                for (number, output) in outputs.iter().enumerate() {
                    assert_eq!(output[lane], own[number][0], "{} seed {seed} output {number}", search.name);
                }
            }
        }
    }
}
