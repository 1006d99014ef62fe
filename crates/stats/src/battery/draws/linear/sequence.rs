//! Bits one after another, 64 in a word.

/// A sequence of bits, the first one lowest.
#[derive(Clone, Default)]
pub(super) struct Sequence {
    words: Vec<u64>,
    length: usize,
}

/// Bits of a word.
pub(super) const WORD: usize = u64::BITS as usize;

impl Sequence {
    /// Appends the lowest bits of a word; those above must be 0.
    pub(super) fn extend(&mut self, bits: u64, number: usize) {
        let shift = self.length % WORD;
        if shift == 0 {
            self.words.push(bits);
        } else {
            *self.words.last_mut().expect("it was begun") |= bits << shift;
            if shift + number > WORD {
                self.words.push(bits >> (WORD - shift));
            }
        }
        self.length += number;
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }

    pub(super) fn bit(&self, place: usize) -> bool {
        self.words[place / WORD] >> (place % WORD) & 1 == 1
    }

    /// 64 bits from a multiple of 64 on, 0 behind the end.
    pub(super) fn word(&self, at: usize) -> u64 {
        self.words.get(at).copied().unwrap_or(0)
    }

    /// The last bit lowest.
    pub(super) fn backwards(&self) -> Vec<u64> {
        let turned = || self.words.iter().rev().map(|word| word.reverse_bits());
        let shift = (WORD - self.length % WORD) % WORD;
        let next = turned().skip(1).chain([0]);
        turned().zip(next).map(|(own, next)| own >> shift | next << 1 << (WORD - 1 - shift)).collect()
    }

    pub(super) fn into_words(self) -> Vec<u64> {
        self.words
    }

    /// Every so many-th bit from the first on, at most `terms` of them.
    pub(super) fn strided(&self, stride: usize, terms: usize) -> Sequence {
        (0..self.length).step_by(stride).take(terms).map(|place| self.bit(place)).collect()
    }
}

impl FromIterator<bool> for Sequence {
    fn from_iter<Bits: IntoIterator<Item = bool>>(bits: Bits) -> Sequence {
        let mut sequence = Sequence::default();
        bits.into_iter().for_each(|bit| sequence.extend(u64::from(bit), 1));
        sequence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_any_number_of_bits_follow_one_another() {
        let (mut sequence, mut expected) = (Sequence::default(), Vec::new());
        for (word, number) in [(0b101, 3), (u64::MAX, 64), (0, 0), (1 << 62, 63), (0b10, 2), (7 << 60, 64)] {
            sequence.extend(word, number);
            (0..number).for_each(|i| expected.push(word >> i & 1 == 1));
        }
        let read = |sequence: &Sequence| (0..sequence.len()).map(|i| sequence.bit(i)).collect::<Vec<_>>();
        assert_eq!(read(&sequence), expected);
        let third: Vec<bool> = expected.iter().copied().step_by(3).take(50).collect();
        assert_eq!(read(&sequence.strided(3, 50)), third);
        assert_eq!(read(&expected.iter().copied().collect()), expected);
        for length in [1, 63, 64, 65, expected.len()] {
            let sequence: Sequence = expected.iter().copied().take(length).collect();
            let (words, wanted) = (sequence.backwards(), expected[..length].iter().rev().copied());
            assert!(
                (0..)
                    .zip(wanted)
                    .all(|(place, bit)| words[place / WORD] >> (place % WORD) & 1 == u64::from(bit))
            );
            assert_eq!(words.len(), length.div_ceil(WORD));
        }
    }
}
