//! Recovered generators as JSON: state in, records out.

use serde::{Deserialize, Serialize};

use crate::candidate::next_decks;
use crate::catalogue::ALL_MODELS;
use crate::certificate::{Certificate, Fault, Verified};
use crate::deck::{Deck, Record, deck_text};
use crate::follow::{Run, calls_between};
use crate::generator::Generator;
use crate::model::{Model, Recovered};
use crate::seeds::list::SEED_SEARCHES;

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

    /// Deals every record and every next deck again, and compares all that it claims.
    ///
    /// # Errors
    /// What does not hold, in words.
    pub fn judge(&self, records: &[Record]) -> Result<Verified, String> {
        self.check_model()?;
        let certificate = self.certificate();
        let verified = certificate.verify(records).map_err(|fault| fault.to_string())?;
        let is_fitted = (1..=verified.records).contains(&self.fitted);
        if (self.bound_log10 - verified.bound_log10).abs() > 1e-6 || !is_fitted {
            return Err("it claims more than the records that its state deals show".to_owned());
        }
        let candidate = certificate.candidate().map_err(|fault| fault.to_string())?;
        let previous = self.end().checked_sub(1).and_then(|last| records[last as usize].deck());
        let place = (verified.calls, calls_between(&certificate.runs));
        let next = next_decks(&candidate, place, previous, self.next.len());
        if next.iter().map(deck_text).eq(self.next.iter().cloned()) {
            Ok(verified)
        } else {
            Err("the next decks are others than the state deals".to_owned())
        }
    }

    /// That its model is of its generator: a model names programs.
    ///
    /// # Errors
    /// The model is not in the catalogue, or is of another generator.
    pub fn check_model(&self) -> Result<(), String> {
        let models = ALL_MODELS.iter().map(|model| (model.name(), model.generator()));
        let seedings = SEED_SEARCHES.iter().map(|search| (search.name, search.generator()));
        let own = models.chain(seedings).find(|(name, _)| *name == self.model);
        match own.ok_or_else(|| format!("the model {:?} is not in the catalogue", self.model))? {
            (name, Some(generator)) if generator != self.generator => Err(format!(
                "the model {name:?} is of the generator {generator:?}, not of {:?}",
                self.generator
            )),
            _ => Ok(()),
        }
    }

    /// Model, way, mapping and start order in words.
    pub fn dealer_words(&self) -> String {
        let bits = Generator::named(&self.generator).map_or(u64::BITS, Generator::bits);
        let (way, mapping) = (way_words(&self.way), mapping_words(&self.mapping, bits));
        format!("{}, {way}, {mapping}, start order {}", self.model, self.start)
    }

    /// The place of the record after the last one that it deals, counted from 0.
    pub fn end(&self) -> u64 {
        self.runs.last().map_or(0, |run| run[0].saturating_add(run[1]))
    }

    /// Whether its state leads on, as far as is seen: it deals more than the fit used, or the record after these was not read. A
    /// dealer that is seeded anew for each deck does not.
    pub fn leads_on(&self, is_followed: bool) -> bool {
        self.records() > self.fitted || !is_followed
    }

    /// Records that it deals.
    pub fn records(&self) -> u64 {
        self.runs.iter().map(|run| run[1]).sum()
    }
}

/// The name of a way of shuffling in words.
fn way_words(name: &str) -> String {
    let (way, end) = match name.strip_suffix("-from-end") {
        Some(way) => (way, ", dealt from the end"),
        None => (name, ""),
    };
    let way = match way {
        "down" => "Fisher–Yates downward",
        "up" => "Fisher–Yates upward",
        "inside-out" => "Fisher–Yates inside-out",
        "bag" => "cards taken from a bag",
        "sort-keys" => "cards sorted by a number each",
        "sort-compared" | "sort-compared-back" => "cards sorted with a comparator that guesses",
        other => other,
    };
    format!("{way}{end}")
}

/// How an output of so many bits becomes a draw, in words.
fn mapping_words(name: &str, output_bits: u32) -> String {
    match name.split_once('-') {
        Some(("float", bits)) if bits.parse().is_ok_and(|bits: u32| bits > output_bits) => {
            mapping_words(&format!("float-{output_bits}"), output_bits)
        }
        Some(("float", bits)) => {
            format!("⌊U·n⌋ with U of {} bits", bits.replace("low-", "the low ").replace('-', " and "))
        }
        Some(("next", "int")) => "nextInt(n)".to_owned(),
        Some(("modulo", _)) => "x mod n".to_owned(),
        _ if name == "modulo" => "x mod n".to_owned(),
        _ if name == "top-bits" => "getrandbits, again while n or more".to_owned(),
        _ if name == "top-bits-to-one" => "getrandbits, again while n or more, down to n = 1".to_owned(),
        _ => name.replace('-', " "),
    }
}
