//! Runs of a day that were begun: what is to be judged is on the disk before it is judged, so that the next run of the day names
//! one that was killed and read other bytes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use deckproof_files::file::{Access, if_there, own, write_atomic};

/// Most bytes of the file.
const BYTES_MAX: u64 = 1 << 20;

/// Hexadecimal digits of a hash in a sentence.
const DIGITS: usize = 12;

/// One run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BegunRun {
    /// When it came to its decks, UTC.
    pub when: String,
    /// SHA-256 of the export; absent where it is known only when all of it was read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source_sha256: Option<String>,
}

impl BegunRun {
    /// That it left no row, of a day.
    pub fn words(&self, day: &str) -> String {
        let read = match self.source_sha256.as_ref() {
            Some(hash) => format!("other bytes (SHA-256 {}…)", hash.get(..DIGITS).unwrap_or(hash)),
            None => "bytes that are not known".to_owned(),
        };
        format!("a run of {day} on {read} was begun at {} and did not end with a row", self.when)
    }

    /// Whether it read these bytes.
    pub fn is_of(&self, source_sha256: Option<&String>) -> bool {
        source_sha256.is_some() && self.source_sha256.as_ref() == source_sha256
    }
}

fn place(folder: &Path, day: &str) -> PathBuf {
    folder.join(format!("begun-{day}.json"))
}

/// The runs of a day that were begun and left no row yet.
///
/// # Errors
/// If the file that has them cannot be read. One that is not whole is a run of which nothing is known.
pub fn left(folder: &Path, day: &str) -> io::Result<Vec<BegunRun>> {
    let read = if_there(own::read_limited(&place(folder, day), BYTES_MAX))?;
    let torn = || vec![BegunRun { when: "a time that is not known".to_owned(), source_sha256: None }];
    Ok(read.map_or_else(Vec::new, |bytes| serde_json::from_slice(&bytes).unwrap_or_else(|_| torn())))
}

/// Writes down a run before it judges anything; another one of the same bytes is there once.
///
/// # Errors
/// If it cannot be written.
pub fn begin(folder: &Path, day: &str, run: BegunRun) -> io::Result<BegunRun> {
    let mut runs = left(folder, day)?;
    if let Some(same) = runs.iter().find(|other| other.is_of(run.source_sha256.as_ref())) {
        return Ok(same.clone());
    }
    runs.push(run.clone());
    write(folder, day, &runs)?;
    Ok(run)
}

/// A run ended, and so did those that its row names, if it has one.
///
/// # Errors
/// If the file cannot be written or removed.
pub fn end(folder: &Path, day: &str, ended: &[BegunRun]) -> io::Result<()> {
    let mut runs = left(folder, day)?;
    runs.retain(|run| !ended.contains(run));
    if runs.is_empty() {
        if_there(fs::remove_file(place(folder, day))).map(drop)
    } else {
        write(folder, day, &runs)
    }
}

fn write(folder: &Path, day: &str, runs: &[BegunRun]) -> io::Result<()> {
    let json = serde_json::to_string_pretty(runs).expect("runs are plain data");
    write_atomic(&place(folder, day), format!("{json}\n").as_bytes(), Access::Public)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_there_until_it_ends_and_one_of_the_same_bytes_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = |when: &str, hash: Option<&str>| BegunRun {
            when: when.to_owned(),
            source_sha256: hash.map(str::to_owned),
        };
        let begin = |run| begin(folder.path(), "2026-11-22", run).expect("writable");
        let first = begin(run("1", Some("ab")));
        assert_eq!(begin(run("2", Some("ab"))), first);
        let others = [begin(run("3", None)), begin(run("4", None)), begin(run("5", Some("cd")))];
        let left = || left(folder.path(), "2026-11-22").expect("readable");
        assert_eq!(left().len(), 4);
        end(folder.path(), "2026-11-22", &[first]).expect("writable");
        assert_eq!(left(), others);
        end(folder.path(), "2026-11-22", &others).expect("removable");
        assert!(left().is_empty() && !place(folder.path(), "2026-11-22").exists());
    }
}
