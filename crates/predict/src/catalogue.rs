//! The catalogue: every model, likeliest first.

use std::sync::{LazyLock, OnceLock};

use crate::additive::scaled::{DOTNET_SCALED, GLIBC_SCALED};
use crate::additive::{GLIBC_MODULO, GLIBC_MODULO_LISTED};
use crate::affine::{DOTNET_DRAWS, DOTNET_KEYS};
use crate::congruential::counter::COUNTER_MODELS;
use crate::congruential::list::{KEY_MODELS, QUICK_MODELS, RAND48_IN_TURN, REDRAWN_MODELS, SLOW_MODELS};
use crate::congruential::shell::SHELL_MODELS;
use crate::generator::Generator;
use crate::generator::xorshift::{
    V8, V8_EVERY, V8_SUM, XOROSHIRO128_PLUS, XOROSHIRO128_XOR, XORSHIFT32, XORSHIFT64, XORSHIFT128,
    XORSHIFT128_LINEAR, XORSHIFT128_PLUS, XORSHIFT128_XOR, XOSHIRO256_PLUS, XOSHIRO256_XOR,
};
use crate::linear::compared::Compared;
use crate::linear::dealer::LinearDealer;
use crate::linear::single::Linear;
use crate::linear::sums::{Doubts, Sums};
use crate::linear::twister::{MT19937_64_MODEL, MT19937_MODEL};
use crate::mapping::Mapping;
use crate::model::Model;
use crate::seeds::small::{CalledSeeds, SMALL_SEEDS};

/// Every model that an audit knows, likeliest and cheapest first: a change of these is a new version of its statistic.
pub static MODELS: LazyLock<Vec<&'static dyn Model>> = LazyLock::new(|| {
    let mut models: Vec<&dyn Model> = vec![&V8_MODEL, &V8_COMPARED_MODEL];
    models.extend(QUICK_MODELS.iter().map(|model| model as &dyn Model));
    models.extend::<[&dyn Model; _]>([&XORSHIFT128_MODEL, &XORSHIFT64_MODEL, &XORSHIFT32_MODEL]);
    models.extend::<[&dyn Model; _]>([&DOTNET_DRAWS, &V8_KEYS_MODEL]);
    models.extend(KEY_MODELS.iter().map(|model| model as &dyn Model));
    models.extend(REDRAWN_MODELS.iter().map(|model| model as &dyn Model));
    models.extend(SMALL_SEEDS.iter().map(|model| model as &dyn Model));
    models.extend::<[&dyn Model; _]>([
        &CHROMIUM_MODEL, &FIREFOX_MODEL, &GLIBC_MODULO, &GLIBC_MODULO_LISTED, &GLIBC_SCALED, &MT19937_MODEL,
        &MT19937_64_MODEL, &XOROSHIRO128_MODEL, &XOSHIRO256_MODEL, &V8_SUM_MODEL, &DOTNET_SCALED,
        &DOTNET_KEYS, &CalledSeeds,
    ]);
    models.extend(SLOW_MODELS.iter().map(|model| model as &dyn Model));
    models
});

/// Every model that `predict` tries: those of an audit, and some that are too dear for one.
pub static ALL_MODELS: LazyLock<Vec<&'static dyn Model>> = LazyLock::new(|| {
    let in_turn = V8_IN_TURN.iter().map(|model| model as &dyn Model);
    let in_turn = in_turn.chain(RAND48_IN_TURN.iter().map(|model| model as &dyn Model));
    let counters = COUNTER_MODELS.iter().map(|model| model as &dyn Model);
    let shells = SHELL_MODELS.iter().map(|model| model as &dyn Model);
    MODELS.iter().copied().chain(in_turn).chain(counters).chain(shells).collect()
});

/// Tables that draw in turn from one generator of Node.js.
static V8_IN_TURN: [Linear<2>; 3] = [
    v8_in_turn("V8 Math.random, every 2nd number", &V8_EVERY[0], 2),
    v8_in_turn("V8 Math.random, every 3rd number", &V8_EVERY[1], 3),
    v8_in_turn("V8 Math.random, every 4th number", &V8_EVERY[2], 4),
];

const fn v8_in_turn(name: &'static str, generator: &'static Generator, every: usize) -> Linear<2> {
    let assumed = "As V8 Math.random, of tables that draw in turn, one number each.";
    linear(LinearDealer { generator, every, ..v8(name, assumed) }, 1_900)
}

const fn linear<const W: usize>(dealer: LinearDealer, work: u64) -> Linear<W> {
    Linear { dealer, work, outputs: OnceLock::new() }
}

/// `Math.random` of V8 in its order.
const fn v8(name: &'static str, assumed: &'static str) -> LinearDealer {
    LinearDealer {
        name,
        assumed,
        linear: &XORSHIFT128_LINEAR,
        generator: &V8,
        mappings: &[Mapping::Float { bits: 52 }],
        is_cached: true,
        every: 1,
    }
}

static V8_MODEL: Linear<2> = linear(
    v8(
        "V8 Math.random",
        "⌊U·n⌋ of the leading bits of xorshift128+ without its sum, 64 numbers at a time from the last to the first; \
         52 or 53 bits of U, which differ in one draw of 2^46",
    ),
    1_900,
);

static V8_COMPARED_MODEL: Compared<2> = Compared {
    dealer: v8(
        "V8 sort(() => Math.random() - 0.5)",
        "Array.prototype.sort of V8 since 2018 with a comparator that guesses, either sign; one whole deck",
    ),
    work: 600,
    outputs: OnceLock::new(),
};

static V8_KEYS_MODEL: Sums<2> = Sums {
    dealer: v8(
        "V8 Math.random, sorted by keys",
        "sorted by a Math.random() for each card; five or more whole decks, as many calls, 16 at most, between all of them",
    ),
    doubts: Doubts::Keys,
};

/// A generator that adds two words, beside the same without carries.
const fn sums<const W: usize>(
    name: &'static str,
    assumed: &'static str,
    [generator, linear]: [&'static Generator; 2],
    mappings: &'static [Mapping],
) -> Sums<W> {
    let dealer = LinearDealer { name, assumed, linear, generator, mappings, is_cached: false, every: 1 };
    Sums { dealer, doubts: Doubts::Carries }
}

pub(crate) static FIREFOX_MODEL: Sums<2> = sums(
    "SpiderMonkey and JavaScriptCore Math.random",
    "⌊U·n⌋ of the lower 53 bits of the sum of xorshift128+, as many calls between all decks",
    [&XORSHIFT128_PLUS, &XORSHIFT128_XOR],
    &[Mapping::FloatLow { bits: 53 }],
);

/// Found by trying `--random-seed=42` of Chromium 156: the numbers of that seed are these sums, in order.
pub(crate) static CHROMIUM_MODEL: Sums<2> = sums(
    "V8 Math.random of 2026",
    "⌊U·n⌋ of the upper 53 bits of the sum of xorshift128+, in order, as many calls between all decks",
    [&XORSHIFT128_PLUS, &XORSHIFT128_XOR],
    &[Mapping::Float { bits: 53 }],
);

const LEADING: &str = "⌊U·n⌋ of the leading bits, as many calls between all decks";

static XOROSHIRO128_MODEL: Sums<2> =
    sums("xoroshiro128+", LEADING, [&XOROSHIRO128_PLUS, &XOROSHIRO128_XOR], &[Mapping::Float { bits: 53 }]);

static XOSHIRO256_MODEL: Sums<4> =
    sums("xoshiro256+", LEADING, [&XOSHIRO256_PLUS, &XOSHIRO256_XOR], &[Mapping::Float { bits: 53 }]);

static V8_SUM_MODEL: Sums<2> = Sums {
    dealer: LinearDealer {
        name: "V8 Math.random of 2015 and 2016",
        assumed: "⌊U·n⌋ of the lower 52 bits of the sum of xorshift128+, 64 numbers at a time from the last to the first, as \
                  many calls between all decks",
        linear: &XORSHIFT128_XOR,
        generator: &V8_SUM,
        mappings: &[Mapping::FloatLow { bits: 52 }],
        is_cached: true,
        every: 1,
    },
    doubts: Doubts::Carries,
};

/// A generator whose outputs are draws by a double of their leading bits, a fraction of 32 bits, or their low bits.
const fn xorshift<const W: usize>(
    name: &'static str,
    assumed: &'static str,
    generator: &'static Generator,
    work: u64,
) -> Linear<W> {
    let mappings = &[Mapping::Float { bits: 53 }, Mapping::Modulo { drop: 0 }];
    let dealer =
        LinearDealer { name, assumed, linear: generator, generator, mappings, is_cached: false, every: 1 };
    linear(dealer, work)
}

static XORSHIFT128_MODEL: Linear<2> = xorshift(
    "xorshift128",
    "Marsaglia's xorshift of 128 bits (11, 8, 19), ⌊U·n⌋ or modulo",
    &XORSHIFT128,
    1_250,
);

static XORSHIFT64_MODEL: Linear<1> =
    xorshift("xorshift64", "Marsaglia's xorshift of 64 bits (13, 7, 17), ⌊U·n⌋ or modulo", &XORSHIFT64, 800);

static XORSHIFT32_MODEL: Linear<1> =
    xorshift("xorshift32", "Marsaglia's xorshift of 32 bits (13, 17, 5), ⌊U·n⌋ or modulo", &XORSHIFT32, 120);
