//! Statistics that a plan leaves out, by their names: somebody who got a fail may have dropped the one that found it.

use crate::document::words::Words;
use deckproof_audit::audit::plan::Plan;

/// So many names are printed, and of more their number.
const NAMES_MAX: usize = 10;

/// The first names, and how many more there are.
pub fn first_of(names: &[String], words: &Words) -> String {
    match names.get(..NAMES_MAX) {
        Some(first) if names.len() > NAMES_MAX => {
            words.verdict.and_more(&first.join(", "), (names.len() - NAMES_MAX) as u64)
        }
        _ => names.join(", "),
    }
}

/// How many were left out, and which; nothing where all run.
pub fn left_out(plan: &Plan, words: &Words) -> Option<String> {
    let names = plan.left_out();
    let all = Plan::all_ids().len() as u64;
    (!names.is_empty()).then(|| words.verdict.left_out(names.len() as u64, all, &first_of(&names, words)))
}
