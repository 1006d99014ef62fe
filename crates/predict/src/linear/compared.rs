//! `sort(() => Math.random() - 0.5)`: every answer of the comparator is the leading bit of an output, some 240 of them a deck.

use std::sync::OnceLock;

use crate::budget::Budget;
use crate::candidate::{Candidate, Dealing};
use crate::deck::Observation;
use crate::linear::dealer::LinearDealer;
use crate::linear::equations::Parity;
use crate::linear::outputs::Outputs;
use crate::linear::system::System;
use crate::model::{Found, Model, ModelAbout, Scope};
use crate::sorts::comparisons;
use crate::way::{Loop, SORTS};

/// Unknown bits that are tried one choice after another.
const FREE_MAX: usize = 8;

/// Answers beyond the bits of the state. A deck that is nearly sorted has fewer: many states deal it, and all of them would be
/// followed.
const SURPLUS: usize = 16;

/// Records that are tried by themselves.
const RECORDS: usize = 2;

/// Answers of one deck at most, as records of 52 calls.
const RECORDS_OF_ANSWERS: usize = 8;

/// A linear generator of up to 64·W bits that answers comparisons.
pub struct Compared<const W: usize> {
    /// What it is.
    pub dealer: LinearDealer,
    /// What one way and one start cost, as [`Model::work`] has it.
    pub work: u64,
    /// Its outputs, computed once.
    pub outputs: OnceLock<Outputs<W>>,
}

impl<const W: usize> Model for Compared<W> {
    fn about(&self) -> ModelAbout {
        self.dealer.about()
    }

    fn is_quick(&self) -> bool {
        true
    }

    fn work(&self, seen: &Observation) -> u64 {
        if seen.has_whole() { self.work } else { 0 }
    }

    fn recover(&self, seen: &Observation, scope: &Scope, budget: &Budget) -> Option<Found> {
        let outputs = self.outputs.get_or_init(|| self.dealer.outputs(RECORDS_OF_ANSWERS, 0));
        let ways = SORTS.into_iter().filter(|way| way.of != Loop::Keys);
        let pairs = scope.starts.iter().flat_map(|&start| ways.clone().map(move |way| (way, start)));
        for (way, start) in pairs {
            for &mapping in self.dealer.mappings {
                let dealing = Dealing { generator: self.dealer.generator, mapping, way, start };
                let found = (dealing.first()..RECORDS.min(seen.records.len()))
                    .find_map(|record| self.of_record(outputs, seen, dealing, record, budget));
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }
}

impl<const W: usize> Compared<W> {
    fn of_record(
        &self,
        outputs: &Outputs<W>,
        seen: &Observation,
        dealing: Dealing,
        record: usize,
        budget: &Budget,
    ) -> Option<Found> {
        let deck = dealing.numbers(seen, record)?;
        let mut system = System::new(outputs.unknowns());
        let is_enough = |answers: &Vec<bool>| answers.len() >= outputs.unknowns() + SURPLUS;
        for answers in comparisons(&deck).into_iter().filter(is_enough) {
            for left in 1..=self.dealer.lefts() {
                if budget.is_spent() {
                    return None;
                }
                budget.count(1);
                for bits in self.solved(outputs, &mut system, &answers, dealing, left) {
                    let candidate = Candidate::new(dealing, self.dealer.state(outputs, &bits, left));
                    let found = Found::if_recovered(candidate, seen, record, 1);
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
        None
    }

    fn solved(
        &self,
        outputs: &Outputs<W>,
        system: &mut System<W>,
        answers: &[bool],
        dealing: Dealing,
        left: usize,
    ) -> Vec<[u64; W]> {
        system.clear();
        for (call, &is_less) in answers.iter().enumerate() {
            let is_odd = is_less == (dealing.way.of == Loop::ComparedBack);
            let step = self.dealer.step(call, left);
            let parity = Parity { mask: 1 << (dealing.generator.bits() - 1), is_odd };
            if step >= outputs.steps() || system.add(outputs.row(step, parity)).is_err() {
                return Vec::new();
            }
        }
        let mut found = system.solutions(FREE_MAX);
        found.retain(|bits: &[u64; W]| bits.iter().any(|&word| word != 0));
        found
    }
}
