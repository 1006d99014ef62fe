//! The list of rows that is kept elsewhere, on another machine or medium: what the folder of the days alone cannot show, that
//! days were cut off its end or that the whole folder was put back, is seen beside it.
//!
//! One line a row: `12:HASH DAY`. The list is compared before a day and written after it.

use std::io;
use std::path::Path;

use crate::monitoring::day::DayLine;
use crate::monitoring::store::Store;
use deckproof_files::file::{Access, STATE_BYTES_MAX, if_there, read_text_limited, write_atomic};

/// What a list says beside a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listed {
    /// Every row that it has is in the record.
    Rows(usize),
    /// It is not there.
    Missing,
}

/// Why a list cannot be compared, or what it shows.
#[derive(Debug, thiserror::Error)]
pub enum ListFault {
    /// It cannot be read.
    #[error("{0}")]
    File(#[from] io::Error),
    /// A line is none of a list.
    #[error("line {line}: found {found:?}, wanted ROW:HASH DAY, such as 12:e3b0c442… 2026-11-22")]
    Line {
        /// Its number, counted from 1.
        line: usize,
        /// What it says.
        found: String,
    },
    /// The record is not the one that was listed.
    #[error("{0}")]
    Changed(String),
}

/// Compares a list with the record.
///
/// # Errors
/// [`ListFault`].
pub fn compare(path: &Path, store: &Store) -> Result<Listed, ListFault> {
    let Some(text) = if_there(read_text_limited(path, STATE_BYTES_MAX))? else { return Ok(Listed::Missing) };
    for (place, line) in text.lines().enumerate() {
        let torn = || ListFault::Line { line: place + 1, found: deckproof_deck::text::excerpt(line, 40) };
        let (row, rest) = line.split_once(':').ok_or_else(torn)?;
        let (hash, day) = rest.split_once(' ').ok_or_else(torn)?;
        if row.parse() != Ok(place + 1) || hash.len() != 64 {
            return Err(torn());
        }
        match store.row_sha256(place + 1) {
            None => {
                return Err(ListFault::Changed(format!(
                    "row {row} ({day}) is in {} and is gone from the record: days were taken out, or an earlier state of the \
                     folder was put back",
                    path.display()
                )));
            }
            Some(found) if found != hash => {
                return Err(ListFault::Changed(format!(
                    "row {row} ({day}) is another one than in {}: the record was written anew",
                    path.display()
                )));
            }
            Some(_) => {}
        }
    }
    Ok(Listed::Rows(text.lines().count()))
}

/// Writes the rows of the record.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, store: &Store) -> io::Result<()> {
    let line = |(line, row): (&DayLine, usize)| {
        format!("{row}:{} {}\n", store.row_sha256(row).unwrap_or_default(), line.day)
    };
    let text: String = store.days().iter().zip(1..).map(line).collect();
    write_atomic(path, text.as_bytes(), Access::Public)
}
