//! Equations of which some are wrong: information-set decoding (Prange 1962; Lee & Brickell 1988).
//!
//! Every unknown is a column with a bit for each equation and, behind them, a bit for each unknown of a change of basis. Columns are
//! added to each other until every chosen equation holds one column alone: then the column of right sides has the solution behind
//! it, and shows which of the other equations contradict it.

use multiversion::multiversion;

use crate::linear::system::Row;

/// Equations for one unknown, at most.
const POOL_MAX: usize = 3;

/// Unknowns that may stay undecided.
const FREE_MAX: usize = 3;

/// Equations that may be wrong, and the columns of one choice of them.
pub struct Decoder<const W: usize> {
    unknowns: usize,
    equations: usize,
    /// The columns of all unknowns and of the right sides, one after another.
    columns: Vec<u64>,
    /// The same while they are added to each other.
    reduced: Vec<u64>,
}

impl<const W: usize> Decoder<W> {
    /// Words of a column.
    const STRIDE: usize = (POOL_MAX + 1) * W;

    /// Of some equations in 64·W unknowns at most.
    pub fn new(equations: &[Row<W>], unknowns: usize) -> Decoder<W> {
        assert!(unknowns <= 64 * W && equations.len() <= POOL_MAX * 64 * W);
        let mut columns = vec![0; (unknowns + 1) * Self::STRIDE];
        for (number, equations) in equations.chunks(64).enumerate() {
            for word in 0..unknowns.div_ceil(64) {
                let rows = std::array::from_fn(|row| equations.get(row).map_or(0, |row| row.bits[word]));
                let own = (64 * word..unknowns).zip(transposed(rows));
                own.for_each(|(column, bits)| columns[column * Self::STRIDE + number] = bits);
            }
            let values = equations.iter().enumerate().map(|(row, own)| u64::from(own.value) << row);
            columns[unknowns * Self::STRIDE + number] = values.fold(0, |all, own| all | own);
        }
        for own in 0..unknowns {
            columns[own * Self::STRIDE + POOL_MAX * W + own / 64] = 1 << (own % 64);
        }
        let reduced = vec![0; columns.len()];
        Decoder { unknowns, equations: equations.len(), columns, reduced }
    }

    /// Solutions of the first independent equations of an order, none, one or two of them turned round, so that fewest of the others
    /// contradict them.
    pub fn nearest(&mut self, order: impl Iterator<Item = usize>) -> Vec<[u64; W]> {
        self.reduced.copy_from_slice(&self.columns);
        let pivots = reduce(Self::STRIDE, &mut self.reduced, order);
        if pivots.len() + FREE_MAX < self.unknowns {
            return Vec::new();
        }
        let behind = |column: usize| -> [u64; W] {
            std::array::from_fn(|word| self.reduced[column * Self::STRIDE + POOL_MAX * W + word])
        };
        let sum = |a: [u64; W], b: [u64; W]| -> [u64; W] { std::array::from_fn(|word| a[word] ^ b[word]) };
        let turned = self.turned(&pivots).into_iter().map(|turned| behind(pivots[turned].1));
        let mut found = vec![turned.fold(behind(self.unknowns), sum)];
        let is_free = |own: &usize| pivots.iter().all(|(_, column)| column != own);
        let free_max = if pivots.len() < self.unknowns { self.unknowns } else { 0 };
        for column in (0..free_max).filter(is_free) {
            let others: Vec<_> = found.iter().map(|own| sum(*own, behind(column))).collect();
            found.extend(others);
        }
        found
    }

    /// Which chosen equations are turned round.
    fn turned(&self, pivots: &[(usize, usize)]) -> Vec<usize> {
        let mut others = [u64::MAX; CHECKS_MAX];
        pivots.iter().for_each(|(equation, _)| others[equation / 64] &= !(1 << (equation % 64)));
        let checks = |column: usize| -> [u64; CHECKS_MAX] {
            let from = column * Self::STRIDE;
            let own = &self.reduced[from..from + POOL_MAX * W];
            std::array::from_fn(|word| own.get(word).map_or(0, |own| own & others[word]))
        };
        let own: Vec<_> = pivots.iter().map(|(_, column)| checks(*column)).collect();
        best_two(self.equations.div_ceil(64), &own, &checks(self.unknowns))
    }
}

/// Bit i of word j becomes bit j of word i: halves are exchanged, then quarters, and so on (Warren 2012, section 7-3).
fn transposed(mut words: [u64; 64]) -> [u64; 64] {
    let (mut width, mut low) = (32, u64::MAX >> 32);
    while width > 0 {
        for at in (0..64).filter(|at| at & width == 0) {
            let swapped = (words[at] >> width ^ words[at + width]) & low;
            words[at] ^= swapped << width;
            words[at + width] ^= swapped;
        }
        width /= 2;
        low ^= low << width;
    }
    words
}

/// Words of all equations of 256 unknowns.
const CHECKS_MAX: usize = 12;

/// Adds columns to each other until each of the first independent equations holds one of them alone; those equations with their columns.
fn reduce(stride: usize, columns: &mut [u64], order: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
    let unknowns = columns.len() / stride - 1;
    let (mut pivots, mut is_used) = (Vec::with_capacity(unknowns), vec![false; unknowns]);
    for equation in order {
        if pivots.len() == unknowns {
            break;
        }
        let has = |column: &usize| columns[column * stride + equation / 64] >> (equation % 64) & 1 == 1;
        let Some(own) = (0..unknowns).find(|column| !is_used[*column] && has(column)) else { continue };
        clear(stride, columns, equation, own);
        is_used[own] = true;
        pivots.push((equation, own));
    }
    pivots
}

/// Clears an equation in all columns but one.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn clear(stride: usize, columns: &mut [u64], equation: usize, own: usize) {
    match stride {
        8 => clear_of::<8>(columns, equation, own),
        16 => clear_of::<16>(columns, equation, own),
        _ => clear_of::<4>(columns, equation, own),
    }
}

#[inline(always)]
fn clear_of<const S: usize>(columns: &mut [u64], equation: usize, own: usize) {
    let (columns, _) = columns.as_chunks_mut::<S>();
    let pivot = columns[own];
    let (word, bit) = (equation / 64 % S, equation % 64);
    // By a place in memory, for a branch would be foreseen half the time.
    let added = [[0; S], pivot];
    for column in columns.iter_mut() {
        let added = &added[(column[word] >> bit & 1) as usize];
        column.iter_mut().zip(added).for_each(|(column, added)| *column ^= added);
    }
    columns[own] = pivot;
}

/// Which columns, two at most, leave the lowest weight of the last one.
#[multiversion(targets("x86_64+avx2+popcnt", "x86_64+popcnt"))]
fn best_two(words: usize, columns: &[[u64; CHECKS_MAX]], last: &[u64; CHECKS_MAX]) -> Vec<usize> {
    match words {
        0..=4 => best_two_of::<4>(columns, last),
        5..=6 => best_two_of::<6>(columns, last),
        7..=8 => best_two_of::<8>(columns, last),
        _ => best_two_of::<CHECKS_MAX>(columns, last),
    }
}

#[inline(always)]
fn best_two_of<const N: usize>(columns: &[[u64; CHECKS_MAX]], last: &[u64; CHECKS_MAX]) -> Vec<usize> {
    let cut = |column: &[u64; CHECKS_MAX]| -> [u64; N] { std::array::from_fn(|at| column[at]) };
    let columns: Vec<[u64; N]> = columns.iter().map(cut).collect();
    let weight = |column: &[u64; N]| column.iter().map(|word| word.count_ones()).sum::<u32>();
    let sum = |a: &[u64; N], b: &[u64; N]| -> [u64; N] { std::array::from_fn(|at| a[at] ^ b[at]) };
    let last = cut(last);
    let (mut lowest, mut best) = (weight(&last), Vec::new());
    for (a, column) in columns.iter().enumerate() {
        let with_a = sum(&last, column);
        if weight(&with_a) < lowest {
            (lowest, best) = (weight(&with_a), vec![a]);
        }
        for (b, column) in columns.iter().enumerate().skip(a + 1) {
            let with_both = weight(&sum(&with_a, column));
            if with_both < lowest {
                (lowest, best) = (with_both, vec![a, b]);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 128 unknowns and 300 equations ten are wrong, two of the first 128.
    #[test]
    fn two_wrong_equations_among_the_independent_ones_are_turned() {
        let mut state = 7u64;
        let mut word = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 33
        };
        let solution = [word(), word()];
        let mut rows: Vec<Row<2>> = (0..300)
            .map(|_| {
                let bits = [word(), word()];
                let ones =
                    bits.iter().zip(solution).map(|(own, known)| (own & known).count_ones()).sum::<u32>();
                Row { bits, value: ones & 1 == 1 }
            })
            .collect();
        for wrong in [5, 99, 140, 150, 160, 170, 180, 190, 200, 210] {
            rows[wrong].value ^= true;
        }
        // Not all unknowns are held: the words are of a congruential generator.
        let finds = |rows: &[Row<2>]| Decoder::new(rows, 128).nearest(0..300).contains(&solution);
        assert!(finds(&rows));
        rows[50].value ^= true;
        assert!(!finds(&rows), "three are too many");
    }

    /// The first 125 equations hold 125 unknowns: all eight solutions come.
    #[test]
    fn unknowns_that_no_equation_holds_are_tried_both_ways() {
        let row = |at: usize| Row {
            bits: [if at < 64 { 1 << at } else { 0 }, if at < 64 { 0 } else { 1 << (at - 64) }],
            value: true,
        };
        let rows: Vec<Row<2>> = (0..125).map(row).collect();
        let mut found = Decoder::new(&rows, 128).nearest(0..125);
        found.sort_unstable();
        let known = [u64::MAX, (1 << 61) - 1];
        assert_eq!(found, (0..8).map(|free| [known[0], known[1] | free << 61]).collect::<Vec<_>>());
        assert!(Decoder::new(&rows[1..], 128).nearest(0..124).is_empty(), "four are too many");
    }
}
