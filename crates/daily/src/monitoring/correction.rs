//! Corrections: what somebody states of an earlier row, as a row of its own, because rows are never rewritten.
//!
//! A correction changes no verdict, no evidence and no stop: whoever can write one could otherwise lift them.

use serde::{Deserialize, Serialize};

use deckproof_deck::text::visible;

/// The longest reason, in letters.
pub(super) const REASON_LETTERS_MAX: usize = 500;

/// The longest name of a person, in letters.
pub(super) const NAME_LETTERS_MAX: usize = 100;

/// What the verdict of a row says that is a correction.
pub const VERDICT: &str = "correction";

/// A statement about an earlier row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The row.
    pub row: usize,
    /// Its hash.
    pub row_sha256: String,
    /// Who states it, as he says.
    pub by: String,
    /// What he states.
    pub reason: String,
}

impl Correction {
    /// A statement about a row and its hash.
    ///
    /// # Errors
    /// Why the words cannot be taken.
    pub fn new(row: usize, row_sha256: &str, by: &str, reason: &str) -> Result<Correction, String> {
        let by = stated("the name", by, NAME_LETTERS_MAX)?;
        let reason = stated("the reason", reason, REASON_LETTERS_MAX)?;
        Ok(Correction { row, row_sha256: row_sha256.to_owned(), by, reason })
    }

    /// In words.
    pub fn words(&self) -> String {
        format!("of row {}, by {}: {}", self.row, self.by, self.reason)
    }
}

/// The words of a person, visible and of a limited length.
pub(super) fn stated(what: &str, text: &str, max: usize) -> Result<String, String> {
    let text = visible(text.trim()).into_owned();
    match text.chars().count() {
        0 => Err(format!("{what} is empty, wanted words")),
        found if found > max => Err(format!("{what} has {found} letters, wanted at most {max}")),
        _ => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_person_are_visible_and_of_a_stated_length() {
        let of = |by: &str, reason: &str| Correction::new(3, "ab", by, reason);
        assert_eq!(of(" A. Smith ", "a\u{1b}b").expect("words").words(), "of row 3, by A. Smith: a\\u001bb");
        assert_eq!(of("", "a"), Err("the name is empty, wanted words".to_owned()));
        assert_eq!(of("a", " \n"), Err("the reason is empty, wanted words".to_owned()));
        assert!(of("a", &"b".repeat(500)).is_ok());
        let long = "the reason has 501 letters, wanted at most 500";
        assert_eq!(of("a", &"b".repeat(501)), Err(long.to_owned()));
    }
}
