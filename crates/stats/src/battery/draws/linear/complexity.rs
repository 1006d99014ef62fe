//! The shortest linear feedback register of a sequence of bits, and its exact distribution.

use multiversion::multiversion;

use crate::battery::draws::linear::sequence::{Sequence, WORD};
use crate::math::two_sided;

/// Length and linear complexity of a sequence.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(in crate::battery::draws) struct Register {
    terms: u64,
    length: u64,
}

impl Register {
    /// Counts it is kept in.
    pub(in crate::battery::draws) const CELLS: usize = 2;

    pub(in crate::battery::draws) fn cells(self) -> [u64; 2] {
        [self.terms, self.length]
    }

    pub(in crate::battery::draws) fn from_cells([terms, length]: [u64; 2]) -> Register {
        Register { terms, length }
    }

    /// Takes the other's place if it is deeper in a tail: 2^−depth to a factor of 3.
    pub(in crate::battery::draws) fn deepen(&mut self, other: Register) {
        let depth = |register: &Register| {
            let away = i128::from(register.terms) - 2 * i128::from(register.length);
            (away - 1).max(-away - 2)
        };
        if self.terms == 0 || depth(&other) > depth(self) {
            *self = other;
        }
    }

    pub(in crate::battery::draws) fn score(self) -> f64 {
        self.length as f64
    }

    /// Whether a sequence of so many decks could have given it.
    pub(in crate::battery::draws) fn is_sound(self, decks: u64) -> bool {
        self.length <= self.terms && self.terms <= decks
    }

    /// Of 2^n sequences `2^min(2n−2L, 2L−1)` have complexity L ≥ 1 and one has 0 (Rueppel 1986, chapter 4).
    pub(in crate::battery::draws) fn p_value(self) -> f64 {
        if self.terms == 0 || self.length > self.terms {
            return 1.0;
        }
        let (n, l) = (self.terms as f64, self.length as f64);
        let lower = |l: f64| (libm::exp2(2.0 * l + 1.0 - n) + libm::exp2(-n)) / 3.0;
        let upper = |l: f64| 4.0 / 3.0 * libm::exp2(n - 2.0 * l) - libm::exp2(-n) / 3.0;
        if 2.0 * l <= n {
            two_sided(lower(l), 1.0 - if l > 0.0 { lower(l - 1.0) } else { 0.0 })
        } else {
            two_sided(1.0 - if 2.0 * (l + 1.0) > n { upper(l + 1.0) } else { 0.0 }, upper(l))
        }
    }
}

/// The shortest registers of some sequences, in their order, by Berlekamp–Massey (Massey 1969, "Shift-register synthesis and BCH
/// decoding", section III).
pub(super) fn linear_complexities(sequences: &[Sequence]) -> Vec<Register> {
    let mut registers: Vec<Register> = vec![Register::default(); sequences.len()];
    let (mut short, long): (Vec<usize>, Vec<usize>) =
        (0..sequences.len()).partition(|&own| sequences[own].len() <= SHORT);
    long.into_iter().for_each(|own| registers[own] = of_many(&sequences[own]));
    // Those of one length together, so that no lane waits.
    short.sort_by_key(|&own| sequences[own].len());
    for together in short.chunks(LANES) {
        let lengths = of_lanes(&together.iter().map(|&own| &sequences[own]).collect::<Vec<_>>());
        for (&own, length) in together.iter().zip(lengths) {
            registers[own] = Register { terms: sequences[own].len() as u64, length };
        }
    }
    registers
}

/// Of one sequence.
pub(super) fn linear_complexity(sequence: &Sequence) -> Register {
    if sequence.len() > SHORT {
        return of_many(sequence);
    }
    Register { terms: sequence.len() as u64, length: of_lanes(&[sequence])[0] }
}

/// Sequences side by side. With fewer, the loop over them is unrolled and its words are gathered.
const LANES: usize = 32;

/// Terms up to which several sequences side by side are quicker than one after another.
const SHORT: usize = 2_048;

/// The lengths of as many registers as there are lanes, 0 where there is no sequence.
///
/// Of the connection polynomial C only what it leaves of the sequence S is kept, C·S from place i on, for its first bit is the
/// discrepancy; a step takes off what the polynomial before left, and drops that bit. No step asks what a bit is.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx512vbmi2", "x86_64+avx2", "aarch64+neon"))]
fn of_lanes(sequences: &[&Sequence]) -> [u64; LANES] {
    let terms: [u64; LANES] =
        std::array::from_fn(|lane| sequences.get(lane).map_or(0, |own| own.len() as u64));
    let most = terms.iter().max().map_or(0, |&most| most as usize);
    let word = |lane: usize, at: usize| sequences.get(lane).map_or(0, |own| own.word(at));
    let mut left: Vec<[u64; LANES]> =
        (0..most.div_ceil(WORD)).map(|at| std::array::from_fn(|lane| word(lane, at))).collect();
    // x·S, for before the first step the polynomial before is 1, one place behind.
    let mut before = left.clone();
    let mut carried = [0; LANES];
    for words in &mut before {
        for (word, carried) in words.iter_mut().zip(&mut carried) {
            (*word, *carried) = (*word << 1 | *carried, *word >> (WORD - 1));
        }
    }
    let mut lengths = [0; LANES];
    for i in 0..most {
        let (mut is_odd, mut is_longer) = ([0u64; LANES], [0u64; LANES]);
        for lane in 0..LANES {
            let length = lengths[lane];
            is_odd[lane] = (left[0][lane] & 1 & u64::from((i as u64) < terms[lane])).wrapping_neg();
            is_longer[lane] = is_odd[lane] & u64::from(2 * length <= i as u64).wrapping_neg();
            lengths[lane] = length ^ (length ^ (i as u64 + 1).wrapping_sub(length)) & is_longer[lane];
        }
        step(&mut left, &mut before, (most - i).div_ceil(WORD), &is_odd, &is_longer);
    }
    lengths
}

/// Takes off what the polynomial before left where the bit is odd, keeps what was where the register grows, and drops a bit.
#[inline(always)]
fn step(
    left: &mut [[u64; LANES]],
    before: &mut [[u64; LANES]],
    words: usize,
    is_odd: &[u64; LANES],
    is_longer: &[u64; LANES],
) {
    let mut next = [0; LANES];
    for (left, before) in left[..words].iter_mut().zip(&mut before[..words]).rev() {
        for lane in 0..LANES {
            let (own, other) = (left[lane], before[lane]);
            let taken_off = own ^ other & is_odd[lane];
            before[lane] = other ^ (other ^ own) & is_longer[lane];
            left[lane] = taken_off >> 1 | next[lane] << (WORD - 1);
            next[lane] = taken_off;
        }
    }
}

/// The same of one long sequence, 64 bits at a time.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx512vbmi2", "x86_64+avx2", "aarch64+neon"))]
fn of_many(sequence: &Sequence) -> Register {
    let n = sequence.len();
    let words = n / WORD + 2;
    // So that s[i − j] is at n − 1 − i + j: connection polynomial and window run alike.
    let mut backwards = sequence.backwards();
    backwards.resize(words + 1, 0);
    let [mut connection, mut before, mut kept] = [(); 3].map(|()| vec![0u64; words]);
    (connection[0], before[0]) = (1, 1);
    let (mut length, mut before_words, mut since) = (0, 1, 1);
    for i in 0..n {
        let own = length / WORD + 1;
        if !is_discrepant(&connection[..own], &backwards, n - 1 - i) {
            since += 1;
        } else if 2 * length <= i {
            kept[..own].copy_from_slice(&connection[..own]);
            add_shifted(&mut connection, &before[..before_words], since);
            std::mem::swap(&mut before, &mut kept);
            (length, before_words, since) = (i + 1 - length, own, 1);
        } else {
            add_shifted(&mut connection, &before[..before_words], since);
            since += 1;
        }
    }
    Register { terms: n as u64, length: length as u64 }
}

/// `Σ c_j s[i − j]` over GF(2).
#[inline(always)]
fn is_discrepant(connection: &[u64], backwards: &[u64], offset: usize) -> bool {
    let (first, shift) = (offset / WORD, offset % WORD);
    let window = &backwards[first..=first + connection.len()];
    let mut sum = 0;
    for ((c, low), high) in connection.iter().zip(window).zip(&window[1..]) {
        sum ^= c & (low >> shift | high << 1 << (63 - shift));
    }
    sum.count_ones() % 2 == 1
}

/// `c(x) += x^shift·b(x)`, of which no term lies beyond the words of c.
#[inline(always)]
fn add_shifted(c: &mut [u64], b: &[u64], shift: usize) {
    let (words, bits) = (shift / WORD, shift % WORD);
    let Some(((first, others), last)) = c.get_mut(words..).and_then(<[u64]>::split_first_mut).zip(b.last())
    else {
        return;
    };
    *first ^= b[0] << bits;
    for ((c, own), carried) in others.iter_mut().zip(&b[1..]).zip(b) {
        *c ^= own << bits | carried >> 1 >> (63 - bits);
    }
    if let Some(c) = others.get_mut(b.len() - 1) {
        *c ^= last >> 1 >> (63 - bits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::keystream::Keystream;

    /// The shortest register by trying every one.
    fn by_trial(sequence: &[bool]) -> u64 {
        let n = sequence.len();
        let fits = |length: usize, taps: u32| {
            (length..n).all(|i| {
                let sum = (0..length).filter(|&j| taps >> j & 1 == 1 && sequence[i - 1 - j]).count();
                sequence[i] == (sum % 2 == 1)
            })
        };
        (0..=n).find(|&l| (0..1u32 << l).any(|taps| fits(l, taps))).expect("n bits fit n taps") as u64
    }

    /// That of short sequences and that of long ones, which must agree.
    fn both_ways(sequence: &[bool]) -> Register {
        let sequence: Sequence = sequence.iter().copied().collect();
        let register = of_many(&sequence);
        assert_eq!(of_lanes(&[&sequence])[0], register.length);
        assert_eq!(linear_complexity(&sequence), register);
        register
    }

    #[test]
    fn sequences_of_any_length_side_by_side_are_as_each_by_itself() {
        let mut keystream = Keystream::new(&[4; 32], 0);
        let lengths = [0, 1, 64, 3_000, 65, 1_024, 7, 1_024, 127, 128, 2_048, 2_049, 500, 1, 63, 90, 1_024];
        let sequences: Vec<Sequence> = lengths
            .iter()
            .map(|&length| (0..length).map(|_| keystream.word().is_multiple_of(2)).collect())
            .collect();
        let alone: Vec<Register> = sequences.iter().map(of_many).collect();
        assert_eq!(linear_complexities(&sequences), alone);
    }

    #[test]
    fn every_short_sequence_has_its_shortest_register_and_the_distribution_counts_them() {
        for n in 1..=9usize {
            let mut counts = vec![0u32; n + 1];
            for word in 0..1u32 << n {
                let sequence: Vec<bool> = (0..n).map(|i| word >> i & 1 == 1).collect();
                let register = both_ways(&sequence);
                assert_eq!(register.length, by_trial(&sequence), "{sequence:?}");
                counts[register.length as usize] += 1;
            }
            for length in 0..=n {
                let share = |range: &[u32]| f64::from(range.iter().sum::<u32>()) / f64::from(1u32 << n);
                let exact = two_sided(share(&counts[..=length]), share(&counts[length..]));
                let found = Register { terms: n as u64, length: length as u64 }.p_value();
                assert!((found - exact).abs() < 1e-12, "n {n}, L {length}: {found} for {exact}");
            }
        }
    }

    #[test]
    fn a_shift_register_longer_than_a_word_is_found() {
        let mut sequence: Vec<bool> = (0..89).map(|i| i % 7 == 3 || i == 88).collect();
        (89..1000).for_each(|i| sequence.push(sequence[i - 89] ^ sequence[i - 38]));
        let register = linear_complexity(&sequence.iter().copied().collect());
        assert_eq!(register.length, 89);
        assert!(register.p_value() < 1e-200);
    }

    /// Massey's algorithm bit by bit.
    fn bit_by_bit(sequence: &[bool]) -> u64 {
        let (mut connection, mut before) = (vec![true], vec![true]);
        let (mut length, mut since) = (0, 1);
        for i in 0..sequence.len() {
            let sum = (0..=length).filter(|&j| connection.get(j) == Some(&true) && sequence[i - j]).count();
            if sum % 2 == 0 {
                since += 1;
                continue;
            }
            let kept = connection.clone();
            connection.resize(connection.len().max(before.len() + since), false);
            before.iter().enumerate().for_each(|(j, term)| connection[j + since] ^= term);
            if 2 * length <= i {
                (length, before, since) = (i + 1 - length, kept, 1);
            } else {
                since += 1;
            }
        }
        length as u64
    }

    #[test]
    fn words_at_a_time_find_what_bits_do() {
        let mut keystream = Keystream::new(&[3; 32], 0);
        for length in [1, 2, 63, 64, 65, 126, 127, 128, 129, 500, 1_025] {
            // Fair bits, and bits with so few ones that discrepancies come far apart.
            for sparseness in [1, 50] {
                let sequence: Vec<bool> =
                    (0..length).map(|_| keystream.word().is_multiple_of(2 * sparseness)).collect();
                let register = both_ways(&sequence);
                assert_eq!(register, Register { terms: length, length: bit_by_bit(&sequence) });
            }
        }
    }

    /// A single one at the end is the longest register of its length, and its polynomial the longest shift.
    #[test]
    fn one_bit_after_zeros_takes_as_many_terms_as_there_are() {
        for length in [1, 64, 126, 127, 128] {
            let sequence: Vec<bool> = (1..=length).map(|place| place == length).collect();
            assert_eq!(both_ways(&sequence).length, length);
        }
    }
}
