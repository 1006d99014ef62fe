//! The search: every model on the first records, then quick ones on windows in the middle, within a budget.
//!
//! A weak server of eight, a release in the middle, or a first half of another generator do not show in the first records.
//! Windows begin at the first record, at the beginning of every segment, and evenly in between; what a generator that was
//! found has dealt is not searched again.

use std::collections::BTreeSet;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::alignment::aligned;
use crate::bound;
use crate::budget::Budget;
use crate::catalogue::ALL_MODELS;
use crate::deck::{Deck, Observation};
use crate::follow::state_bits;
use crate::model::{Found, Model, NotRecovered, Recovered, Scope};

/// What is searched.
pub struct Request<'a> {
    /// The records, all of them in order.
    pub seen: &'a Observation,
    /// First records of files and declared segments.
    pub segments: &'a [usize],
    /// Ways and start orders.
    pub scope: &'a Scope,
    /// Names of models, all of them if there is none.
    pub models: &'a [String],
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// Generators, by the records that they deal.
    pub recovered: Vec<Recovered>,
    /// Models that found nothing, or were not tried to the end.
    pub not_recovered: Vec<NotRecovered>,
    /// Models that the budget left out.
    pub left_out: Vec<&'static str>,
}

/// Windows in the middle, beside segments.
const WINDOWS: usize = 16;

/// Records of the last window, as many as of one of an audit.
const LAST: usize = 8;

/// Shares of the time left that one model may take.
const SHARE: u32 = 3;

/// Start orders in windows in the middle.
const STARTS_IN_THE_MIDDLE: usize = 4;

/// Generators that are looked for one after another: eight servers, and some releases.
const RECOVERED_MAX: usize = 16;

/// The models of a request.
pub fn models(names: &[String]) -> Vec<&'static dyn Model> {
    let is_named =
        |model: &&'static dyn Model| names.is_empty() || names.iter().any(|name| name == model.name());
    ALL_MODELS.iter().copied().filter(is_named).collect()
}

/// Searches until nothing is left to try or to spend: every model on the first records and those of segments, then quick
/// ones in the middle.
pub fn search(request: &Request, budget: &Budget) -> Report {
    let mut search =
        Search { request, report: Report::default(), is_dealt: vec![false; request.seen.records.len()] };
    let models = models(request.models);
    let quick = models.iter().copied().filter(|model| model.is_quick());
    let passes: Vec<(&dyn Model, Vec<usize>)> = (models.iter().map(|model| (*model, search.firsts())))
        .chain(quick.map(|model| (model, search.middles())))
        .collect();
    for (number, (model, windows)) in passes.iter().enumerate() {
        // What one leaves of its share, all that come after it have more of.
        let left = (passes.len() - number) as u32 + SHARE - 1;
        let own = Budget::new(budget.left().map(|time| time * SHARE / left), budget.stop());
        if !budget.is_spent() {
            search.pass(*model, windows, &own);
        } else if number < models.len() {
            search.report.left_out.push(model.name());
        }
    }
    let found: Vec<&str> = search.report.recovered.iter().map(|own| own.model).collect();
    search.report.not_recovered.retain(|own| !found.contains(&own.model));
    search.report
}

struct Search<'a> {
    request: &'a Request<'a>,
    report: Report,
    is_dealt: Vec<bool>,
}

impl Search<'_> {
    /// One model on some windows, as many at a time as there are threads.
    fn pass(&mut self, model: &dyn Model, windows: &[usize], own: &Budget) {
        let mut tried = 0;
        for batch in windows.chunks(rayon::current_num_threads()) {
            let open: Vec<usize> = batch.iter().copied().filter(|first| !self.is_dealt[*first]).collect();
            if self.report.recovered.len() >= RECOVERED_MAX || own.is_spent() {
                break;
            }
            tried += open.len() as u64;
            let Request { seen, segments, scope, .. } = *self.request;
            let found: Vec<Option<Recovered>> = open
                .par_iter()
                .map(|&first| {
                    let mut scope = scope.clone();
                    if first > 0 && !segments.contains(&first) {
                        scope.starts.truncate(STARTS_IN_THE_MIDDLE);
                    }
                    attempt(model, seen, &scope, first, own)
                })
                .collect();
            found.into_iter().flatten().for_each(|recovered| self.add(recovered));
        }
        self.count(model, tried, own);
    }

    /// Two windows of one generator find it twice.
    fn add(&mut self, recovered: Recovered) {
        if !self.is_dealt[recovered.first as usize] {
            recovered.records().for_each(|record| self.is_dealt[record as usize] = true);
            let records = &self.request.seen.records;
            // A record that comes twice is no second generator.
            for number in 1..records.len() {
                self.is_dealt[number] |= self.is_dealt[number - 1] && records[number] == records[number - 1];
            }
            self.report.recovered.push(recovered);
        }
    }

    fn count(&mut self, model: &dyn Model, windows: u64, own: &Budget) {
        let starts = self.request.scope.pairs().count() as u64;
        let mine = NotRecovered {
            model: model.name(),
            assumed: model.about().assumed,
            windows,
            starts,
            states: own.counted(),
            seconds: own.elapsed().as_secs_f64(),
            is_cut_short: own.is_spent(),
        };
        let before = self.report.not_recovered.iter_mut().find(|before| before.model == mine.model);
        match before {
            Some(before) => {
                before.windows += mine.windows;
                before.states += mine.states;
                before.seconds += mine.seconds;
                before.is_cut_short |= mine.is_cut_short;
            }
            None if windows > 0 => self.report.not_recovered.push(mine),
            None => {}
        }
    }

    /// The first record, and those of segments.
    fn firsts(&self) -> Vec<usize> {
        let mut firsts = vec![0];
        firsts.extend(self.request.segments);
        self.distinct(firsts)
    }

    /// The first eight, which may be of as many tables, evenly on, and the last ones, which an audit looks at too.
    fn middles(&self) -> Vec<usize> {
        let count = self.request.seen.records.len();
        let firsts = self.firsts();
        let evenly = (1..WINDOWS).map(|window| window * count / WINDOWS);
        let all = (1..8).chain(evenly).chain([count.saturating_sub(LAST)]);
        self.distinct(all.filter(|first| !firsts.contains(first)).collect())
    }

    fn distinct(&self, mut firsts: Vec<usize>) -> Vec<usize> {
        let mut seen = BTreeSet::new();
        firsts.retain(|first| *first < self.request.seen.records.len() && seen.insert(*first));
        firsts
    }
}

/// One model on the records from `first` on; the numbers of what it finds are those of all records.
pub(crate) fn attempt(
    model: &dyn Model,
    seen: &Observation,
    scope: &Scope,
    first: usize,
    budget: &Budget,
) -> Option<Recovered> {
    let window = seen.window(first..seen.records.len());
    let Found { candidate, used, mut followed } = aligned(model.recover(&window, scope, budget)?, &window);
    let generator = candidate.dealing.generator.name;
    debug_assert!(
        model.about().generator.is_none_or(|own| own == generator),
        "{}: {generator}",
        model.name()
    );
    followed.runs.iter_mut().for_each(|run| run.first += first as u64);
    followed.bound_log10 = bound::log10_of_runs(&followed.runs, state_bits(&candidate), &seen.records);
    Recovered::new(model.name(), Found { candidate, used, followed })
}

/// The deck before the one that comes next, for decks that are shuffled on.
pub fn last_deck(recovered: &Recovered, seen: &Observation) -> Option<Deck> {
    let last = recovered.records().last()?;
    seen.records[last as usize].deck()
}
