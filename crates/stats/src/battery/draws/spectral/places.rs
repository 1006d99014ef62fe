//! Places at which there is something, as bits.

use std::ops::Range;

use multiversion::multiversion;

/// A bit for each place, the first one lowest.
#[derive(Clone)]
pub(super) struct Places(Vec<u64>);

impl Places {
    /// Whole words of places.
    pub(super) fn of_words(words: impl Iterator<Item = u64>) -> Places {
        Places(words.collect())
    }

    pub(super) fn number(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// At how many there is something here, in the second and in the third.
    pub(super) fn number_with(&self, second: &Places, third: &Places) -> u64 {
        ones_of_three(&self.0, &second.0, &third.0)
    }

    /// Those at which there is something so many places further on.
    pub(super) fn ahead(&self, places: usize) -> Places {
        let (words, bits) = (places / 64, places % 64);
        let word = |at: usize| self.0.get(at).copied().unwrap_or(0);
        let shifted = |at: usize| word(at) >> bits | word(at + 1) << 1 << (63 - bits);
        Places((words..self.0.len()).map(shifted).collect())
    }

    /// The longest ranges of places at all of which there is something, in order.
    pub(super) fn runs(&self) -> impl Iterator<Item = Range<usize>> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let start = self.next(from, 0)?;
            let end = self.next(start, u64::MAX).unwrap_or(64 * self.0.len());
            from = end;
            Some(start..end)
        })
    }

    /// The first place from one on whose bit is set once those of `turned` are turned over in every word.
    fn next(&self, from: usize, turned: u64) -> Option<usize> {
        let mut at = from / 64;
        let mut word = (self.0.get(at)? ^ turned) & u64::MAX << (from % 64);
        while word == 0 {
            at += 1;
            word = self.0.get(at)? ^ turned;
        }
        Some(64 * at + word.trailing_zeros() as usize)
    }

    /// Those of both.
    pub(super) fn and(&self, other: &Places) -> Places {
        Places(self.0.iter().zip(&other.0).map(|(own, other)| own & other).collect())
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512vpopcntdq", "x86_64+avx2+popcnt", "aarch64+neon"))]
fn ones_of_three(first: &[u64], second: &[u64], third: &[u64]) -> u64 {
    let words = first.iter().zip(second).zip(third);
    words.map(|((first, second), third)| u64::from((first & second & third).count_ones())).sum()
}

impl FromIterator<bool> for Places {
    fn from_iter<Of: IntoIterator<Item = bool>>(places: Of) -> Places {
        let mut words = Vec::new();
        for (at, is_there) in places.into_iter().enumerate() {
            if at % 64 == 0 {
                words.push(0);
            }
            words[at / 64] |= u64::from(is_there) << (at % 64);
        }
        Places(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::keystream::Keystream;

    #[test]
    fn places_ahead_are_those_found_one_by_one() {
        let mut keystream = Keystream::new(&[5; 32], 0);
        for length in [1, 63, 64, 65, 200] {
            let is_there: Vec<bool> = (0..length).map(|_| !keystream.word().is_multiple_of(3)).collect();
            let places: Places = is_there.iter().copied().collect();
            for step in [0, 1, 63, 64, 65, 130, 500] {
                let expected =
                    (0..length).filter(|&at| is_there[at] && is_there.get(at + step) == Some(&true));
                assert_eq!(places.and(&places.ahead(step)).number(), expected.count() as u64);
            }
        }
    }

    #[test]
    fn runs_are_the_places_without_a_gap() {
        let mut keystream = Keystream::new(&[6; 32], 0);
        for length in [0, 1, 63, 64, 65, 128, 300] {
            // Few gaps, many of them, none, and nothing at all.
            for every in [40, 2, u32::MAX, 1] {
                let is_there: Vec<bool> =
                    (0..length).map(|_| !keystream.word().is_multiple_of(every)).collect();
                let runs: Vec<Range<usize>> = is_there.iter().copied().collect::<Places>().runs().collect();
                let mut found = vec![false; length];
                runs.iter().cloned().flatten().for_each(|at| found[at] = true);
                assert_eq!(found, is_there);
                assert!(runs.iter().all(|run| !run.is_empty()));
                assert!(runs.windows(2).all(|pair| pair[0].end < pair[1].start));
            }
        }
    }
}
