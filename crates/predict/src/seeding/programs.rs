//! Seedings of Python, R, .NET and Lua.

use crate::generator::programs::{DOTNET_LONG, DOTNET_MODULUS, XOSHIRO256_STAR_STAR};
use crate::seeding::Seeding;

const SIZE: usize = 624;

/// `init_by_array` of mt19937ar.c: Python's `random.seed(n)` of a number below 2^64, which hands over its words, the low one first.
pub static PYTHON: Seeding = Seeding {
    name: "python",
    generator: "mt19937",
    bits: 64,
    state: |seed| {
        let words = [seed as u32, (seed >> 32) as u32];
        let key = if words[1] == 0 { &words[..1] } else { &words };
        let mut state: Vec<u64> = init_by_array(key).into_iter().map(u64::from).collect();
        state.push(0);
        state
    },
};

/// The words that every key begins with: `init_genrand(19650218)`.
pub(crate) fn before_key() -> [u32; SIZE] {
    let mut words = [19_650_218u32; SIZE];
    for i in 1..SIZE {
        words[i] = spread(words[i - 1]).wrapping_mul(1_812_433_253).wrapping_add(i as u32);
    }
    words
}

pub(crate) const fn spread(word: u32) -> u32 {
    word ^ word >> 30
}

fn init_by_array(key: &[u32]) -> [u32; SIZE] {
    let mut words = before_key();
    let (mut i, mut j) = (1, 0);
    for _ in 0..SIZE.max(key.len()) {
        let own = words[i] ^ spread(words[i - 1]).wrapping_mul(1_664_525);
        words[i] = own.wrapping_add(key[j]).wrapping_add(j as u32);
        (i, j) = (i + 1, (j + 1) % key.len());
        if i == SIZE {
            (words[0], i) = (words[SIZE - 1], 1);
        }
    }
    for _ in 1..SIZE {
        let own = words[i] ^ spread(words[i - 1]).wrapping_mul(1_566_083_941);
        words[i] = own.wrapping_sub(i as u32);
        i += 1;
        if i == SIZE {
            (words[0], i) = (words[SIZE - 1], 1);
        }
    }
    words[0] = 0x8000_0000;
    words
}

/// `set.seed(n)` of R: a congruential generator, warmed up 50 times, fills the words; the first of them is thrown away.
pub static R_SET_SEED: Seeding = Seeding {
    name: "r",
    generator: "mt19937",
    bits: 32,
    state: |seed| {
        let mut word = seed as u32;
        let mut next = || {
            word = word.wrapping_mul(69_069).wrapping_add(1);
            u64::from(word)
        };
        (0..R_SKIPPED).for_each(|_| _ = next());
        let mut state: Vec<u64> = (0..SIZE).map(|_| next()).collect();
        state.push(0);
        state
    },
};

/// Numbers before the first word: 50, and one in whose place the counter comes.
pub(crate) const R_SKIPPED: u32 = 51;

/// `new Random(n)` of .NET.
pub static DOTNET_SEED: Seeding = Seeding {
    name: "dotnet",
    generator: "dotnet",
    bits: 32,
    state: |seed| {
        let mut words = [[0i32; 1]; DOTNET_LONG];
        dotnet_fill(&[seed as i32], &mut words);
        let mut state: Vec<u64> = words.iter().map(|word| u64::from(word[0] as u32)).collect();
        state.push(0);
        state
    },
};

/// The first words of some seeds side by side.
#[inline(always)]
pub(crate) fn dotnet_fill<const LANES: usize>(seeds: &[i32; LANES], words: &mut [[i32; LANES]; DOTNET_LONG]) {
    let mut before: [i32; LANES] = seeds.map(|seed| 161_803_398i32.wrapping_sub(magnitude(seed)));
    let mut next = [1; LANES];
    words[DOTNET_LONG - 1] = before;
    for i in 1..DOTNET_LONG {
        let place = 21 * i % DOTNET_LONG - 1;
        words[place] = next;
        for lane in 0..LANES {
            next[lane] = in_range(before[lane].wrapping_sub(next[lane]));
        }
        before = words[place];
    }
    for _ in 1..5 {
        for i in 0..DOTNET_LONG {
            let other = words[(i + 31) % DOTNET_LONG];
            for lane in 0..LANES {
                words[i][lane] = in_range(words[i][lane].wrapping_sub(other[lane]));
            }
        }
    }
}

/// `Math.Abs`, the least number apart.
const fn magnitude(seed: i32) -> i32 {
    if seed == i32::MIN { i32::MAX } else { seed.abs() }
}

const fn in_range(number: i32) -> i32 {
    if number < 0 { number.wrapping_add(DOTNET_MODULUS) } else { number }
}

/// `math.randomseed(n)` of Lua 5.4: n, 255, 0, 0, and 16 numbers are thrown away.
pub static LUA: Seeding = Seeding {
    name: "lua",
    generator: "xoshiro256**",
    bits: 64,
    state: |seed| {
        let mut state = vec![seed, 0xff, 0, 0];
        (0..16).for_each(|_| _ = (XOSHIRO256_STAR_STAR.next)(&mut state));
        state
    },
};
