//! Leading bits that are drawn again while they are too large: the calls that were rejected leave no trace, but of some records none is
//! among the draws of the widest ranges. Their draws tell six bits each, and point to one point of a lattice.

use std::sync::OnceLock;

use crate::budget::Budget;
use crate::candidate::{Candidate, Dealing};
use crate::congruential::jump::Jump;
use crate::deck::{DRAWS, Observation};
use crate::generator::Generator;
use crate::generator::congruential::Congruence;
use crate::lattice::Basis;
use crate::mapping::Mapping;
use crate::model::{Found, Model, ModelAbout, Scope};
use crate::start::Start;
use crate::way::Way;

/// Leading bits that a draw of 33 to 52 tells.
const BITS: u32 = 6;

/// Bits beyond those of the state: with fewer the nearest point is another one too often, with more a call is rejected too often.
const SURPLUS_BITS: u32 = 5;

/// Records that are tried: of 64 bits one in 39 has no rejected call between 12 draws, of 48 bits one in 11 between 9.
const RECORDS: usize = 512;

/// Calls rejected before the draws that are used, where ranges rise: 16 in the mean.
const REJECTED_MAX: usize = 64;

/// Both ways of counting the bits of a range; they differ at powers of two.
const MAPPINGS: [Mapping; 2] = [Mapping::TopBitsMasked, Mapping::TopBits];

/// A congruential generator whose leading bits are draws.
pub struct Redrawn {
    /// What it is called.
    pub name: &'static str,
    /// The generator, of a modulus that is a power of two.
    pub generator: &'static Generator,
    /// The lattice of its draws, and the jumps from the first of them.
    pub lattice: OnceLock<(Basis, Vec<Jump>)>,
}

impl Redrawn {
    /// A generator without its lattice, which is made when it is needed.
    pub const fn new(name: &'static str, generator: &'static Generator) -> Redrawn {
        Redrawn { name, generator, lattice: OnceLock::new() }
    }

    fn lattice(&self, numbers: &Congruence) -> &(Basis, Vec<Jump>) {
        self.lattice.get_or_init(|| {
            let draws = (self.generator.bits() + SURPLUS_BITS).div_ceil(BITS) as usize;
            let step = |jump: &Jump| Some(jump.step(numbers));
            let jumps: Vec<Jump> = std::iter::successors(Some(Jump::NONE), step).take(draws).collect();
            let multipliers: Vec<u64> = jumps.iter().map(|jump| jump.multiplier).collect();
            (Basis::of_multiples(&multipliers, numbers.modulus), jumps)
        })
    }

    fn of_record(&self, seen: &Observation, (way, start): (Way, Start), record: usize) -> Option<Found> {
        let numbers = self.generator.congruence.as_ref()?;
        let (basis, jumps) = self.lattice(numbers);
        let dealing = |mapping| Dealing { generator: self.generator, mapping, way, start };
        let draws = dealing(MAPPINGS[0]).known_draws(seen, record)?;
        // Ranges fall from 52 or rise to it.
        let place = if way.ranges()[0] == 2 { DRAWS - jumps.len() } else { 0 };
        let low_bits = self.generator.bits() - BITS;
        let used = draws[place..place + jumps.len()].iter().copied().collect::<Option<Vec<u8>>>()?;
        let least = used.iter().map(|draw| i128::from(*draw) << low_bits);
        let target: Vec<i128> = (least.zip(jumps))
            .map(|(least, jump)| least + (1 << (low_bits - 1)) - i128::from(jump.increment))
            .collect();
        let modulus = numbers.modulus as i128;
        let first = basis.near(&target)[0].rem_euclid(modulus) as u64;
        let agrees = |(draw, jump): (&u8, &Jump)| jump.apply(numbers, first) >> low_bits == u64::from(*draw);
        if !used.iter().zip(jumps).all(agrees) {
            return None;
        }
        let back = Jump::NONE.step(numbers).back(numbers)?;
        let before = std::iter::successors(Some(first), |state| Some(back.apply(numbers, *state)));
        let rejected_max = if place == 0 { 0 } else { REJECTED_MAX };
        before.skip(place + 1).take(rejected_max + 1).find_map(|state| {
            MAPPINGS.into_iter().find_map(|mapping| {
                Found::from_record(Candidate::new(dealing(mapping), vec![state]), seen, record)
            })
        })
    }
}

impl Model for Redrawn {
    fn about(&self) -> ModelAbout {
        let assumed = "As many leading bits as the range has, drawn again while they are too large: the nearest point of a lattice, of each of \
                       the first 512 records in which no call is rejected between the 9 or 12 draws of the widest ranges.";
        ModelAbout { name: self.name, assumed, generator: Some(self.generator.name) }
    }

    fn work(&self, seen: &Observation) -> u64 {
        3 * seen.records.len().min(RECORDS) as u64
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        scope.pairs().take_while(|_| !budget.is_spent()).find_map(|pair| {
            budget.count(1);
            (0..seen.records.len().min(RECORDS)).find_map(|record| self.of_record(seen, pair, record))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congruential::list::REDRAWN_MODELS;
    use crate::deck::{DECK_CARDS, Deck};
    use crate::follow::Followed;
    use crate::way::{Loop, WAYS};

    type Bits = fn(u64) -> u32;

    /// Decks of a program of its own, with the calls that were rejected before each draw: as many leading bits as `bits` says of a range,
    /// drawn again while they are too large.
    fn decks(generator: &Generator, way: Way, bits: Bits, count: usize) -> Vec<(Deck, Vec<u32>)> {
        let numbers = generator.congruence.expect("a congruential generator");
        let mut x = 20_261_130u128;
        let mut draw = |n: u64, rejected: &mut Vec<u32>| {
            rejected.push(0);
            loop {
                x = (u128::from(numbers.multiplier) * x + u128::from(numbers.increment)) % numbers.modulus;
                let value = (x / (numbers.modulus >> bits(n))) as usize;
                if value < n as usize {
                    return value;
                }
                *rejected.last_mut().expect("one a draw") += 1;
            }
        };
        let mut deck = || {
            let (mut deck, mut rejected): (Deck, _) = (std::array::from_fn(|place| place as u8), Vec::new());
            let mut swap = |i: usize| deck.swap(i, draw(i as u64 + 1, &mut rejected));
            match way.of {
                Loop::Down => (1..DECK_CARDS).rev().for_each(&mut swap),
                _ => (1..DECK_CARDS).for_each(&mut swap),
            }
            (deck, rejected)
        };
        (0..count).map(|_| deck()).collect()
    }

    #[test]
    fn a_record_without_rejected_calls_tells_the_state() {
        let masked: Bits = |n| u64::BITS - (n - 1).leading_zeros();
        let length: Bits = |n| u64::BITS - n.leading_zeros();
        for model in &REDRAWN_MODELS {
            for (way, bits) in [(WAYS[0], masked), (WAYS[0], length), (WAYS[2], masked), (WAYS[2], length)] {
                let (dealt, rejected): (Vec<Deck>, Vec<Vec<u32>>) =
                    decks(model.generator, way, bits, RECORDS).into_iter().unzip();
                let seen = Observation::of_decks(&dealt);
                let draws = (model.generator.bits() + SURPLUS_BITS).div_ceil(BITS) as usize;
                let first = if way.of == Loop::Down { 0 } else { DRAWS - draws };
                // Calls before the first of these draws are passed over; of some the nearest point is another one.
                let is_clean =
                    |rejected: &[u32]| rejected[first + 1..first + draws].iter().all(|calls| *calls == 0);
                let clean: Vec<usize> = (0..RECORDS).filter(|record| is_clean(&rejected[*record])).collect();
                let tells =
                    |record: &usize| model.of_record(&seen, (way, Start::BY_RANKS), *record).is_some();
                let telling: Vec<usize> = (0..RECORDS).filter(tells).collect();
                assert!(telling.iter().all(|record| clean.contains(record)), "{} {way:?}", model.name);
                assert!(
                    telling.len() * 10 >= clean.len() * 9,
                    "{} {way:?}: {} of {}",
                    model.name,
                    telling.len(),
                    clean.len()
                );
                let scope = |way| Scope { ways: vec![way], starts: vec![Start::BY_RANKS] };
                let found = model.recover(&seen, &scope(way), &Budget::unlimited());
                let Followed { missed, records, runs, .. } =
                    found.unwrap_or_else(|| panic!("{} {way:?}", model.name)).followed;
                // Each record behind the first that tells the state follows without a call between.
                assert_eq!((missed, records), (0, RECORDS as u64 - runs[0].first), "{} {way:?}", model.name);
                assert_eq!((runs.len(), runs[0].first), (1, telling[0] as u64), "{} {way:?}", model.name);
                assert_eq!(model.recover(&seen, &scope(WAYS[3]), &Budget::unlimited()), None);
            }
        }
    }
}
