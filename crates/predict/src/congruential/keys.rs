//! Cards sorted by numbers of a congruential generator: the r-th of 52 is r/53 in the mean, and all of them together point to a point of
//! the lattice, more often than not.

use std::sync::OnceLock;

use crate::budget::Budget;
use crate::candidate::{Candidate, Dealing};
use crate::congruential::jump::Jump;
use crate::deck::{DECK_CARDS, Observation};
use crate::generator::Generator;
use crate::generator::congruential::Congruence;
use crate::lattice::Basis;
use crate::mapping::Mapping;
use crate::model::{Found, Model, ModelAbout, Scope};
use crate::way::{SORTS, inverse};

/// Records that are tried by themselves: of some the nearest point is another one.
const RECORDS: usize = 8;

/// A congruential generator whose numbers are keys.
pub struct SortedByKeys {
    /// What it is called.
    pub name: &'static str,
    /// The generator.
    pub generator: &'static Generator,
    /// How outputs become keys.
    pub mapping: Mapping,
    /// The lattice of 52 keys, and the jumps from the first of them.
    pub lattice: OnceLock<(Basis, Vec<Jump>)>,
}

impl SortedByKeys {
    /// A generator without its lattice, which is made when it is needed.
    pub const fn new(name: &'static str, generator: &'static Generator, mapping: Mapping) -> SortedByKeys {
        SortedByKeys { name, generator, mapping, lattice: OnceLock::new() }
    }

    fn lattice(&self, numbers: &Congruence) -> &(Basis, Vec<Jump>) {
        self.lattice.get_or_init(|| {
            let calls = if matches!(self.mapping, Mapping::FloatOfTwo { .. }) { 2 } else { 1 };
            let step = |jump: &Jump| Some((0..calls).fold(*jump, |jump, _| jump.step(numbers)));
            let jumps: Vec<Jump> = std::iter::successors(Some(Jump::NONE), step).take(DECK_CARDS).collect();
            let multipliers: Vec<u64> = jumps.iter().map(|jump| jump.multiplier).collect();
            (Basis::of_multiples(&multipliers, numbers.modulus), jumps)
        })
    }

    fn of_record(&self, seen: &Observation, dealing: Dealing, record: usize) -> Option<Found> {
        let numbers = self.generator.congruence.as_ref()?;
        let (basis, jumps) = self.lattice(numbers);
        let places = inverse(&dealing.numbers(seen, record)?);
        let modulus = numbers.modulus as i128;
        let target: Vec<i128> = places
            .iter()
            .zip(jumps)
            .map(|(place, jump)| {
                let mean = modulus * (i128::from(*place) + 1) / 53;
                (mean - i128::from(jump.increment)).rem_euclid(modulus)
            })
            .collect();
        let first = basis.near(&target)[0].rem_euclid(modulus) as u64;
        let state = Jump::NONE.step(numbers).back(numbers)?.apply(numbers, first);
        Found::from_record(Candidate::new(dealing, vec![state]), seen, record)
    }
}

impl Model for SortedByKeys {
    fn about(&self) -> ModelAbout {
        let assumed = "Sorted by a number for each card: one whole deck, the nearest point of a lattice of 52 keys, of each of the first eight records.";
        ModelAbout { name: self.name, assumed, generator: Some(self.generator.name) }
    }

    /// Nearly all of it is making the lattice, once.
    fn work(&self, seen: &Observation) -> u64 {
        if seen.has_whole() { 1_000 } else { 0 }
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        for &start in &scope.starts {
            for way in &SORTS[..2] {
                let dealing = Dealing { generator: self.generator, mapping: self.mapping, way: *way, start };
                for record in dealing.first()..RECORDS.min(seen.records.len()) {
                    if budget.is_spent() {
                        return None;
                    }
                    budget.count(1);
                    let found = self.of_record(seen, dealing, record);
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::dealt;
    use crate::congruential::list::KEY_MODELS;
    use crate::start::Start;

    #[test]
    fn sorted_decks_tell_the_state() {
        for model in &KEY_MODELS {
            for way in &SORTS[..2] {
                let dealing = Dealing {
                    generator: model.generator,
                    mapping: model.mapping,
                    way: *way,
                    start: Start::BY_RANKS,
                };
                let dealer = Candidate::new(dealing, vec![20_261_124]);
                let seen = Observation::of_decks(&dealt(&dealer, 1_000, 3, 8));
                let one = (0..8).filter(|record| model.of_record(&seen, dealing, *record).is_some()).count();
                // Measured: 6 to 8 of 8.
                assert!(one >= 4, "{} {way:?}: {one} of 8", model.name);
                let scope = Scope { ways: Vec::new(), starts: vec![Start::BY_RANKS] };
                let found = model.recover(&seen, &scope, &Budget::unlimited());
                let found = found.unwrap_or_else(|| panic!("{} {way:?}", model.name));
                assert_eq!(found.followed.missed, 0, "{} {way:?}", model.name);
            }
        }
    }
}
