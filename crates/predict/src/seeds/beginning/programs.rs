//! .NET, Go and Lua.

use multiversion::multiversion;

use crate::generator::programs::{DOTNET_LONG, XOSHIRO256_STAR_STAR, dotnet_difference};
use crate::seeding::go;
use crate::seeding::programs::{LUA, dotnet_fill};
use crate::seeds::beginning::{FIRST, LANES, LaneSeeds, Outputs};

/// `new Random(n)` of .NET.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
pub fn dotnet(seeds: &LaneSeeds) -> Outputs {
    let mut words = [[0i32; LANES]; DOTNET_LONG];
    dotnet_fill(&seeds.map(|seed| seed as i32), &mut words);
    let mut outputs = [[0; LANES]; FIRST];
    for (number, output) in outputs.iter_mut().enumerate() {
        for lane in 0..LANES {
            output[lane] = u64::from(dotnet_difference(words[number][lane], words[number + 21][lane]) as u32);
        }
    }
    outputs
}

/// `rand.NewSource(n)` of Go: the first outputs need two words each, and each word is a multiple of the seed.
pub fn go(seeds: &LaneSeeds) -> Outputs {
    let starts = seeds.map(|seed| go::start(u64::from(seed)));
    std::array::from_fn(|number| {
        starts.map(|start| go::word(start, number).wrapping_add(go::word(start, number + 334)) & !(1 << 63))
    })
}

/// `math.randomseed(n)` of Lua 5.4.
pub fn lua(seeds: &LaneSeeds) -> Outputs {
    let mut outputs = [[0; LANES]; FIRST];
    for (lane, &seed) in seeds.iter().enumerate() {
        let mut state = (LUA.state)(u64::from(seed));
        outputs.iter_mut().for_each(|output| output[lane] = (XOSHIRO256_STAR_STAR.next)(&mut state));
    }
    outputs
}
