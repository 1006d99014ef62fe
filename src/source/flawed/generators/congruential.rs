//! Linear congruential generators: Borland, Microsoft, RANDU, and the 48 bits of drand48 and Java.

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
pub(super) struct Msvc(u32);

impl Msvc {
    pub(super) fn new(seed: u32) -> Msvc {
        Msvc(seed)
    }

    /// 0 to 32,767.
    pub(super) fn rand(&mut self) -> u32 {
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

/// `s ← 0x5DEECE66D·s + 11 mod 2^48`, the generator of POSIX `drand48` and of `java.util.Random`.
pub(super) struct Rand48(u64);

const RAND48_MULTIPLIER: u64 = 0x5_DEEC_E66D;
const RAND48_MASK: u64 = (1 << 48) - 1;

impl Rand48 {
    /// `srand48(seed)`.
    pub(super) fn posix(seed: u32) -> Rand48 {
        Rand48(u64::from(seed) << 16 | 0x330e)
    }

    /// `new Random(seed)`.
    pub(super) fn java(seed: u64) -> Rand48 {
        Rand48((seed ^ RAND48_MULTIPLIER) & RAND48_MASK)
    }

    /// The highest `count` bits of the next state: `lrand48()` and Java's `next(31)` for 31.
    pub(super) fn bits(&mut self, count: u32) -> u32 {
        self.0 = self.0.wrapping_mul(RAND48_MULTIPLIER).wrapping_add(11) & RAND48_MASK;
        (self.0 >> (48 - count)) as u32
    }

    /// Java's `nextInt(range)`.
    pub(super) fn next_int(&mut self, range: u32) -> u32 {
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
