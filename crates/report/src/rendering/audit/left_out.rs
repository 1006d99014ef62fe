//! Statistics that a plan leaves out, by their names.

use crate::document::words::Words;

/// So many names are told, and of more their number.
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
