//! The shortest linear feedback register of a sequence of bits, and its exact law.

use crate::math::two_sided;

/// Length and linear complexity of a sequence.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(super) struct Register {
    terms: u64,
    length: u64,
}

impl Register {
    /// Counts it is kept in.
    pub(super) const CELLS: usize = 2;

    pub(super) fn cells(self) -> [u64; 2] {
        [self.terms, self.length]
    }

    pub(super) fn from_cells([terms, length]: [u64; 2]) -> Register {
        Register { terms, length }
    }

    /// Takes the other's place if it is deeper in a tail: 2^−depth to a factor of 3.
    pub(super) fn deepen(&mut self, other: Register) {
        let depth = |register: &Register| {
            let away = i128::from(register.terms) - 2 * i128::from(register.length);
            (away - 1).max(-away - 2)
        };
        if self.terms == 0 || depth(&other) > depth(self) {
            *self = other;
        }
    }

    pub(super) fn score(self) -> f64 {
        self.length as f64
    }

    /// Whether a sequence of so many decks could have given it.
    pub(super) fn is_sound(self, decks: u64) -> bool {
        self.length <= self.terms && self.terms <= decks
    }

    /// Of 2^n sequences `2^min(2n−2L, 2L−1)` have complexity L ≥ 1 and one has 0 (Rueppel 1986, chapter 4).
    pub(super) fn p_value(self) -> f64 {
        if self.terms == 0 || self.length > self.terms {
            return 1.0;
        }
        let (n, l) = (self.terms as f64, self.length as f64);
        let lower = |l: f64| ((2.0 * l + 1.0 - n).exp2() + (-n).exp2()) / 3.0;
        let upper = |l: f64| 4.0 / 3.0 * (n - 2.0 * l).exp2() - (-n).exp2() / 3.0;
        if 2.0 * l <= n {
            two_sided(lower(l), 1.0 - if l > 0.0 { lower(l - 1.0) } else { 0.0 })
        } else {
            two_sided(1.0 - if 2.0 * (l + 1.0) > n { upper(l + 1.0) } else { 0.0 }, upper(l))
        }
    }
}

const WORD: usize = 64;

/// Berlekamp–Massey (Massey 1969, "Shift-register synthesis and BCH decoding", section III), 64 bits at a time.
pub(super) fn linear_complexity(sequence: &[bool]) -> Register {
    let n = sequence.len();
    let words = n / WORD + 2;
    // Backwards, so that s[i − j] stands at n − 1 − i + j: connection polynomial and window run alike.
    let mut backwards = vec![0u64; words + 1];
    for (i, _) in sequence.iter().rev().enumerate().filter(|(_, bit)| **bit) {
        backwards[i / WORD] |= 1 << (i % WORD);
    }
    let (mut connection, mut before) = (vec![0u64; words], vec![0u64; words]);
    (connection[0], before[0]) = (1, 1);
    let (mut length, mut since) = (0, 1);
    for i in 0..n {
        if !is_discrepant(&connection[..=length / WORD], &backwards, n - 1 - i) {
            since += 1;
        } else if 2 * length <= i {
            let kept = connection.clone();
            add_shifted(&mut connection, &before, since);
            (length, before, since) = (i + 1 - length, kept, 1);
        } else {
            add_shifted(&mut connection, &before, since);
            since += 1;
        }
    }
    Register { terms: n as u64, length: length as u64 }
}

/// `Σ c_j s[i − j]` over GF(2).
fn is_discrepant(connection: &[u64], backwards: &[u64], offset: usize) -> bool {
    let (first, shift) = (offset / WORD, offset % WORD);
    let window = backwards[first..].windows(2).map(|pair| pair[0] >> shift | pair[1] << 1 << (63 - shift));
    let sum = connection.iter().zip(window).fold(0, |sum, (c, s)| sum ^ (c & s));
    sum.count_ones() % 2 == 1
}

/// `c(x) += x^shift·b(x)`.
fn add_shifted(c: &mut [u64], b: &[u64], shift: usize) {
    let (words, bits) = (shift / WORD, shift % WORD);
    let mut carried = 0;
    for (c, &b) in c.iter_mut().skip(words).zip(b) {
        *c ^= b << bits | carried;
        carried = b >> 1 >> (63 - bits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn every_short_sequence_has_its_shortest_register_and_the_law_counts_them() {
        for n in 1..=9usize {
            let mut counts = vec![0u32; n + 1];
            for word in 0..1u32 << n {
                let sequence: Vec<bool> = (0..n).map(|i| word >> i & 1 == 1).collect();
                let register = linear_complexity(&sequence);
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
        let register = linear_complexity(&sequence);
        assert_eq!(register.length, 89);
        assert!(register.p_value() < 1e-200);
    }
}
