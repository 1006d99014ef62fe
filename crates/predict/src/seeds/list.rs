//! Which seedings are searched, with the mappings of the programs that use them.

use crate::mapping::Mapping;
use crate::seeding::go::GO_SEED;
use crate::seeding::programs::{DOTNET_SEED, LUA, PYTHON, R_SET_SEED};
use crate::seeding::{INIT_GENRAND, INIT_GENRAND_64, SRANDOM};
use crate::seeds::SeedSearch;
use crate::seeds::beginning;

const ASSUMED: &str = "Seeded with a number of at most 32 bits directly before one of the first two records.";

const LOW: Mapping = Mapping::Modulo { drop: 0 };
const DOUBLE: Mapping = Mapping::FloatOfTwo { first: 27, second: 26 };

/// PHP, Ruby, NumPy's legacy generator, `std::mt19937`.
pub static MERSENNE: SeedSearch = SeedSearch {
    name: "MT19937 by seed: PHP, Ruby, NumPy, std::mt19937",
    assumed: ASSUMED,
    seeding: &INIT_GENRAND,
    mappings: &[
        LOW,
        Mapping::Masked { drop: 0 },
        Mapping::Float { bits: 32 },
        DOUBLE,
        Mapping::Pairs,
        Mapping::Canonical,
    ],
    calls: &[0],
    beginning: beginning::init_genrand,
};

/// Python.
pub static PYTHON_SEEDS: SeedSearch = SeedSearch {
    name: "Python random by seed",
    assumed: ASSUMED,
    seeding: &PYTHON,
    mappings: &[Mapping::TopBits, DOUBLE],
    calls: &[0],
    beginning: beginning::python,
};

/// glibc.
pub static GLIBC_SEEDS: SeedSearch = SeedSearch {
    name: "glibc rand() by seed",
    assumed: ASSUMED,
    seeding: &SRANDOM,
    mappings: &[LOW, Mapping::Float { bits: 31 }],
    // Lua 5.3 throws the first number away.
    calls: &[0, 1],
    beginning: beginning::glibc,
};

/// .NET.
pub static DOTNET_SEEDS: SeedSearch = SeedSearch {
    name: ".NET Random by seed",
    assumed: ASSUMED,
    seeding: &DOTNET_SEED,
    mappings: &[Mapping::Float { bits: 31 }, LOW],
    calls: &[0],
    beginning: beginning::dotnet,
};

/// Go.
pub static GO_SEEDS: SeedSearch = SeedSearch {
    name: "Go math/rand by seed",
    assumed: ASSUMED,
    seeding: &GO_SEED,
    mappings: &[Mapping::Modulo { drop: 32 }, Mapping::Float { bits: 32 }, Mapping::FloatLow { bits: 53 }],
    // Perm draws of 1 first.
    calls: &[0, 1],
    beginning: beginning::go,
};

/// R.
pub static R_SEEDS: SeedSearch = SeedSearch {
    name: "R sample by seed",
    assumed: ASSUMED,
    seeding: &R_SET_SEED,
    mappings: &[Mapping::Masked { drop: 16 }, Mapping::Float { bits: 32 }],
    calls: &[0],
    beginning: beginning::r,
};

/// Lua.
pub static LUA_SEEDS: SeedSearch = SeedSearch {
    name: "Lua 5.4 by seed",
    assumed: ASSUMED,
    seeding: &LUA,
    mappings: &[Mapping::Masked { drop: 0 }, Mapping::Float { bits: 53 }],
    calls: &[0],
    beginning: beginning::lua,
};

/// `std::mt19937_64`.
pub static MERSENNE_64: SeedSearch = SeedSearch {
    name: "MT19937-64 by seed",
    assumed: ASSUMED,
    seeding: &INIT_GENRAND_64,
    mappings: &[LOW, Mapping::Float { bits: 53 }, Mapping::Pairs],
    calls: &[0],
    beginning: beginning::init_genrand_64,
};

/// All of them, likeliest first.
pub static SEED_SEARCHES: &[&SeedSearch] =
    &[&MERSENNE, &PYTHON_SEEDS, &GLIBC_SEEDS, &GO_SEEDS, &DOTNET_SEEDS, &R_SEEDS, &LUA_SEEDS, &MERSENNE_64];
