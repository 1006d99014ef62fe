//! The files of a folder and of its folders, in one order.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::source::ask::AskError;

/// The files at a path: itself, or of a folder all files in it and in its folders, in the byte order of their paths, those of a
/// log that is rotated from the oldest on ([`age`]). Names that begin with a dot and those of [`BESIDE`] are not read; a folder without a file is refused, so that nothing is passed over
/// unnoticed.
pub(super) fn files_of(path: &Path) -> Result<Vec<PathBuf>, AskError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    push_files(path, 0, &mut files)?;
    let paths: BTreeSet<PathBuf> = files.iter().cloned().collect();
    let bytes = |path: &Path| path.as_os_str().as_encoded_bytes().to_vec();
    files.sort_by_cached_key(|path| match age(path, &paths) {
        Some((log, age)) => (bytes(&log), age, bytes(path)),
        None => (bytes(path), Age::Newest, bytes(path)),
    });
    Ok(files)
}

/// The place of a file in a log that is rotated.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Age {
    /// Its date, as digits.
    Date(String),
    /// How many files are newer.
    Newer(std::cmp::Reverse<u32>),
    /// The one that is written into.
    Newest,
}

/// The log that a file was rotated out of, if that is among these, and its age: `hands.csv.2` is older than `hands.csv.1`, and both,
/// like `hands.csv.2026-11-22` and `hands.csv-20261122.gz`, than `hands.csv`.
fn age(path: &Path, all: &BTreeSet<PathBuf>) -> Option<(PathBuf, Age)> {
    let text = path.to_str()?;
    let text = [".gz", ".zst"].iter().find_map(|packed| text.strip_suffix(packed)).unwrap_or(text);
    let log =
        text.trim_end_matches(|letter: char| letter.is_ascii_digit() || ['-', '_', '.'].contains(&letter));
    // The name of the log may end with a digit itself.
    let ends = text.char_indices().map(|(at, _)| at).filter(|&at| at >= log.len() && at < text.len());
    let (log, suffix) = ends.map(|at| text.split_at(at)).find(|(log, _)| all.contains(Path::new(log)))?;
    let digits: String = suffix.chars().filter(char::is_ascii_digit).collect();
    let age = match digits.len() {
        1..=4 if suffix.len() == digits.len() + 1 && suffix.starts_with('.') => {
            Age::Newer(std::cmp::Reverse(digits.parse().ok()?))
        }
        8.. => Age::Date(digits),
        _ => return None,
    };
    Some((PathBuf::from(log), age))
}

/// What Spark and Hadoop write beside their files. Other names with `_` may be those of decks.
const BESIDE: [&str; 3] = ["_SUCCESS", "_metadata", "_common_metadata"];

/// Folders in folders, such as one a year, a month, a day and a table.
const FOLDERS_MAX: usize = 6;

/// More files are no export.
const FILES_MAX: usize = 100_000;

fn push_files(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), AskError> {
    let failed = |what: String| {
        AskError::new(format!("{}: {what}", folder.display()), "Name a file, or a folder of files.")
    };
    let before = files.len();
    for entry in fs::read_dir(folder).map_err(|error| failed(error.to_string()))? {
        let entry = entry.map_err(|error| failed(error.to_string()))?;
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(b".") || BESIDE.iter().any(|own| name == *own) {
            continue;
        }
        let is_link = entry.file_type().map_err(|error| failed(error.to_string()))?.is_symlink();
        if entry.path().is_dir() {
            // A link may lead round in a circle.
            if is_link {
                return Err(failed(format!("found {name:?}, a link to a folder, wanted files and folders")));
            }
            if depth == FOLDERS_MAX {
                return Err(failed(format!("found folders more than {FOLDERS_MAX} deep, wanted an export")));
            }
            push_files(&entry.path(), depth + 1, files)?;
        } else {
            if files.len() == FILES_MAX {
                return Err(failed(format!("found more than {FILES_MAX} files, wanted an export")));
            }
            files.push(entry.path());
        }
    }
    if files.len() == before { Err(failed("found no file in it".to_owned())) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_is_rotated_is_read_from_the_oldest_file_on() {
        let read = |names: &[&str]| {
            let folder = tempfile::tempdir().expect("a folder");
            names.iter().for_each(|name| fs::write(folder.path().join(name), "").expect("writable"));
            let files = files_of(folder.path()).expect("a folder of files");
            let name = |path: PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
            files.into_iter().map(name).collect::<Vec<_>>()
        };
        for sorted in [
            // logrotate, with its default names, packed, and with dateext.
            &["a.csv", "h.csv.10.gz", "h.csv.9.gz", "h.csv.2.gz", "h.csv.1", "h.csv", "i.csv"][..],
            &["h.csv-20261121.gz", "h.csv-20261122", "h.csv"],
            // TimedRotatingFileHandler of Python.
            &["h.csv.2026-11-21", "h.csv.2026-11-22", "h.csv"],
            // Pages, of which none is written into, and names that are no ages.
            &["page.1", "page.10", "page.2"],
            &["h", "h.csv", "h1", "h2.csv"],
            &["h.csv", "h.csv.old", "h.csv.v2"],
        ] {
            let mut names = sorted.to_vec();
            for _ in 0..2 {
                names.rotate_left(1);
                assert_eq!(read(&names), sorted);
            }
        }
    }
}
