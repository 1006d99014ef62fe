//! Events of a record that people state: an export that was wrong, a stop that is lifted, a repaired shuffler. Each is a row
//! of its own with two names and a reason; nothing is taken out.

use std::collections::BTreeSet;

use deckproof_deck::text::named::named;
use serde::{Deserialize, Serialize};

use crate::monitoring::correction::{NAME_LETTERS_MAX, REASON_LETTERS_MAX, stated};

named! {
    /// What happened.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum EventKind {
        /// The export of a row was wrong: its decks are no evidence, and its stop is none.
        Voided = "voided",
        /// The stops of a row are lifted, of steps that will not pass by themselves.
        Lifted = "lifted",
        /// A repaired or new shuffler: the evidence begins anew, the known decks go on.
        Release = "release",
        /// What no backup has any more: the record goes on without it, and says so from then on.
        Lost = "lost",
    }
    /// The word of a table.
    pub fn word;
}

/// What two people state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// The row that is meant; of a release or a loss the last one before it.
    pub row: usize,
    /// Its hash.
    pub row_sha256: String,
    /// Who states it, as they say.
    pub by: Vec<String>,
    /// Why.
    pub reason: String,
    /// Which file of the known decks is not whole: they begin anew after this row.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub known: Option<String>,
    /// Whether the evidence over all days stops nobody without the voided row, so that its stop ends with it.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub ends_drift: bool,
    /// Rows that the record lost, as the list that is kept elsewhere has them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub rows: Vec<String>,
}

impl Event {
    /// What two people state of a row and its hash.
    ///
    /// # Errors
    /// Why it cannot be taken.
    pub fn new(
        kind: EventKind,
        row: usize,
        row_sha256: &str,
        by: &[String],
        reason: &str,
    ) -> Result<Event, String> {
        let names = by.iter().map(|name| stated("the name", name, NAME_LETTERS_MAX));
        let by = names.collect::<Result<Vec<String>, _>>()?;
        // "A. Smith", "a Smith" and "Smith, A." are one person.
        let bare = |name: &String| {
            let name = name.to_lowercase();
            let mut words: Vec<&str> = name.split(|letter: char| !letter.is_alphanumeric()).collect();
            words.sort_unstable();
            words.concat()
        };
        let different: BTreeSet<String> = by.iter().map(bare).collect();
        if different.len() < 2 {
            let found = by.join(", ");
            return Err(format!("found the names {found:?}, wanted two different ones: --by NAME --by NAME"));
        }
        let reason = stated("the reason", reason, REASON_LETTERS_MAX)?;
        let (row_sha256, ends_drift) = (row_sha256.to_owned(), false);
        Ok(Event { kind, row, row_sha256, by, reason, known: None, ends_drift, rows: Vec::new() })
    }

    /// The rows that are lost, in words.
    pub fn lost_rows(&self) -> Vec<String> {
        let short = |entry: &String| {
            let (hash, day) = entry.split_once(' ').unwrap_or((entry, ""));
            let (row, hash) = hash.split_once(':').unwrap_or((hash, ""));
            format!("row {row} of {day} ({})", hash.get(..12).unwrap_or(hash))
        };
        self.rows.iter().map(short).collect()
    }

    /// What is lost, in words.
    fn lost(&self) -> String {
        let known = self.known.as_ref().map(|fault| format!("known decks until row {} ({fault})", self.row));
        self.lost_rows().into_iter().chain(known).collect::<Vec<_>>().join(", ")
    }

    /// In words.
    pub fn words(&self) -> String {
        let (by, reason) = (self.by.join(" and "), &self.reason);
        match self.kind {
            EventKind::Voided => {
                let ends =
                    "; the stop of drift ends, for without this row the evidence over all days stops nobody";
                format!(
                    "row {} voided by {by}: {reason}{}",
                    self.row,
                    if self.ends_drift { ends } else { "" }
                )
            }
            EventKind::Lifted => format!("stop of row {} lifted by {by}: {reason}", self.row),
            EventKind::Release => format!("release of a shuffler by {by}: {reason}"),
            EventKind::Lost => format!("{} given up as lost by {by}: {reason}", self.lost()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_takes_two_different_names_and_a_reason() {
        let of = |by: &[&str], reason: &str| {
            let by: Vec<String> = by.iter().map(|&name| name.to_owned()).collect();
            Event::new(EventKind::Voided, 3, "ab", &by, reason).map(|event| event.words())
        };
        let words = "row 3 voided by A. Smith and B. Jones: wrong file".to_owned();
        assert_eq!(of(&["A. Smith", " B. Jones "], "wrong file"), Ok(words));
        for by in [&["A. Smith"][..], &["A. Smith", "a  Smith"], &["A. Smith", "SMITH, A"], &[]] {
            assert!(of(by, "a").is_err_and(|fault| fault.contains("wanted two different ones")), "{by:?}");
        }
        assert_eq!(of(&["a", "b"], " "), Err("the reason is empty, wanted words".to_owned()));
    }
}
