//! Marsaglia's 32-bit xorshift (2003, "Xorshift RNGs", Journal of Statistical Software 8(14)).

/// `x ^= x << 13; x ^= x >> 17; x ^= x << 5`.
pub(in crate::dealers) struct Xorshift32(u32);

impl Xorshift32 {
    /// Zero would stay zero, so Marsaglia's own seed replaces it.
    pub(in crate::dealers) fn new(seed: u32) -> Xorshift32 {
        Xorshift32(if seed == 0 { 2_463_534_242 } else { seed })
    }

    /// The next state.
    pub(in crate::dealers) fn word(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_words_are_those_of_an_independent_program() {
        // Python and JavaScript programs of three lines agree on these.
        let mut generator = Xorshift32::new(1);
        let found: [u32; 4] = std::array::from_fn(|_| generator.word());
        assert_eq!(found, [270_369, 67_634_689, 2_647_435_461, 307_599_695]);
    }
}
