//! The files of a folder and of its folders, in one order.

use std::fs;
use std::path::{Path, PathBuf};

use crate::source::ask::AskError;

/// The files at a path: itself, or of a folder all files in it and in its folders, in the byte order of their paths. Names
/// that begin with a dot and those of [`BESIDE`] are not read; a folder without a file is refused, so that nothing is passed over
/// unnoticed.
pub(super) fn files_of(path: &Path) -> Result<Vec<PathBuf>, AskError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    push_files(path, 0, &mut files)?;
    files.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
    Ok(files)
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
