//! Equations in 19,968 unknowns, eliminated sixteen columns at a time with tables of all sums of their pivots: the method of four
//! Russians (Arlazarov, Dinic, Kronrod & Faradžev 1970; Albrecht, Bard & Hart 2010).

use std::collections::BTreeMap;

use crate::budget::Budget;

/// Words of a row: 19,968 bits and the right side.
pub(super) const WORDS: usize = 313;

/// Unknowns, of which 31 never matter.
pub(super) const UNKNOWNS: usize = 19_968;

/// Coefficients, and in the last word the right side.
pub(super) type Row = [u64; WORDS];

/// Columns that are eliminated at a time: two tables of as many sums as a byte counts.
const COLUMNS: usize = 16;

/// Equations, some of them in echelon form.
#[derive(Default)]
pub(super) struct Wide {
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
    row[word..].iter_mut().zip(&other[word..]).for_each(|(own, other)| *own ^= other);
}

impl Wide {
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

    /// Brings all of them into echelon form; `None` where one contradicts others, or nothing is left to spend.
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
        (row[WORDS - 1] == 0).then_some(())
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
        let agrees = self.rows[top..].iter().all(|row| row[WORDS - 1] == 0);
        self.checks += self.rows.len() - top;
        self.rows.truncate(top);
        agrees.then_some(())
    }

    /// Rows that lead in the next columns are brought to the top, each cleared in the columns of the others.
    fn pivots(&mut self, first: usize, top: usize) -> Vec<usize> {
        let word = first / 64;
        let mut found: Vec<usize> = Vec::new();
        for column in first..first + COLUMNS {
            let here = top + found.len();
            let place = (here..self.rows.len()).find(|&place| {
                for (number, &lead) in found.iter().enumerate() {
                    if has(&self.rows[place], lead) {
                        let pivot = self.rows[top + number];
                        add_from(word, &mut self.rows[place], &pivot);
                    }
                }
                has(&self.rows[place], column)
            });
            let Some(place) = place else { continue };
            self.rows.swap(here, place);
            let pivot = self.rows[here];
            for row in self.rows[top..here].iter_mut().filter(|row| has(row, column)) {
                add_from(word, row, &pivot);
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
        let (word, shift) = (first / 64, first % 64);
        let tables = [0, 8].map(|from| {
            let bytes = first + from..first + from + 8;
            let pivots = found.iter().zip(&head[top..]).filter(|(lead, _)| bytes.contains(lead));
            table(bytes.start, word, pivots)
        });
        // Not on several threads: each block would wait for the slowest of them, which on a busy machine takes longer.
        below.iter_mut().for_each(|row| {
            let bits = row[word] >> shift;
            let [low, high] = [bits & 0xff, bits >> 8 & 0xff].map(|byte| byte as usize);
            let sums = tables[0][low][word..].iter().zip(&tables[1][high][word..]);
            row[word..].iter_mut().zip(sums).for_each(|(own, (low, high))| *own ^= low ^ high);
        });
    }

    /// With 0 for what nothing fixes.
    pub(super) fn solution(&self) -> Row {
        let mut found = [0; WORDS];
        for (&lead, &place) in self.places.iter().rev() {
            let row = &self.rows[place];
            let sum = row[..WORDS - 1].iter().zip(&found).fold(0, |sum, (own, found)| sum ^ own & found);
            if u64::from(sum.count_ones() & 1) != row[WORDS - 1] {
                found[lead / 64] |= 1 << (lead % 64);
            }
        }
        found
    }
}

fn has(row: &Row, column: usize) -> bool {
    row[column / 64] >> (column % 64) & 1 == 1
}

/// For every byte the sum of the pivots whose columns it has.
fn table<'a>(first: usize, word: usize, pivots: impl Iterator<Item = (&'a usize, &'a Row)>) -> Vec<Row> {
    let mut sums = vec![[0; WORDS]; 256];
    for (&lead, pivot) in pivots {
        let bit = 1 << (lead - first);
        for byte in (0..256).filter(|byte| byte & bit != 0) {
            add_from(word, &mut sums[byte], pivot);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sparse equations of a known solution: more than enough for the first 200 unknowns, none for the others.
    #[test]
    fn a_known_solution_comes_back_and_a_wrong_equation_contradicts() {
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
                row[WORDS - 1] ^= u64::from(*is_set);
            }
            row
        };
        let mut system = Wide::default();
        (0..150).for_each(|_| system.push(equation()));
        assert_eq!(system.reduce(&Budget::unlimited()), Some(()));
        (0..150).for_each(|_| system.push(equation()));
        assert_eq!((system.waiting(), system.reduce(&Budget::unlimited())), (150, Some(())));
        assert_eq!((system.rank(), system.checks()), (200, 100));
        let found = system.solution();
        assert!(wanted.iter().enumerate().all(|(column, is_set)| has(&found, column) == *is_set));
        let mut wrong = equation();
        wrong[WORDS - 1] ^= 1;
        system.push(wrong);
        assert_eq!(system.reduce(&Budget::unlimited()), None);
    }
}
