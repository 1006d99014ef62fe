//! Equations over GF(2) by words, reduced as they come.

/// Coefficients and the right side of one equation in 64·W unknowns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row<const W: usize> {
    /// Coefficients.
    pub bits: [u64; W],
    /// The right side.
    pub value: bool,
}

impl<const W: usize> Row<W> {
    /// The sum.
    #[inline]
    pub fn add(&mut self, other: &Row<W>) {
        xor(&mut self.bits, &other.bits);
        self.value ^= other.value;
    }
}

#[inline]
fn xor<const W: usize>(own: &mut [u64; W], other: &[u64; W]) {
    own.iter_mut().zip(other).for_each(|(own, other)| *own ^= other);
}

/// An equation that contradicts those before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contradiction;

/// Equations in echelon form.
pub struct System<const W: usize> {
    pivots: Vec<Row<W>>,
    is_lead: [u64; W],
    rank: usize,
}

impl<const W: usize> System<W> {
    /// No equation in so many unknowns, 64·W at most.
    pub fn new(unknowns: usize) -> System<W> {
        assert!(unknowns <= 64 * W);
        System { pivots: vec![Row { bits: [0; W], value: false }; unknowns], is_lead: [0; W], rank: 0 }
    }

    /// Forgets all equations.
    pub fn clear(&mut self) {
        (self.is_lead, self.rank) = ([0; W], 0);
    }

    /// Unknowns that nothing determines.
    pub fn free(&self) -> usize {
        self.pivots.len() - self.rank
    }

    /// Adds an equation.
    ///
    /// # Errors
    /// [`Contradiction`].
    pub fn add(&mut self, mut row: Row<W>) -> Result<(), Contradiction> {
        for word in 0..W {
            while row.bits[word] != 0 {
                let lead = 64 * word + row.bits[word].trailing_zeros() as usize;
                if self.is_lead[word] >> (lead % 64) & 1 == 0 {
                    self.pivots[lead] = row;
                    self.is_lead[word] |= 1 << (lead % 64);
                    self.rank += 1;
                    return Ok(());
                }
                row.add(&self.pivots[lead]);
            }
        }
        if row.value { Err(Contradiction) } else { Ok(()) }
    }

    /// Every solution, if at most `free_max` unknowns are free.
    pub fn solutions(&self, free_max: usize) -> Vec<[u64; W]> {
        if self.free() > free_max {
            return Vec::new();
        }
        let free: Vec<usize> = (0..self.pivots.len()).filter(|&at| !self.has_lead(at)).collect();
        let mut solutions = vec![self.solution(None)];
        for &at in &free {
            // What setting one more unknown changes is the same for every choice of those before.
            let mut change = self.solution(Some(at));
            xor(&mut change, &solutions[0]);
            for choice in 0..solutions.len() {
                let mut other = solutions[choice];
                xor(&mut other, &change);
                solutions.push(other);
            }
        }
        solutions
    }

    fn has_lead(&self, at: usize) -> bool {
        self.is_lead[at / 64] >> (at % 64) & 1 == 1
    }

    /// The solution with this one of the free unknowns set, and no other: from the last unknown to the first, each lead
    /// follows from those behind it.
    fn solution(&self, set: Option<usize>) -> [u64; W] {
        let mut found = [0u64; W];
        set.into_iter().for_each(|at| found[at / 64] |= 1 << (at % 64));
        for (at, pivot) in self.pivots.iter().enumerate().rev() {
            if !self.has_lead(at) {
                continue;
            }
            let sum = pivot.bits.iter().zip(&found).fold(0, |sum, (bits, found)| sum ^ bits & found);
            if (sum.count_ones() & 1 == 1) != pivot.value {
                found[at / 64] |= 1 << (at % 64);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(bits: u64, value: u8) -> Row<1> {
        Row { bits: [bits], value: value == 1 }
    }

    #[test]
    fn three_unknowns_by_hand() {
        // x + y = 1, y + z = 1, so x + z = 0.
        let mut system = System::new(3);
        assert_eq!((system.add(row(0b011, 1)), system.add(row(0b110, 1))), (Ok(()), Ok(())));
        assert_eq!(system.free(), 1);
        let mut solutions = system.solutions(1);
        solutions.sort_unstable();
        assert_eq!(solutions, [[0b010], [0b101]]);
        assert!(system.solutions(0).is_empty());
        assert_eq!((system.add(row(0b101, 0)), system.free()), (Ok(()), 1));
        assert_eq!(system.add(row(0b101, 1)), Err(Contradiction));
        assert_eq!((system.add(row(0b001, 1)), system.solutions(0)), (Ok(()), vec![[0b101]]));
    }
}
