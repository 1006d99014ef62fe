//! glibc's `srandom`: 31 words of a congruential generator, and 310 sums that are thrown away.

use multiversion::multiversion;

use crate::generator::additive::{GLIBC_LONG, GLIBC_SHORT};
use crate::seeds::beginning::{FIRST, LANES, LaneSeeds, Outputs};

const DISCARDED: usize = 310;

/// The first outputs of `random()`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
pub fn glibc(seeds: &LaneSeeds) -> Outputs {
    let mut words = [[0u32; LANES]; GLIBC_LONG];
    // Word 0 is the seed, 1 for 0; it lies third from the end.
    let mut word = seeds.map(|seed| seed.max(1));
    words[GLIBC_LONG - GLIBC_SHORT] = word;
    for place in 1..GLIBC_LONG {
        for own in &mut word {
            *own = next(*own as i32);
        }
        words[(place + GLIBC_LONG - GLIBC_SHORT) % GLIBC_LONG] = word;
    }
    let mut outputs = [[0; LANES]; FIRST];
    for call in 0..DISCARDED + FIRST {
        let near = words[(call + GLIBC_LONG - GLIBC_SHORT) % GLIBC_LONG];
        let own = &mut words[call % GLIBC_LONG];
        for lane in 0..LANES {
            own[lane] = own[lane].wrapping_add(near[lane]);
        }
        if call >= DISCARDED {
            outputs[call - DISCARDED] = own.map(|word| u64::from(word >> 1));
        }
    }
    outputs
}

/// `16807·x mod 2^31 − 1` of signed numbers.
#[inline(always)]
fn next(word: i32) -> u32 {
    // A negative seed is brought into the range first, where it gives the same rest.
    let word = i64::from(word) + if word < 0 { 2 * 0x7fff_ffff } else { 0 };
    let product = word as u64 * 16_807;
    let folded = (product & 0x7fff_ffff) + (product >> 31);
    let folded = (folded & 0x7fff_ffff) + (folded >> 31);
    if folded == 0x7fff_ffff { 0 } else { folded as u32 }
}
