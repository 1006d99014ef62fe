//! States from residues modulo a small modulus that is no power of two: every x that gives the first draw is tried.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::budget::Budget;
use crate::congruential::{Calls, What};

/// Moduli above are not searched.
const MODULUS_MAX: u128 = 1 << 32;

/// Values of x tried between two looks at the clock.
const BATCH: u64 = 1 << 20;

pub(super) fn states(calls: &Calls, budget: &Budget) -> Vec<u64> {
    let modulus = calls.numbers.modulus;
    let widest = calls.seen.iter().filter_map(|seen| match seen.what {
        What::Residue { drop: 0, n, value } => Some((n, value, seen.jump)),
        _ => None,
    });
    let Some((n, value, jump)) = widest.max_by_key(|(n, ..)| *n) else { return Vec::new() };
    let Some(back) = jump.back(&calls.numbers) else { return Vec::new() };
    if modulus > MODULUS_MAX {
        return Vec::new();
    }
    let total = (modulus as u64).div_ceil(u64::from(n));
    let batches = total.div_ceil(BATCH);
    budget.count(total);
    let batch = |batch: u64| {
        let end = if budget.is_spent() { 0 } else { ((batch + 1) * BATCH).min(total) };
        (batch * BATCH..end).filter_map(|step| {
            let x = step * u64::from(n) + u64::from(value);
            let state = back.apply(&calls.numbers, x);
            (u128::from(x) < modulus && calls.agree(state)).then_some(state)
        })
    };
    (0..batches).into_par_iter().flat_map_iter(batch).collect()
}
