//! A manifest: which files a shuffler consists of, and whether they are the same today.
//!
//! The text is what `sha256sum` writes and `sha256sum -c` reads, one line a file, sorted by path; everything else is in
//! comments, which `sha256sum` skips: the version, the folders that were listed whole, and of each file its length
//! and its SHA-1, which the forms of some laboratories still ask for.

mod read;
pub mod signature;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha1::Sha1;
use sha2::{Digest, Sha256};

use deckproof_deck::text::is_hidden;

/// First line of every manifest of this version.
pub const VERSION: &str = "# deckproof-manifest/v1";
/// A manifest is no longer than this, in bytes.
pub const BYTES_MAX: u64 = 64 << 20;
/// Folders inside folders, at most.
const DEPTH_MAX: usize = 64;

/// What is known of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// Its length in bytes.
    pub bytes: u64,
    /// Its SHA-256 (FIPS 180-4), 64 lower-case hexadecimal digits.
    pub sha256: String,
    /// Its SHA-1 (FIPS 180-4), 40 lower-case hexadecimal digits: a name that forms ask for, not a proof.
    pub sha1: String,
}

/// The files of a manifest by their paths, which are relative to its base and written with `/`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// The folders that were listed whole: a file that is new in one of them is a difference.
    folders: Vec<String>,
    files: BTreeMap<String, Identity>,
}

/// A file that is not as the manifest says; without either identity a folder that was listed whole and is not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The file.
    pub path: String,
    /// As listed, if it is.
    pub before: Option<Identity>,
    /// As found, if it is there; what is not listed lies in a folder that was listed whole.
    pub after: Option<Identity>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { path, before, after } = self;
        let known = |own: &Identity| format!("{} bytes, SHA-256 {}", own.bytes, own.sha256);
        match (before.as_ref().map(known), after.as_ref().map(known)) {
            (Some(before), Some(after)) => write!(f, "changed: {path}: {before} before; {after} now"),
            (Some(before), None) => write!(f, "missing: {path}: {before} before"),
            (None, Some(after)) => write!(f, "new: {path}: {after} now"),
            (None, None) => write!(f, "missing: {path}: a folder that was listed whole"),
        }
    }
}

/// Why files cannot be listed or a manifest cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// A file or folder that cannot be read.
    #[error("{path}: {error}")]
    File {
        /// Which.
        path: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A path that a manifest cannot name.
    #[error("{path:?}: found {found}, wanted {wanted}")]
    Path {
        /// Which.
        path: String,
        /// What is wrong with it.
        found: &'static str,
        /// What would do.
        wanted: &'static str,
    },
    /// A line that is not one of a manifest.
    #[error("line {line}: found {found}, wanted {wanted}")]
    Line {
        /// Which, from 1.
        line: usize,
        /// What is there.
        found: String,
        /// What would do.
        wanted: &'static str,
    },
}

impl Manifest {
    /// Lists files, and folders with everything in them, at paths relative to a base.
    ///
    /// # Errors
    /// [`ManifestError`]: nothing is left out silently, so one file that cannot be read is an error.
    pub fn of(base: &Path, paths: &[PathBuf]) -> Result<Manifest, ManifestError> {
        let (mut folders, mut files) = (Vec::new(), BTreeMap::new());
        for path in paths {
            let name = name_of(path)?;
            let whole = base.join(path);
            if fs::metadata(&whole).map_err(|error| failed(&name, error))?.is_dir() {
                list_folder(&whole, &name, DEPTH_MAX, &mut files)?;
                folders.push(name);
            } else {
                files.insert(name.clone(), identity(&whole, &name)?);
            }
        }
        folders.sort();
        folders.dedup();
        Ok(Manifest { folders, files })
    }

    /// The files.
    pub fn files(&self) -> &BTreeMap<String, Identity> {
        &self.files
    }

    /// The first file, where none of them is under a base: the list was made elsewhere, or all of it is gone.
    pub fn is_elsewhere(&self, base: &Path) -> Option<&str> {
        let first = self.files.keys().next()?;
        self.files.keys().all(|path| !base.join(path).exists()).then_some(first)
    }

    /// What differs under a base today, in the order of the paths. Empty: every file is the same, and no listed folder holds another one.
    ///
    /// # Errors
    /// [`ManifestError`]: a file that is there and cannot be read.
    pub fn differences(&self, base: &Path) -> Result<Vec<Difference>, ManifestError> {
        let (mut found, mut differences) = (BTreeMap::new(), Vec::new());
        for folder in &self.folders {
            let whole = base.join(folder);
            if whole.is_dir() {
                list_folder(&whole, folder, DEPTH_MAX, &mut found)?
            } else {
                differences.push(Difference { path: folder.clone(), before: None, after: None })
            }
        }
        for name in self.files.keys() {
            let whole = base.join(name);
            if !found.contains_key(name) && whole.exists() {
                found.insert(name.clone(), identity(&whole, name)?);
            }
        }
        let paths: BTreeSet<&String> = self.files.keys().chain(found.keys()).collect();
        for path in paths {
            let (before, after) = (self.files.get(path), found.get(path));
            if before != after {
                let (before, after) = (before.cloned(), after.cloned());
                differences.push(Difference { path: path.clone(), before, after });
            }
        }
        differences.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(differences)
    }
}

/// The text of the manifest.
impl fmt::Display for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = format!("{VERSION}\n");
        for folder in &self.folders {
            writeln!(text, "# folder {folder}")?;
        }
        for (path, identity) in &self.files {
            writeln!(text, "# bytes {} sha1 {}", identity.bytes, identity.sha1)?;
            writeln!(text, "{}  {path}", identity.sha256)?;
        }
        f.write_str(&text)
    }
}

fn failed(name: &str, error: io::Error) -> ManifestError {
    ManifestError::File { path: name.to_owned(), error }
}

/// A path as a manifest names it: relative, inside the base, of visible characters.
fn name_of(path: &Path) -> Result<String, ManifestError> {
    let wrong =
        |found, wanted| Err(ManifestError::Path { path: path.to_string_lossy().into_owned(), found, wanted });
    let Some(text) = path.to_str() else {
        return wrong("a name that is not UTF-8", "a name that a text can hold");
    };
    let text = text.trim_end_matches('/');
    let text = text.strip_prefix("./").unwrap_or(text);
    if text.is_empty() || path.is_absolute() {
        return wrong("no relative path", "a path relative to the base, such as bin/deckproof");
    }
    if text != "." && text.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return wrong("a part that is empty, . or ..", "a plain path inside the base");
    }
    if text.chars().any(|letter| is_hidden(letter) || letter == '\\') {
        return wrong("a control character or a backslash", "a name that one line of sha256sum can hold");
    }
    Ok(text.to_owned())
}

fn list_folder(
    whole: &Path,
    name: &str,
    depth: usize,
    files: &mut BTreeMap<String, Identity>,
) -> Result<(), ManifestError> {
    if depth == 0 {
        let (found, wanted) = ("folders inside folders without an end", "at most 64 levels");
        return Err(ManifestError::Path { path: name.to_owned(), found, wanted });
    }
    for entry in fs::read_dir(whole).map_err(|error| failed(name, error))? {
        let entry = entry.map_err(|error| failed(name, error))?;
        let file_name = PathBuf::from(entry.file_name());
        let inner = match name {
            "." => name_of(&file_name)?,
            _ => name_of(&Path::new(name).join(file_name))?,
        };
        // A link to a folder could lead out of the base or in a circle.
        let kind = entry.file_type().map_err(|error| failed(&inner, error))?;
        let target = fs::metadata(entry.path()).map_err(|error| failed(&inner, error))?;
        if kind.is_symlink() && target.is_dir() {
            let (found, wanted) = ("a symbolic link to a folder", "files, and folders of their own");
            return Err(ManifestError::Path { path: inner, found, wanted });
        }
        if target.is_dir() {
            list_folder(&entry.path(), &inner, depth - 1, files)?;
        } else {
            let identity = identity(&entry.path(), &inner)?;
            files.insert(inner, identity);
        }
    }
    Ok(())
}

fn identity(whole: &Path, name: &str) -> Result<Identity, ManifestError> {
    if !fs::metadata(whole).map_err(|error| failed(name, error))?.is_file() {
        let (found, wanted) = ("a device, a socket or a pipe", "a file");
        return Err(ManifestError::Path { path: name.to_owned(), found, wanted });
    }
    hash(whole).map_err(|error| failed(name, error))
}

fn hash(path: &Path) -> io::Result<Identity> {
    let mut file = File::open(path)?;
    let (mut sha256, mut sha1, mut bytes) = (Sha256::new(), Sha1::new(), 0);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => {
                sha256.update(&buffer[..length]);
                sha1.update(&buffer[..length]);
                bytes += length as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let hexadecimal = base16ct::lower::encode_string;
    Ok(Identity { bytes, sha256: hexadecimal(&sha256.finalize()), sha1: hexadecimal(&sha1.finalize()) })
}
