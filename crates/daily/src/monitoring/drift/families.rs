//! The evidence of each family that was counted, of a shuffler or of one table.

use serde::{Deserialize, Serialize};

use crate::monitoring::drift::family::{Bets, OtherTable};
use crate::monitoring::drift::process::{Process, Shape};
use deckproof_stats::math::dirichlet::ln_sum_exp;

/// The families, in the order in which they were first counted.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Families(Vec<Own>);

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Own {
    family: Bets,
    process: Process,
}

impl Families {
    /// The bets on a family, if it was counted.
    pub fn of(&self, family: Bets) -> Option<&Process> {
        self.0.iter().find(|own| own.family == family).map(|own| &own.process)
    }

    /// That tables of a family have the shape of earlier days.
    pub fn check(&self, family: Bets, shape: Shape) -> Result<(), OtherTable> {
        match self.of(family).map(Process::shape) {
            Some(own) if own != shape => Err(OtherTable::new(family, shape.cells, own.cells)),
            _ => Ok(()),
        }
    }

    /// Adds the counts of a day, which have the shape of earlier days.
    pub fn add_day(&mut self, family: Bets, shape: Shape, counts: &[u64]) {
        let place = self.0.iter().position(|own| own.family == family).unwrap_or_else(|| {
            self.0.push(Own { family, process: Process::new(shape) });
            self.0.len() - 1
        });
        self.0[place].process.add_day(counts);
    }

    /// The logarithm of the mean over so many families, of which those without counts hold their stake.
    pub fn ln_mean(&self, many: usize) -> f64 {
        let own = self.0.iter().map(|own| own.process.ln_evidence());
        let idle = std::iter::repeat_n(0.0, many - self.0.len());
        ln_sum_exp(own.chain(idle)) - libm::log(many as f64)
    }

    /// The most evidence, as a logarithm, and of which family.
    pub fn strongest(&self) -> Option<(f64, Bets)> {
        let own = self.0.iter().map(|own| (own.process.ln_evidence(), own.family));
        own.max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Whether what was read back is of some of these families and can have been written.
    pub fn are_sound(&self, families: &[Bets]) -> bool {
        self.0.iter().all(|own| families.contains(&own.family) && own.process.is_sound())
    }
}
