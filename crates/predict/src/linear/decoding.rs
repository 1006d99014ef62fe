//! Equations of which some are wrong: information-set decoding (Prange 1962; Lee & Brickell 1988).

use multiversion::multiversion;

use crate::linear::system::Row;

/// The first independent equations, none, one or two of them turned round, so that fewest of the others contradict them.
pub fn nearest<const W: usize>(equations: impl Iterator<Item = Row<W>>, unknowns: usize) -> Vec<Row<W>> {
    let (mut basis, columns) = checked(equations, unknowns);
    for turned in best_two(&columns) {
        basis[turned].value ^= true;
    }
    basis
}

/// Other equations at most that are looked at, in words.
const CHECKS: usize = 4;

/// Of each independent equation the others that hold it, and last the others that contradict their sums.
type Columns = Vec<[u64; CHECKS]>;

/// An equation reduced by those before it, and of which of them it is the sum.
struct Reduced<const W: usize> {
    row: Row<W>,
    sum_of: [u64; W],
}

fn checked<const W: usize>(
    equations: impl Iterator<Item = Row<W>>,
    unknowns: usize,
) -> (Vec<Row<W>>, Columns) {
    let mut basis = Vec::with_capacity(unknowns);
    let mut leads: Vec<Option<Reduced<W>>> = (0..unknowns).map(|_| None).collect();
    let mut columns: Columns = vec![[0; CHECKS]; unknowns + 1];
    let mut checks = 0;
    for equation in equations {
        let mut own = Reduced { row: equation, sum_of: [0; W] };
        match reduce(&mut own, &leads) {
            Some(lead) => {
                own.sum_of[basis.len() / 64] |= 1 << (basis.len() % 64);
                leads[lead] = Some(own);
                basis.push(equation);
            }
            None if checks < 64 * CHECKS => {
                let (word, bit) = (checks / 64, checks % 64);
                checks += 1;
                columns[unknowns][word] |= u64::from(own.row.value) << bit;
                for (at, column) in columns[..unknowns].iter_mut().enumerate() {
                    column[word] |= (own.sum_of[at / 64] >> (at % 64) & 1) << bit;
                }
            }
            None => {}
        }
    }
    columns.drain(basis.len()..unknowns);
    (basis, columns)
}

/// The leading unknown of what is left; none if nothing is.
fn reduce<const W: usize>(own: &mut Reduced<W>, leads: &[Option<Reduced<W>>]) -> Option<usize> {
    for word in 0..W {
        while own.row.bits[word] != 0 {
            let lead = 64 * word + own.row.bits[word].trailing_zeros() as usize;
            let Some(pivot) = &leads[lead] else { return Some(lead) };
            own.row.add(&pivot.row);
            own.sum_of.iter_mut().zip(pivot.sum_of).for_each(|(own, other)| *own ^= other);
        }
    }
    None
}

/// Which columns, two at most, leave the lowest weight of the last one.
#[multiversion(targets("x86_64+avx2+popcnt", "x86_64+popcnt"))]
fn best_two(columns: &[[u64; CHECKS]]) -> Vec<usize> {
    let (last, columns) = columns.split_last().expect("one more than there are equations");
    let weight = |column: &[u64; CHECKS]| column.iter().map(|word| word.count_ones()).sum::<u32>();
    let sum =
        |a: &[u64; CHECKS], b: &[u64; CHECKS]| -> [u64; CHECKS] { std::array::from_fn(|at| a[at] ^ b[at]) };
    let (mut lowest, mut best) = (weight(last), Vec::new());
    for (a, column) in columns.iter().enumerate() {
        let with_a = sum(last, column);
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
    use crate::linear::system::System;

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
        let mut system = System::new(128);
        nearest(rows.iter().copied(), 128).into_iter().for_each(|row| assert!(system.add(row).is_ok()));
        assert_eq!(system.solutions(3).len(), 1 << system.free());
        assert!(system.solutions(3).contains(&solution));
        rows[50].value ^= true;
        system.clear();
        nearest(rows.into_iter(), 128).into_iter().for_each(|row| assert!(system.add(row).is_ok()));
        assert!(!system.solutions(3).contains(&solution), "three are too many");
    }
}
