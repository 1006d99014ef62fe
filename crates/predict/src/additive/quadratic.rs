//! Equations of degree 2 in the bits 0 and 1 of the 31 words of a state.

use crate::additive::LowBits;
use crate::generator::additive::{GLIBC_LONG, GLIBC_SHORT};

/// Words of an equation: 31 bits 1, 496 products of bits 0, and the right side.
const WORDS: usize = 9;

/// Where the products begin.
const PRODUCTS: usize = GLIBC_LONG;

/// The right side.
const RIGHT: usize = PRODUCTS + GLIBC_LONG * (GLIBC_LONG + 1) / 2;

/// Terms that add up to zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Equation([u64; WORDS]);

impl Equation {
    const ZERO: Equation = Equation([0; WORDS]);

    pub(super) fn has(&self, term: usize) -> bool {
        self.0[term / 64] >> (term % 64) & 1 == 1
    }

    fn toggle(&mut self, term: usize) {
        self.0[term / 64] ^= 1 << (term % 64);
    }

    fn add(&mut self, other: &Equation) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own ^= other);
    }

    /// Adds the product of two sums of bits 0.
    fn add_product(&mut self, a: u32, b: u32) {
        for i in bits(a) {
            bits(b).for_each(|j| self.toggle(product(i, j)));
        }
    }

    /// Whether the right side is 1.
    pub(super) fn right(&self) -> bool {
        self.has(RIGHT)
    }
}

/// The term of a product of two bits 0; of one with itself, the bit alone.
pub(super) fn product(i: usize, j: usize) -> usize {
    let (low, high) = (i.min(j), i.max(j));
    PRODUCTS + high * (high + 1) / 2 + low
}

fn bits(set: u32) -> impl Iterator<Item = usize> {
    (0..GLIBC_LONG).filter(move |bit| set >> bit & 1 == 1)
}

/// The sums of bits of a state that the lowest bits of the following words are.
pub(super) fn sums(calls: usize) -> Vec<u32> {
    let mut sums: Vec<u32> = (0..GLIBC_LONG).map(|word| 1 << word).collect();
    for call in 0..calls {
        sums.push(sums[call] ^ sums[call + GLIBC_LONG - GLIBC_SHORT]);
    }
    sums
}

/// Equations: those that decide a bit 1 each, and those without bits 1.
pub(super) struct System {
    /// `(bit 1, equation)`, without other bits 1 that are decided.
    pub(super) ones: Vec<(usize, Equation)>,
    /// Equations of products alone.
    pub(super) products: Vec<Equation>,
}

impl System {
    /// Of draws of even n.
    pub(super) fn of(shown: &[LowBits]) -> System {
        let calls = shown.last().map_or(0, |last| last.call + 1);
        let zeros = sums(calls);
        let mut ones = vec![Equation::ZERO; GLIBC_LONG + calls];
        (0..GLIBC_LONG).for_each(|word| ones[word].toggle(word));
        for call in 0..calls {
            let near = call + GLIBC_LONG - GLIBC_SHORT;
            let mut own = ones[call];
            own.add(&ones[near].clone());
            own.add_product(zeros[call], zeros[near]);
            ones[call + GLIBC_LONG] = own;
        }
        let rows = shown.iter().filter(|shown| shown.bits > 0).map(|shown| {
            let mut row = ones[shown.call + GLIBC_LONG];
            if shown.value & 1 == 1 {
                row.toggle(RIGHT);
            }
            row
        });
        let (ones, products) = eliminated(rows.collect(), 0..PRODUCTS);
        System { ones, products }
    }

    /// Bits 1 that follow from bits 0; the undecided ones are 0.
    pub(super) fn ones_of(&self, zeros: u32) -> u32 {
        self.ones.iter().filter(|(_, row)| value(row, zeros)).fold(0, |set, (bit, _)| set | 1 << bit)
    }

    /// Bits 0 and 1 if every product is taken for an unknown; `None` if equations contradict each other, or a bit 0
    /// stays undecided.
    pub(super) fn solution(&self) -> Option<(u32, u32)> {
        let (decided, rest) = eliminated(self.products.clone(), PRODUCTS..RIGHT);
        if rest.iter().any(Equation::right) {
            return None;
        }
        let mut zeros = 0;
        for bit in 0..GLIBC_LONG {
            let own = product(bit, bit);
            let (_, row) = decided.iter().find(|(term, _)| *term == own)?;
            let is_alone = (PRODUCTS..RIGHT).all(|term| term == own || !row.has(term));
            zeros |= u32::from(row.right()) << bit;
            is_alone.then_some(())?;
        }
        let is_true = self.products.iter().all(|row| !value(row, zeros));
        is_true.then(|| (zeros, self.ones_of(zeros)))
    }
}

/// The sum of the products of an equation and its right side for these bits 0.
fn value(row: &Equation, zeros: u32) -> bool {
    bits(zeros)
        .flat_map(|j| bits(zeros).take_while(move |&i| i <= j).map(move |i| product(i, j)))
        .fold(row.right(), |sum, term| sum ^ row.has(term))
}

/// Gauss and Jordan: the rows that decide one of the terms, and the rest.
fn eliminated(
    mut rows: Vec<Equation>,
    terms: std::ops::Range<usize>,
) -> (Vec<(usize, Equation)>, Vec<Equation>) {
    let mut decided = Vec::new();
    for term in terms {
        let at = decided.len();
        let Some(pivot) = (at..rows.len()).find(|&row| rows[row].has(term)) else { continue };
        rows.swap(at, pivot);
        let own = rows[at];
        for (number, row) in rows.iter_mut().enumerate() {
            if number != at && row.has(term) {
                row.add(&own);
            }
        }
        decided.push(term);
    }
    let rest = rows.split_off(decided.len());
    (decided.into_iter().zip(rows).collect(), rest)
}
