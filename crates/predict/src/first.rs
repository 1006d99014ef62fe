//! The search of an audit: its first decks, within a budget of *work* instead of time, so that what is found and what is left
//! out do not depend on the machine.
//!
//! A plan of rows is gone through from the likeliest to the dearest. A row is one model with some ways and start orders on the
//! records from one place on; it costs what `Model::work` says, and is tried to its end or not at all. The first row that recovers a
//! generator ends the search, whatever the number of threads.

use std::ops::Range;

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::budget::Budget;
use crate::catalogue::MODELS;
use crate::deck::Observation;
use crate::model::{Model, Recovered, Scope};
use crate::search::attempt;
use crate::start::Start;
use crate::way::WAYS;

/// Records that are looked at, at most.
pub const RECORDS_MAX: usize = 512;

/// What an audit spends unless it wants another number: nominal microseconds of one thread.
pub const WORK_DEFAULT: u64 = 3_000_000;

/// Places where records may begin, at most: files and segments.
pub const PLACES_MAX: usize = 64;

/// Calls between records that are tried where several of them must be put together to fix a state. Where one record fixes it, up to
/// 4,096 are.
const CALLS_MAX: u32 = 0;

/// Start orders of the first round: sorted by ranks, by suits, shuffled on, and by suits with aces low.
const LIKELY_STARTS: usize = 4;

/// How much of a model was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tried {
    /// The model.
    pub model: &'static str,
    /// What it takes for granted.
    pub assumed: &'static str,
    /// Ways with start orders on one place each that were given to it; where it has fewer, what it takes for granted says so. Models of
    /// sums make one round of their guesses here and six in `predict`.
    pub pairs: u64,
    /// All of them.
    pub pairs_all: u64,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The first generator that was recovered. Its bound, `Followed::bound_log10`, counts
    /// every state, dealer and place, tried or not: it is a p-value without a further correction.
    pub recovered: Option<Recovered>,
    /// Every model of the catalogue, with what was tried of it.
    pub models: Vec<Tried>,
    /// Work that was spent.
    pub work: u64,
}

impl Outcome {
    /// Models of which something was left out, the work being spent.
    pub fn left_out(&self) -> impl Iterator<Item = &Tried> {
        self.models.iter().filter(|own| own.pairs < own.pairs_all)
    }
}

/// Searches the first records. They may begin in more than one place: `places` are the first records of files and declared segments
/// among these; the first record of all is always one.
///
/// Only the first [`RECORDS_MAX`] records and the first [`PLACES_MAX`] places are looked at.
pub fn search_first(seen: &Observation, places: &[usize], work: u64) -> Outcome {
    let mut seen = seen.window(0..RECORDS_MAX);
    seen.gap.calls_max = CALLS_MAX;
    let plan = plan(&seen, places);
    let (chosen, spent) = affordable(&plan, work);
    let found = chosen.par_iter().enumerate().find_map_first(|(number, row)| {
        let recovered = row.tried(&seen)?;
        Some((number, recovered))
    });
    let tried = found.as_ref().map_or(chosen.len(), |(number, _)| number + 1);
    let models = counts(&plan, &chosen[..tried]);
    let work = if found.is_some() { chosen[..tried].iter().map(|row| row.work).sum() } else { spent };
    Outcome { recovered: found.map(|(_, recovered)| recovered), models, work }
}

/// One model on the records from one place on.
struct Row {
    model: &'static dyn Model,
    place: usize,
    starts: Range<usize>,
    work: u64,
}

impl Row {
    fn pairs(&self) -> u64 {
        (self.starts.len() * WAYS.len()) as u64
    }

    fn tried(&self, seen: &Observation) -> Option<Recovered> {
        let scope = Scope { ways: WAYS.to_vec(), starts: Start::usual()[self.starts.clone()].to_vec() };
        attempt(self.model, seen, &scope, self.place, &Budget::unlimited())
    }
}

/// Every row, likeliest first: quick models with likely starts in every place, then what takes longer, then the other starts, cheapest
/// first.
fn plan(seen: &Observation, places: &[usize]) -> Vec<Row> {
    let mut places: Vec<usize> = places.iter().copied().filter(|place| *place < seen.records.len()).collect();
    places.push(0);
    places.sort_unstable();
    places.dedup();
    places.truncate(PLACES_MAX);
    let all = Start::usual().len();
    let mut rows = Vec::new();
    for starts in [0..LIKELY_STARTS, LIKELY_STARTS..all] {
        for is_quick in [true, false] {
            let mut models: Vec<_> = MODELS.iter().filter(|model| model.is_quick() == is_quick).collect();
            if starts.start > 0 {
                models.sort_by_key(|model| model.work(seen));
            }
            let each = |model| places.iter().map(move |place| (model, place));
            for (model, &place) in models.into_iter().flat_map(each) {
                let rest = seen.window(place..seen.records.len());
                let mut row = Row { model: *model, place, starts: starts.clone(), work: 0 };
                row.work = row.pairs().saturating_mul(model.work(&rest));
                rows.push(row);
            }
        }
    }
    rows
}

/// The rows that the work reaches, in order; one that is too dear is passed over for cheaper ones behind it.
fn affordable(plan: &[Row], work: u64) -> (Vec<&Row>, u64) {
    let mut spent = 0u64;
    let fits = |row: &&Row| {
        let fits = row.work <= work - spent;
        spent += if fits { row.work } else { 0 };
        fits
    };
    let rows: Vec<&Row> = plan.iter().filter(fits).collect();
    (rows, spent)
}

fn counts(plan: &[Row], tried: &[&Row]) -> Vec<Tried> {
    let of = |model: &&'static dyn Model| {
        let is_own = |row: &&Row| row.model.name() == model.name();
        Tried {
            model: model.name(),
            assumed: model.assumed(),
            pairs: tried.iter().copied().filter(is_own).map(Row::pairs).sum(),
            pairs_all: plan.iter().filter(is_own).map(Row::pairs).sum(),
        }
    };
    MODELS.iter().map(of).collect()
}
