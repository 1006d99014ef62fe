//! Seeds that programmers write down: the first quarter of a million of every seeding, which take a tenth of a second each.

use crate::budget::Budget;
use crate::deck::Observation;
use crate::model::{Found, Model, ModelAbout, Scope};
use crate::seeds::SeedSearch;
use crate::seeds::list::{
    DOTNET_SEEDS, GLIBC_SEEDS, GO_SEEDS, LUA_SEEDS, MERSENNE, MERSENNE_64, PYTHON_SEEDS, R_SEEDS,
};

/// Seeds below are small.
const SMALL: u64 = 1 << 18;

/// The same where many calls follow the seed.
const SMALLER: u64 = 1 << 14;

/// Calls that may follow it.
const CALLS: usize = 1_024;

/// One seeding with small seeds.
pub struct SmallSeeds {
    name: &'static str,
    of: &'static SeedSearch,
}

/// All seedings with small seeds and calls before the first record.
pub struct CalledSeeds;

impl Model for CalledSeeds {
    fn about(&self) -> ModelAbout {
        ModelAbout {
            name: "Small seeds of all seedings, calls before",
            assumed: "Seeded with a number below 16,384 at most 1,024 calls before one of the first two records.",
            generator: None,
        }
    }

    fn work(&self, _: &Observation) -> u64 {
        600_000
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        SMALL_SEEDS.iter().find_map(|own| own.of.called(seen, scope, 0..SMALLER, CALLS, budget))
    }
}

const ASSUMED: &str =
    "Seeded with a number below 262,144 directly before one of the first two records, or before each.";

/// All of them, likeliest first.
pub static SMALL_SEEDS: [SmallSeeds; 8] = [
    SmallSeeds { name: "MT19937 by small seed: PHP, Ruby, NumPy, std::mt19937", of: &MERSENNE },
    SmallSeeds { name: "Python random by small seed", of: &PYTHON_SEEDS },
    SmallSeeds { name: "glibc rand() by small seed", of: &GLIBC_SEEDS },
    SmallSeeds { name: "Go math/rand by small seed", of: &GO_SEEDS },
    SmallSeeds { name: ".NET Random by small seed", of: &DOTNET_SEEDS },
    SmallSeeds { name: "R sample by small seed", of: &R_SEEDS },
    SmallSeeds { name: "Lua 5.4 by small seed", of: &LUA_SEEDS },
    SmallSeeds { name: "MT19937-64 by small seed", of: &MERSENNE_64 },
];

impl Model for SmallSeeds {
    fn about(&self) -> ModelAbout {
        ModelAbout { name: self.name, assumed: ASSUMED, generator: self.of.about().generator }
    }

    /// Of one pair: most of it is making first outputs, whatever they are compared with.
    fn work(&self, _: &Observation) -> u64 {
        1_000
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        self.of.range(seen, scope, 0, SMALL, budget)
    }
}
