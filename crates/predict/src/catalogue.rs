//! The catalogue: every model, likeliest first.

use std::sync::{LazyLock, OnceLock};

use crate::additive::scaled::{DOTNET_SCALED, GLIBC_SCALED};
use crate::additive::{GLIBC_MODULO, GLIBC_MODULO_LISTED};
use crate::affine::{DOTNET_DRAWS, DOTNET_KEYS};
use crate::congruential::list::{KEY_MODELS, QUICK_MODELS, RAND48_IN_TURN, SLOW_MODELS};
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
use crate::model::{InTurn, Model};
use crate::seeds::small::{CalledSeeds, SMALL_SEEDS};

/// Every model that an audit knows, likeliest and cheapest first: a change of these is a new version of its statistic.
pub static MODELS: LazyLock<Vec<&'static dyn Model>> = LazyLock::new(|| {
    let mut models: Vec<&dyn Model> = vec![&V8_MODEL, &V8_COMPARED_MODEL];
    models.extend(QUICK_MODELS.iter().map(|model| model as &dyn Model));
    models.extend::<[&dyn Model; _]>([&XORSHIFT128_MODEL, &XORSHIFT64_MODEL, &XORSHIFT32_MODEL]);
    models.extend::<[&dyn Model; _]>([&DOTNET_DRAWS, &V8_KEYS_MODEL]);
    models.extend(KEY_MODELS.iter().map(|model| model as &dyn Model));
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
    let dear = SHELL_MODELS.iter().map(|model| model as &dyn Model);
    MODELS.iter().copied().chain(in_turn).chain(dear).collect()
});

/// Tables that draw in turn from one generator of Node.js.
static V8_IN_TURN: [InTurn<Linear<2>>; 3] = [
    v8_in_turn("V8 Math.random, every 2nd number", &V8_EVERY[0], 2),
    v8_in_turn("V8 Math.random, every 3rd number", &V8_EVERY[1], 3),
    v8_in_turn("V8 Math.random, every 4th number", &V8_EVERY[2], 4),
];

const fn v8_in_turn(name: &'static str, generator: &'static Generator, every: usize) -> InTurn<Linear<2>> {
    InTurn(Linear {
        dealer: LinearDealer {
            name,
            assumed: "As V8 Math.random, of tables that draw in turn, one number each.",
            linear: &XORSHIFT128_LINEAR,
            generator,
            mappings: &[Mapping::Float { bits: 52 }],
            is_cached: true,
            every,
        },
        work: 1_900,
        outputs: OnceLock::new(),
    })
}

/// A double of the leading bits, a fraction of 32 bits, and the low bits.
const HIGH_AND_LOW: &[Mapping] = &[Mapping::Float { bits: 53 }, Mapping::Modulo { drop: 0 }];

static V8_MODEL: Linear<2> = Linear {
    dealer: LinearDealer {
        name: "V8 Math.random",
        assumed: "⌊U·n⌋ of the leading bits of xorshift128+ without its sum, 64 numbers at a time from the last to the first; \
                  52 or 53 bits of U, which differ in one draw of 2^46",
        linear: &XORSHIFT128_LINEAR,
        generator: &V8,
        mappings: &[Mapping::Float { bits: 52 }],
        is_cached: true,
        every: 1,
    },
    work: 1_900,
    outputs: OnceLock::new(),
};

static V8_COMPARED_MODEL: Compared<2> = Compared {
    dealer: LinearDealer {
        name: "V8 sort(() => Math.random() - 0.5)",
        assumed: "Array.prototype.sort of V8 since 2018 with a comparator that guesses, either sign; one whole deck",
        linear: &XORSHIFT128_LINEAR,
        generator: &V8,
        mappings: &[Mapping::Float { bits: 52 }],
        is_cached: true,
        every: 1,
    },
    work: 600,
    outputs: OnceLock::new(),
};

static V8_KEYS_MODEL: Sums<2> = Sums {
    dealer: LinearDealer {
        name: "V8 Math.random, sorted by keys",
        assumed: "sorted by a Math.random() for each card; five or more whole decks, as many calls, 16 at most, between all of them",
        linear: &XORSHIFT128_LINEAR,
        generator: &V8,
        mappings: &[Mapping::Float { bits: 52 }],
        is_cached: true,
        every: 1,
    },
    doubts: Doubts::Keys,
};

pub(crate) static FIREFOX_MODEL: Sums<2> = Sums {
    dealer: LinearDealer {
        name: "SpiderMonkey and JavaScriptCore Math.random",
        assumed: "⌊U·n⌋ of the lower 53 bits of the sum of xorshift128+, as many calls between all decks",
        linear: &XORSHIFT128_XOR,
        generator: &XORSHIFT128_PLUS,
        mappings: &[Mapping::FloatLow { bits: 53 }],
        is_cached: false,
        every: 1,
    },
    doubts: Doubts::Carries,
};

/// Found by trying `--random-seed=42` of Chromium 156: the numbers of that seed are these sums, in order.
pub(crate) static CHROMIUM_MODEL: Sums<2> = Sums {
    dealer: LinearDealer {
        name: "V8 Math.random of 2026",
        assumed: "⌊U·n⌋ of the upper 53 bits of the sum of xorshift128+, in order, as many calls between all decks",
        linear: &XORSHIFT128_XOR,
        generator: &XORSHIFT128_PLUS,
        mappings: &[Mapping::Float { bits: 53 }],
        is_cached: false,
        every: 1,
    },
    doubts: Doubts::Carries,
};

static XOROSHIRO128_MODEL: Sums<2> = Sums {
    dealer: LinearDealer {
        name: "xoroshiro128+",
        assumed: "⌊U·n⌋ of the leading bits, as many calls between all decks",
        linear: &XOROSHIRO128_XOR,
        generator: &XOROSHIRO128_PLUS,
        mappings: &[Mapping::Float { bits: 53 }],
        is_cached: false,
        every: 1,
    },
    doubts: Doubts::Carries,
};

static XOSHIRO256_MODEL: Sums<4> = Sums {
    dealer: LinearDealer {
        name: "xoshiro256+",
        assumed: "⌊U·n⌋ of the leading bits, as many calls between all decks",
        linear: &XOSHIRO256_XOR,
        generator: &XOSHIRO256_PLUS,
        mappings: &[Mapping::Float { bits: 53 }],
        is_cached: false,
        every: 1,
    },
    doubts: Doubts::Carries,
};

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

static XORSHIFT128_MODEL: Linear<2> = Linear {
    dealer: LinearDealer {
        name: "xorshift128",
        assumed: "Marsaglia's xorshift of 128 bits (11, 8, 19), ⌊U·n⌋ or modulo",
        linear: &XORSHIFT128,
        generator: &XORSHIFT128,
        mappings: HIGH_AND_LOW,
        is_cached: false,
        every: 1,
    },
    work: 1_250,
    outputs: OnceLock::new(),
};

static XORSHIFT64_MODEL: Linear<1> = Linear {
    dealer: LinearDealer {
        name: "xorshift64",
        assumed: "Marsaglia's xorshift of 64 bits (13, 7, 17), ⌊U·n⌋ or modulo",
        linear: &XORSHIFT64,
        generator: &XORSHIFT64,
        mappings: HIGH_AND_LOW,
        is_cached: false,
        every: 1,
    },
    work: 800,
    outputs: OnceLock::new(),
};

static XORSHIFT32_MODEL: Linear<1> = Linear {
    dealer: LinearDealer {
        name: "xorshift32",
        assumed: "Marsaglia's xorshift of 32 bits (13, 17, 5), ⌊U·n⌋ or modulo",
        linear: &XORSHIFT32,
        generator: &XORSHIFT32,
        mappings: HIGH_AND_LOW,
        is_cached: false,
        every: 1,
    },
    work: 120,
    outputs: OnceLock::new(),
};
