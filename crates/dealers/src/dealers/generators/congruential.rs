//! Linear congruential generators: Borland, Microsoft, RANDU, MINSTD, MMIX, Wichmann and Hill, and the 48 bits of
//! drand48 and Java.

/// Delphi's and Turbo Pascal's `random`: `s ← 134775813·s + 1 mod 2^32`.
pub(super) struct Borland(u32);

impl Borland {
    pub(super) fn new(seed: u32) -> Borland {
        Borland(seed)
    }

    /// `random(range)`: the state scaled, so that its good high bits are used.
    pub(super) fn random(&mut self, range: u32) -> u32 {
        self.0 = self.0.wrapping_mul(0x0808_8405).wrapping_add(1);
        ((u64::from(self.0) * u64::from(range)) >> 32) as u32
    }
}

/// Microsoft's `rand`: `s ← 214013·s + 2531011 mod 2^32`, bits 16 to 30.
pub(in crate::dealers) struct Msvc(u32);

impl Msvc {
    pub(in crate::dealers) fn new(seed: u32) -> Msvc {
        Msvc(seed)
    }

    /// 0 to 32,767.
    pub(in crate::dealers) fn rand(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(214_013).wrapping_add(2_531_011);
        self.0 >> 16 & 0x7fff
    }
}

/// IBM System/360 Scientific Subroutine Package: `x ← 65539·x mod 2^31`, x odd. All triples lie on 15
/// planes (Marsaglia 1968).
pub(super) struct Randu(u32);

impl Randu {
    /// An even seed is made odd.
    pub(super) fn new(seed: u32) -> Randu {
        Randu(seed & 0x7fff_ffff | 1)
    }

    /// 31 bits.
    pub(super) fn number(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(65_539) & 0x7fff_ffff;
        self.0
    }
}

/// MINSTD: `x ← 16807·x mod 2^31 − 1`, the `rand()` of macOS (Park & Miller 1988).
pub(super) struct Minstd(u32);

/// `2^31 − 1`, a prime.
pub(super) const MINSTD_MODULUS: u32 = (1 << 31) - 1;

impl Minstd {
    /// Zero, of which only zeros would follow, is made one.
    pub(super) fn new(seed: u32) -> Minstd {
        Minstd((seed % MINSTD_MODULUS).max(1))
    }

    /// 1 to 2^31 − 2.
    pub(super) fn number(&mut self) -> u32 {
        self.0 = (u64::from(self.0) * 16_807 % u64::from(MINSTD_MODULUS)) as u32;
        self.0
    }
}

/// Knuth's MMIX: `s ← 6364136223846793005·s + 1 mod 2^64`, as musl's `rand()` has it.
pub(super) struct Mmix(u64);

impl Mmix {
    pub(super) fn new(seed: u64) -> Mmix {
        Mmix(seed)
    }

    /// The highest 31 bits.
    pub(super) fn number(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as u32
    }
}

/// Wichmann & Hill 1982, algorithm AS 183, the `RAND` of Excel 2003: the sum of three fractions.
pub(super) struct WichmannHill([u32; 3]);

impl WichmannHill {
    /// Three numbers from 1 on.
    pub(super) fn new(seeds: [u32; 3]) -> WichmannHill {
        WichmannHill(seeds)
    }

    /// From 0 up to 1.
    pub(super) fn fraction(&mut self) -> f64 {
        let sum = [(171, 30_269), (172, 30_307), (170, 30_323)].iter().zip(&mut self.0).map(
            |(&(multiplier, modulus), number)| {
                *number = multiplier * *number % modulus;
                f64::from(*number) / f64::from(modulus)
            },
        );
        sum.sum::<f64>().fract()
    }
}

/// `s ← 0x5DEECE66D·s + 11 mod 2^48`, the generator of POSIX `drand48` and of `java.util.Random`.
pub(in crate::dealers) struct Rand48(u64);

const RAND48_MULTIPLIER: u64 = 0x5_DEEC_E66D;
const RAND48_MASK: u64 = (1 << 48) - 1;

impl Rand48 {
    /// `srand48(seed)`.
    pub(in crate::dealers) fn posix(seed: u32) -> Rand48 {
        Rand48(u64::from(seed) << 16 | 0x330e)
    }

    /// `new Random(seed)`.
    pub(in crate::dealers) fn java(seed: u64) -> Rand48 {
        Rand48((seed ^ RAND48_MULTIPLIER) & RAND48_MASK)
    }

    /// The highest `count` bits of the next state: `lrand48()` and Java's `next(31)` for 31.
    pub(in crate::dealers) fn bits(&mut self, count: u32) -> u32 {
        self.0 = self.0.wrapping_mul(RAND48_MULTIPLIER).wrapping_add(11) & RAND48_MASK;
        (self.0 >> (48 - count)) as u32
    }

    /// Java's `nextInt(range)`.
    pub(in crate::dealers) fn next_int(&mut self, range: u32) -> u32 {
        if range.is_power_of_two() {
            return ((u64::from(self.bits(31)) * u64::from(range)) >> 31) as u32;
        }
        loop {
            let number = self.bits(31);
            let rest = number % range;
            // Java tests whether this sum overflows 31 bits: then the last multiple is incomplete.
            if number - rest + (range - 1) < 1 << 31 {
                return rest;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delphi_random_100_from_seed_0() {
        // As Turbo Pascal prints them without `randomize`.
        let mut generator = Borland::new(0);
        let found: [u32; 10] = std::array::from_fn(|_| generator.random(100));
        assert_eq!(found, [0, 3, 86, 20, 27, 67, 31, 16, 37, 42]);
    }

    #[test]
    fn msvc_rand_from_seed_1() {
        let mut generator = Msvc::new(1);
        let found: [u32; 5] = std::array::from_fn(|_| generator.rand());
        assert_eq!(found, [41, 18_467, 6_334, 26_500, 19_169]);
    }

    #[test]
    fn randu_from_1_is_oeis_a096555() {
        let mut generator = Randu::new(1);
        let found: [u32; 5] = std::array::from_fn(|_| generator.number());
        assert_eq!(found, [65_539, 393_225, 1_769_499, 7_077_969, 26_542_323]);
    }

    #[test]
    fn the_ten_thousandth_number_of_minstd() {
        // Park & Miller 1988, and the C++ standard, [rand.predef].
        let mut generator = Minstd::new(1);
        assert_eq!((0..10_000).map(|_| generator.number()).last(), Some(1_043_618_065));
    }

    #[test]
    fn mmix_from_0() {
        // By whole numbers of Python.
        let mut generator = Mmix::new(0);
        let found: [u32; 3] = std::array::from_fn(|_| generator.number());
        assert_eq!(found, [0, 740_882_966, 1_616_430_695]);
    }

    /// Zeisel 1986, algorithm AS R61.
    #[test]
    fn wichmann_and_hill_are_one_generator() {
        let (multiplier, modulus) = (16_555_425_264_690u128, 30_269 * 30_307 * 30_323u128);
        let mut generator = WichmannHill::new([1, 2, 3]);
        let first = generator.fraction() * modulus as f64;
        // The state is a whole number: rounding the first one finds it.
        let mut state = first.round() as u128;
        for _ in 0..100 {
            state = multiplier * state % modulus;
            let (one, three) = (state as f64 / modulus as f64, generator.fraction());
            assert!((one - three).abs() < 1e-12, "{one} {three}");
        }
    }

    #[test]
    fn lrand48_after_srand48_42() {
        // glibc 2.36.
        let mut generator = Rand48::posix(42);
        let found: [u32; 5] = std::array::from_fn(|_| generator.bits(31));
        assert_eq!(found, [1_598_855_263, 735_945_821, 238_553_827, 906_966_006, 174_184_913]);
    }

    #[test]
    fn java_next_int_from_seed_42() {
        // OpenJDK.
        let mut generator = Rand48::java(42);
        let words: [i32; 5] = std::array::from_fn(|_| generator.bits(32) as i32);
        assert_eq!(words, [-1_170_105_035, 234_785_527, -1_360_544_799, 205_897_768, 1_325_939_940]);
        let mut generator = Rand48::java(42);
        let found: [u32; 5] = std::array::from_fn(|_| generator.next_int(52));
        assert_eq!(found, [26, 7, 48, 12, 26]);
    }
}
