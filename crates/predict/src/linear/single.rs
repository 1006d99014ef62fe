//! Small linear generators: the draws of one record, or of a few with a constant number of calls between, fix the state.

use std::sync::OnceLock;

use crate::budget::Budget;
use crate::candidate::{Candidate, Dealing, Tape, Wanted};
use crate::deck::Observation;
use crate::linear::dealer::LinearDealer;
use crate::linear::equations::{Parity, parities};
use crate::linear::outputs::Outputs;
use crate::linear::system::System;
use crate::mapping::Known;
use crate::model::{Found, Model, ModelAbout, Scope};

/// Unknown bits that are tried one choice after another.
const FREE_MAX: usize = 12;

/// Records that are put together at most.
const RECORDS_MAX: usize = 16;

/// Calls between two of them at most.
const CALLS_MAX: usize = 64;

/// A linear generator of up to 64·W bits.
pub struct Linear<const W: usize> {
    /// What it is.
    pub dealer: LinearDealer,
    /// What one way and one start cost, as [`Model::work`] has it.
    pub work: u64,
    /// Its outputs, computed once: they are the same for all records.
    pub outputs: OnceLock<Outputs<W>>,
}

/// What is known of the calls of one record: parities by call, and how many calls it takes.
struct Calls {
    parities: Vec<(usize, Parity)>,
    count: usize,
}

impl Calls {
    fn new(known: &[Known]) -> Calls {
        let of_call =
            |(call, known): (usize, &Known)| parities(*known).into_iter().map(move |own| (call, own));
        Calls { parities: known.iter().enumerate().flat_map(of_call).collect(), count: known.len() }
    }
}

impl<const W: usize> Model for Linear<W> {
    fn about(&self) -> ModelAbout {
        self.dealer.about()
    }

    fn is_quick(&self) -> bool {
        !self.dealer.is_in_turn()
    }

    fn work(&self, _: &Observation) -> u64 {
        self.work
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        let outputs = self.outputs.get_or_init(|| self.dealer.outputs(RECORDS_MAX, CALLS_MAX));
        self.dealer.mappings.iter().find_map(|&mapping| {
            scope.pairs().find_map(|(way, start)| {
                (!budget.is_spent()).then_some(())?;
                let dealing = Dealing { generator: self.dealer.generator, mapping, way, start };
                self.with(outputs, seen, dealing, budget)
            })
        })
    }
}

impl<const W: usize> Linear<W> {
    fn with(
        &self,
        outputs: &Outputs<W>,
        seen: &Observation,
        dealing: Dealing,
        budget: &Budget,
    ) -> Option<Found> {
        let first = dealing.first();
        let calls = self.calls(seen, &dealing, first)?;
        let wanted = |number: usize| {
            let before = number.checked_sub(1).map(|before| &seen.records[before]);
            Wanted::new(&dealing, &seen.records[number], before)
        };
        let fitted = (first..first + calls.len()).map(wanted).collect::<Option<Vec<Wanted>>>()?;
        let mut system = System::new(outputs.unknowns());
        // Alignments are alike for records within one cache: what is missed later tells them apart.
        let mut best: Option<Found> = None;
        // Where one record nearly closes, the next one is a better try than every number of calls between two.
        let is_enough = calls[0].parities.len() >= outputs.unknowns();
        let gaps = if is_enough { 0 } else { CALLS_MAX.min(seen.gap.calls_max as usize) };
        for gap in 0..=gaps {
            let mut more = false;
            for left in 1..=self.dealer.lefts() {
                if budget.is_spent() {
                    return best;
                }
                budget.count(1);
                let (used, states) = self.solved(outputs, &mut system, &calls, gap, left);
                more |= used > 1;
                for state in states {
                    // Most are wrong. The records of the fit tell it, at the places that it took for granted: to follow one to its
                    // end takes as long as thousands of systems.
                    let mut tape = Tape::new(dealing.generator, &state);
                    let is_dealt = fitted[..used].iter().try_fold(0, |place, own| {
                        Some(own.dealt_from(&dealing, &mut tape, place)? + gap as u64)
                    });
                    if is_dealt.is_none() {
                        continue;
                    }
                    budget.count(1);
                    let candidate = Candidate::new(dealing, state);
                    best = Found::if_recovered(candidate, seen, first, used)
                        .into_iter()
                        .chain(best)
                        .min_by(Found::compare);
                }
            }
            // Calls between records do not matter where the first record fixes the state or contradicts itself.
            if !more || best.is_some() {
                break;
            }
        }
        best
    }

    /// Of the first records, as long as all of them tell anything.
    fn calls(&self, seen: &Observation, dealing: &Dealing, first: usize) -> Option<Vec<Calls>> {
        let mut calls = Vec::new();
        for number in first..seen.records.len().min(first + RECORDS_MAX) {
            let own = Calls::new(&dealing.known(seen, number)?);
            if own.parities.is_empty() {
                break;
            }
            calls.push(own);
        }
        (!calls.is_empty()).then_some(calls)
    }

    /// States before the first call, by equations of as few records as close, and how many records were looked at.
    fn solved(
        &self,
        outputs: &Outputs<W>,
        system: &mut System<W>,
        calls: &[Calls],
        gap: usize,
        left: usize,
    ) -> (usize, Vec<Vec<u64>>) {
        system.clear();
        let mut place = 0;
        for (number, own) in calls.iter().enumerate() {
            for (call, parity) in &own.parities {
                let step = self.dealer.step(place + call, left);
                if step >= outputs.steps() || system.add(outputs.row(step, *parity)).is_err() {
                    return (number + 1, Vec::new());
                }
            }
            place += own.count + gap;
            if system.free() <= FREE_MAX {
                let solutions = system.solutions(FREE_MAX).into_iter();
                let states = solutions.filter(|bits| bits.iter().any(|&word| word != 0));
                return (number + 1, states.map(|bits| self.dealer.state(outputs, &bits, left)).collect());
            }
        }
        (calls.len() + 1, Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::MODELS;
    use crate::deck::{Gap, Record};
    use crate::start::Start;
    use crate::way::WAYS;

    /// Hands of two seats that end on third street: six cards, of which many states deal the first ones.
    #[test]
    fn a_state_that_does_not_deal_what_it_was_fitted_to_is_not_followed() {
        let mut dice = 0x9e37_79b9_7f4a_7c15u64;
        let mut hand = |_| {
            let mut cards = [0; 6];
            for place in 0..cards.len() {
                cards[place] = loop {
                    dice =
                        dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let card = ((dice >> 33) % 52) as u8;
                    if !cards[..place].contains(&card) {
                        break card;
                    }
                };
            }
            Record::of_first_cards(&cards.map(Some)).expect("six cards")
        };
        let gap = Gap { calls_max: 0, ..Gap::default() };
        let seen = Observation { records: (0..64).map(&mut hand).collect(), gap };
        let model = MODELS.iter().find(|model| model.name() == "V8 Math.random").expect("it is there");
        let ways = WAYS.into_iter().filter(|way| way.shows_first_draws()).collect();
        let scope = Scope { ways, starts: vec![Start::BY_RANKS] };
        let budget = Budget::unlimited();
        for first in 0..8 {
            assert_eq!(model.recover(&seen.window(first..64), &scope, &budget), None);
        }
        // Eight beginnings, three ways, a system for each number that may be left of the cache of 64. Any of 2^128 states deals
        // four such hands, (46!/52!)^4 = 2^-135.1, for one of 130 systems.
        let systems = 8 * 3 * 64;
        assert!((systems..=systems + 50).contains(&budget.counted()), "{}", budget.counted());
    }
}
