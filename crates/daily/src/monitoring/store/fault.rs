//! Why no row may be added to a record.

use std::io;

use crate::monitoring::check::StepFault;
use crate::monitoring::database::{DATABASE_FILE, DatabaseError};

/// Why no row may be added.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file beside the database cannot be read.
    #[error("{0}")]
    File(io::Error),
    /// The database cannot be used.
    #[error("{DATABASE_FILE}: {0}")]
    Database(DatabaseError),
    /// A file is cut, empty or gone, which an accident explains as well as a hand.
    #[error("{0}: damaged or changed; restore it from a backup")]
    Damaged(String),
    /// The same of known decks, which can begin anew.
    #[error(
        "{0}: damaged or changed; restore it from a backup, or let two people give up what is lost (history --lost)"
    )]
    KnownDamaged(String),
    /// Rows that are known from elsewhere are gone: a restored backup explains it as well as a hand.
    #[error("{0}")]
    Behind(String),
    /// A folder has no record, and elsewhere there are rows of it.
    #[error("{0}")]
    Absent(String),
    /// The rows are not those that were written.
    #[error("{0}")]
    Changed(String),
    /// What is stated of a row cannot be taken, or changes nothing.
    #[error("{0}")]
    Statement(String),
}

impl From<DatabaseError> for StoreError {
    fn from(error: DatabaseError) -> StoreError {
        match error {
            DatabaseError::Schema(_) => StoreError::Changed(format!("{DATABASE_FILE}: {error}")),
            error => StoreError::Database(error),
        }
    }
}

impl StoreError {
    /// Whether a file of the record is not as it was written, so that running the job again mends nothing.
    pub fn is_damage(&self) -> bool {
        match self {
            StoreError::Database(error) => error.is_damage(),
            StoreError::Damaged(_) | StoreError::KnownDamaged(_) => true,
            _ => false,
        }
    }
}

impl From<StepFault> for StoreError {
    /// What is wrong with the files of the known decks.
    fn from(fault: StepFault) -> StoreError {
        match fault {
            StepFault::Refused(fault) => StoreError::KnownDamaged(fault),
            StepFault::Unreadable(reason) => StoreError::File(io::Error::other(reason)),
        }
    }
}
