//! A folder that is no package, but holds bundles or certificates: each of its files is judged.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use deckproof_audit::certificate::LIMITS;
use deckproof_deck::json::outermost_keys;
use deckproof_files::file::input::FileError;
use deckproof_files::file::read_limited;
use deckproof_lab::project::package::SUMS;

/// Most files of one folder that are judged in one call.
const FILES_MAX: usize = 10_000;

/// What a folder of a package holds; such a folder is judged as a whole.
const PACKAGE: [&str; 3] = [SUMS, "report.json", "plan.toml"];

/// What is judged where a path is given.
#[derive(Default)]
pub(super) struct Found {
    /// These files, or the path itself.
    pub judged: Vec<PathBuf>,
    /// JSON that says of itself that it is something else. Whoever edits a folder could hide a bundle like that, so it is told.
    pub left: Vec<PathBuf>,
}

/// The path itself, or the bundles and certificates of a folder and of its folders `hand-N`. JSON of other kinds is left
/// alone; what is no JSON is judged as well, so that a bundle that was cut off is not passed over.
///
/// # Errors
/// [`FileError`]: a folder that cannot be read, or with more files than are judged at once.
pub(super) fn files_of(path: &Path) -> Result<Found, FileError> {
    let itself = || Ok(Found { judged: vec![path.to_owned()], left: Vec::new() });
    if !path.is_dir() || PACKAGE.iter().any(|name| path.join(name).exists()) {
        return itself();
    }
    let failed = |error| FileError { path: path.to_owned(), error };
    let (mut files, folders) = listed(path).map_err(failed)?;
    for folder in folders {
        files.extend(listed(&folder).map_err(failed)?.0);
    }
    if files.len() > FILES_MAX {
        let found = format!("found {} JSON files in it, wanted at most {FILES_MAX} in one call", files.len());
        return Err(failed(io::Error::other(found)));
    }
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

/// The JSON files of a folder and its folders of hands, in their order.
fn listed(folder: &Path) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_hand = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("hand-"));
        if path.is_dir() {
            folders.extend(is_hand.then_some(path));
        } else if path.is_file() && path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort_unstable();
    // hand-2 comes before hand-10.
    folders.sort_unstable_by_key(|folder| (folder.as_os_str().len(), folder.clone()));
    Ok((files, folders))
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
    let bytes = read_limited(file, LIMITS.bytes_max as u64).unwrap_or_default();
    match outermost_keys(&bytes, LIMITS) {
        Err(_) => Kind::Damaged,
        Ok(keys) if keys.iter().any(|key| ["deck_entry", "result"].contains(&&key[..])) => Kind::Judged,
        Ok(_) => Kind::Other,
    }
}
