//! Recovered generators as JSON: state in, records out.

use serde::{Deserialize, Serialize};

use crate::certificate::{Certificate, Fault, Verified};
use crate::deck::{Deck, Record, deck_text};
use crate::follow::Run;
use crate::model::Recovered;

/// A recovered generator in words and integers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recovery {
    /// The model.
    pub model: String,
    /// What the generator is called.
    pub generator: String,
    /// How outputs become draws.
    pub mapping: String,
    /// How draws become a deck.
    pub way: String,
    /// The order of a new deck.
    pub start: String,
    /// The state before the first call, words in hexadecimal with dots between.
    pub state: String,
    /// Seeding, seed and calls after it, where the state comes from a seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<(String, u64, u64)>,
    /// Runs of records that it deals: first record, records, calls before, calls between.
    pub runs: Vec<[u64; 4]>,
    /// Records that the fit used, from the first on.
    pub fitted: u64,
    /// `log10` of the bound of what fair decks do.
    pub bound_log10: f64,
    /// The next decks.
    pub next: Vec<String>,
}

impl Recovery {
    /// Of a generator and the decks that come next.
    pub fn new(recovered: &Recovered, next: &[Deck]) -> Recovery {
        let Certificate { generator, mapping, way, start, state, seed, runs } = recovered.certificate();
        Recovery {
            model: recovered.model.to_owned(),
            generator,
            mapping,
            way,
            start,
            state,
            seed,
            runs: runs
                .iter()
                .map(|run| [run.first, run.records, run.calls_before, run.calls_between])
                .collect(),
            fitted: recovered.used,
            bound_log10: recovered.followed.bound_log10,
            next: next.iter().map(deck_text).collect(),
        }
    }

    /// What can be checked of it.
    pub fn certificate(&self) -> Certificate {
        let run = |run: &[u64; 4]| {
            let [first, records, calls_before, calls_between] = *run;
            Run { first, records, calls_before, calls_between }
        };
        Certificate {
            generator: self.generator.clone(),
            mapping: self.mapping.clone(),
            way: self.way.clone(),
            start: self.start.clone(),
            state: self.state.clone(),
            seed: self.seed.clone(),
            runs: self.runs.iter().map(run).collect(),
        }
    }

    /// Deals every record that it claims from its state and compares: milliseconds.
    ///
    /// # Errors
    /// A [`Fault`], the first one.
    pub fn verify(&self, records: &[Record]) -> Result<Verified, Fault> {
        self.certificate().verify(records)
    }

    /// Records that it deals.
    pub fn records(&self) -> u64 {
        self.runs.iter().map(|run| run[1]).sum()
    }
}
