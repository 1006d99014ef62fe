//! All 2^31 values of the bits 0, 256 at a time: those of the lower eight bits are sums of a few words, and the others follow in the
//! order of a Gray code, each of which differs from the one before in one bit (Bouillaguet, Chen, Cheng, Chou, Niederhagen, Shamir &
//! Yang 2010). The values of the equations are compared with the right sides of all targets at once.

use multiversion::multiversion;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::additive::quadratic::{Solution, System, product};
use crate::budget::Budget;
use crate::generator::additive::GLIBC_LONG;

/// Lower bits, all of whose values are listed side by side.
const BLOCK_BITS: usize = 8;
const BLOCK: usize = 1 << BLOCK_BITS;

/// Bits that a thread lists at a time, the lower ones among them; the others are its part.
const LISTED_BITS: usize = 24;

/// Equations evaluated at once.
const ROWS_MAX: usize = 64;

/// Solutions kept at most: more mean that too few equations are known.
const SOLUTIONS_MAX: usize = 4_096;

/// Equations that sift values before all of them are compared.
const SIFTED_BITS: usize = 16;

/// The products of up to 64 equations, an equation a bit, and their right sides.
struct Packed {
    /// Both ways round.
    products: [[u64; GLIBC_LONG]; GLIBC_LONG],
    /// Of each target, sorted.
    rights: Vec<(u64, usize)>,
    /// For every value of the first equations whether a target has it.
    sieve: Vec<u64>,
}

/// Bits 0 and bits 1 that solve every equation of a target.
pub(super) fn solutions(system: &System, budget: &Budget) -> Vec<Solution> {
    if system.products.len() < GLIBC_LONG - 12 {
        return Vec::new();
    }
    let packed = Packed::of(system);
    budget.count(1 << GLIBC_LONG);
    let parts = 0..1u32 << (GLIBC_LONG - LISTED_BITS);
    let list = |part: u32| if budget.is_spent() { Vec::new() } else { listed(&packed, part << LISTED_BITS) };
    let mut found: Vec<(usize, u32)> = parts.into_par_iter().flat_map_iter(list).collect();
    found.truncate(SOLUTIONS_MAX);
    found
        .into_iter()
        .map(|(target, zeros)| Solution { target, zeros, ones: system.ones_of(target, zeros) })
        .collect()
}

impl Packed {
    fn of(system: &System) -> Packed {
        let rows = || system.products.iter().take(ROWS_MAX).enumerate();
        let mut products = [[0; GLIBC_LONG]; GLIBC_LONG];
        for (row, equation) in rows() {
            for (i, own) in products.iter_mut().enumerate() {
                for (j, own) in own.iter_mut().enumerate() {
                    *own |= u64::from(equation.has(product(i, j))) << row;
                }
            }
        }
        let right = |target: usize| {
            rows().fold(0, |set, (row, equation)| set | u64::from(equation.right(target)) << row)
        };
        let mut rights: Vec<(u64, usize)> =
            (0..system.targets).map(|target| (right(target), target)).collect();
        rights.sort_unstable();
        let mut sieve = vec![0; 1 << (SIFTED_BITS - 6)];
        rights.iter().for_each(|(right, _)| sieve[word_of(*right)] |= 1 << (right & 63));
        Packed { products, rights, sieve }
    }

    /// Targets with these right sides.
    fn targets(&self, value: u64) -> impl Iterator<Item = usize> + '_ {
        let from = self.rights.partition_point(|(right, _)| *right < value);
        self.rights[from..].iter().take_while(move |(right, _)| *right == value).map(|(_, target)| *target)
    }
}

/// Where the sieve has a value.
#[inline(always)]
fn word_of(value: u64) -> usize {
    (value >> 6) as usize % (1 << (SIFTED_BITS - 6))
}

/// The bits above the lower ones.
struct Above {
    /// Those that are 1.
    set: u32,
    /// The products of two of them.
    value: u64,
    /// What every other bit adds beside them.
    beside: [u64; GLIBC_LONG],
}

impl Above {
    #[inline(always)]
    fn flip(&mut self, products: &[[u64; GLIBC_LONG]; GLIBC_LONG], bit: usize) {
        self.value ^= products[bit][bit] ^ self.beside[bit];
        for (other, beside) in self.beside.iter_mut().enumerate() {
            *beside ^= if other == bit { 0 } else { products[other][bit] };
        }
        self.set ^= 1 << bit;
    }
}

/// The targets and bits 0 with these upper bits.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn listed(packed: &Packed, upper: u32) -> Vec<(usize, u32)> {
    let products = &packed.products;
    // What the lower bits add by themselves, and what each bit adds beside the upper ones that are set.
    let alone: [u64; BLOCK] = std::array::from_fn(|lower| {
        let set = |bit: &usize| lower >> bit & 1 == 1;
        let pairs = (0..BLOCK_BITS).filter(set).flat_map(|j| (0..=j).filter(set).map(move |i| (i, j)));
        pairs.fold(0, |sum, (i, j)| sum ^ products[i][j])
    });
    let mut above = Above { set: 0, value: 0, beside: [0; GLIBC_LONG] };
    (LISTED_BITS..GLIBC_LONG).filter(|bit| upper >> bit & 1 == 1).for_each(|bit| above.flip(products, bit));
    let mut found = Vec::new();
    let mut values = [0; BLOCK];
    for step in 1u32..=1 << (LISTED_BITS - BLOCK_BITS) {
        values[0] = above.value;
        for (bit, beside) in above.beside[..BLOCK_BITS].iter().enumerate() {
            let (known, new) = values.split_at_mut(1 << bit);
            new.iter_mut().zip(known).for_each(|(new, known)| *new = *known ^ beside);
        }
        values.iter_mut().zip(&alone).for_each(|(own, alone)| *own ^= alone);
        for (eight, values) in values.chunks(8).enumerate() {
            let is_sifted = |value: &u64| packed.sieve[word_of(*value)] >> (value & 63) & 1;
            if values.iter().map(is_sifted).fold(0, |any, own| any | own) == 1 {
                for (lower, value) in values.iter().enumerate() {
                    let zeros = above.set | (8 * eight + lower) as u32;
                    found.extend(packed.targets(*value).map(|target| (target, zeros)));
                }
            }
        }
        if step < 1 << (LISTED_BITS - BLOCK_BITS) {
            above.flip(products, BLOCK_BITS + step.trailing_zeros() as usize);
        }
    }
    found
}
