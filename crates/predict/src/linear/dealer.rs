//! Dealers whose generator is linear, or the sum of two words that are: what both ways of recovering them share.

use crate::generator::Generator;
use crate::linear::cache;
use crate::linear::outputs::Outputs;
use crate::mapping::Mapping;
use crate::model::ModelAbout;

/// Calls of one record: a draw each, and one more where a loop draws below 1 too.
const CALLS_OF_RECORD: usize = 52;

/// A generator with the mappings that are tried.
pub struct LinearDealer {
    /// What it is called.
    pub name: &'static str,
    /// What is taken for granted.
    pub assumed: &'static str,
    /// The generator whose outputs are linear: that which deals, without what is not linear in it.
    pub linear: &'static Generator,
    /// The generator that deals.
    pub generator: &'static Generator,
    /// How outputs become draws.
    pub mappings: &'static [Mapping],
    /// Whether outputs are handed out 64 at a time from the last to the first.
    pub is_cached: bool,
    /// Of how many numbers one deals here: tables that draw in turn have the others.
    pub every: usize,
}

impl LinearDealer {
    /// Whether it is of tables that draw in turn: as that of one table, but not tried on windows in the middle.
    pub fn is_in_turn(&self) -> bool {
        self.every > 1
    }

    /// What it is called, and what is taken for granted.
    pub fn about(&self) -> ModelAbout {
        ModelAbout { name: self.name, assumed: self.assumed, generator: Some(self.generator.name) }
    }

    /// Numbers that may be left of the cache before the first call.
    pub fn lefts(&self) -> usize {
        if self.is_cached { cache::SIZE } else { 1 }
    }

    /// The step whose output a call takes.
    pub fn step(&self, call: usize, left: usize) -> usize {
        let number = call * self.every;
        if self.is_cached { cache::step(number, left) } else { number }
    }

    /// The outputs that so many records take with so many calls between.
    pub fn outputs<const W: usize>(&self, records: usize, calls: usize) -> Outputs<W> {
        self.bits_of_outputs(records, calls, u64::MAX)
    }

    /// Some bits of them.
    pub fn bits_of_outputs<const W: usize>(&self, records: usize, calls: usize, wanted: u64) -> Outputs<W> {
        Outputs::new(self.linear, records * (CALLS_OF_RECORD + calls) * self.every + 3 * cache::SIZE, wanted)
    }

    /// The state before the first call.
    pub fn state<const W: usize>(&self, outputs: &Outputs<W>, bits: &[u64; W], left: usize) -> Vec<u64> {
        let mut state = outputs.state(bits);
        if self.is_cached {
            state.push(left as u64);
        }
        state
    }
}
