//! Small linear generators: the draws of one record, or of a few with a constant number of calls between, fix the state.

use crate::budget::Budget;
use crate::candidate::{Candidate, Dealing};
use crate::deck::Observation;
use crate::generator::Generator;
use crate::linear::cache;
use crate::linear::equations::{Parity, parities};
use crate::linear::outputs::Outputs;
use crate::linear::system::System;
use crate::mapping::{Known, Mapping};
use crate::model::{Found, Model, Scope};
use crate::start::Start;

/// Unknown bits that are tried one choice after another.
const FREE_MAX: usize = 12;

/// Records that are put together at most.
const RECORDS_MAX: usize = 16;

/// A linear generator of up to 64·W bits.
pub struct Linear<const W: usize> {
    /// What it is called.
    pub name: &'static str,
    /// What it takes for granted.
    pub assumed: &'static str,
    /// The generator whose outputs are linear.
    pub linear: &'static Generator,
    /// The generator that deals.
    pub dealing: &'static Generator,
    /// How outputs become draws.
    pub mappings: &'static [Mapping],
    /// Whether outputs are handed out 64 at a time from the last to the first.
    pub is_cached: bool,
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
    fn name(&self) -> &'static str {
        self.name
    }

    fn assumed(&self) -> &'static str {
        self.assumed
    }

    fn is_quick(&self) -> bool {
        true
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        let outputs = Outputs::new(self.linear, self.steps(seen));
        self.mappings.iter().find_map(|&mapping| {
            scope.pairs().find_map(|(way, start)| {
                (!budget.is_spent()).then_some(())?;
                self.with(&outputs, seen, Dealing { generator: self.dealing, mapping, way, start }, budget)
            })
        })
    }
}

impl<const W: usize> Linear<W> {
    /// Steps that the records that may be put together take.
    fn steps(&self, seen: &Observation) -> usize {
        let records = RECORDS_MAX.min(seen.records.len());
        records * (102 + seen.gap.calls_max as usize) + 2 * cache::SIZE
    }

    fn with(
        &self,
        outputs: &Outputs<W>,
        seen: &Observation,
        dealing: Dealing,
        budget: &Budget,
    ) -> Option<Found> {
        let first = usize::from(dealing.start == Start::Previous);
        let calls = self.calls(seen, &dealing, first)?;
        let mut system = System::new(outputs.unknowns());
        let lefts = if self.is_cached { cache::SIZE } else { 1 };
        // Alignments are alike for records within one cache: what is missed later tells them apart.
        let mut best: Option<Found> = None;
        // Where one record nearly closes, the next one is a better try than every number of calls between two.
        let is_enough = calls[0].parities.len() >= outputs.unknowns();
        let gaps = if is_enough { 0 } else { seen.gap.calls_max as usize };
        for gap in 0..=gaps {
            let mut more = false;
            for left in 1..=lefts {
                if budget.is_spent() {
                    return best;
                }
                budget.count(1);
                let (used, states) = self.solved(outputs, &mut system, &calls, gap, left);
                more |= used > 1;
                for state in states {
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
        let Dealing { generator, mapping, way, start } = *dealing;
        let mut calls = Vec::new();
        for number in first..seen.records.len().min(first + RECORDS_MAX) {
            let previous = number.checked_sub(1).and_then(|before| seen.records[before].deck());
            let numbers = start.numbers(previous.as_ref())?;
            let draws = way.known(&seen.records[number], &numbers);
            let own = Calls::new(&mapping.known(generator, &way.ranges(), &draws));
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
                let step = self.step(place + call, left);
                if step >= outputs.steps() || system.add(outputs.row(step, *parity)).is_err() {
                    return (number + 1, Vec::new());
                }
            }
            place += own.count + gap;
            if system.free() <= FREE_MAX {
                let solutions = system.solutions(FREE_MAX).into_iter();
                let states = solutions.filter(|bits| bits.iter().any(|&word| word != 0));
                return (number + 1, states.map(|bits| self.state(outputs, &bits, left)).collect());
            }
        }
        (calls.len() + 1, Vec::new())
    }

    fn step(&self, call: usize, left: usize) -> usize {
        if self.is_cached { cache::step(call, left) } else { call }
    }

    fn state(&self, outputs: &Outputs<W>, bits: &[u64; W], left: usize) -> Vec<u64> {
        let mut state = outputs.state(bits);
        if self.is_cached {
            state.push(left as u64);
        }
        state
    }
}
