//! Congruential generators: `x ← a·x + c mod m`. An output is the whole new state; programs take their bits of it.

use crate::generator::Generator;

/// A congruential generator's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Congruence {
    /// a.
    pub multiplier: u64,
    /// c.
    pub increment: u64,
    /// m, 2^64 at most.
    pub modulus: u128,
}

impl Congruence {
    /// One step.
    pub const fn next(&self, state: u64) -> u64 {
        ((self.multiplier as u128 * state as u128 + self.increment as u128) % self.modulus) as u64
    }
}

impl Congruence {
    /// So many steps as one.
    const fn every(&self, steps: u32) -> Congruence {
        let (mut multiplier, mut increment, mut step) = (1u128, 0u128, 0);
        while step < steps {
            multiplier = multiplier * self.multiplier as u128 % self.modulus;
            increment = (increment * self.multiplier as u128 + self.increment as u128) % self.modulus;
            step += 1;
        }
        Congruence { multiplier: multiplier as u64, increment: increment as u64, modulus: self.modulus }
    }
}

/// Declares a congruence and its generator. A prime modulus goes with no increment, so that 0 is no state.
macro_rules! congruential {
    ($generator:ident, $congruence:ident, $name:literal, $source:literal, $a:expr, $c:expr, $m:expr) => {
        #[doc = concat!("The numbers of `", $name, "`.")]
        pub static $congruence: Congruence = Congruence { multiplier: $a, increment: $c, modulus: $m };

        #[doc = $source]
        pub static $generator: Generator = Generator {
            name: $name,
            source: $source,
            words: 1,
            word_bits: u128::BITS - ($congruence.modulus - 1).leading_zeros(),
            state_bits: (u128::BITS - ($congruence.modulus - 1).leading_zeros()) as f64,
            min: ($congruence.modulus % 2) as u64,
            max: ($congruence.modulus - 1) as u64,
            is_linear: false,
            has_counter: false,
            next: |state| {
                const NUMBERS: Congruence = $congruence;
                state[0] = NUMBERS.next(state[0]);
                state[0]
            },
        };
    };
}

congruential!(
    RAND48,
    RAND48_NUMBERS,
    "rand48",
    "POSIX drand48, lrand48; Perl since 5.20; java.util.Random and Math.random of Java",
    0x5_deec_e66d,
    11,
    1 << 48
);
/// Every second, third and fourth number of [`RAND48`]: tables that draw in turn.
pub static RAND48_EVERY: [Generator; 3] = [
    Generator { name: "rand48-every-2", next: |state| step(&RAND48_EVERY_NUMBERS[0], state), ..RAND48 },
    Generator { name: "rand48-every-3", next: |state| step(&RAND48_EVERY_NUMBERS[1], state), ..RAND48 },
    Generator { name: "rand48-every-4", next: |state| step(&RAND48_EVERY_NUMBERS[2], state), ..RAND48 },
];

/// Their numbers.
pub static RAND48_EVERY_NUMBERS: [Congruence; 3] =
    [RAND48_NUMBERS.every(2), RAND48_NUMBERS.every(3), RAND48_NUMBERS.every(4)];

fn step(numbers: &Congruence, state: &mut [u64]) -> u64 {
    state[0] = numbers.next(state[0]);
    state[0]
}

congruential!(
    MINSTD0,
    MINSTD0_NUMBERS,
    "minstd0",
    "Park & Miller (1988); std::minstd_rand0; rand() of Tcl's expr; rand() of macOS",
    16_807,
    0,
    (1 << 31) - 1
);
congruential!(
    MINSTD,
    MINSTD_NUMBERS,
    "minstd",
    "Park, Miller & Stockmeyer (1993); std::minstd_rand",
    48_271,
    0,
    (1 << 31) - 1
);
congruential!(
    MSVC,
    MSVC_NUMBERS,
    "msvc",
    "rand() of Microsoft's C library: bits 16 to 30; the highest bit of its state never shows",
    214_013,
    2_531_011,
    1 << 31
);
congruential!(
    BORLAND_C,
    BORLAND_C_NUMBERS,
    "borland-c",
    "rand() of Borland C: bits 16 to 30; the highest bit of its state never shows",
    22_695_477,
    1,
    1 << 31
);
congruential!(DELPHI, DELPHI_NUMBERS, "delphi", "Random of Turbo Pascal and Delphi", 134_775_813, 1, 1 << 32);
congruential!(
    VISUAL_BASIC,
    VISUAL_BASIC_NUMBERS,
    "visual-basic",
    "Rnd of Visual Basic and of Excel's macros: Microsoft's article 231847",
    0x43_fd_43_fd,
    0xc3_9e_c3,
    1 << 24
);
congruential!(
    ANSI_C,
    ANSI_C_NUMBERS,
    "ansi-c",
    "rand() printed in ISO C and POSIX (bits 16 to 30); of old BSD, and glibc's TYPE_0 (the whole state)",
    1_103_515_245,
    12_345,
    1 << 31
);
congruential!(
    QUICK,
    QUICK_NUMBERS,
    "numerical-recipes",
    "Press, Teukolsky, Vetterling & Flannery (1992), Numerical Recipes in C, section 7.1, ranqd1",
    1_664_525,
    1_013_904_223,
    1 << 32
);
congruential!(
    RANDU,
    RANDU_NUMBERS,
    "randu",
    "IBM System/360 Scientific Subroutine Package (1968)",
    65_539,
    0,
    1 << 31
);
congruential!(
    MMIX,
    MMIX_NUMBERS,
    "mmix",
    "Knuth, MMIX; The Art of Computer Programming 2, section 3.3.4, table 1",
    6_364_136_223_846_793_005,
    1_442_695_040_888_963_407,
    1 << 64
);
congruential!(
    MUSL,
    MUSL_NUMBERS,
    "musl",
    "rand() of musl (bits 33 to 63) and newlib (bits 32 to 62)",
    6_364_136_223_846_793_005,
    1,
    1 << 64
);

/// The product of the three moduli of Wichmann and Hill.
const WICHMANN_HILL_MODULUS: u64 = 30_269 * 30_307 * 30_323;

/// The numbers of `wichmann-hill`.
pub static WICHMANN_HILL_NUMBERS: Congruence =
    Congruence { multiplier: 16_555_425_264_690, increment: 0, modulus: WICHMANN_HILL_MODULUS as u128 };

/// Three small generators whose fractions are added are one large one (Zeisel 1986): the state is its x, the output the
/// 53 leading bits of x/m.
pub static WICHMANN_HILL: Generator = Generator {
    name: "wichmann-hill",
    source: "Wichmann & Hill (1982), AS 183; RAND of Excel 2003 and 2007; Python before 2.3",
    words: 1,
    word_bits: 45,
    state_bits: 45.0,
    min: 0,
    max: (1 << 53) - 1,
    is_linear: false,
    has_counter: false,
    next: |state| {
        state[0] = WICHMANN_HILL_NUMBERS.next(state[0]);
        ((u128::from(state[0]) << 53) / u128::from(WICHMANN_HILL_MODULUS)) as u64
    },
};

/// Every congruential generator with its numbers.
pub static CONGRUENCES: &[(&Generator, &Congruence)] = &[
    (&RAND48, &RAND48_NUMBERS),
    (&MINSTD0, &MINSTD0_NUMBERS),
    (&MINSTD, &MINSTD_NUMBERS),
    (&MSVC, &MSVC_NUMBERS),
    (&BORLAND_C, &BORLAND_C_NUMBERS),
    (&DELPHI, &DELPHI_NUMBERS),
    (&VISUAL_BASIC, &VISUAL_BASIC_NUMBERS),
    (&ANSI_C, &ANSI_C_NUMBERS),
    (&QUICK, &QUICK_NUMBERS),
    (&RANDU, &RANDU_NUMBERS),
    (&MMIX, &MMIX_NUMBERS),
    (&MUSL, &MUSL_NUMBERS),
    (&WICHMANN_HILL, &WICHMANN_HILL_NUMBERS),
    (&RAND48_EVERY[0], &RAND48_EVERY_NUMBERS[0]),
    (&RAND48_EVERY[1], &RAND48_EVERY_NUMBERS[1]),
    (&RAND48_EVERY[2], &RAND48_EVERY_NUMBERS[2]),
];

impl Congruence {
    /// The numbers of a generator, if it is congruential.
    pub fn of(generator: &Generator) -> Option<&'static Congruence> {
        CONGRUENCES.iter().find(|(own, _)| own.name == generator.name).map(|(_, numbers)| *numbers)
    }
}
