//! States from intervals: a dozen draws of `⌊U·n⌋` point to one point of a lattice. So do draws of `x mod n` where the modulus is
//! a prime: `(x − d)/n` is a whole number below m/n, and 1/n times what the generator gives, modulo m.

use crate::congruential::jump::{Jump, inverse};
use crate::congruential::{Calls, Seen, What};
use crate::lattice::Basis;

/// Bits that the draws must tell beyond those of the state.
const SURPLUS_BITS: f64 = 12.0;

/// Draws that are used: points of so many dimensions lie far enough apart for 64 bits and ranges of about 40.
const DIMENSIONS_MAX: usize = 22;

/// Draws of 24 to 48 bits that are enough.
const DIMENSIONS_MIN: usize = 8;

/// Reduced bases: one serves every start order, for it depends on which calls are used alone.
#[derive(Default)]
pub(super) struct Bases(Vec<(Vec<u64>, Vec<u128>, Basis)>);

impl Bases {
    fn of(&mut self, multipliers: Vec<u64>, modulus: u128) -> &Basis {
        let moduli = vec![modulus; multipliers.len()];
        self.of_residues(multipliers, moduli)
    }

    /// Of multiples, each with its modulus.
    pub(super) fn of_residues(&mut self, multipliers: Vec<u64>, moduli: Vec<u128>) -> &Basis {
        let known = self.0.iter().position(|(own, others, _)| (own, others) == (&multipliers, &moduli));
        let place = known.unwrap_or_else(|| {
            let basis = Basis::of_residues(&multipliers, &moduli);
            self.0.push((multipliers, moduli, basis));
            self.0.len() - 1
        });
        &self.0[place].2
    }
}

pub(super) fn states(calls: &Calls, bases: &mut Bases) -> Vec<u64> {
    let modulus = calls.numbers.modulus;
    let state_bits = libm::log2(modulus as f64);
    let mut chosen: Vec<_> = calls.seen.iter().filter_map(|seen| interval(seen, modulus)).collect();
    // The narrowest tell most; rounded, so that equal ranges keep the order of their calls.
    chosen.sort_by_key(|(_, low, high)| std::cmp::Reverse(modulus / u128::from(high - low + 1)));
    let wanted = (state_bits / 3.0) as usize;
    chosen.truncate(wanted.clamp(DIMENSIONS_MIN, DIMENSIONS_MAX));
    let bits: f64 =
        chosen.iter().map(|(_, low, high)| state_bits - libm::log2((high - low + 1) as f64)).sum();
    if bits < state_bits + SURPLUS_BITS {
        return Vec::new();
    }
    let Some(first) = chosen.first().map(|(jump, ..)| *jump) else { return Vec::new() };
    let Some(back) = first.back(&calls.numbers) else { return Vec::new() };
    // Everything is counted from the first of them, so that its multiplier is 1.
    let product = |a: u64, b: u64| (u128::from(a) * u128::from(b) % modulus) as u64;
    let multipliers: Vec<u64> =
        chosen.iter().map(|(jump, ..)| product(jump.multiplier, back.multiplier)).collect();
    let target: Vec<i128> = chosen
        .iter()
        .zip(&multipliers)
        .map(|((jump, low, high), &multiplier)| {
            // x = m·(y − c₀) + c where y is the state at the first of them.
            let shift = i128::from(jump.increment) - i128::from(product(multiplier, first.increment));
            let middle = i128::from(*low) + i128::from((high - low) / 2);
            (middle - shift).rem_euclid(modulus as i128)
        })
        .collect();
    let point = bases.of(multipliers, modulus).near(&target);
    let at_first = point[0].rem_euclid(modulus as i128) as u64;
    let state = back.apply(&calls.numbers, at_first);
    if calls.agree(state) { vec![state] } else { Vec::new() }
}

/// A jump from the state to a number, and between which two it lies.
fn interval(seen: &Seen, modulus: u128) -> Option<(Jump, u64, u64)> {
    match seen.what {
        What::Within(low, high) => Some((seen.jump, low, high)),
        What::Residue { drop: 0, n, value } => {
            let times = u128::from(inverse(u128::from(n), modulus)?);
            let product = |own: u128| (own * times % modulus) as u64;
            let [own, value] = [seen.jump.increment, u64::from(value)].map(u128::from);
            let jump = Jump {
                multiplier: product(u128::from(seen.jump.multiplier)),
                increment: product(modulus + own - value),
            };
            let quotient_max = (modulus - 1).checked_sub(value)? / u128::from(n);
            Some((jump, 0, quotient_max as u64))
        }
        What::Residue { .. } => None,
    }
}
