//! Which congruential generators are looked for, with which mappings.

use crate::congruential::Congruential;
use crate::congruential::keys::SortedByKeys;
use crate::congruential::redrawn::Redrawn;
use crate::generator::Generator;
use crate::generator::congruential::{
    ANSI_C, BORLAND_C, DELPHI, MINSTD, MINSTD0, MMIX, MSVC, MUSL, QUICK, RAND48, RAND48_EVERY, RANDU,
    VISUAL_BASIC, WICHMANN_HILL,
};
use crate::mapping::Mapping;

const SCALED: &str =
    "The state points to one point of a lattice: 8 to 22 draws of one record, no call rejected.";
const SIFTED: &str = "Draws of even range show low bits of the state: one record, no call rejected.";

const fn model(
    name: &'static str,
    assumed: &'static str,
    generator: &'static Generator,
    mapping: Mapping,
    work: u64,
) -> Congruential {
    Congruential { name, assumed, generator, mapping, work, is_in_turn: false }
}

const fn scaled(name: &'static str, generator: &'static Generator, bits: u32, work: u64) -> Congruential {
    model(name, SCALED, generator, Mapping::Float { bits }, work)
}

const fn modulo(name: &'static str, generator: &'static Generator, drop: u32, work: u64) -> Congruential {
    model(name, SIFTED, generator, Mapping::Modulo { drop }, work)
}

/// All that take milliseconds for one way and start, likeliest first.
pub static QUICK_MODELS: [Congruential; 30] = [
    // `Collections.shuffle` of Java.
    next_int("Java nextInt(n)", &RAND48),
    model("Java Math.random", SCALED, &RAND48, Mapping::FloatOfTwo { first: 26, second: 27 }, 30),
    scaled("drand48, Perl rand", &RAND48, 48, 30),
    modulo("lrand48 % n", &RAND48, 17, 800),
    scaled("lrand48 scaled", &RAND48, 31, 30),
    scaled("Java nextFloat", &RAND48, 24, 30),
    scaled("minstd0 scaled, Tcl rand()", &MINSTD0, 31, 30),
    scaled("minstd scaled", &MINSTD, 31, 30),
    model("minstd0 scaled, doubles of C++", SCALED, &MINSTD0, Mapping::Canonical, 30),
    model("minstd scaled, doubles of C++", SCALED, &MINSTD, Mapping::Canonical, 30),
    // `rand() % n` of macOS.
    model("minstd0 % n", SCALED, &MINSTD0, Mapping::Modulo { drop: 0 }, 30),
    model("minstd % n", SCALED, &MINSTD, Mapping::Modulo { drop: 0 }, 30),
    model("std::shuffle with minstd_rand", SCALED, &MINSTD, Mapping::PairsDivided, 30),
    // `std::shuffle` with `std::default_random_engine` of libstdc++.
    model("std::shuffle with minstd_rand0", SCALED, &MINSTD0, Mapping::PairsDivided, 30),
    modulo("Microsoft rand() % n", &MSVC, 16, 600),
    scaled("Microsoft rand() scaled", &MSVC, 15, 30),
    scaled("Delphi Random", &DELPHI, 32, 30),
    scaled("Visual Basic Rnd", &VISUAL_BASIC, 24, 30),
    modulo("ISO C rand() % n", &ANSI_C, 16, 600),
    scaled("ISO C rand() scaled", &ANSI_C, 15, 30),
    modulo("glibc TYPE_0 % n", &ANSI_C, 0, 2),
    scaled("glibc TYPE_0 scaled", &ANSI_C, 31, 30),
    modulo("Borland C rand() % n", &BORLAND_C, 16, 600),
    scaled("Borland C rand() scaled", &BORLAND_C, 15, 30),
    scaled("Numerical Recipes ranqd1 scaled", &QUICK, 32, 30),
    modulo("Numerical Recipes ranqd1 % n", &QUICK, 0, 2),
    scaled("RANDU scaled", &RANDU, 31, 30),
    scaled("Knuth MMIX scaled", &MMIX, 53, 70),
    scaled("musl scaled", &MUSL, 31, 70),
    scaled("Wichmann-Hill scaled, Excel 2003", &WICHMANN_HILL, 53, 30),
];

const IN_TURN: &str = "As by itself, of tables that draw in turn, one number each.";

/// Tables that draw in turn from one generator: Perl's `rand` and drand48, and `nextInt` of a `Random` of Java.
pub static RAND48_IN_TURN: [Congruential; 6] = [
    in_turn(scaled("drand48, Perl rand, every 2nd number", &RAND48_EVERY[0], 48, 30)),
    in_turn(scaled("drand48, Perl rand, every 3rd number", &RAND48_EVERY[1], 48, 30)),
    in_turn(scaled("drand48, Perl rand, every 4th number", &RAND48_EVERY[2], 48, 30)),
    in_turn(next_int("Java nextInt(n), every 2nd number", &RAND48_EVERY[0])),
    in_turn(next_int("Java nextInt(n), every 3rd number", &RAND48_EVERY[1])),
    in_turn(next_int("Java nextInt(n), every 4th number", &RAND48_EVERY[2])),
];

const fn next_int(name: &'static str, generator: &'static Generator) -> Congruential {
    model(name, SIFTED, generator, Mapping::NextInt, 1_200)
}

const fn in_turn(alone: Congruential) -> Congruential {
    Congruential { assumed: IN_TURN, is_in_turn: true, ..alone }
}

/// Cards sorted by keys.
pub static KEY_MODELS: [SortedByKeys; 5] = [
    SortedByKeys::new("drand48, Perl rand, sorted by keys", &RAND48, Mapping::Float { bits: 48 }),
    SortedByKeys::new(
        "Java Math.random, sorted by keys",
        &RAND48,
        Mapping::FloatOfTwo { first: 26, second: 27 },
    ),
    SortedByKeys::new("minstd0, Tcl rand(), sorted by keys", &MINSTD0, Mapping::Float { bits: 31 }),
    SortedByKeys::new("Java nextInt, sorted by keys", &RAND48, Mapping::Float { bits: 32 }),
    SortedByKeys::new("Delphi Random, sorted by keys", &DELPHI, Mapping::Float { bits: 32 }),
];

/// Leading bits that are drawn again, of states so long that no statistic sees them before some thousand decks.
pub static REDRAWN_MODELS: [Redrawn; 3] = [
    Redrawn::new("Java next(bits), drawn again", &RAND48),
    Redrawn::new("musl leading bits, drawn again", &MUSL),
    Redrawn::new("Knuth MMIX leading bits, drawn again", &MMIX),
];

/// Those that take longer.
pub static SLOW_MODELS: [Congruential; 2] = [
    modulo("musl rand() % n", &MUSL, 33, 60_000_000),
    // Knuth's generator, its upper 31 bits `% n`.
    modulo("Knuth MMIX % n", &MMIX, 33, 60_000_000),
];
