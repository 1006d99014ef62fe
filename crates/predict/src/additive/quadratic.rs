//! Equations of degree 2 in the bits 0 and 1 of the 31 words of a state.
//!
//! Ways and start orders that draw from equal ranges at equal calls differ in right sides alone, so that one elimination serves
//! some hundred of them, the targets.

use std::sync::LazyLock;

use multiversion::multiversion;

use crate::additive::LowBits;
use crate::generator::additive::{GLIBC_LONG, GLIBC_SHORT};

/// Targets of one system.
pub(super) const TARGETS_MAX: usize = 448;

/// Where the products begin, behind 31 bits 1.
const PRODUCTS: usize = GLIBC_LONG;

/// Where they end.
const TERMS: usize = PRODUCTS + GLIBC_LONG * (GLIBC_LONG + 1) / 2;

/// Where the right sides begin.
const RIGHTS: usize = TERMS.next_multiple_of(64);

/// Words of an equation.
const WORDS: usize = (RIGHTS + TARGETS_MAX) / 64;

/// Terms that add up to the right side of each target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Equation([u64; WORDS]);

impl Equation {
    const ZERO: Equation = Equation([0; WORDS]);

    #[inline(always)]
    pub(super) fn has(&self, term: usize) -> bool {
        self.0[term / 64] >> (term % 64) & 1 == 1
    }

    fn toggle(&mut self, term: usize) {
        self.0[term / 64] ^= 1 << (term % 64);
    }

    #[inline(always)]
    fn add(&mut self, other: &Equation) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own ^= other);
    }

    /// Adds the product of two sums of bits 0.
    fn add_product(&mut self, a: u32, b: u32) {
        for i in bits(a) {
            bits(b).for_each(|j| self.toggle(product(i, j)));
        }
    }

    /// Whether the right side of a target is 1.
    pub(super) fn right(&self, target: usize) -> bool {
        self.has(RIGHTS + target)
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

/// The bits 0 and 1 of a target.
pub(super) struct Solution {
    pub(super) target: usize,
    pub(super) zeros: u32,
    pub(super) ones: u32,
}

/// Equations: those that decide a bit 1 each, and those without bits 1.
pub(super) struct System {
    /// How many targets.
    pub(super) targets: usize,
    /// `(bit 1, equation)`, without other bits 1 that are decided.
    pub(super) ones: Vec<(usize, Equation)>,
    /// Equations of products alone.
    pub(super) products: Vec<Equation>,
}

/// Calls of two dozen decks with up to 64 calls between.
const CALLS_USUAL: usize = 3_000;

/// The bits 1 of the words of as many calls, which every system begins with.
static ONES: LazyLock<Vec<Equation>> = LazyLock::new(|| ones(CALLS_USUAL));

fn ones(calls: usize) -> Vec<Equation> {
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
    ones
}

impl System {
    /// Of draws of even n: of each target what they show, at the same calls.
    pub(super) fn of(targets: &[Vec<LowBits>]) -> System {
        assert!((1..=TARGETS_MAX).contains(&targets.len()));
        let shown = &targets[0];
        let calls = shown.last().map_or(0, |last| last.call + 1);
        let more;
        let ones: &[Equation] = if calls <= CALLS_USUAL {
            &ONES
        } else {
            more = ones(calls);
            &more
        };
        let rows = shown.iter().enumerate().filter(|(_, shown)| shown.bits > 0).map(|(at, shown)| {
            let mut row = ones[shown.call + GLIBC_LONG];
            let is_odd = |(_, own): &(usize, &Vec<LowBits>)| own[at].value & 1 == 1;
            targets.iter().enumerate().filter(is_odd).for_each(|(number, _)| row.toggle(RIGHTS + number));
            row
        });
        let (ones, products) = eliminated(rows.collect(), 0..PRODUCTS);
        System { targets: targets.len(), ones, products }
    }

    /// Bits 1 of a target that follow from its bits 0; the undecided ones are 0.
    pub(super) fn ones_of(&self, target: usize, zeros: u32) -> u32 {
        let is_set = |row: &Equation| value(row, zeros) != row.right(target);
        self.ones.iter().filter(|(_, row)| is_set(row)).fold(0, |set, (bit, _)| set | 1 << bit)
    }

    /// Bits 0 and 1 if every product is taken for an unknown. Targets whose equations contradict each other have none, nor has any
    /// if a bit 0 stays undecided.
    pub(super) fn solutions(&self) -> Vec<Solution> {
        let (decided, rest) = eliminated(self.products.clone(), PRODUCTS..TERMS);
        let is_alone =
            |row: &Equation, own: usize| (PRODUCTS..TERMS).all(|term| term == own || !row.has(term));
        let of_bit = |bit: usize| {
            let own = product(bit, bit);
            decided.iter().find(|(term, row)| *term == own && is_alone(row, own)).map(|(_, row)| row)
        };
        let Some(rows) = (0..GLIBC_LONG).map(of_bit).collect::<Option<Vec<_>>>() else { return Vec::new() };
        let of_target = |target: usize| {
            let zeros =
                rows.iter().enumerate().fold(0, |set, (bit, row)| set | u32::from(row.right(target)) << bit);
            let agrees = rest.iter().all(|row| !row.right(target))
                && self.products.iter().all(|row| value(row, zeros) == row.right(target));
            agrees.then(|| Solution { target, zeros, ones: self.ones_of(target, zeros) })
        };
        (0..self.targets).filter_map(of_target).collect()
    }
}

/// The sum of the products of an equation for these bits 0.
fn value(row: &Equation, zeros: u32) -> bool {
    bits(zeros)
        .flat_map(|j| bits(zeros).take_while(move |&i| i <= j).map(move |i| product(i, j)))
        .fold(false, |sum, term| sum ^ row.has(term))
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
        clear(&mut rows, term, at);
        decided.push(term);
    }
    let rest = rows.split_off(decided.len());
    (decided.into_iter().zip(rows).collect(), rest)
}

/// Clears a term in all rows but one.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn clear(rows: &mut [Equation], term: usize, at: usize) {
    let own = rows[at];
    // By a place in memory, for a branch would be foreseen half the time.
    let added = [Equation::ZERO, own];
    for row in rows.iter_mut() {
        row.add(&added[usize::from(row.has(term))]);
    }
    rows[at] = own;
}
