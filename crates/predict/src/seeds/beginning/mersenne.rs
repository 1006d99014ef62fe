//! Mersenne twisters: of the words of a seed only those that the first outputs need.
#![expect(clippy::needless_range_loop, reason = "lanes side by side are read by their numbers")]

use multiversion::multiversion;

use crate::generator::mersenne::{tempered, tempered_64};
use crate::seeding::programs::{R_SKIPPED, before_key, spread};
use crate::seeds::beginning::{FIRST, LANES, LaneSeeds, Outputs};

const SIZE: usize = 624;
const MIDDLE: usize = 397;

type Words = [u32; LANES];

/// Words 0 to 8 and 397 to 404.
struct Needed {
    low: [Words; FIRST + 1],
    middle: [Words; FIRST],
}

impl Needed {
    const NONE: Needed = Needed { low: [[0; LANES]; FIRST + 1], middle: [[0; LANES]; FIRST] };

    /// Keeps a word if it is needed.
    #[inline(always)]
    fn keep(&mut self, place: usize, words: &Words) {
        if place <= FIRST {
            self.low[place] = *words;
        } else if (MIDDLE..MIDDLE + FIRST).contains(&place) {
            self.middle[place - MIDDLE] = *words;
        }
    }

    #[inline(always)]
    fn outputs(&self) -> Outputs {
        let mut outputs = [[0; LANES]; FIRST];
        for number in 0..FIRST {
            for lane in 0..LANES {
                let joined = self.low[number][lane] & 0x8000_0000 | self.low[number + 1][lane] & 0x7fff_ffff;
                let odd = (joined & 1).wrapping_neg() & 0x9908_b0df;
                outputs[number][lane] = tempered((self.middle[number][lane] ^ joined >> 1 ^ odd).into());
            }
        }
        outputs
    }
}

/// `init_genrand`: PHP, NumPy, Ruby, `std::mt19937`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
pub fn init_genrand(seeds: &LaneSeeds) -> Outputs {
    let mut needed = Needed::NONE;
    let mut words = *seeds;
    needed.keep(0, &words);
    for place in 1..MIDDLE + FIRST {
        for word in &mut words {
            *word = spread(*word).wrapping_mul(1_812_433_253).wrapping_add(place as u32);
        }
        needed.keep(place, &words);
    }
    needed.outputs()
}

/// `init_by_array` of one word: Python.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
pub fn python(seeds: &LaneSeeds) -> Outputs {
    let before = before_key();
    let mut all = [[0u32; LANES]; SIZE];
    let mut words = [before[0]; LANES];
    for place in 1..SIZE {
        for lane in 0..LANES {
            words[lane] = first_round(before[place], words[lane], seeds[lane]);
        }
        all[place] = words;
    }
    // Word 1 comes once more, after the last one.
    for lane in 0..LANES {
        words[lane] = first_round(all[1][lane], words[lane], seeds[lane]);
    }
    all[1] = words;
    let mut needed = Needed::NONE;
    for place in (2..SIZE).chain([1]) {
        for lane in 0..LANES {
            let own = all[place][lane] ^ spread(words[lane]).wrapping_mul(1_566_083_941);
            words[lane] = own.wrapping_sub(place as u32);
        }
        needed.keep(place, &words);
    }
    needed.low[0] = [0x8000_0000; LANES];
    needed.outputs()
}

#[inline(always)]
const fn first_round(own: u32, before: u32, key: u32) -> u32 {
    (own ^ spread(before).wrapping_mul(1_664_525)).wrapping_add(key)
}

/// `set.seed` of R: each word is a multiple of the seed and a number.
pub fn r(seeds: &LaneSeeds) -> Outputs {
    let mut needed = Needed::NONE;
    let (mut multiplier, mut increment) = (1u32, 0u32);
    for step in 0..R_SKIPPED as usize + MIDDLE + FIRST {
        (multiplier, increment) =
            (multiplier.wrapping_mul(69_069), increment.wrapping_mul(69_069).wrapping_add(1));
        let Some(place) = step.checked_sub(R_SKIPPED as usize) else { continue };
        if place <= FIRST || place >= MIDDLE {
            needed.keep(place, &seeds.map(|seed| seed.wrapping_mul(multiplier).wrapping_add(increment)));
        }
    }
    needed.outputs()
}

const MIDDLE_64: usize = 156;

/// `init_genrand64`: `std::mt19937_64`.
pub fn init_genrand_64(seeds: &LaneSeeds) -> Outputs {
    let mut kept = [[0u64; LANES]; MIDDLE_64 + FIRST];
    kept[0] = seeds.map(u64::from);
    for place in 1..MIDDLE_64 + FIRST {
        for lane in 0..LANES {
            let before = kept[place - 1][lane];
            let own = (before ^ before >> 62).wrapping_mul(6_364_136_223_846_793_005);
            kept[place][lane] = own.wrapping_add(place as u64);
        }
    }
    std::array::from_fn(|number| {
        std::array::from_fn(|lane| {
            let joined = kept[number][lane] & 0xffff_ffff_8000_0000 | kept[number + 1][lane] & 0x7fff_ffff;
            let odd = (joined & 1).wrapping_neg() & 0xb502_6f5a_a966_19e9;
            tempered_64(kept[MIDDLE_64 + number][lane] ^ joined >> 1 ^ odd)
        })
    })
}
