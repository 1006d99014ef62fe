//! Which congruential generators are looked for, with which mappings.

use crate::congruential::Congruential;
use crate::generator::Generator;
use crate::generator::congruential::{
    ANSI_C, BORLAND_C, DELPHI, MINSTD, MINSTD0, MMIX, MSVC, MUSL, QUICK, RAND48, RANDU, VISUAL_BASIC,
    WICHMANN_HILL,
};
use crate::mapping::Mapping;

const SCALED: &str =
    "The state points to one point of a lattice: 8 to 22 draws of one record, no call rejected.";
const SIFTED: &str = "Draws of even range show low bits of the state: one record, no call rejected.";
const LISTED: &str = "Every state that gives the first draw is tried: one record, no call rejected.";

/// A model of a quick search.
const fn model(
    name: &'static str,
    assumed: &'static str,
    generator: &'static Generator,
    mapping: Mapping,
    is_quick: bool,
) -> Congruential {
    Congruential { name, assumed, generator, mapping, is_quick }
}

const fn scaled(name: &'static str, generator: &'static Generator, bits: u32) -> Congruential {
    model(name, SCALED, generator, Mapping::Float { bits }, true)
}

const fn modulo(
    name: &'static str,
    generator: &'static Generator,
    drop: u32,
    is_quick: bool,
) -> Congruential {
    model(name, SIFTED, generator, Mapping::Modulo { drop }, is_quick)
}

/// `Collections.shuffle` of Java.
pub static JAVA_NEXT_INT: Congruential = model("Java nextInt(n)", SIFTED, &RAND48, Mapping::NextInt, true);
/// `Math.random` of Java.
pub static JAVA_DOUBLE: Congruential =
    model("Java Math.random", SCALED, &RAND48, Mapping::FloatOfTwo { first: 26, second: 27 }, true);
/// `drand48`, Perl's `rand`.
pub static RAND48_SCALED: Congruential = scaled("drand48, Perl rand", &RAND48, 48);
/// `lrand48` scaled.
pub static LRAND48_SCALED: Congruential = scaled("lrand48 scaled", &RAND48, 31);
/// `lrand48() % n`.
pub static LRAND48_MODULO: Congruential = modulo("lrand48 % n", &RAND48, 17, true);
/// `nextFloat` of Java.
pub static JAVA_FLOAT: Congruential = scaled("Java nextFloat", &RAND48, 24);
/// Tcl's `rand()`.
pub static MINSTD0_SCALED: Congruential = scaled("minstd0 scaled, Tcl rand()", &MINSTD0, 31);
/// `std::minstd_rand` scaled.
pub static MINSTD_SCALED: Congruential = scaled("minstd scaled", &MINSTD, 31);
/// `std::shuffle` with `std::minstd_rand`.
pub static MINSTD_PAIRS: Congruential =
    model("std::shuffle with minstd_rand", SCALED, &MINSTD, Mapping::PairsDivided, true);
/// `std::shuffle` with `std::default_random_engine` of libstdc++.
pub static MINSTD0_PAIRS: Congruential =
    model("std::shuffle with minstd_rand0", SCALED, &MINSTD0, Mapping::PairsDivided, true);
/// `rand() % n` of macOS.
pub static MINSTD0_MODULO: Congruential =
    model("minstd0 % n", LISTED, &MINSTD0, Mapping::Modulo { drop: 0 }, false);
/// `minstd_rand() % n`.
pub static MINSTD_MODULO: Congruential =
    model("minstd % n", LISTED, &MINSTD, Mapping::Modulo { drop: 0 }, false);
/// Microsoft's `rand() % n`.
pub static MSVC_MODULO: Congruential = modulo("Microsoft rand() % n", &MSVC, 16, true);
/// Microsoft's `rand()` scaled.
pub static MSVC_SCALED: Congruential = scaled("Microsoft rand() scaled", &MSVC, 15);
/// Borland's `rand() % n`.
pub static BORLAND_MODULO: Congruential = modulo("Borland C rand() % n", &BORLAND_C, 16, true);
/// Borland's `rand()` scaled.
pub static BORLAND_SCALED: Congruential = scaled("Borland C rand() scaled", &BORLAND_C, 15);
/// Delphi's `Random(n)`.
pub static DELPHI_SCALED: Congruential = scaled("Delphi Random", &DELPHI, 32);
/// `Rnd` of Visual Basic.
pub static VISUAL_BASIC_SCALED: Congruential = scaled("Visual Basic Rnd", &VISUAL_BASIC, 24);
/// `rand() % n` as ISO C prints it.
pub static ANSI_MODULO: Congruential = modulo("ISO C rand() % n", &ANSI_C, 16, true);
/// `rand()` as ISO C prints it, scaled.
pub static ANSI_SCALED: Congruential = scaled("ISO C rand() scaled", &ANSI_C, 15);
/// glibc's `TYPE_0`, `% n`.
pub static TYPE_0_MODULO: Congruential = modulo("glibc TYPE_0 % n", &ANSI_C, 0, true);
/// glibc's `TYPE_0`, scaled.
pub static TYPE_0_SCALED: Congruential = scaled("glibc TYPE_0 scaled", &ANSI_C, 31);
/// Numerical Recipes, scaled.
pub static QUICK_SCALED: Congruential = scaled("Numerical Recipes ranqd1 scaled", &QUICK, 32);
/// Numerical Recipes, `% n`.
pub static QUICK_MODULO: Congruential = modulo("Numerical Recipes ranqd1 % n", &QUICK, 0, true);
/// RANDU, scaled.
pub static RANDU_SCALED: Congruential = scaled("RANDU scaled", &RANDU, 31);
/// MMIX, scaled.
pub static MMIX_SCALED: Congruential = scaled("Knuth MMIX scaled", &MMIX, 53);
/// musl's generator, scaled.
pub static MUSL_SCALED: Congruential = scaled("musl scaled", &MUSL, 31);
/// musl's `rand() % n`.
pub static MUSL_MODULO: Congruential = modulo("musl rand() % n", &MUSL, 33, false);
/// Knuth's generator, its upper 31 bits `% n`.
pub static MMIX_MODULO: Congruential = modulo("Knuth MMIX % n", &MMIX, 33, false);
/// Wichmann and Hill, scaled.
pub static WICHMANN_HILL_SCALED: Congruential =
    scaled("Wichmann-Hill scaled, Excel 2003", &WICHMANN_HILL, 53);

/// All that take less than a second for one way and start, likeliest first.
pub static QUICK_MODELS: &[&Congruential] = &[
    &JAVA_NEXT_INT,
    &JAVA_DOUBLE,
    &RAND48_SCALED,
    &LRAND48_MODULO,
    &LRAND48_SCALED,
    &JAVA_FLOAT,
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
];

/// Those that take longer.
pub static SLOW_MODELS: &[&Congruential] = &[&MINSTD0_MODULO, &MINSTD_MODULO, &MUSL_MODULO, &MMIX_MODULO];
