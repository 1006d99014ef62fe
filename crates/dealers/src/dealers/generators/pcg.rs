//! PCG-XSH-RR 64/32 (O'Neill 2014), a good generator that is no relation of ChaCha20: a control.

/// State and stream.
pub(in crate::dealers) struct Pcg {
    state: u64,
    increment: u64,
}

impl Pcg {
    /// `pcg32_srandom(seed, stream)`.
    pub(in crate::dealers) fn new(seed: u64, stream: u64) -> Pcg {
        let mut generator = Pcg { state: 0, increment: stream << 1 | 1 };
        generator.word();
        generator.state = generator.state.wrapping_add(seed);
        generator.word();
        generator
    }

    /// 32 bits.
    pub(in crate::dealers) fn word(&mut self) -> u32 {
        let state = self.state;
        self.state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(self.increment);
        (((state >> 18 ^ state) >> 27) as u32).rotate_right((state >> 59) as u32)
    }

    /// `pcg32_boundedrand(range)`: exact on fair words.
    pub(in crate::dealers) fn below(&mut self, range: u32) -> u32 {
        let threshold = range.wrapping_neg() % range;
        loop {
            let word = self.word();
            if word >= threshold {
                return word % range;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_words_are_those_of_the_authors_demo() {
        // pcg32-demo of the minimal C library: seed 42, stream 54.
        let mut generator = Pcg::new(42, 54);
        let found: [u32; 6] = std::array::from_fn(|_| generator.word());
        assert_eq!(found, [0xa15c_02b7, 0x7b47_f409, 0xba1d_3330, 0x83d2_f293, 0xbfa4_784b, 0xcbed_606e]);
    }
}
