//! Higher bits of the words, one by one: what the bits below carry is known, so that each is a linear system.

use crate::additive::LowBits;
use crate::additive::quadratic::sums;
use crate::generator::additive::{GLIBC_LONG, GLIBC_SHORT};

/// The low bits of the words before the first call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Low {
    /// The words, the oldest first.
    pub(super) words: [u32; GLIBC_LONG],
    /// How many of their bits are known.
    pub(super) bits: u32,
}

impl Low {
    /// As many bits as draws decide; `None` if they contradict each other.
    pub(super) fn lifted(zeros: u32, ones: u32, shown: &[LowBits]) -> Option<Low> {
        let words = std::array::from_fn(|word| (zeros >> word & 1) | (ones >> word & 1) << 1);
        let mut low = Low { words, bits: 2 };
        let calls = shown.last().map_or(0, |last| last.call + 1);
        let sums = sums(calls);
        while low.bits < 32 {
            let rows = shown.iter().filter(|shown| shown.bits >= low.bits);
            let sequence = low.sequence(calls);
            let rows = rows.map(|shown| {
                let is_set = shown.value >> (low.bits - 1) & 1;
                (sums[shown.call + GLIBC_LONG], (sequence[shown.call + GLIBC_LONG] >> low.bits ^ is_set) & 1)
            });
            match solved(rows.collect())? {
                Some(next) => low.add(next),
                None => break,
            }
        }
        Some(low)
    }

    fn add(&mut self, next: u32) {
        let bit = self.bits;
        self.words.iter_mut().enumerate().for_each(|(word, own)| *own |= (next >> word & 1) << bit);
        self.bits += 1;
    }

    /// The words and those that follow, as if the unknown bits were 0.
    fn sequence(&self, calls: usize) -> Vec<u32> {
        let mut words = self.words.to_vec();
        for call in 0..calls {
            words.push(words[call].wrapping_add(words[call + GLIBC_LONG - GLIBC_SHORT]));
        }
        words
    }

    /// The same words one call before.
    pub(super) fn back(&mut self) {
        let oldest = self.words[GLIBC_LONG - 1].wrapping_sub(self.words[GLIBC_LONG - GLIBC_SHORT - 1]);
        self.words.rotate_right(1);
        self.words[0] = oldest & ((1 << self.bits) - 1);
    }
}

/// `None` if rows contradict each other, `Some(None)` if they leave something undecided.
fn solved(mut rows: Vec<(u32, u32)>) -> Option<Option<u32>> {
    let mut rank = 0;
    let mut is_decided = true;
    for bit in 0..GLIBC_LONG {
        let Some(pivot) = (rank..rows.len()).find(|&row| rows[row].0 >> bit & 1 == 1) else {
            is_decided = false;
            continue;
        };
        rows.swap(rank, pivot);
        let own = rows[rank];
        for (number, row) in rows.iter_mut().enumerate() {
            if number != rank && row.0 >> bit & 1 == 1 {
                *row = (row.0 ^ own.0, row.1 ^ own.1);
            }
        }
        rank += 1;
    }
    if rows[rank..].iter().any(|row| row.1 == 1) {
        return None;
    }
    let solution = || rows[..rank].iter().fold(0, |set, row| set | row.1 << row.0.trailing_zeros());
    Some(is_decided.then(solution))
}
