//! Certificates: state in, records out. Whoever has the records checks one in milliseconds.

use std::fmt;

use crate::bound;
use crate::candidate::{Candidate, Dealing, Seed, Tape, Wanted};
use crate::deck::Record;
use crate::follow::{Followed, Run, state_bits};
use crate::generator::{Generator, state_of, state_text};
use crate::mapping::Mapping;
use crate::seeding::Seeding;
use crate::start::Start;
use crate::way::Way;

/// A state and the records that it deals, in words and integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// What the generator is called.
    pub generator: String,
    /// What the mapping is called.
    pub mapping: String,
    /// What the way is called.
    pub way: String,
    /// What the start order is called.
    pub start: String,
    /// The state before the first call, words in hexadecimal with dots between.
    pub state: String,
    /// Seeding, seed and calls after it, where the state comes from a seed.
    pub seed: Option<(String, u64, u64)>,
    /// The records that it deals.
    pub runs: Vec<Run>,
}

/// Why a certificate does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// A name that is not in the catalogue.
    Unknown(String),
    /// The state has other words than the generator, or does not move.
    State,
    /// The seed does not make the state.
    Seed,
    /// The runs go back, overlap, or have calls without end.
    Runs,
    /// Fewer records than those that it deals.
    TooFew {
        /// How many there are.
        records: u64,
        /// The last one of its runs, counted from 1.
        wanted: u64,
    },
    /// The first record that is not dealt, counted from 0.
    Record(u64),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unknown(name) => write!(f, "{name} is not in the catalogue"),
            Fault::State => f.write_str("the state is none of the generator"),
            Fault::Seed => f.write_str("the seed does not make the state"),
            Fault::Runs => f.write_str("the runs of records overlap or have no end"),
            Fault::TooFew { records, wanted } => {
                write!(
                    f,
                    "found {records} records, wanted those up to number {wanted}, which its state deals"
                )
            }
            Fault::Record(number) => write!(f, "record {} is another one than the state deals", number + 1),
        }
    }
}

impl std::error::Error for Fault {}

/// What a certificate proves.
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

impl Certificate {
    /// Of a candidate and what it has dealt.
    pub fn new(candidate: &Candidate, followed: &Followed) -> Certificate {
        let Dealing { generator, mapping, way, start } = candidate.dealing;
        Certificate {
            generator: generator.name.to_owned(),
            mapping: mapping.name(),
            way: way.name(),
            start: start.name(),
            state: state_text(&candidate.state),
            seed: candidate.seed.map(|Seed { seeding, seed, calls }| (seeding.to_owned(), seed, calls)),
            runs: followed.runs.clone(),
        }
    }

    /// The dealer in its state.
    ///
    /// # Errors
    /// A [`Fault`] if a name is unknown, or the state is none of the generator or not that of the seed.
    pub fn candidate(&self) -> Result<Candidate, Fault> {
        let unknown = |name: &str| Fault::Unknown(name.to_owned());
        let dealing = Dealing {
            generator: Generator::named(&self.generator).ok_or_else(|| unknown(&self.generator))?,
            mapping: Mapping::named(&self.mapping).ok_or_else(|| unknown(&self.mapping))?,
            way: Way::named(&self.way).ok_or_else(|| unknown(&self.way))?,
            start: Start::named(&self.start).ok_or_else(|| unknown(&self.start))?,
        };
        let state = state_of(&self.state).filter(|state| state.len() == dealing.generator.words);
        let mut candidate = Candidate::new(dealing, state.ok_or(Fault::State)?);
        if let Some((name, seed, calls)) = &self.seed {
            let seeding = Seeding::named(name).ok_or_else(|| unknown(name))?;
            let mut state = (seeding.state)(*seed);
            if seeding.generator != dealing.generator.name || *calls > CALLS_MAX {
                return Err(Fault::Seed);
            }
            (0..*calls).for_each(|_| _ = (dealing.generator.next)(&mut state));
            if state != candidate.state {
                return Err(Fault::Seed);
            }
            candidate.seed = Some(Seed { seeding: seeding.name, seed: *seed, calls: *calls });
        }
        if !candidate.is_in_motion() {
            return Err(Fault::State);
        }
        Ok(candidate)
    }

    /// Deals every record that it claims and compares.
    ///
    /// # Errors
    /// A [`Fault`], the first one.
    pub fn verify(&self, records: &[Record]) -> Result<Verified, Fault> {
        let candidate = self.candidate()?;
        let dealing = &candidate.dealing;
        let mut tape = Tape::new(dealing.generator, &candidate.state);
        let (mut place, mut number, mut count) = (0, 0, 0);
        let of_run =
            |run: &Run| run.calls_before.saturating_add(run.calls_between.saturating_mul(run.records));
        if self.runs.iter().map(of_run).fold(0, u64::saturating_add) > CALLS_MAX {
            return Err(Fault::Runs);
        }
        for run in &self.runs {
            let end = run.first.checked_add(run.records).filter(|_| run.first >= number);
            let end = end.ok_or(Fault::Runs)?;
            if end > records.len() as u64 {
                return Err(Fault::TooFew { records: records.len() as u64, wanted: end });
            }
            for number in run.first..end {
                place += if number == run.first { run.calls_before } else { run.calls_between };
                let previous = number.checked_sub(1).map(|before| &records[before as usize]);
                let wanted = Wanted::new(dealing, &records[number as usize], previous);
                let dealt = wanted.and_then(|wanted| wanted.dealt_from(dealing, &mut tape, place));
                place = dealt.ok_or(Fault::Record(number))?;
                tape.forget_before(place);
                count += 1;
            }
            number = end;
        }
        let bound_log10 = bound::log10_of_runs(&self.runs, state_bits(&candidate), records);
        Ok(Verified { records: count, bound_log10, calls: place })
    }
}
