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
use crate::deck::{Deck, Observation};
use crate::model::{Model, Recovered, Scope};
use crate::search::attempt;
use crate::start::Start;
use crate::way::{WAYS, Way};

/// Records that are looked at, at most.
pub const RECORDS_MAX: usize = 512;

/// What an audit spends unless it wants another number: nominal microseconds of one thread.
pub const WORK_DEFAULT: u64 = 4_000_000;

/// Places where records may begin, at most: files and segments.
pub const PLACES_MAX: usize = 64;

/// Calls between records that are tried where several of them must be put together to fix a state. Where one record fixes it, up to
/// 4,096 are.
const CALLS_MAX: u32 = 0;

/// Start orders of the first round: sorted by ranks, by suits, shuffled on, and by suits with aces low.
const LIKELY_STARTS: usize = 4;

/// Records that are tried as first ones of eight tables or servers, of which one is weak.
const TABLES: usize = 8;

/// Ways and start orders there, and where records of the middle begin.
const WAYS_BESIDE: usize = 3;

/// What a model may cost there for one way and start.
const WORK_BESIDE: u64 = 2_000;

const STARTS_BESIDE: usize = 2;

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
    /// Whether these records are too few for it, or none is a whole deck where it needs one, whatever the work.
    pub is_starved: bool,
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

impl Tried {
    /// Whether nothing of it was tried.
    pub fn is_left_out(&self) -> bool {
        self.pairs == 0 && self.pairs_all > 0 && !self.is_starved
    }

    /// Whether some start orders or places were left out.
    pub fn is_cut_short(&self) -> bool {
        (1..self.pairs_all).contains(&self.pairs)
    }
}

impl Outcome {
    /// Models of which something was left out, the work being spent.
    pub fn left_out(&self) -> impl Iterator<Item = &Tried> {
        self.models.iter().filter(|own| own.pairs < own.pairs_all)
    }
}

/// Where records may begin.
#[derive(Clone, Copy, Debug, Default)]
pub struct Places<'a> {
    /// The first records of files and declared segments, beside the first record of all: everything is tried there.
    pub begun: &'a [usize],
    /// Places in the middle, where a release or another table may begin: quick models with likely ways are tried there, as
    /// on the first eight records.
    pub middle: &'a [usize],
}

/// Searches the first records, which may begin in more than one place.
///
/// Only the first [`RECORDS_MAX`] records and the first [`PLACES_MAX`] places of each kind are looked at.
pub fn search_first(seen: &Observation, places: Places, work: u64) -> Outcome {
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

/// What of every model a search of so many whole records tries if it recovers nothing: it depends on their number alone.
pub fn models_tried(records: usize, places: Places, work: u64) -> Vec<Tried> {
    let sorted: Deck = std::array::from_fn(|card| card as u8);
    let mut seen = Observation::of_decks(&vec![sorted; records.min(RECORDS_MAX)]);
    seen.gap.calls_max = CALLS_MAX;
    let plan = plan(&seen, places);
    counts(&plan, &affordable(&plan, work).0)
}

/// One model on the records from one place on.
struct Row {
    model: &'static dyn Model,
    place: usize,
    ways: Vec<Way>,
    starts: Range<usize>,
    work: u64,
}

impl Row {
    fn pairs(&self) -> u64 {
        (self.starts.len() * self.ways.len()) as u64
    }

    fn tried(&self, seen: &Observation) -> Option<Recovered> {
        let scope = Scope { ways: self.ways.clone(), starts: Start::usual()[self.starts.clone()].to_vec() };
        attempt(self.model, seen, &scope, self.place, &Budget::unlimited())
    }
}

/// Every row, likeliest first: quick models with likely starts where records begin, and beside; then what takes longer, then the
/// other starts, cheapest first.
fn plan(seen: &Observation, places: Places) -> Vec<Row> {
    let distinct = |places: Vec<usize>, others: &[usize]| {
        let mut own = places;
        own.retain(|place| *place < seen.records.len() && !others.contains(place));
        own.sort_unstable();
        own.dedup();
        own.truncate(PLACES_MAX);
        own
    };
    let begun = distinct([&[0], places.begun].concat(), &[]);
    let beside = distinct((1..TABLES).chain(places.middle.iter().copied()).collect(), &begun);
    let mut plan = Plan { seen, ways: ways_shown(seen), rows: Vec::new() };
    let (quick, slow): (Vec<_>, Vec<_>) = MODELS.iter().copied().partition(|model| model.is_quick());
    plan.add(&quick, &begun, usize::MAX, 0..LIKELY_STARTS);
    let quickest: Vec<_> = quick.iter().copied().filter(|model| model.work(seen) <= WORK_BESIDE).collect();
    plan.add(&quickest, &beside, WAYS_BESIDE, 0..STARTS_BESIDE);
    plan.add(&slow, &begun, usize::MAX, 0..LIKELY_STARTS);
    for mut models in [quick, slow] {
        models.sort_by_key(|model| model.work(seen));
        plan.add(&models, &begun, usize::MAX, LIKELY_STARTS..Start::usual().len());
    }
    plan.rows
}

/// Ways whose draws these records show: where no deck is whole, those that fix the first cards first.
fn ways_shown(seen: &Observation) -> Vec<Way> {
    WAYS.into_iter().filter(|way| seen.has_whole() || way.shows_first_draws()).collect()
}

struct Plan<'a> {
    seen: &'a Observation,
    ways: Vec<Way>,
    rows: Vec<Row>,
}

impl Plan<'_> {
    fn add(
        &mut self,
        models: &[&'static dyn Model],
        places: &[usize],
        ways_max: usize,
        starts: Range<usize>,
    ) {
        for (&model, &place) in models.iter().flat_map(|model| places.iter().map(move |place| (model, place)))
        {
            let rest = self.seen.window(place..self.seen.records.len());
            let ways: Vec<Way> = self.ways.iter().copied().take(ways_max).collect();
            let mut row = Row { model, place, ways, starts: starts.clone(), work: 0 };
            row.work = row.pairs().saturating_mul(model.work(&rest));
            self.rows.push(row);
        }
    }
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
    let of = |model: &'static dyn Model| {
        let is_own = |row: &&Row| row.model.name() == model.name();
        Tried {
            model: model.name(),
            assumed: model.about().assumed,
            pairs: tried.iter().copied().filter(is_own).map(Row::pairs).sum(),
            pairs_all: plan.iter().filter(is_own).map(Row::pairs).sum(),
            is_starved: plan.iter().filter(is_own).all(|row| row.work == 0),
        }
    };
    MODELS.iter().copied().map(of).collect()
}
