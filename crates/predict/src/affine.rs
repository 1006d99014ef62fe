//! .NET's `Random`: each of its numbers is a multiple of the seed and a constant, modulo 2^31 − 1, however many calls lie between.
//!
//! Seeding and steps are differences, so that number i is `aᵢ·seed + bᵢ mod 2^31 − 1`: for every number of calls before, eight
//! draws point to one seed as draws of a congruential generator do (`lattice`). Two of the seeding's differences overflow 32 bits for
//! large seeds, which adds a known multiple: four cases. Every seed that comes out is seeded in full and followed.

mod table;

use std::collections::BTreeMap;

use multiversion::multiversion;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::affine::table::{CASES, Number, PRIME, numbers};
use crate::budget::Budget;
use crate::candidate::{Candidate, Dealing, Seed};
use crate::congruential::jump::inverse;
use crate::deck::Observation;
use crate::generator::programs::DOTNET;
use crate::lattice::{Basis, Planes};
use crate::mapping::Mapping;
use crate::model::{Found, Model, ModelAbout, Scope};
use crate::seeding::programs::DOTNET_SEED;
use crate::start::Start;
use crate::way::{SORTS, Way};

/// Calls between the seed and the first record that an audit tries.
const CALLS_AUDIT: usize = 1_100;

/// The same with more time.
const CALLS_MAX: usize = 10_000;

/// Records that are tried by themselves: a first one may be a practice deck, or have a seed of its own.
const RECORDS: usize = 2;

/// The same of sorted cards: the nearest point of every third or so is another one.
const RECORDS_SORTED: usize = 8;

/// Draws that point to the seed, those of the largest ranges: about 43 bits where 31 are wanted.
const DRAWS_USED: usize = 8;

/// Keys that do: each is known within a quarter.
const KEYS_USED: usize = 16;

/// `Next(n)`, `Next()` and `NextDouble()` all scale or give the whole number.
const MAPPING: Mapping = Mapping::Float { bits: 31 };

/// How .NET's generator is looked for.
pub struct Affine {
    /// Whether cards are sorted by its numbers.
    is_sorted: bool,
}

/// `Next(n)`.
pub static DOTNET_DRAWS: Affine = Affine { is_sorted: false };

/// `OrderBy(card => random.Next())`.
pub static DOTNET_KEYS: Affine = Affine { is_sorted: true };

/// One way and start with one record.
struct Target {
    dealing: Dealing,
    record: usize,
    /// Call after the first, and the fraction of the range that its number lies in.
    known: Vec<(usize, f64, f64)>,
    /// Places in `known` of those that the lattice uses.
    used: Vec<usize>,
    /// The middles of their ranges.
    middles: Vec<i64>,
    /// The calls of `known`, the least number first.
    order: Vec<usize>,
}

impl Target {
    fn new(seen: &Observation, record: usize, (way, start): (Way, Start)) -> Option<Target> {
        let dealing = Dealing { generator: &DOTNET, mapping: MAPPING, way, start };
        let (known, count) = if way.is_sort() {
            (of_keys(&dealing, seen, record)?, KEYS_USED)
        } else {
            (of_draws(&dealing, seen, record)?, DRAWS_USED)
        };
        let mut used: Vec<usize> = (0..known.len()).collect();
        if !way.is_sort() {
            used.sort_by(|&a, &b| (known[a].2 - known[a].1).total_cmp(&(known[b].2 - known[b].1)));
        }
        used.truncate(count);
        used.sort_unstable();
        let middle = |&at: &usize| ((known[at].1 + known[at].2) / 2.0 * PRIME as f64) as i64;
        let middles = used.iter().map(middle).collect();
        let mut order: Vec<(f64, usize)> = known.iter().map(|(call, low, _)| (*low, *call)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let order = order.into_iter().map(|(_, call)| call).collect();
        (used.len() == count).then_some(Target { dealing, record, known, used, middles, order })
    }

    fn calls(&self) -> Vec<usize> {
        self.used.iter().map(|&at| self.known[at].0).collect()
    }

    /// Whether a seed gives every draw, or the order of the keys.
    fn agrees(&self, seed: u64, case: usize, numbers: &[Number]) -> bool {
        if self.dealing.way.is_sort() {
            let keys = |at: usize| numbers[self.order[at]].value(seed, case);
            return (1..self.order.len()).all(|at| keys(at - 1) <= keys(at));
        }
        self.known.iter().all(|(call, low, high)| {
            let fraction = numbers[*call].value(seed, case) as f64 / PRIME as f64;
            (low - SLACK..=high + SLACK).contains(&fraction)
        })
    }
}

/// Fractions are rounded.
const SLACK: f64 = 1e-8;

fn of_draws(dealing: &Dealing, seen: &Observation, record: usize) -> Option<Vec<(usize, f64, f64)>> {
    let draws = dealing.known_draws(seen, record)?;
    let each = dealing.way.ranges().into_iter().zip(draws).enumerate();
    Some(
        each.filter_map(|(call, (n, draw))| {
            let [low, high] = [draw?, draw? + 1].map(|end| f64::from(end) / f64::from(n));
            Some((call, low, high))
        })
        .collect(),
    )
}

/// The r-th of 52 numbers is r/53 in the mean.
fn of_keys(dealing: &Dealing, seen: &Observation, record: usize) -> Option<Vec<(usize, f64, f64)>> {
    let deck = dealing.numbers(seen, record)?;
    let mut known: Vec<(usize, f64, f64)> = (1..)
        .zip(deck)
        .map(|(rank, card)| (usize::from(card), f64::from(rank) / 53.0, f64::from(rank) / 53.0))
        .collect();
    known.sort_by_key(|(call, ..)| *call);
    Some(known)
}

impl Affine {
    fn targets(&self, seen: &Observation, scope: &Scope) -> BTreeMap<Vec<usize>, Vec<Target>> {
        let sorts = Scope { ways: SORTS[..2].to_vec(), starts: scope.starts.clone() };
        let scope = if self.is_sorted { &sorts } else { scope };
        let mut groups: BTreeMap<Vec<usize>, Vec<Target>> = BTreeMap::new();
        for pair in scope.pairs() {
            let records = if self.is_sorted { RECORDS_SORTED } else { RECORDS };
            for record in 0..records.min(seen.records.len()) {
                if let Some(target) = Target::new(seen, record, pair) {
                    groups.entry(target.calls()).or_default().push(target);
                }
            }
        }
        groups
    }
}

/// Seeds with so many calls before, that may have dealt one of these.
fn of_calls(
    calls: &[usize],
    targets: &[Target],
    numbers: &[Number],
    seen: &Observation,
    before: usize,
) -> Option<Found> {
    let first = numbers[calls[0]].slope;
    let back = inverse(u128::from(first), u128::from(PRIME))?;
    let multipliers: Vec<u64> = calls.iter().map(|&call| numbers[call].slope * back % PRIME).collect();
    let planes = Planes::of(Basis::of_multiples(&multipliers, u128::from(PRIME)));
    targets.chunks(BESIDE).find_map(|targets| {
        let points = points(&planes, calls, targets, numbers);
        targets.iter().zip(points.chunks(CASES)).find_map(|(target, points)| {
            points.iter().enumerate().find_map(|(case, point)| {
                let seed = (*point as i64).rem_euclid(PRIME as i64) as u64 * back % PRIME;
                target.agrees(seed, case, numbers).then(|| confirmed(target, seed, before, seen)).flatten()
            })
        })
    })
}

/// Targets whose nearest points are found side by side.
const BESIDE: usize = 4;
const LANES: usize = BESIDE * CASES;

/// The first coordinate of the point near every target in every case.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn points(planes: &Planes, calls: &[usize], targets: &[Target], numbers: &[Number]) -> [f64; LANES] {
    let mut wanted = vec![[0.0; LANES]; calls.len()];
    for (number, target) in targets.iter().enumerate() {
        for (at, &call) in calls.iter().enumerate() {
            for case in 0..CASES {
                let off = target.middles[at] - numbers[call].constant(case) as i64;
                wanted[at][number * CASES + case] = if off < 0 { off + PRIME as i64 } else { off } as f64;
            }
        }
    }
    planes.near_first(wanted)
}

fn confirmed(target: &Target, seed: u64, calls: usize, seen: &Observation) -> Option<Found> {
    let mut state = (DOTNET_SEED.state)(seed);
    (0..calls).for_each(|_| _ = (DOTNET.next)(&mut state));
    let own = Seed { seeding: DOTNET_SEED.name, seed, calls: calls as u64 };
    let candidate = Candidate { dealing: target.dealing, state, seed: Some(own) };
    Found::from_record(candidate, seen, target.record)
}

impl Model for Affine {
    fn about(&self) -> ModelAbout {
        let (name, assumed) = if self.is_sorted {
            (
                ".NET Random, sorted by keys",
                "OrderBy with Next() or NextDouble() of a Random at most 10,000 calls (in an audit 1,100) before one of the first eight whole \
                 decks; the seeded generator of .NET, all of .NET Framework and Mono",
            )
        } else {
            (
                ".NET Random",
                "Next(n) of a Random at most 10,000 calls (in an audit 1,100) before one of the first two records; the seeded generator \
                 of .NET, all of .NET Framework and Mono",
            )
        };
        ModelAbout { name, assumed, generator: Some(DOTNET.name) }
    }

    fn work(&self, seen: &Observation) -> u64 {
        let each = match (self.is_sorted, seen.has_whole()) {
            (false, _) => 8_000,
            (true, true) => 100_000,
            (true, false) => 0,
        };
        if seen.gap.calls_max == 0 { each } else { each * (CALLS_MAX / CALLS_AUDIT) as u64 }
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        let calls_max = if seen.gap.calls_max == 0 { CALLS_AUDIT } else { CALLS_MAX };
        let groups = self.targets(seen, scope);
        let all = numbers(calls_max);
        (0..calls_max).into_par_iter().find_map_first(|before| {
            if budget.is_spent() {
                return None;
            }
            let mut groups = groups.iter();
            groups.find_map(|(calls, targets)| {
                budget.count((targets.len() * CASES) as u64);
                of_calls(calls, targets, &all[before..], seen, before)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::dealt;
    use crate::way::WAYS;

    fn check(model: &Affine, way: Way, seed: u64, calls: u64) {
        let dealing = Dealing { generator: &DOTNET, mapping: MAPPING, way, start: Start::BY_RANKS };
        let dealer = Candidate::new(dealing, (DOTNET_SEED.state)(seed));
        let mut seen = Observation::of_decks(&dealt(&dealer, calls, 2, 3));
        seen.gap.calls_max = 0;
        let scope = Scope { ways: vec![way], starts: vec![Start::BY_RANKS] };
        let found = model.recover(&seen, &scope, &Budget::unlimited());
        let found = found.unwrap_or_else(|| panic!("{way:?} seed {seed}"));
        let own = found.candidate.seed.map(|own| (own.seed, own.calls));
        // Of decks of keys a later one may be the first that is found.
        let is_own = |(own, before): (u64, u64)| {
            own == seed && (before == calls || model.is_sorted && (before - calls).is_multiple_of(54))
        };
        assert!(own.is_some_and(is_own), "{own:?}");
        assert_eq!(found.followed.missed, 0);
    }

    /// Small seeds, and large ones with each of the four cases of overflow.
    #[test]
    fn one_deck_tells_the_seed_and_the_calls() {
        let seeds = [1, 29_000_000, 1_700_000_123, 2_000_000_000, 900_000_000, 2_147_483_000, 400_000_000];
        for (way, seed) in WAYS.into_iter().zip(seeds.into_iter().cycle()) {
            check(&DOTNET_DRAWS, way, seed, seed % 37);
        }
        check(&DOTNET_DRAWS, WAYS[1], 77_777_777, 999);
    }

    #[test]
    fn sorted_cards_tell_the_seed_too() {
        check(&DOTNET_KEYS, SORTS[0], 29_000_000, 11);
        check(&DOTNET_KEYS, SORTS[1], 1_700_000_123, 7);
    }
}
