//! Files that are handed in, and standard input; and which file a failure is of.

use std::io;
use std::path::{Path, PathBuf};

use crate::file::{read_limited, read_stream_limited};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::visible;

/// A file or standard input that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", visible(&.path.display().to_string()))]
pub struct FileError {
    /// Which.
    pub path: PathBuf,
    /// The error of the operating system.
    pub error: io::Error,
}

impl FileError {
    /// Of this file.
    pub fn new(path: &Path, error: io::Error) -> FileError {
        FileError { path: path.to_owned(), error }
    }
}

impl From<FileError> for CouldNotSay {
    fn from(error: FileError) -> CouldNotSay {
        CouldNotSay(error.to_string())
    }
}

/// The bytes of a file, or of standard input for `-`.
///
/// # Errors
/// [`FileError`] naming it.
pub fn read_input(path: &Path, bytes_max: u64) -> Result<Vec<u8>, FileError> {
    let result = if path == Path::new("-") {
        read_stream_limited(io::stdin(), bytes_max)
    } else {
        read_limited(path, bytes_max)
    };
    result.map_err(|error| FileError::new(path, error))
}
