//! Entries one after the other in one text.

use crate::log::entry::{Entry, EntryError, VERSION};

/// Why a text is no row of entries.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SeveralError {
    /// It begins with something else.
    #[error("wanted entries, each beginning with {VERSION:?}")]
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

/// All entries of a text, each one checked; an empty line may follow each, as in the files of a table.
///
/// # Errors
/// [`SeveralError`].
pub fn split(text: &str) -> Result<Vec<&str>, SeveralError> {
    let mut starts: Vec<usize> = text.match_indices(VERSION).map(|(at, _)| at).collect();
    starts.retain(|&at| at == 0 || text.as_bytes()[at - 1] == b'\n');
    if starts.first() != Some(&0) {
        return Err(SeveralError::Start);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let entries = starts.iter().zip(ends).map(|(&start, end)| without_empty_line(&text[start..end]));
    entries
        .enumerate()
        .map(|(place, entry)| match Entry::parse(entry) {
            Ok(_) => Ok(entry),
            Err(error) => Err(SeveralError::Entry { number: place + 1, error }),
        })
        .collect()
}

/// No entry ends with an empty line.
fn without_empty_line(text: &str) -> &str {
    if text.ends_with("\n\n") { &text[..text.len() - 1] } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_follow_each_other_closely_or_after_an_empty_line() {
        let entry = |reason: &str| format!("deckproof/v1 void\ndeck {}\nreason {reason}\n", "00".repeat(32));
        let (first, second) = (entry("crash"), entry("misdeal"));
        for text in [format!("{first}{second}"), format!("{first}\n{second}"), format!("{first}\n{second}\n")]
        {
            assert_eq!(split(&text), Ok(vec![&first[..], &second[..]]), "{text:?}");
        }
        for text in [format!("{first}\n\n{second}"), format!("{first}\n\n\n"), format!("\n{first}")] {
            assert!(split(&text).is_err(), "{text:?}");
        }
        // The end of a file whose writer was killed.
        let torn = format!("{first}\n{}", &second[..second.len() - 3]);
        assert!(matches!(split(&torn), Err(SeveralError::Entry { number: 2, .. })));
    }
}
