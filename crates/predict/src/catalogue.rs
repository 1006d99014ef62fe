//! The catalogue: every model, likeliest first, and the search through it.

use crate::bound;
use crate::budget::Budget;
use crate::deck::Observation;
use crate::follow::state_bits;
use crate::model::{Answer, Model, NotRecovered, Recovered, Scope};

/// Every model, likeliest and cheapest first.
pub static MODELS: &[&dyn Model] = &[];

/// Tries one model on a window that begins at record `first`; the numbers of an answer are those of all records.
pub fn attempt(
    model: &dyn Model,
    seen: &Observation,
    first: usize,
    scope: &Scope,
    budget: &Budget,
) -> Answer {
    let window = seen.window(first..seen.records.len());
    let own = Budget::new(budget.left(), budget.stop());
    match model.recover(&window, scope, &own) {
        Some((candidate, mut followed)) => {
            followed.runs.iter_mut().for_each(|run| run.first += first as u64);
            followed.bound_log10 =
                bound::log10_of_runs(&followed.runs, state_bits(&candidate), &seen.records);
            let used = model.records() as u64;
            Answer::Recovered(Box::new(Recovered {
                model: model.name(),
                candidate,
                first: first as u64,
                used,
                followed,
            }))
        }
        None => Answer::NotRecovered(NotRecovered {
            model: model.name(),
            assumed: model.assumed(),
            windows: 1,
            starts: scope.pairs().count() as u64,
            states: own.counted(),
            seconds: own.elapsed().as_secs_f64(),
            is_cut_short: own.is_spent(),
        }),
    }
}
