//! Recovered generators as JSON: state in, records out. A holder of the records checks one in milliseconds.

use serde::{Deserialize, Serialize};

use crate::bound;
use crate::candidate::{Candidate, Dealing, Seed, Tape, Wanted, next_decks};
use crate::catalogue::ALL_MODELS;
use crate::deck::{Deck, Record, deck_text};
use crate::follow::{Run, calls_between, state_bits};
use crate::generator::{Generator, state_of, state_text};
use crate::mapping::Mapping;
use crate::model::{Model, ModelAbout, Recovered};
use crate::seeding::Seeding;
use crate::seeds::list::SEED_SEARCHES;
use crate::start::Start;
use crate::way::Way;

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

/// What a recovery proves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Verified {
    /// Records that the state deals.
    pub records: u64,
    /// The bound of what fair decks do.
    pub bound_log10: f64,
    /// Calls from the state to behind the last of them.
    pub calls: u64,
}

/// Calls that a check makes at most beside the records: a second's work, whatever a file claims.
const CALLS_MAX: u64 = 1 << 27;

impl Recovery {
    /// Of a generator and the decks that come next.
    pub fn new(recovered: &Recovered, next: &[Deck]) -> Recovery {
        let Recovered { model, candidate, used, followed, .. } = recovered;
        let Dealing { generator, mapping, way, start } = candidate.dealing;
        let run = |run: &Run| [run.first, run.records, run.calls_before, run.calls_between];
        Recovery {
            model: (*model).to_owned(),
            generator: generator.name.to_owned(),
            mapping: mapping.name(),
            way: way.name(),
            start: start.name(),
            state: state_text(&candidate.state),
            seed: candidate.seed.map(|Seed { seeding, seed, calls }| (seeding.to_owned(), seed, calls)),
            runs: followed.runs.iter().map(run).collect(),
            fitted: *used,
            bound_log10: followed.bound_log10,
            next: next.iter().map(deck_text).collect(),
        }
    }

    /// The dealer in its state. A name may be unknown, and the state may be none of the generator or not that of the seed.
    fn candidate(&self) -> Result<Candidate, String> {
        let unknown = |name: &str| format!("{name} is not in the catalogue");
        let dealing = Dealing {
            generator: Generator::named(&self.generator).ok_or_else(|| unknown(&self.generator))?,
            mapping: Mapping::named(&self.mapping).ok_or_else(|| unknown(&self.mapping))?,
            way: Way::named(&self.way).ok_or_else(|| unknown(&self.way))?,
            start: Start::named(&self.start).ok_or_else(|| unknown(&self.start))?,
        };
        let state = state_of(&self.state).filter(|state| state.len() == dealing.generator.words);
        let mut candidate = Candidate::new(dealing, state.ok_or(NO_STATE)?);
        if let Some((name, seed, calls)) = &self.seed {
            let seeding = Seeding::named(name).ok_or_else(|| unknown(name))?;
            let mut state = (seeding.state)(*seed);
            if seeding.generator != dealing.generator.name || *calls > CALLS_MAX {
                return Err(NO_SEED.to_owned());
            }
            (0..*calls).for_each(|_| _ = (dealing.generator.next)(&mut state));
            if state != candidate.state {
                return Err(NO_SEED.to_owned());
            }
            candidate.seed = Some(Seed { seeding: seeding.name, seed: *seed, calls: *calls });
        }
        if candidate.is_in_motion() { Ok(candidate) } else { Err(NO_STATE.to_owned()) }
    }

    /// Runs of records that it deals.
    pub fn all_runs(&self) -> Vec<Run> {
        let run = |&[first, records, calls_before, calls_between]: &[u64; 4]| Run {
            first,
            records,
            calls_before,
            calls_between,
        };
        self.runs.iter().map(run).collect()
    }

    /// Deals every record that it claims from its state and compares: milliseconds.
    ///
    /// # Errors
    /// What does not hold first, in words.
    pub fn verify(&self, records: &[Record]) -> Result<Verified, String> {
        let (candidate, runs) = (self.candidate()?, self.all_runs());
        let dealing = &candidate.dealing;
        let mut tape = Tape::new(dealing.generator, &candidate.state);
        let (mut place, mut number, mut count) = (0, 0, 0);
        let of_run =
            |run: &Run| run.calls_before.saturating_add(run.calls_between.saturating_mul(run.records));
        if runs.iter().map(of_run).fold(0, u64::saturating_add) > CALLS_MAX {
            return Err(NO_RUNS.to_owned());
        }
        for run in &runs {
            let end = run.first.checked_add(run.records).filter(|_| run.first >= number);
            let end = end.ok_or(NO_RUNS)?;
            if end > records.len() as u64 {
                return Err(format!(
                    "found {} records, wanted those up to number {end}, which its state deals",
                    records.len()
                ));
            }
            for number in run.first..end {
                place += if number == run.first { run.calls_before } else { run.calls_between };
                let previous = number.checked_sub(1).map(|before| &records[before as usize]);
                let wanted = Wanted::new(dealing, &records[number as usize], previous);
                let dealt = wanted.and_then(|wanted| wanted.dealt_from(dealing, &mut tape, place));
                place = dealt
                    .ok_or_else(|| format!("record {} is another one than the state deals", number + 1))?;
                tape.forget_before(place);
                count += 1;
            }
            number = end;
        }
        let bound_log10 = bound::log10_of_runs(&runs, state_bits(&candidate), records);
        Ok(Verified { records: count, bound_log10, calls: place })
    }

    /// Deals every record and every next deck again, and compares all that it claims.
    ///
    /// # Errors
    /// What does not hold, in words.
    pub fn judge(&self, records: &[Record]) -> Result<Verified, String> {
        self.check_model()?;
        let verified = self.verify(records)?;
        let is_fitted = (1..=verified.records).contains(&self.fitted);
        if (self.bound_log10 - verified.bound_log10).abs() > 1e-6 || !is_fitted {
            return Err("it claims more than the records that its state deals show".to_owned());
        }
        let previous = self.end().checked_sub(1).and_then(|last| records[last as usize].deck());
        let place = (verified.calls, calls_between(&self.all_runs()));
        let next = next_decks(&self.candidate()?, place, previous, self.next.len());
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
        let models = ALL_MODELS.iter().map(|model| model.about());
        let mut all = models.chain(SEED_SEARCHES.iter().map(|search| search.about()));
        let own = all.find(|about| about.name == self.model);
        match own.ok_or_else(|| format!("the model {:?} is not in the catalogue", self.model))? {
            ModelAbout { name, generator: Some(generator), .. } if generator != self.generator => Err(
                format!("the model {name:?} is of the generator {generator:?}, not of {:?}", self.generator),
            ),
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

const NO_STATE: &str = "the state is none of the generator";
const NO_SEED: &str = "the seed does not make the state";
const NO_RUNS: &str = "the runs of records overlap or have no end";

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
        _ if name == "canonical" => "⌊U·n⌋ with U of two outputs, of which the second leads".to_owned(),
        _ if name == "top-bits" => "getrandbits, again while n or more".to_owned(),
        _ if name == "top-bits-to-one" => "getrandbits, again while n or more, down to n = 1".to_owned(),
        _ => name.replace('-', " "),
    }
}
