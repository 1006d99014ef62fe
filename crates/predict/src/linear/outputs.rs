//! Outputs of a linear generator as sums of the bits of its first state.

use crate::generator::Generator;
use crate::linear::equations::Parity;
use crate::linear::system::Row;

/// Output bits of the first steps, as coefficients.
pub struct Outputs<const W: usize> {
    unknowns: usize,
    word_bits: u32,
    /// How many bits of an output are kept, and where each of them is.
    kept: usize,
    places: [usize; 64],
    /// Those of one step after another.
    rows: Vec<[u64; W]>,
}

impl<const W: usize> Outputs<W> {
    /// Of so many steps, by running every unit state; only these bits of each.
    ///
    /// # Panics
    /// If the generator is not linear or has more than 64·W bits.
    pub fn new(generator: &Generator, steps: usize, wanted: u64) -> Outputs<W> {
        let unknowns = generator.bit_words() * generator.word_bits as usize;
        assert!(generator.is_linear && !generator.has_counter && unknowns <= 64 * W);
        let kept = wanted.count_ones() as usize;
        let places = std::array::from_fn(|bit| (wanted & ((1 << bit) - 1)).count_ones() as usize);
        let mut rows = vec![[0; W]; steps * kept];
        let word_bits = generator.word_bits as usize;
        let unit = |unknown: usize| {
            let mut state = vec![0; generator.words];
            state[unknown / word_bits] = 1 << (unknown % word_bits);
            state
        };
        let mut states: Vec<Vec<u64>> = (0..unknowns).map(unit).collect();
        for step in rows.chunks_mut(kept) {
            for (unknown, state) in states.iter_mut().enumerate() {
                let mut output = (generator.next)(state) & wanted;
                while output != 0 {
                    step[places[output.trailing_zeros() as usize]][unknown / 64] |= 1 << (unknown % 64);
                    output &= output - 1;
                }
            }
        }
        Outputs { unknowns, word_bits: generator.word_bits, kept, places, rows }
    }

    /// Bits of a state.
    pub fn unknowns(&self) -> usize {
        self.unknowns
    }

    /// Steps that are known.
    pub fn steps(&self) -> usize {
        self.rows.len() / self.kept
    }

    /// The equation that a parity of the output of a step is.
    #[inline]
    pub fn row(&self, step: usize, parity: Parity) -> Row<W> {
        let mut row = Row { bits: [0; W], value: parity.is_odd };
        let mut mask = parity.mask;
        while mask != 0 {
            let own = &self.rows[step * self.kept + self.places[mask.trailing_zeros() as usize]];
            row.bits.iter_mut().zip(own).for_each(|(bits, own)| *bits ^= own);
            mask &= mask - 1;
        }
        row
    }

    /// The words of a state from its bits.
    pub fn state(&self, bits: &[u64; W]) -> Vec<u64> {
        let word_bits = self.word_bits as usize;
        let word = |at: usize| {
            let (own, shift) = (at / 64, at % 64);
            let behind = if shift + word_bits > 64 { bits[own + 1] << (64 - shift) } else { 0 };
            (bits[own] >> shift | behind) & u64::MAX >> (64 - word_bits)
        };
        (0..self.unknowns).step_by(word_bits).map(word).collect()
    }
}
