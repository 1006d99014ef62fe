//! Folders with all that lies below them.

use std::fs;
use std::path::{Path, PathBuf};

/// Every file below a folder, in the order of their names.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("readable") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// A file below a folder by its name there.
pub fn name_in(folder: &Path, file: &Path) -> String {
    file.strip_prefix(folder).expect("it lies there").display().to_string()
}

/// Copies a folder of files and folders.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("writable");
    for entry in fs::read_dir(from).expect("readable") {
        let entry = entry.expect("an entry");
        let (path, place) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &place)
        } else {
            fs::copy(path, place).expect("writable");
        }
    }
}
