//! Recovers glibc's `random()` from `rand() % n`.
//!
//! `r[i] = r[i − 3] + r[i − 31] mod 2^32`, of which bit 0 never comes out. Bits 0 follow a linear recurrence; a bit 1 is the sum of
//! two bits 1 and the carry, a product of two bits 0. A draw of even n shows a bit 1: one equation of degree 2 in the 31 bits 0 of a
//! state, linear in its 31 bits 1. Three decks give 78 of them: the bits 1 are eliminated and the 2^31 values of the
//! bits 0 listed in the order of a Gray code, 47 equations at once in one word (Bouillaguet and others 2010). From 24 decks on every
//! product is an unknown of its own, and elimination does it. Higher bits then follow one by one, linearly, from draws of n
//! divisible by 4, 8, 16 and 32; and three low bits of each word point to the seed, since `srandom` fills the words with
//! `16807·x mod 2^31 − 1`.

mod lifting;
mod listing;
mod quadratic;
pub mod scaled;
mod seeds;
mod sequence;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::additive::lifting::Low;
use crate::additive::quadratic::{Solution, System, TARGETS_MAX};
use crate::budget::Budget;
use crate::candidate::{Candidate, Dealing};
use crate::deck::Observation;
use crate::generator::additive::GLIBC_RANDOM;
use crate::mapping::{Known, Mapping};
use crate::model::{Found, Model, ModelAbout, Scope};
use crate::start::Start;
use crate::way::Way;

/// `rand() % n` of glibc.
pub static GLIBC_MODULO: GlibcModulo = GlibcModulo { is_listed: false };

/// The same from few decks, where 2^31 values must be tried.
pub static GLIBC_MODULO_LISTED: GlibcModulo = GlibcModulo { is_listed: true };

const MODULO: Mapping = Mapping::Modulo { drop: 0 };

/// How glibc's `random()` is looked for.
pub struct GlibcModulo {
    /// Whether the bits 0 are listed, which takes seconds, or products taken for unknowns, which takes two dozen decks.
    is_listed: bool,
}

/// Equations beyond which listing rarely leaves a second solution.
const EQUATIONS_LISTED: usize = 76;

/// Equations beyond which elimination rarely leaves a product undecided.
const EQUATIONS_LINEAR: usize = 620;

/// Records that show as many; below them there is nothing to do.
const RECORDS_LISTED_MIN: usize = 3;

/// The same for elimination.
const RECORDS_LINEAR_MIN: usize = 24;

/// What listing costs, in microseconds.
const LISTING_WORK: u64 = 5_000_000;

/// What elimination costs.
const ELIMINATION_WORK: u64 = 5_000;

/// Records that are used for listing where there are more: they decide four bits of each word, which point to the seed better
/// than three.
const RECORDS_LISTED: usize = 7;

/// What a draw of even n shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct LowBits {
    /// The call, the first being 0.
    call: usize,
    /// Bits of the output that are known, from the lowest on.
    bits: u32,
    /// Their value.
    value: u32,
}

/// One way and start: what the first records show, as many as are needed.
struct Target {
    dealing: Dealing,
    /// Each with its record, its call counted in that.
    shown: Vec<(usize, LowBits)>,
    /// Calls of a record.
    calls: usize,
    used: usize,
}

impl Target {
    /// With so many calls between records.
    fn shown(&self, gap: usize) -> Vec<LowBits> {
        let place = |(record, own): &(usize, LowBits)| LowBits {
            call: own.call + record * (self.calls + gap),
            ..*own
        };
        self.shown.iter().map(place).collect()
    }

    /// Whether draws of equal ranges are known of both.
    fn has_ranges_of(&self, other: &Target) -> bool {
        let places = |own: &Target| {
            own.shown.iter().map(|(record, low)| (*record, low.call, low.bits)).collect::<Vec<_>>()
        };
        self.calls == other.calls && places(self) == places(other)
    }
}

impl GlibcModulo {
    fn equations(&self) -> usize {
        if self.is_listed { EQUATIONS_LISTED } else { EQUATIONS_LINEAR }
    }

    fn target(&self, seen: &Observation, (way, start): (Way, Start)) -> Option<Target> {
        let dealing = Dealing { generator: &GLIBC_RANDOM, mapping: MODULO, way, start };
        let mut target = Target { dealing, shown: Vec::new(), calls: 0, used: 0 };
        let first = dealing.first();
        for number in first..seen.records.len() {
            let known = dealing.known(seen, number)?;
            target.calls = known.len();
            for (call, known) in known.into_iter().enumerate() {
                if let Known::Residue { modulus, value, .. } = known {
                    let bits = modulus.trailing_zeros();
                    target
                        .shown
                        .push((number - first, LowBits { call, bits, value: value & ((1 << bits) - 1) }));
                }
            }
            target.used = number + 1 - first;
            let is_enough = target.shown.iter().filter(|(_, low)| low.bits > 0).count() >= self.equations();
            // The last record is left to be predicted.
            let is_all = !self.is_listed || target.used >= RECORDS_LISTED || number + 2 >= seen.records.len();
            if is_enough && is_all {
                return Some(target);
            }
        }
        None
    }

    /// Targets that one system serves, in the order of their first ones.
    fn groups(&self, seen: &Observation, scope: &Scope) -> Vec<Vec<Target>> {
        let mut groups: Vec<Vec<Target>> = Vec::new();
        for target in scope.pairs().filter_map(|pair| self.target(seen, pair)) {
            let is_open = |own: &&mut Vec<Target>| own.len() < TARGETS_MAX && own[0].has_ranges_of(&target);
            match groups.iter_mut().find(is_open) {
                Some(group) => group.push(target),
                None => groups.push(vec![target]),
            }
        }
        groups
    }

    fn of_group(&self, seen: &Observation, targets: &[Target], gap: usize, budget: &Budget) -> Option<Found> {
        budget.count(targets.len() as u64);
        let shown: Vec<Vec<LowBits>> = targets.iter().map(|own| own.shown(gap)).collect();
        let system = System::of(&shown);
        let solutions = if self.is_listed { listing::solutions(&system, budget) } else { system.solutions() };
        solutions.into_iter().find_map(|Solution { target, zeros, ones }| {
            let low = Low::lifted(zeros, ones, &shown[target])?;
            let seed = seeds::seed(&low, budget)?;
            let Target { dealing, used, .. } = targets[target];
            let candidate = Candidate { dealing, state: seed.state(), seed: Some(seed.into()) };
            Found::if_recovered(candidate, seen, dealing.first(), used)
        })
    }
}

impl Model for GlibcModulo {
    fn about(&self) -> ModelAbout {
        let (name, assumed) = if self.is_listed {
            (
                "glibc rand() % n, few decks",
                "Seeded by srand or srandom at most 100,000 calls before; 3 decks; every value of 31 bits is tried.",
            )
        } else {
            (
                "glibc rand() % n",
                "Seeded by srand or srandom at most 100,000 calls before; 24 decks; products of bits are taken for unknowns.",
            )
        };
        ModelAbout { name, assumed, generator: Some(GLIBC_RANDOM.name) }
    }

    fn is_quick(&self) -> bool {
        !self.is_listed
    }

    fn work(&self, seen: &Observation) -> u64 {
        match (self.is_listed, seen.records.len()) {
            (true, 0..RECORDS_LISTED_MIN) | (false, 0..RECORDS_LINEAR_MIN) => 0,
            (true, _) => LISTING_WORK,
            (false, _) => ELIMINATION_WORK * u64::from(seen.gap.calls_max + 1),
        }
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        // Listing every number of calls between decks would take minutes.
        let gaps = if self.is_listed { 0 } else { seen.gap.calls_max as usize };
        let groups = self.groups(seen, scope);
        (0..=gaps).into_par_iter().find_map_first(|gap| {
            let mut groups = groups.iter().take_while(|_| !budget.is_spent());
            groups.find_map(|targets| self.of_group(seen, targets, gap, budget))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::dealt;
    use crate::seeding::SRANDOM;
    use crate::way::WAYS;

    fn observation(way: Way, seed: u64, decks: usize, gap: u64) -> Observation {
        let dealing = Dealing { generator: &GLIBC_RANDOM, mapping: MODULO, way, start: Start::BY_RANKS };
        let dealer = Candidate::new(dealing, (SRANDOM.state)(seed));
        Observation::of_decks(&dealt(&dealer, 777, gap, decks))
    }

    fn check(model: &GlibcModulo, way: Way, seed: u64, decks: usize, gap: u64) {
        let seen = observation(way, seed, decks, gap);
        let scope = Scope { ways: vec![way], starts: vec![Start::BY_RANKS] };
        let found = model.recover(&seen, &scope, &Budget::unlimited());
        let Found { candidate, followed, .. } = found.unwrap_or_else(|| panic!("seed {seed} {way:?}"));
        assert_eq!((followed.records, followed.missed), (decks as u64, 0));
        assert_eq!(candidate.seed.map(|seed| (seed.seed, seed.calls)), Some((seed, 777)));
    }

    #[test]
    fn two_dozen_decks_tell_the_seed_by_elimination() {
        WAYS.into_iter().zip([1, 42, 4_000_000_000, 2_147_483_646].into_iter().cycle()).for_each(
            |(way, seed)| {
                check(&GLIBC_MODULO, way, seed, 28, 0);
            },
        );
        check(&GLIBC_MODULO, WAYS[0], 12_345, 28, 2);
    }

    #[test]
    fn three_decks_tell_the_seed_by_listing() {
        check(&GLIBC_MODULO_LISTED, WAYS[0], 987_654_321, 4, 0);
    }
}
