//! Entries one after the other in one text.

use crate::ledger::entry::{Entry, EntryError};

/// Every entry begins with this, and no other line does.
const ENTRY_START: &str = "deckproof/v1 ";

/// Why a text is no row of entries.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SeveralError {
    /// It begins with something else.
    #[error("wanted entries, each beginning with {ENTRY_START:?}")]
    Start,
    /// One of them is none.
    #[error("entry {number}: {error}")]
    Entry {
        /// Which, from 1.
        number: usize,
        /// What is wrong with it.
        error: EntryError,
    },
}

/// All entries of a text, each one checked.
///
/// # Errors
/// [`SeveralError`].
pub fn split(text: &str) -> Result<Vec<&str>, SeveralError> {
    let mut starts: Vec<usize> = text.match_indices(ENTRY_START).map(|(at, _)| at).collect();
    starts.retain(|&at| at == 0 || text.as_bytes()[at - 1] == b'\n');
    if starts.first() != Some(&0) {
        return Err(SeveralError::Start);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let entries = starts.iter().zip(ends).map(|(&start, end)| &text[start..end]);
    entries
        .enumerate()
        .map(|(place, entry)| match Entry::parse(entry) {
            Ok(_) => Ok(entry),
            Err(error) => Err(SeveralError::Entry { number: place + 1, error }),
        })
        .collect()
}
