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
        self.bits.iter_mut().zip(&other.bits).for_each(|(own, other)| *own ^= other);
        self.value ^= other.value;
    }

    /// The first unknown with a coefficient.
    #[inline]
    fn lead(&self) -> Option<usize> {
        let word = self.bits.iter().position(|&word| word != 0)?;
        Some(64 * word + self.bits[word].trailing_zeros() as usize)
    }
}

/// An equation that contradicts those before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contradiction;

/// Equations in echelon form.
pub struct System<const W: usize> {
    pivots: Vec<Option<Row<W>>>,
    rank: usize,
    checks: usize,
}

impl<const W: usize> System<W> {
    /// No equation in so many unknowns, 64·W at most.
    pub fn new(unknowns: usize) -> System<W> {
        assert!(unknowns <= 64 * W);
        System { pivots: vec![None; unknowns], rank: 0, checks: 0 }
    }

    /// Forgets all equations.
    pub fn clear(&mut self) {
        self.pivots.fill(None);
        (self.rank, self.checks) = (0, 0);
    }

    /// Independent equations.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Equations that followed from those before and agreed.
    pub fn checks(&self) -> usize {
        self.checks
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
        while let Some(lead) = row.lead() {
            match &self.pivots[lead] {
                Some(pivot) => row.add(pivot),
                None => {
                    self.pivots[lead] = Some(row);
                    self.rank += 1;
                    return Ok(());
                }
            }
        }
        self.checks += usize::from(!row.value);
        if row.value { Err(Contradiction) } else { Ok(()) }
    }

    /// Every solution, if at most `free_max` unknowns are free.
    pub fn solutions(&self, free_max: usize) -> Vec<[u64; W]> {
        if self.free() > free_max {
            return Vec::new();
        }
        let free: Vec<usize> = (0..self.pivots.len()).filter(|&at| self.pivots[at].is_none()).collect();
        (0..1u64 << free.len()).map(|choice| self.solution(&free, choice)).collect()
    }

    /// From the last unknown to the first: each lead follows from those behind it.
    fn solution(&self, free: &[usize], choice: u64) -> [u64; W] {
        let mut found = [0u64; W];
        let mut set = |at: usize| found[at / 64] |= 1 << (at % 64);
        free.iter().enumerate().filter(|(bit, _)| choice >> bit & 1 == 1).for_each(|(_, &at)| set(at));
        for (at, pivot) in self.pivots.iter().enumerate().rev() {
            let Some(pivot) = pivot else { continue };
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
        assert_eq!((system.rank(), system.free(), system.checks()), (2, 1, 0));
        let mut solutions = system.solutions(1);
        solutions.sort_unstable();
        assert_eq!(solutions, [[0b010], [0b101]]);
        assert!(system.solutions(0).is_empty());
        assert_eq!((system.add(row(0b101, 0)), system.checks()), (Ok(()), 1));
        assert_eq!(system.add(row(0b101, 1)), Err(Contradiction));
        assert_eq!((system.add(row(0b001, 1)), system.solutions(0)), (Ok(()), vec![[0b101]]));
    }
}
