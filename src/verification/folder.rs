//! A folder that is no package, but holds bundles or certificates: each of its files is judged.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use deckproof_audit::certificate::LIMITS;
use deckproof_deck::json::outermost_keys;
use deckproof_files::file::input::FileError;
use deckproof_files::file::read_limited;
use deckproof_lab::project::package::SUMS;
use deckproof_lab::project::package::sums::is_of_system;

/// Most files of one folder that are judged in one call.
const FILES_MAX: usize = 10_000;

/// How deep folders in a folder are read.
const DEPTH_MAX: usize = 8;

/// What a folder of a package holds; such a folder is judged as a whole.
const PACKAGE: [&str; 3] = [SUMS, "report.json", "plan.toml"];

/// What is judged where a path is given.
#[derive(Default)]
pub(super) struct Found {
    /// These files, or the path itself.
    pub judged: Vec<PathBuf>,
    /// JSON that says of itself that it is something else. An edited folder could hide a bundle like that, so it is named.
    pub left: Vec<PathBuf>,
}

/// The path itself, or the bundles, certificates and packages of a folder and of the folders in it. JSON of other kinds is left
/// alone; what is no JSON is judged as well, so that a bundle that was cut off is not passed over.
///
/// # Errors
/// [`FileError`]: a folder that cannot be read, or with more files than are judged at once.
pub(super) fn files_of(path: &Path) -> Result<Found, FileError> {
    let itself = || Ok(Found { judged: vec![path.to_owned()], left: Vec::new() });
    if !path.is_dir() || is_package(path) {
        return itself();
    }
    let mut files = Vec::new();
    list(path, DEPTH_MAX, &mut files).map_err(|error| FileError { path: path.to_owned(), error })?;
    let kinds: Vec<Kind> = files.iter().map(|file| kind(file)).collect();
    if !kinds.contains(&Kind::Judged) {
        return itself();
    }
    let mut found = Found::default();
    for (file, kind) in files.into_iter().zip(kinds) {
        if kind == Kind::Other { &mut found.left } else { &mut found.judged }.push(file);
    }
    Ok(found)
}

/// The JSON files of a folder and of those in it, in their order. A package in it is judged as a whole.
fn list(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let (mut own, mut folders) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if is_of_system(&entry.file_name().to_string_lossy()) || entry.file_name() == "__MACOSX" {
            continue;
        }
        let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        // A link to a folder may lead back.
        if entry.file_type()?.is_dir() {
            folders.push(path);
        } else if is_json && path.is_file() {
            own.push(path);
        }
    }
    own.sort_unstable();
    // hand-2 comes before hand-10.
    folders.sort_unstable_by_key(|folder| (folder.as_os_str().len(), folder.clone()));
    files.append(&mut own);
    for inner in folders {
        if is_package(&inner) {
            files.push(inner);
        } else if depth > 0 {
            list(&inner, depth - 1, files)?;
        } else {
            return Err(io::Error::other(format!("found folders in folders, more than {DEPTH_MAX} deep")));
        }
    }
    if files.len() > FILES_MAX {
        return Err(io::Error::other(format!(
            "found more than {FILES_MAX} JSON files in it, wanted at most so many in one call"
        )));
    }
    Ok(())
}

/// Whether a folder is judged as a whole.
fn is_package(folder: &Path) -> bool {
    PACKAGE.iter().any(|name| folder.join(name).exists())
}

/// What a JSON file of a folder is.
#[derive(PartialEq, Eq)]
enum Kind {
    /// A bundle or a certificate.
    Judged,
    /// Something that cannot be read as JSON.
    Damaged,
    /// JSON of another kind.
    Other,
}

fn kind(file: &Path) -> Kind {
    if file.is_dir() {
        return Kind::Judged;
    }
    let bytes = read_limited(file, LIMITS.bytes_max as u64).unwrap_or_default();
    match outermost_keys(&bytes, LIMITS) {
        Err(_) => Kind::Damaged,
        Ok(keys) if keys.iter().any(|key| ["deck_entry", "result"].contains(&&key[..])) => Kind::Judged,
        Ok(_) => Kind::Other,
    }
}
