//! States from residues modulo a power of two.
//!
//! The low k bits of x are a generator of their own. A draw of even n shows bit s of x, where s bits are dropped: of the
//! 2^(s + 1) low parts of the state only those are kept that give every such bit. Draws of n divisible by 4, 8, 16 and 32 decide
//! the bits above one by one. Where many bits are dropped, draws of n divisible by 4 point to some points of a lattice instead: of the
//! low s + v bits of x the upper v are known where 2^v divides n. What is left of x is then listed at the draw that leaves the fewest
//! values.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::budget::Budget;
use crate::congruential::scaled::Bases;
use crate::congruential::{Calls, Seen, What, jump};

/// From so many dropped bits on a lattice is looked at first: sifting takes seconds and more.
const DROP_LATTICE: u32 = 24;

/// More dropped bits are not sifted: 2^36 low parts take minutes.
const DROP_MAX: u32 = 35;

/// Low parts kept at most; more means that too little is known.
const KEPT_MAX: usize = 1 << 16;

/// Values of x listed at most.
const LISTED_MAX: u64 = 1 << 36;

/// Low parts tried between two looks at the clock.
const BATCH: u64 = 1 << 16;

/// What the low bits of x are known to be at one call.
struct Parity {
    multiplier: u64,
    increment: u64,
    /// The lowest bits of `x >> drop`.
    value: u64,
    /// How many.
    bits: u32,
}

/// Nothing where more values than these would have to be listed.
pub(super) fn states(calls: &Calls, bases: &mut Bases, listed_max: u64, budget: &Budget) -> Vec<u64> {
    let bits = calls.numbers.modulus.trailing_zeros();
    let Some(drop) = dropped(calls) else { return Vec::new() };
    let parities = parities(calls);
    if drop > DROP_MAX || drop >= bits || parities.is_empty() {
        return Vec::new();
    }
    let near = if drop < DROP_LATTICE { None } else { near(&parities, drop, bases) };
    let (kept, known_bits) = match near {
        Some(near) => near,
        None => extend(sift(&parities, drop, budget), &parities, drop, bits),
    };
    let listed_max = listed_max.min(LISTED_MAX) / kept.len().max(1) as u64;
    let mut states = Vec::new();
    for low in kept {
        if budget.is_spent() {
            break;
        }
        states.extend(listed(calls, low, known_bits, listed_max, budget));
    }
    states
}

/// Low bits dropped before the residue, the same for all draws.
fn dropped(calls: &Calls) -> Option<u32> {
    calls.seen.iter().find_map(|seen| match seen.what {
        What::Residue { drop, .. } => Some(drop),
        What::Within(..) => None,
    })
}

fn parities(calls: &Calls) -> Vec<Parity> {
    let even = calls.seen.iter().filter_map(|seen| match seen.what {
        What::Residue { n, value, .. } if n % 2 == 0 => Some((seen, n.trailing_zeros(), value)),
        _ => None,
    });
    even.map(|(seen, bits, value)| Parity {
        multiplier: seen.jump.multiplier,
        increment: seen.jump.increment,
        value: u64::from(value),
        bits,
    })
    .collect()
}

/// Bits of a low part that draws of n divisible by 4 may leave open.
const OPEN_BITS: u32 = 6;

/// Low parts that give every parity, and their bits, by a lattice of the draws of n divisible by 4; `None` if those are too few.
fn near(parities: &[Parity], drop: u32, bases: &mut Bases) -> Option<(Vec<u64>, u32)> {
    let mut chosen: Vec<&Parity> = parities.iter().filter(|parity| parity.bits > 1).collect();
    chosen.sort_by_key(|parity| std::cmp::Reverse(parity.bits));
    let known = drop + chosen.first()?.bits;
    let bits_sum: u32 = chosen.iter().map(|parity| parity.bits).sum();
    if bits_sum + OPEN_BITS < known || known > KNOWN_MAX {
        return None;
    }
    let modulus = |bits: u32| 1u128 << bits;
    // Everything is counted from the first of them, so that its multiplier is 1.
    let back = jump::inverse(u128::from(chosen[0].multiplier) % modulus(known), modulus(known))?;
    let moduli: Vec<u128> = chosen.iter().map(|parity| modulus(drop + parity.bits)).collect();
    let multiplier = |(parity, modulus): (&&Parity, &u128)| {
        (u128::from(parity.multiplier.wrapping_mul(back)) % modulus) as u64
    };
    let multipliers = chosen.iter().zip(&moduli).map(multiplier).collect();
    let target: Vec<i128> = chosen
        .iter()
        .zip(&moduli)
        .map(|(parity, modulus)| {
            let middle = i128::from(parity.value) << drop | 1 << (drop - 1);
            (middle - i128::from(parity.increment)).rem_euclid(*modulus as i128)
        })
        .collect();
    let points = bases.of_residues(multipliers, moduli).within(&target, (1u64 << (drop - 1)) as f64);
    let low = |point: i128| {
        (point.rem_euclid(modulus(known) as i128) as u64).wrapping_mul(back) & (modulus(known) - 1) as u64
    };
    let gives = |low: &u64| {
        parities.iter().all(|parity| {
            let x = low.wrapping_mul(parity.multiplier).wrapping_add(parity.increment);
            (x >> drop ^ parity.value) & (modulus(parity.bits) as u64 - 1) == 0
        })
    };
    Some((points.into_iter().map(low).filter(gives).collect(), known))
}

/// Bits of a low part whose products with coefficients stay exact as doubles.
const KNOWN_MAX: u32 = 44;

/// Low parts of `drop + 1` bits that give every parity.
fn sift(parities: &[Parity], drop: u32, budget: &Budget) -> Vec<u64> {
    let total = 1u64 << (drop + 1);
    budget.count(total);
    let gives = |low: u64| {
        parities.iter().all(|parity| {
            let x = low.wrapping_mul(parity.multiplier).wrapping_add(parity.increment);
            (x >> drop ^ parity.value) & 1 == 0
        })
    };
    let batch = |batch: u64| {
        let end = if budget.is_spent() { 0 } else { ((batch + 1) * BATCH).min(total) };
        (batch * BATCH..end).filter(move |&low| gives(low))
    };
    (0..total.div_ceil(BATCH)).into_par_iter().flat_map_iter(batch).collect()
}

/// Further bits as long as draws show them: the low parts, and their bits.
fn extend(mut kept: Vec<u64>, parities: &[Parity], drop: u32, bits: u32) -> (Vec<u64>, u32) {
    let mut known = drop + 1;
    while known < bits && kept.len() < KEPT_MAX && parities.iter().any(|parity| parity.bits > known - drop) {
        let gives = |low: &u64| {
            parities.iter().filter(|parity| parity.bits > known - drop).all(|parity| {
                let x = low.wrapping_mul(parity.multiplier).wrapping_add(parity.increment);
                (x >> known ^ parity.value >> (known - drop)) & 1 == 0
            })
        };
        kept = kept.iter().flat_map(|&low| [low, low | 1 << known]).filter(gives).collect();
        known += 1;
    }
    kept.truncate(KEPT_MAX);
    (kept, known)
}

/// States with these low bits that give every draw.
fn listed(calls: &Calls, low: u64, known: u32, listed_max: u64, budget: &Budget) -> Vec<u64> {
    let numbers = &calls.numbers;
    let bits = numbers.modulus.trailing_zeros();
    let mask = |bits: u32| u64::MAX.checked_shr(64 - bits).unwrap_or(0);
    let listings = calls.seen.iter().map(|seen| {
        let own = seen.jump.multiplier.wrapping_mul(low).wrapping_add(seen.jump.increment) & mask(known);
        (seen, own, Listing::of(seen, own, known, bits))
    });
    let Some((seen, own, listing)) = listings.min_by_key(|(_, _, listing)| listing.count) else {
        return Vec::new();
    };
    let Some(back) = seen.jump.back(numbers) else { return Vec::new() };
    if listing.count > listed_max {
        return Vec::new();
    }
    budget.count(listing.count);
    // What is listed by is given by nearly all.
    let mut others = sharpest(calls);
    others.sort_by_key(|own| own.jump == seen.jump);
    let batch = |batch: u64| {
        let end = if budget.is_spent() { 0 } else { ((batch + 1) * BATCH).min(listing.count) };
        let others = &others;
        (batch * BATCH..end).filter_map(move |step| {
            let high = listing.first + step * listing.step;
            let x = own | high << known;
            let state = x.wrapping_mul(back.multiplier).wrapping_add(back.increment) & mask(bits);
            let agrees = |seen: &Seen| {
                let x = state.wrapping_mul(seen.jump.multiplier).wrapping_add(seen.jump.increment);
                seen.what.is_true(x & mask(bits))
            };
            others.iter().all(agrees).then_some(state)
        })
    };
    (0..listing.count.div_ceil(BATCH)).into_par_iter().flat_map_iter(batch).collect()
}

/// What is known of the calls, those first that few states give by chance.
fn sharpest(calls: &Calls) -> Vec<Seen> {
    let mut seen = calls.seen.clone();
    seen.sort_by_key(|seen| match seen.what {
        What::Residue { n, .. } => u64::MAX - u64::from(n >> n.trailing_zeros()),
        What::Within(low, high) => (high - low) >> 1,
    });
    seen
}

/// Values of the bits of x above the known ones: `first + step·k`.
#[derive(Clone, Copy)]
struct Listing {
    first: u64,
    step: u64,
    count: u64,
}

impl Listing {
    fn of(seen: &Seen, own: u64, known: u32, bits: u32) -> Listing {
        let total = 1u64.checked_shl(bits - known).unwrap_or(u64::MAX);
        match seen.what {
            What::Within(low, high) => {
                let (first, last) = (low >> known, high >> known);
                Listing { first, step: 1, count: last - first + 1 }
            }
            What::Residue { drop, n, value } => {
                // own >> drop + high·2^(known − drop) ≡ value modulo the odd part of n.
                let odd = u128::from(n >> n.trailing_zeros());
                let times = jump::inverse((1u128 << (known - drop)) % odd.max(2), odd).unwrap_or(0);
                let wanted = u128::from(value) + odd * (1 << 64) - u128::from(own >> drop);
                let first = (wanted % odd * u128::from(times) % odd) as u64;
                Listing { first, step: odd as u64, count: total.saturating_sub(first).div_ceil(odd as u64) }
            }
        }
    }
}
