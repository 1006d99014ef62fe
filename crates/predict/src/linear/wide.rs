//! Equations in 19,968 unknowns with up to 64 right sides, eliminated a word of columns at a time with tables of all sums of their
//! pivots: the method of four Russians (Arlazarov, Dinic, Kronrod & Faradžev 1970; Albrecht, Bard & Hart 2010).

use std::collections::BTreeMap;

use multiversion::multiversion;

use crate::budget::Budget;

/// Words of a row: 19,968 bits and a bit for each right side.
pub(super) const WORDS: usize = 313;

/// Unknowns, of which 31 never matter.
pub(super) const UNKNOWNS: usize = 19_968;

/// Coefficients, and in the last word the right sides.
pub(super) type Row = [u64; WORDS];

/// Columns that are eliminated at a time, and tables of as many sums as a byte counts for them.
const COLUMNS: usize = 64;
const TABLES: usize = COLUMNS / 8;

/// Words of rows that are added at a time: the tables of these stay in a cache of half a million bytes.
const STRIPE: usize = 32;

/// Equations, some of them in echelon form.
pub(super) struct Wide {
    /// Right sides that no equation contradicts.
    live: u64,
    waiting: Vec<Row>,
    rows: Vec<Row>,
    /// The row that leads in a column.
    places: BTreeMap<usize, usize>,
    checks: usize,
}

/// Adds a row to another one.
pub(super) fn add(row: &mut Row, other: &Row) {
    add_from(0, row, other);
}

fn add_from(word: usize, row: &mut Row, other: &Row) {
    add_words(&mut row[word..], &other[word..]);
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn add_words(row: &mut [u64], other: &[u64]) {
    row.iter_mut().zip(other).for_each(|(own, other)| *own ^= other);
}

impl Wide {
    /// No equation, with so many right sides.
    pub(super) fn new(rights: usize) -> Wide {
        assert!((1..=64).contains(&rights));
        let live = u64::MAX >> (64 - rights);
        Wide { live, waiting: Vec::new(), rows: Vec::new(), places: BTreeMap::new(), checks: 0 }
    }

    /// Right sides that no equation contradicts.
    pub(super) fn live(&self) -> impl Iterator<Item = usize> + use<> {
        let live = self.live;
        (0..64).filter(move |right| live >> right & 1 == 1)
    }

    /// Adds an equation, which waits to be reduced.
    pub(super) fn push(&mut self, row: Row) {
        self.waiting.push(row);
    }

    /// Equations that wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Independent equations.
    pub(super) fn rank(&self) -> usize {
        self.places.len()
    }

    /// Equations that followed from others and agreed with them.
    pub(super) fn checks(&self) -> usize {
        self.checks
    }

    /// Brings all of them into echelon form; `None` where every right side is contradicted, or nothing is left to spend.
    pub(super) fn reduce(&mut self, budget: &Budget) -> Option<()> {
        let waiting = std::mem::take(&mut self.waiting);
        if self.rank() == 0 {
            self.rows = waiting;
            return self.reduce_all(budget);
        }
        waiting.into_iter().try_for_each(|row| self.insert(row))
    }

    /// One equation more, after many.
    fn insert(&mut self, mut row: Row) -> Option<()> {
        for word in 0..WORDS - 1 {
            while row[word] != 0 {
                let lead = 64 * word + row[word].trailing_zeros() as usize;
                let Some(&place) = self.places.get(&lead) else {
                    self.places.insert(lead, self.rows.len());
                    self.rows.push(row);
                    return Some(());
                };
                add_from(word, &mut row, &self.rows[place]);
            }
        }
        self.checks += 1;
        self.checked(row[WORDS - 1])
    }

    /// Right sides of what adds up to nothing.
    fn checked(&mut self, wrong: u64) -> Option<()> {
        self.live &= !wrong;
        (self.live != 0).then_some(())
    }

    fn reduce_all(&mut self, budget: &Budget) -> Option<()> {
        let mut top = 0;
        for first in (0..UNKNOWNS).step_by(COLUMNS) {
            if first % 1_024 == 0 && budget.is_spent() {
                return None;
            }
            let found = self.pivots(first, top);
            self.clear_below(first, top, &found);
            self.places.extend(found.iter().zip(top..).map(|(lead, place)| (*lead, place)));
            top += found.len();
        }
        let wrong = self.rows[top..].iter().fold(0, |wrong, row| wrong | row[WORDS - 1]);
        self.checks += self.rows.len() - top;
        self.rows.truncate(top);
        self.checked(wrong)
    }

    /// Rows that lead in the next columns are brought to the top, each cleared in the columns of the others.
    fn pivots(&mut self, first: usize, top: usize) -> Vec<usize> {
        let word = first / 64;
        let mut found: Vec<usize> = Vec::new();
        for column in first..first + COLUMNS {
            let here = top + found.len();
            let place = (here..self.rows.len()).find(|&place| {
                let (pivots, rows) = self.rows.split_at_mut(here);
                let row = &mut rows[place - here];
                for (pivot, &lead) in pivots[top..].iter().zip(&found) {
                    if has(row, lead) {
                        add_from(word, row, pivot);
                    }
                }
                has(row, column)
            });
            let Some(place) = place else { continue };
            self.rows.swap(here, place);
            let (pivots, rows) = self.rows.split_at_mut(here);
            for row in pivots[top..].iter_mut().filter(|row| has(row, column)) {
                add_from(word, row, &rows[0]);
            }
            found.push(column);
        }
        found
    }

    fn clear_below(&mut self, first: usize, top: usize, found: &[usize]) {
        let (head, below) = self.rows.split_at_mut(top + found.len());
        if found.is_empty() || below.is_empty() {
            return;
        }
        let word = first / 64;
        let bits: Vec<u64> = below.iter().map(|row| row[word]).collect();
        let mut tables = vec![[[0; STRIPE]; 256]; TABLES];
        for from in (word..WORDS).step_by(STRIPE) {
            let mut pivots = [None; COLUMNS];
            found.iter().zip(&head[top..]).for_each(|(lead, pivot)| pivots[lead % COLUMNS] = Some(pivot));
            fill(&mut tables, from, &pivots);
            // Not on several threads: each block would wait for the slowest of them, which on a busy machine takes longer.
            add_sums(below, &bits, from, &tables);
        }
    }

    /// Of a right side, with 0 for what nothing fixes.
    pub(super) fn solution(&self, right: usize) -> Row {
        let mut found = [0; WORDS];
        for (&lead, &place) in self.places.iter().rev() {
            let row = &self.rows[place];
            let sum = row[..WORDS - 1].iter().zip(&found).fold(0, |sum, (own, found)| sum ^ own & found);
            if u64::from(sum.count_ones() & 1) != row[WORDS - 1] >> right & 1 {
                found[lead / 64] |= 1 << (lead % 64);
            }
        }
        found
    }
}

fn has(row: &Row, column: usize) -> bool {
    row[column / 64] >> (column % 64) & 1 == 1
}

/// Sums of pivots, by the byte of a row that says which, some words of each.
type Table = [[u64; STRIPE]; 256];

/// For every byte the sum of the pivots whose columns it has.
fn fill(tables: &mut [Table], from: usize, pivots: &[Option<&Row>; COLUMNS]) {
    for (number, table) in tables.iter_mut().enumerate() {
        for byte in 1..256usize {
            let mut sum = table[byte & (byte - 1)];
            if let Some(pivot) = pivots[8 * number + byte.trailing_zeros() as usize] {
                sum.iter_mut().zip(&pivot[from..]).for_each(|(sum, pivot)| *sum ^= pivot);
            }
            table[byte] = sum;
        }
    }
}

/// Adds to some words of every row the sums that its bits name.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn add_sums(rows: &mut [Row], bits: &[u64], from: usize, tables: &[Table]) {
    let [a, b, c, d, e, f, g, h] = tables else { unreachable!("eight tables") };
    for (row, bits) in rows.iter_mut().zip(bits) {
        let at = bits.to_le_bytes().map(usize::from);
        let sums = [&a[at[0]], &b[at[1]], &c[at[2]], &d[at[3]], &e[at[4]], &f[at[5]], &g[at[6]], &h[at[7]]];
        for (word, own) in row[from..].iter_mut().take(STRIPE).enumerate() {
            *own ^= sums.iter().fold(0, |sum, own| sum ^ own[word]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sparse equations of a known solution: more than enough for the first 200 unknowns, none for the others.
    #[test]
    fn a_known_solution_comes_back_and_a_wrong_equation_contradicts_its_right_side() {
        let mut dice = 1u64;
        let mut next = || {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            dice >> 33
        };
        let wanted: Vec<bool> = (0..200).map(|_| next() % 2 == 1).collect();
        let mut equation = || {
            let mut row = [0; WORDS];
            for (column, is_set) in wanted.iter().enumerate().filter(|_| next() % 3 == 0) {
                row[column / 64] |= 1 << (column % 64);
                row[WORDS - 1] ^= 3 * u64::from(*is_set);
            }
            row
        };
        let mut system = Wide::new(2);
        (0..150).for_each(|_| system.push(equation()));
        assert_eq!(system.reduce(&Budget::unlimited()), Some(()));
        (0..150).for_each(|_| system.push(equation()));
        assert_eq!((system.waiting(), system.reduce(&Budget::unlimited())), (150, Some(())));
        assert_eq!((system.rank(), system.checks()), (200, 100));
        let check = |found: Row| {
            assert!(wanted.iter().enumerate().all(|(column, is_set)| has(&found, column) == *is_set))
        };
        [0, 1].into_iter().for_each(|right| check(system.solution(right)));
        let mut wrong = equation();
        wrong[WORDS - 1] ^= 1;
        system.push(wrong);
        assert_eq!(
            (system.reduce(&Budget::unlimited()), system.live().collect::<Vec<_>>()),
            (Some(()), vec![1])
        );
        check(system.solution(1));
        let mut wrong = equation();
        wrong[WORDS - 1] ^= 2;
        system.push(wrong);
        assert_eq!(system.reduce(&Budget::unlimited()), None);
    }
}
