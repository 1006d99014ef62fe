//! The search: every model on the first records, then quick ones on windows in the middle, within a budget.
//!
//! A weak server of eight, a release in the middle, or a first half of another generator do not show in the first records.
//! Windows begin at the first record, at the beginning of every segment, and evenly in between; what a generator that was
//! found has dealt is not searched again.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::bound;
use crate::budget::Budget;
use crate::catalogue::MODELS;
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
    MODELS.iter().copied().filter(is_named).collect()
}

/// Searches until nothing is left to try or to spend.
pub fn search(request: &Request, budget: &Budget) -> Report {
    let mut report = Report::default();
    let mut is_dealt = vec![false; request.seen.records.len()];
    let models = models(request.models);
    for (number, model) in models.iter().copied().enumerate() {
        if budget.is_spent() {
            report.left_out.push(model.name());
            continue;
        }
        // What one leaves of its share, all that come after it have more of.
        let share = budget.left().map(|left| left * SHARE / ((models.len() - number) as u32 + SHARE - 1));
        let own = Budget::new(share, budget.stop());
        let (mut tried, mut found_any) = (0, false);
        for batch in windows(request, model).chunks(rayon::current_num_threads()) {
            let open: Vec<usize> = batch.iter().copied().filter(|first| !is_dealt[*first]).collect();
            if report.recovered.len() >= RECOVERED_MAX {
                break;
            }
            tried += open.len() as u64;
            let found: Vec<Option<Recovered>> =
                open.par_iter().map(|&first| attempt(model, request, first, &own)).collect();
            for recovered in found.into_iter().flatten() {
                // Two windows of one generator find it twice.
                if !is_dealt[recovered.first as usize] {
                    recovered.records().for_each(|record| is_dealt[record as usize] = true);
                    found_any = true;
                    report.recovered.push(recovered);
                }
            }
            if own.is_spent() {
                break;
            }
        }
        if !found_any && tried > 0 {
            report.not_recovered.push(NotRecovered {
                model: model.name(),
                assumed: model.assumed(),
                windows: tried,
                starts: request.scope.pairs().count() as u64,
                states: own.counted(),
                seconds: own.elapsed().as_secs_f64(),
                is_cut_short: own.is_spent(),
            });
        }
    }
    report
}

/// First records of windows, the likeliest first.
fn windows(request: &Request, model: &dyn Model) -> Vec<usize> {
    let count = request.seen.records.len();
    let mut firsts = vec![0];
    firsts.extend(request.segments.iter().copied().filter(|first| *first < count));
    if model.is_quick() {
        // The first eight, which may be of as many tables, and evenly on.
        firsts.extend((1..8).filter(|first| *first < count));
        firsts.extend((1..WINDOWS).map(|window| window * count / WINDOWS));
    }
    let mut seen = std::collections::BTreeSet::new();
    firsts.retain(|first| *first < count && seen.insert(*first));
    firsts
}

/// One model on the records from `first` on; the numbers of what it finds are those of all records.
fn attempt(model: &dyn Model, request: &Request, first: usize, budget: &Budget) -> Option<Recovered> {
    let window = request.seen.window(first..request.seen.records.len());
    let mut scope = request.scope.clone();
    if first > 0 && !request.segments.contains(&first) {
        scope.starts.truncate(STARTS_IN_THE_MIDDLE);
    }
    let Found { candidate, used, mut followed } = model.recover(&window, &scope, budget)?;
    followed.runs.iter_mut().for_each(|run| run.first += first as u64);
    followed.bound_log10 =
        bound::log10_of_runs(&followed.runs, state_bits(&candidate), &request.seen.records);
    let first = followed.runs.first()?.first;
    Some(Recovered { model: model.name(), candidate, first, used, followed })
}

/// The deck before the one that comes next, for decks that are shuffled on.
pub fn last_deck(recovered: &Recovered, seen: &Observation) -> Option<Deck> {
    let last = recovered.records().last()?;
    seen.records[last as usize].deck()
}
