//! All 2^31 values of the bits 0, in the order of a Gray code: each differs from the one before in one bit, and two words
//! are updated a step (Bouillaguet, Chen, Cheng, Chou, Niederhagen, Shamir & Yang 2010).

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::additive::quadratic::{System, product};
use crate::budget::Budget;
use crate::generator::additive::GLIBC_LONG;

/// Bits that a thread lists at a time; the others are its part.
const LISTED_BITS: usize = 24;

/// Equations evaluated at once.
const ROWS_MAX: usize = 64;

/// Solutions kept at most: more mean that too few equations are known.
const SOLUTIONS_MAX: usize = 4_096;

/// The products of up to 64 equations, an equation a bit.
struct Packed {
    right: u64,
    products: [[u64; GLIBC_LONG]; GLIBC_LONG],
}

/// Bits 0 and bits 1 that solve every equation.
pub(super) fn solutions(system: &System, budget: &Budget) -> Vec<(u32, u32)> {
    let packed = Packed::of(system);
    if system.products.len() < GLIBC_LONG - 12 {
        return Vec::new();
    }
    budget.count(1 << GLIBC_LONG);
    let parts = 0..1u32 << (GLIBC_LONG - LISTED_BITS);
    let list = |part: u32| if budget.is_spent() { Vec::new() } else { packed.listed(part << LISTED_BITS) };
    let mut found: Vec<u32> = parts.into_par_iter().flat_map_iter(list).collect();
    found.truncate(SOLUTIONS_MAX);
    found.into_iter().map(|zeros| (zeros, system.ones_of(zeros))).collect()
}

impl Packed {
    fn of(system: &System) -> Packed {
        let mut packed = Packed { right: 0, products: [[0; GLIBC_LONG]; GLIBC_LONG] };
        for (row, equation) in system.products.iter().take(ROWS_MAX).enumerate() {
            packed.right |= u64::from(equation.right()) << row;
            for i in 0..GLIBC_LONG {
                for j in 0..GLIBC_LONG {
                    packed.products[i][j] |= u64::from(equation.has(product(i, j))) << row;
                }
            }
        }
        packed
    }

    /// All equations for these bits 0.
    fn value(&self, zeros: u32) -> u64 {
        let set = |bit: &usize| zeros >> bit & 1 == 1;
        let pairs = (0..GLIBC_LONG).filter(set).flat_map(|j| (0..=j).filter(set).map(move |i| (i, j)));
        pairs.fold(self.right, |sum, (i, j)| sum ^ self.products[i][j])
    }

    /// The solutions with these upper bits.
    fn listed(&self, upper: u32) -> Vec<u32> {
        let mut value = self.value(upper);
        // What bit k changes when it is flipped first: bit k − 1 alone is then set below.
        let mut change: [u64; LISTED_BITS] = std::array::from_fn(|k| {
            let above = (LISTED_BITS..GLIBC_LONG).filter(|bit| upper >> bit & 1 == 1);
            let below = k.checked_sub(1).map_or(0, |below| self.products[k][below]);
            above.fold(self.products[k][k] ^ below, |sum, bit| sum ^ self.products[k][bit])
        });
        let mut found = Vec::new();
        if value == 0 {
            found.push(upper);
        }
        for step in 1u32..1 << LISTED_BITS {
            let bit = step.trailing_zeros() as usize;
            let next = step & (step - 1);
            if next != 0 {
                // The one bit above that has changed since this bit was flipped last.
                change[bit] ^= self.products[bit][next.trailing_zeros() as usize];
            }
            value ^= change[bit];
            if value == 0 {
                found.push(upper | step ^ step >> 1);
            }
        }
        found
    }
}
