//! Whether the record of a shuffler's days is as it was written, and as others kept it.

use std::io;
use std::path::Path;

use crate::monitoring::kept_rows::{self, ListFault, Listed};
use crate::monitoring::known;
use crate::monitoring::store::Pages;
use crate::monitoring::store::{Store, StoreError};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::input::FileError;

/// Why nothing more is said of a record.
#[derive(Debug)]
pub enum RecordFault {
    /// It was changed.
    Changed(String),
    /// It cannot be read, or not be compared.
    Unread(CouldNotSay),
}

impl From<StoreError> for RecordFault {
    fn from(error: StoreError) -> RecordFault {
        match error {
            StoreError::Changed(fault) => RecordFault::Changed(fault),
            error => RecordFault::Unread(CouldNotSay::new(error, "")),
        }
    }
}

impl RecordFault {
    /// What is wrong with a list of the rows.
    fn of_list(path: &Path, fault: ListFault) -> RecordFault {
        match fault {
            ListFault::Record(StoreError::Changed(fault)) => RecordFault::Changed(fault),
            fault => RecordFault::Unread(CouldNotSay::new(format!("{}: {fault}", path.display()), "")),
        }
    }
}

/// The record of a folder.
///
/// # Errors
/// [`RecordFault`].
pub fn open(folder: &Path) -> Result<Store, RecordFault> {
    Ok(Store::read(folder)?)
}

/// How many rows of a list that is kept elsewhere the record has, which are all of them.
///
/// # Errors
/// [`RecordFault`].
pub fn check_list(store: &Store, folder: &Path, path: &Path) -> Result<usize, RecordFault> {
    let compared = kept_rows::compare(path, folder, Some(store));
    match compared.map_err(|fault| RecordFault::of_list(path, fault))? {
        Listed::Rows(rows) | Listed::Short { rows, .. } => Ok(rows),
        Listed::Missing => {
            Err(RecordFault::Unread(FileError::new(path, io::ErrorKind::NotFound.into()).into()))
        }
    }
}

/// That nothing speaks against a further row: neither a list of the rows that was named, nor the one that the nights write, where it
/// can be read.
///
/// # Errors
/// [`RecordFault`]: daily adds nothing to such a record either.
pub fn check_may_grow(store: &Store, folder: &Path) -> Result<(), RecordFault> {
    let Some(path) = kept_rows::place_of(folder) else { return Ok(()) };
    match kept_rows::compare(&path, folder, Some(store)) {
        Err(ListFault::Record(StoreError::Changed(fault))) => Err(RecordFault::Changed(fault)),
        Err(ListFault::Record(fault)) => Err(RecordFault::Unread(CouldNotSay::new(
            fault,
            "Nothing was added. Put the newest record back; if there is none, two people give the rows up (history --lost).",
        ))),
        _ => Ok(()),
    }
}

/// The rows that a list has and the record has not: of the list that was named, or the one that the nights write.
///
/// # Errors
/// [`RecordFault::Unread`].
pub fn lost_rows(store: &Store, folder: &Path, named: Option<&Path>) -> Result<Vec<String>, RecordFault> {
    let Some(path) = named.map(Path::to_owned).or_else(|| kept_rows::place_of(folder)) else {
        return Ok(Vec::new());
    };
    kept_rows::lost(&path, store).map_err(|fault| RecordFault::of_list(&path, fault))
}

/// Everything of the record that can be recomputed: the pages of its days, and how many decks of earlier days are known.
///
/// # Errors
/// [`RecordFault`].
pub fn recompute(store: &Store, folder: &Path) -> Result<(Pages, u64), RecordFault> {
    let pages = store.check_pages(folder).map_err(RecordFault::Changed)?;
    let known = known::recompute(folder, store.days()).map_err(StoreError::from)?;
    if let Some(changed) = store.changed_schema()? {
        return Err(RecordFault::Changed(changed));
    }
    if !store.has_named_bets()? {
        return Err(RecordFault::Changed(
            "the bets that are kept are not those that the last row names; the next day makes them again from the certificates"
                .to_owned(),
        ));
    }
    Ok((pages, known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_rows_that_a_record_has_not_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = open(folder.path()).expect("a new record");
        let list = folder.path().join("rows");
        let check_list = |store: &Store, list: &Path| check_list(store, folder.path(), list);
        assert!(matches!(check_list(&store, &list), Err(RecordFault::Unread(_))));
        std::fs::write(&list, format!("1:{} 2026-11-22\n", "0".repeat(64))).expect("a file");
        assert!(matches!(check_list(&store, &list), Err(RecordFault::Unread(_))));
        std::fs::write(&list, "").expect("a file");
        assert_eq!(check_list(&store, &list).expect("it lists nothing"), 0);
    }

    #[test]
    fn a_file_that_is_no_record_says_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join(crate::monitoring::database::DATABASE_FILE);
        std::fs::write(database, "no database").expect("a file");
        assert!(open(folder.path()).is_err());
    }
}
