//! The list of rows that is kept elsewhere, on another machine or medium: what the folder of the days alone cannot show, that
//! days were cut off its end or that the whole folder was put back, is seen beside it.
//!
//! One line a row: `12:HASH DAY`. Rows that the record lost for good, as two people state, stay in the list: `lost 12:HASH DAY`.
//! The list is compared before a day and written after it.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::monitoring::day::DayLine;
use crate::monitoring::store::{Store, StoreError};
use deckproof_deck::text::excerpt;
use deckproof_files::file::{Access, STATE_BYTES_MAX, if_there, own, read_text_limited, write_atomic};

/// What a line begins with whose row the record lost.
const LOST: &str = "lost ";

/// The file beside the rows that says where the list is, for whoever adds a row without the configuration.
const PLACE_FILE: &str = "kept_rows.path";

/// Most bytes of it.
const PLACE_BYTES_MAX: u64 = 1 << 14;

/// What a list says beside a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listed {
    /// Every row that it has is in the record, and it has all that nights wrote there.
    Rows(usize),
    /// It is not there.
    Missing,
    /// It has fewer rows than nights wrote there.
    Short {
        /// How many of the record it has.
        rows: usize,
        /// The first one that is missing.
        first: usize,
    },
}

impl Listed {
    /// Why nothing is compared with it, or not with all of it; so many rows are in the record.
    pub fn fault(self, path: &Path, rows: usize) -> Option<String> {
        let path = path.display();
        match self {
            Listed::Missing if rows > 0 => Some(format!(
                "{path} is not there, with which the rows are compared; it is begun anew from the {rows} rows that are here"
            )),
            Listed::Short { rows: found, first } => Some(format!(
                "{path} has {found} of the {rows} rows, and row {first}, which a night writes there, is missing: it was cut, or could not \
                 be written; it is written anew from the rows that are here"
            )),
            Listed::Missing | Listed::Rows(_) => None,
        }
    }
}

/// Why a list cannot be compared, or what it shows.
#[derive(Debug, thiserror::Error)]
pub enum ListFault {
    /// It cannot be read, or is no list.
    #[error("{0}")]
    File(#[from] io::Error),
    /// The record is not the one that was listed.
    #[error("{0}")]
    Record(#[from] StoreError),
}

/// One line of a list.
#[derive(Clone)]
struct Entry {
    row: usize,
    hash: String,
    day: String,
}

impl Entry {
    fn of(line: &str) -> Option<Entry> {
        let (row, rest) = line.strip_prefix(LOST).unwrap_or(line).split_once(':')?;
        let (hash, day) = rest.split_once(' ')?;
        let row = row.parse().ok().filter(|&row| row > 0)?;
        (hash.len() == 64).then(|| Entry { row, hash: hash.to_owned(), day: day.to_owned() })
    }

    fn text(&self) -> String {
        format!("{}:{} {}", self.row, self.hash, self.day)
    }
}

/// The lines of a list; nothing where it is not there.
fn read(path: &Path) -> io::Result<Option<Vec<Entry>>> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("found no regular file, wanted a list of the rows"));
    }
    let Some(text) = if_there(read_text_limited(path, STATE_BYTES_MAX))? else { return Ok(None) };
    let entry = |(place, line): (usize, &str)| {
        let wanted = "wanted ROW:HASH DAY, such as 12:e3b0c442… 2026-11-22";
        let wrong = || format!("line {}: found {:?}, {wanted}", place + 1, excerpt(line, 40));
        Entry::of(line).ok_or_else(|| io::Error::other(wrong()))
    };
    text.lines().enumerate().map(entry).collect::<Result<_, _>>().map(Some)
}

/// The lines whose rows a record neither has nor states to be lost.
fn without_row<'a>(entries: &'a [Entry], days: &[DayLine], store: Option<&Store>) -> Vec<&'a Entry> {
    let lost: BTreeSet<&String> =
        days.iter().filter_map(|line| line.event.as_ref()).flat_map(|event| &event.rows).collect();
    let hash = |entry: &Entry| store.and_then(|store| store.row_sha256(entry.row));
    let is_there = |entry: &Entry| hash(entry).as_ref() == Some(&entry.hash) || lost.contains(&entry.text());
    entries.iter().filter(|entry| !is_there(entry)).collect()
}

/// Compares a list with the record, or with the folder that has none.
///
/// # Errors
/// [`ListFault`].
pub fn compare(path: &Path, folder: &Path, store: Option<&Store>) -> Result<Listed, ListFault> {
    let Some(entries) = read(path)? else { return Ok(Listed::Missing) };
    let days = store.map_or(&[][..], Store::days);
    let (place, rows) = (path.display(), days.len());
    let other = without_row(&entries, days, store);
    if let Some(Entry { row, day, .. }) = other.iter().find(|entry| entry.row <= rows) {
        return Err(StoreError::Changed(format!(
            "row {row} ({day}) is another one than in {place}: the record was written anew, or an older backup was gone on with"
        ))
        .into());
    }
    if let (Some(first), Some(last)) = (other.first(), other.last()) {
        let which = match other.len() {
            1 => format!("row {} ({}) is", first.row, first.day),
            _ => format!("rows {} to {} ({} to {}) are", first.row, last.row, first.day, last.day),
        };
        return Err(match rows {
            0 => StoreError::Absent(format!(
                "{which} in {place}, and {} has no record: folder is mistyped or was moved, or the record is lost",
                folder.display()
            )),
            _ => StoreError::Behind(format!(
                "{which} in {place} and not in the record, which ends at row {rows}: an older backup was restored, or rows were taken out"
            )),
        }
        .into());
    }
    // What people state is written there by the night after it.
    let wanted = days.iter().rposition(DayLine::is_day).map_or(0, |place| place + 1);
    // A lost row has the number of another one.
    let is_own =
        |entry: &&Entry| store.and_then(|store| store.row_sha256(entry.row)).as_ref() == Some(&entry.hash);
    let listed: BTreeSet<usize> = entries.iter().filter(is_own).map(|entry| entry.row).collect();
    let found = (1..=rows).filter(|row| listed.contains(row)).count();
    Ok(match (1..=wanted).find(|row| !listed.contains(row)) {
        Some(first) => Listed::Short { rows: found, first },
        None => Listed::Rows(found),
    })
}

/// The rows that a list has and the record has lost, as the list has them.
///
/// # Errors
/// [`ListFault`].
pub fn lost(path: &Path, store: &Store) -> Result<Vec<String>, ListFault> {
    let entries = read(path)?.unwrap_or_default();
    Ok(without_row(&entries, store.days(), Some(store)).into_iter().map(Entry::text).collect())
}

/// Writes the rows of the record.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, store: &Store) -> io::Result<()> {
    let mut text = String::new();
    for (line, row) in store.days().iter().zip(1..) {
        line.event.iter().flat_map(|event| &event.rows).for_each(|lost| text += &format!("{LOST}{lost}\n"));
        text += &format!("{row}:{} {}\n", store.row_sha256(row).unwrap_or_default(), line.day);
    }
    write_atomic(path, text.as_bytes(), Access::Public)
}

/// Writes beside the rows of a folder where the list is, if there is one.
///
/// # Errors
/// If it cannot be written.
pub fn remember(path: &Path, folder: &Path) -> io::Result<()> {
    let Some(path) = if_there(path.canonicalize())? else { return Ok(()) };
    let (own, place) = (folder.join(PLACE_FILE), format!("{}\n", path.display()));
    match own::read_text_limited(&own, PLACE_BYTES_MAX) {
        Ok(before) if before == place => Ok(()),
        _ => write_atomic(&own, place.as_bytes(), Access::Public),
    }
}

/// Where the list of a folder is, as its last night found it.
pub fn place_of(folder: &Path) -> Option<PathBuf> {
    let text = own::read_text_limited(&folder.join(PLACE_FILE), PLACE_BYTES_MAX).ok()?;
    Some(PathBuf::from(text.trim_end()))
}
