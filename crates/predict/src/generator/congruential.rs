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
    ($generator:ident, $name:literal, $source:literal, $numbers:expr) => {
        #[doc = $source]
        pub static $generator: Generator = {
            const NUMBERS: Congruence = $numbers;
            const BITS: u32 = u128::BITS - (NUMBERS.modulus - 1).leading_zeros();
            Generator {
                name: $name,
                source: $source,
                word_bits: BITS,
                state_bits: BITS as f64,
                min: (NUMBERS.modulus % 2) as u64,
                max: (NUMBERS.modulus - 1) as u64,
                congruence: Some(NUMBERS),
                next: |state| step(&NUMBERS, state),
                ..Generator::PLAIN
            }
        };
    };
}

const fn numbers(multiplier: u64, increment: u64, modulus: u128) -> Congruence {
    Congruence { multiplier, increment, modulus }
}

/// The numbers of [`MINSTD0`].
pub const MINSTD0_NUMBERS: Congruence = numbers(16_807, 0, PRIME as u128);

/// The numbers of [`RAND48`].
const RAND48_NUMBERS: Congruence = numbers(0x5_deec_e66d, 11, 1 << 48);

congruential!(
    RAND48,
    "rand48",
    "POSIX drand48, lrand48; Perl since 5.20; java.util.Random and Math.random of Java",
    RAND48_NUMBERS
);
/// Every second, third and fourth number of [`RAND48`]: tables that draw in turn.
pub static RAND48_EVERY: [Generator; 3] = [
    rand48_every::<2>("rand48-every-2"),
    rand48_every::<3>("rand48-every-3"),
    rand48_every::<4>("rand48-every-4"),
];

const fn rand48_every<const STEPS: u32>(name: &'static str) -> Generator {
    Generator {
        name,
        congruence: Some(RAND48_NUMBERS.every(STEPS)),
        next: |state| step(&const { RAND48_NUMBERS.every(STEPS) }, state),
        ..RAND48
    }
}

fn step(numbers: &Congruence, state: &mut [u64]) -> u64 {
    state[0] = numbers.next(state[0]);
    state[0]
}

congruential!(
    MINSTD0,
    "minstd0",
    "Park & Miller (1988); std::minstd_rand0; rand() of Tcl's expr; rand() of macOS",
    MINSTD0_NUMBERS
);
congruential!(
    MINSTD,
    "minstd",
    "Park, Miller & Stockmeyer (1993); std::minstd_rand",
    numbers(48_271, 0, PRIME as u128)
);
congruential!(
    MSVC,
    "msvc",
    "rand() of Microsoft's C library: bits 16 to 30; the highest bit of its state never shows",
    numbers(214_013, 2_531_011, 1 << 31)
);
congruential!(
    BORLAND_C,
    "borland-c",
    "rand() of Borland C: bits 16 to 30; the highest bit of its state never shows",
    numbers(22_695_477, 1, 1 << 31)
);
congruential!(DELPHI, "delphi", "Random of Turbo Pascal and Delphi", numbers(134_775_813, 1, 1 << 32));
congruential!(
    VISUAL_BASIC,
    "visual-basic",
    "Rnd of Visual Basic and of Excel's macros: Microsoft's article 231847",
    numbers(0x43_fd_43_fd, 0xc3_9e_c3, 1 << 24)
);
congruential!(
    ANSI_C,
    "ansi-c",
    "rand() printed in ISO C and POSIX (bits 16 to 30); of old BSD, and glibc's TYPE_0 (the whole state)",
    numbers(1_103_515_245, 12_345, 1 << 31)
);
congruential!(
    QUICK,
    "numerical-recipes",
    "Press, Teukolsky, Vetterling & Flannery (1992), Numerical Recipes in C, section 7.1, ranqd1",
    numbers(1_664_525, 1_013_904_223, 1 << 32)
);
congruential!(
    RANDU,
    "randu",
    "IBM System/360 Scientific Subroutine Package (1968)",
    numbers(65_539, 0, 1 << 31)
);
congruential!(
    MMIX,
    "mmix",
    "Knuth, MMIX; The Art of Computer Programming 2, section 3.3.4, table 1",
    numbers(6_364_136_223_846_793_005, 1_442_695_040_888_963_407, 1 << 64)
);
congruential!(
    MUSL,
    "musl",
    "rand() of musl (bits 33 to 63) and newlib (bits 32 to 62)",
    numbers(6_364_136_223_846_793_005, 1, 1 << 64)
);

/// The product of the three moduli of Wichmann and Hill.
const WICHMANN_HILL_MODULUS: u64 = 30_269 * 30_307 * 30_323;

const WICHMANN_HILL_NUMBERS: Congruence = numbers(16_555_425_264_690, 0, WICHMANN_HILL_MODULUS as u128);

/// Three small generators whose fractions are added are one large one (Zeisel 1986): the state is its x, the output the
/// 53 leading bits of x/m.
pub static WICHMANN_HILL: Generator = Generator {
    name: "wichmann-hill",
    source: "Wichmann & Hill (1982), AS 183; RAND of Excel 2003 and 2007; Python before 2.3",
    word_bits: 45,
    state_bits: 45.0,
    max: (1 << 53) - 1,
    congruence: Some(WICHMANN_HILL_NUMBERS),
    next: |state| {
        state[0] = WICHMANN_HILL_NUMBERS.next(state[0]);
        ((u128::from(state[0]) << 53) / u128::from(WICHMANN_HILL_MODULUS)) as u64
    },
    ..Generator::PLAIN
};

/// 2^31 − 1, the modulus of many of them.
pub(crate) const PRIME: u64 = (1 << 31) - 1;

/// `base^exponent` modulo 2^31 − 1.
pub(crate) fn power(base: u64, mut exponent: u64) -> u64 {
    let (mut power, mut base) = (1, base % PRIME);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power * base % PRIME;
        }
        base = base * base % PRIME;
        exponent >>= 1;
    }
    power
}
