//! The rank of the bits of a few decks in each row, and its exact distribution.

use crate::battery::draws::linear::sequence::Sequence;
use crate::battery::stream::{Drawn, first};
use crate::math::two_sided;
use deckproof_deck::deck::block::BLOCK_HANDS;

/// Rows, columns and rank of a matrix over GF(2).
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(in crate::battery::draws) struct Rank {
    rows: u64,
    columns: u64,
    rank: u64,
}

/// Rows beyond the number of columns: a lower rank is then below 2^−64 for each missing one.
const ROWS_MORE: usize = 64;

impl Rank {
    /// Counts it is kept in.
    pub(in crate::battery::draws) const CELLS: usize = 3;

    pub(in crate::battery::draws) fn cells(self) -> [u64; 3] {
        [self.rows, self.columns, self.rank]
    }

    pub(in crate::battery::draws) fn from_cells([rows, columns, rank]: [u64; 3]) -> Rank {
        Rank { rows, columns, rank }
    }

    /// How many decks are read at most.
    pub(in crate::battery::draws) const fn decks_max(bits: usize, decks: usize) -> u64 {
        (rows_max(bits, decks) * decks) as u64
    }

    /// `bits` bits of each of `decks` decks, which divide 64, in each row, all of them in order and without a gap.
    pub(in crate::battery::draws) fn of(
        stream: &[Drawn],
        words: &dyn Fn(&Drawn) -> Vec<u64>,
        bits: usize,
        decks: usize,
    ) -> Rank {
        let columns = bits * decks;
        let rows_max = rows_max(bits, decks);
        let mut rows = Vec::new();
        // A short block may end with a row that is not whole.
        for block in first(stream, BLOCK_HANDS * (rows_max * decks).div_ceil(BLOCK_HANDS - decks)) {
            let words = words(block);
            for lane in (0..block.hands()).step_by(decks).filter(|lane| lane + decks <= block.hands()) {
                let mut row = Sequence::default();
                words.iter().for_each(|word| row.extend(word >> lane & ((1 << decks) - 1), decks));
                rows.push(row.into_words());
            }
        }
        rows.truncate(rows_max);
        Rank { rows: rows.len() as u64, columns: columns as u64, rank: rank(rows) }
    }

    /// Takes the other's place if it misses more of the rank it could have.
    pub(in crate::battery::draws) fn deepen(&mut self, other: Rank) {
        if self.columns == 0 || other != *self && other.p_value() < self.p_value() {
            *self = other;
        }
    }

    /// Whether so many decks could have given it.
    pub(in crate::battery::draws) fn is_sound(self, decks: u64) -> bool {
        self.rank <= self.rows.min(self.columns) && self.rows <= decks
    }

    pub(in crate::battery::draws) fn score(self) -> f64 {
        self.rank as f64
    }

    /// `P(rank = r) = 2^{r(R+C−r) − RC} Π_{i<r} (1 − 2^{i−R})(1 − 2^{i−C})/(1 − 2^{i−r})` (Marsaglia & Tsay 1985).
    pub(in crate::battery::draws) fn p_value(self) -> f64 {
        // No real matrix here is larger; tallies of others' certificates may claim anything.
        if self.rows.max(self.columns) > 512 || self.rank > self.rows.min(self.columns) {
            return 1.0;
        }
        let lower = (0..=self.rank).map(|rank| self.point(rank)).sum::<f64>();
        let upper = (self.rank..=self.rows.min(self.columns)).map(|rank| self.point(rank)).sum::<f64>();
        two_sided(lower, upper)
    }

    fn point(self, rank: u64) -> f64 {
        let (rows, columns, r) = (self.rows as f64, self.columns as f64, rank as f64);
        let factor = |i: u64| {
            let less = |than: u64| 1.0 - half_to_the(than - i);
            less(self.rows) * less(self.columns) / less(rank)
        };
        libm::exp2(r * (rows + columns - r) - rows * columns) * (0..rank).map(factor).product::<f64>()
    }
}

/// `2^−n` for n up to 1,022, without the time that a power of any number takes.
fn half_to_the(n: u64) -> f64 {
    f64::from_bits((1_023 - n) << (f64::MANTISSA_DIGITS - 1))
}

/// Rows of a matrix at most.
const fn rows_max(bits: usize, decks: usize) -> usize {
    bits * decks + ROWS_MORE
}

/// Gaussian elimination over GF(2).
fn rank(rows: Vec<Vec<u64>>) -> u64 {
    // Each kept row has its own leading column, in which no later row keeps a one.
    let mut kept: Vec<(usize, Vec<u64>)> = Vec::new();
    for mut row in rows {
        for (column, pivot) in &kept {
            // Without a branch, which would be foreseen half of the time.
            let mask = (row[column / 64] >> (column % 64) & 1).wrapping_neg();
            row.iter_mut().zip(pivot).for_each(|(a, b)| *a ^= b & mask);
        }
        if let Some(word) = row.iter().position(|&word| word != 0) {
            kept.push((64 * word + row[word].trailing_zeros() as usize, row));
        }
    }
    kept.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_small_matrix_has_the_rank_of_its_span_and_the_distribution_counts_them() {
        let (rows, columns) = (3u64, 4u64);
        let mut counts = [0u32; 4];
        for matrix in 0..1u32 << 12 {
            let row = |i: u32| u64::from(matrix >> (4 * i) & 15);
            let span: std::collections::HashSet<u64> = (0..8u32)
                .map(|pick| (0..3).filter(|i| pick >> i & 1 == 1).fold(0, |sum, i| sum ^ row(i)))
                .collect();
            let found = rank((0..3).map(|i| vec![row(i)]).collect());
            assert_eq!(1 << found, span.len());
            counts[found as usize] += 1;
        }
        for (r, &count) in counts.iter().enumerate() {
            let point = Rank { rows, columns, rank: r as u64 }.point(r as u64);
            assert!((point - f64::from(count) / 4096.0).abs() < 1e-14, "rank {r}: {point}");
        }
    }
}
