//! The catalogue: every model, likeliest first.

use crate::additive::{GLIBC_MODULO, GLIBC_MODULO_LISTED};
use crate::congruential::list::{
    ANSI_MODULO, ANSI_SCALED, BORLAND_MODULO, BORLAND_SCALED, DELPHI_SCALED, JAVA_DOUBLE, JAVA_FLOAT,
    JAVA_NEXT_INT, LRAND48_MODULO, LRAND48_SCALED, MINSTD_MODULO, MINSTD_PAIRS, MINSTD_SCALED,
    MINSTD0_MODULO, MINSTD0_PAIRS, MINSTD0_SCALED, MMIX_MODULO, MMIX_SCALED, MSVC_MODULO, MSVC_SCALED,
    MUSL_MODULO, MUSL_SCALED, QUICK_MODULO, QUICK_SCALED, RAND48_SCALED, RANDU_SCALED, TYPE_0_MODULO,
    TYPE_0_SCALED, VISUAL_BASIC_SCALED, WICHMANN_HILL_SCALED,
};
use crate::generator::xorshift::{
    V8, V8_SUM, XOROSHIRO128_PLUS, XOROSHIRO128_XOR, XORSHIFT32, XORSHIFT64, XORSHIFT128, XORSHIFT128_LINEAR,
    XORSHIFT128_PLUS, XORSHIFT128_XOR, XOSHIRO256_PLUS, XOSHIRO256_XOR,
};
use crate::linear::single::Linear;
use crate::linear::sums::Sums;
use crate::linear::twister::{MT19937_64_MODEL, MT19937_MODEL};
use crate::mapping::Mapping;
use crate::model::Model;

/// Every model, likeliest and cheapest first.
pub static MODELS: &[&dyn Model] = &[
    &V8_MODEL,
    &JAVA_NEXT_INT,
    &JAVA_DOUBLE,
    &RAND48_SCALED,
    &LRAND48_MODULO,
    &LRAND48_SCALED,
    &JAVA_FLOAT,
    &XORSHIFT128_MODEL,
    &XORSHIFT64_MODEL,
    &XORSHIFT32_MODEL,
    &MINSTD0_SCALED,
    &MINSTD_SCALED,
    &MINSTD_PAIRS,
    &MINSTD0_PAIRS,
    &MSVC_MODULO,
    &MSVC_SCALED,
    &DELPHI_SCALED,
    &VISUAL_BASIC_SCALED,
    &ANSI_MODULO,
    &ANSI_SCALED,
    &TYPE_0_MODULO,
    &TYPE_0_SCALED,
    &BORLAND_MODULO,
    &BORLAND_SCALED,
    &QUICK_SCALED,
    &QUICK_MODULO,
    &RANDU_SCALED,
    &MMIX_SCALED,
    &MUSL_SCALED,
    &WICHMANN_HILL_SCALED,
    &GLIBC_MODULO,
    &GLIBC_MODULO_LISTED,
    &MINSTD0_MODULO,
    &MINSTD_MODULO,
    &MUSL_MODULO,
    &MMIX_MODULO,
    &FIREFOX_MODEL,
    &MT19937_MODEL,
    &MT19937_64_MODEL,
    &XOROSHIRO128_MODEL,
    &XOSHIRO256_MODEL,
    &V8_SUM_MODEL,
];

/// A double of the leading bits, a fraction of 32 bits, and the low bits.
const HIGH_AND_LOW: &[Mapping] = &[Mapping::Float { bits: 53 }, Mapping::Modulo { drop: 0 }];

static V8_MODEL: Linear<2> = Linear {
    name: "V8 Math.random",
    assumed: "⌊U·n⌋ of the leading bits of xorshift128+ without its sum, 64 numbers at a time from the last to the first; \
              52 or 53 bits of U, which differ in one draw of 2^46",
    linear: &XORSHIFT128_LINEAR,
    dealing: &V8,
    mappings: &[Mapping::Float { bits: 52 }],
    is_cached: true,
};

static FIREFOX_MODEL: Sums<2> = Sums {
    name: "SpiderMonkey and JavaScriptCore Math.random",
    assumed: "⌊U·n⌋ of the lower 53 bits of the sum of xorshift128+, as many calls between all decks",
    linear: &XORSHIFT128_XOR,
    dealing: &XORSHIFT128_PLUS,
    mappings: &[Mapping::FloatLow { bits: 53 }],
    is_cached: false,
};

static XOROSHIRO128_MODEL: Sums<2> = Sums {
    name: "xoroshiro128+",
    assumed: "⌊U·n⌋ of the leading bits, as many calls between all decks",
    linear: &XOROSHIRO128_XOR,
    dealing: &XOROSHIRO128_PLUS,
    mappings: &[Mapping::Float { bits: 53 }],
    is_cached: false,
};

static XOSHIRO256_MODEL: Sums<4> = Sums {
    name: "xoshiro256+",
    assumed: "⌊U·n⌋ of the leading bits, as many calls between all decks",
    linear: &XOSHIRO256_XOR,
    dealing: &XOSHIRO256_PLUS,
    mappings: &[Mapping::Float { bits: 53 }],
    is_cached: false,
};

static V8_SUM_MODEL: Sums<2> = Sums {
    name: "V8 Math.random of 2015 and 2016",
    assumed: "⌊U·n⌋ of the lower 52 bits of the sum of xorshift128+, 64 numbers at a time from the last to the first, as \
              many calls between all decks",
    linear: &XORSHIFT128_XOR,
    dealing: &V8_SUM,
    mappings: &[Mapping::FloatLow { bits: 52 }],
    is_cached: true,
};

static XORSHIFT128_MODEL: Linear<2> = Linear {
    name: "xorshift128",
    assumed: "Marsaglia's xorshift of 128 bits (11, 8, 19), ⌊U·n⌋ or modulo",
    linear: &XORSHIFT128,
    dealing: &XORSHIFT128,
    mappings: HIGH_AND_LOW,
    is_cached: false,
};

static XORSHIFT64_MODEL: Linear<1> = Linear {
    name: "xorshift64",
    assumed: "Marsaglia's xorshift of 64 bits (13, 7, 17), ⌊U·n⌋ or modulo",
    linear: &XORSHIFT64,
    dealing: &XORSHIFT64,
    mappings: HIGH_AND_LOW,
    is_cached: false,
};

static XORSHIFT32_MODEL: Linear<1> = Linear {
    name: "xorshift32",
    assumed: "Marsaglia's xorshift of 32 bits (13, 17, 5), ⌊U·n⌋ or modulo",
    linear: &XORSHIFT32,
    dealing: &XORSHIFT32,
    mappings: HIGH_AND_LOW,
    is_cached: false,
};
