//! glibc's `rand()`: an additive feedback generator, `r_i = r_{i−3} + r_{i−31} mod 2^32`, without its low bit.

/// The default state of `srand`, TYPE_3.
pub(super) struct Glibc {
    state: [u32; 31],
    next: usize,
}

impl Glibc {
    /// `srand(seed)`, for seeds below 2^31; glibc takes 1 for 0.
    pub(super) fn new(seed: u32) -> Glibc {
        let mut state = [seed.max(1); 31];
        for i in 1..31 {
            // Park & Miller's minimal standard, x ← 16807·x mod 2^31 − 1.
            state[i] = (16_807 * u64::from(state[i - 1]) % 2_147_483_647) as u32;
        }
        // The front pointer starts three words ahead of the rear one.
        let mut generator = Glibc { state, next: 3 };
        for _ in 0..310 {
            generator.rand();
        }
        generator
    }

    /// 31 bits.
    pub(super) fn rand(&mut self) -> u32 {
        let lagged = self.state[(self.next + 28) % 31];
        let number = &mut self.state[self.next];
        *number = number.wrapping_add(lagged);
        self.next = (self.next + 1) % 31;
        *number >> 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_numbers_are_those_of_glibc() {
        // A C program on glibc 2.36.
        for (seed, expected) in [
            (1, [1_804_289_383, 846_930_886, 1_681_692_777, 1_714_636_915, 1_957_747_793]),
            (42, [71_876_166, 708_592_740, 1_483_128_881, 907_283_241, 442_951_012]),
        ] {
            let mut generator = Glibc::new(seed);
            let found: [u32; 5] = std::array::from_fn(|_| generator.rand());
            assert_eq!(found, expected, "seed {seed}");
        }
    }
}
