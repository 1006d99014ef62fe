//! A file that is there only as long as its value lives, under a name that nobody knows beforehand.

use std::fs::{self, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How often a name is tried: that two are equal never happens by chance.
const TRIES: usize = 8;

/// A file for other programs that read files only. In a folder that everybody may write to, a name known beforehand could be
/// taken, or a link laid there.
#[derive(Debug)]
pub struct TemporaryFile {
    path: PathBuf,
}

impl TemporaryFile {
    /// A new file with these bytes, for its owner alone.
    ///
    /// # Errors
    /// The operating system's.
    pub fn holding(bytes: &[u8]) -> io::Result<TemporaryFile> {
        TemporaryFile::in_folder(&std::env::temp_dir(), bytes)
    }

    fn in_folder(folder: &Path, bytes: &[u8]) -> io::Result<TemporaryFile> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        for _ in 0..TRIES {
            let path = folder.join(format!("deckproof-{:016x}{:016x}", random(), random()));
            match options.open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(mut file) => {
                    let own = TemporaryFile { path };
                    return file.write_all(bytes).map(|()| own);
                }
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "found every name for a temporary file taken"))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // It may be gone already; what stays is a copy of what others have.
        let _ = fs::remove_file(&self.path);
    }
}

/// A number from the keys that the standard library takes from the operating system for its hash tables: not for secrets, only
/// for names. [`RandomState::new`] has other keys each time.
fn random() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_different_names_their_bytes_and_go_with_their_value() {
        let folder = tempfile::tempdir().expect("a folder");
        let [a, b] =
            ["a", "b"].map(|text| TemporaryFile::in_folder(folder.path(), text.as_bytes()).expect("new"));
        assert_ne!(a.path(), b.path());
        assert_eq!(fs::read_to_string(b.path()).expect("it is there"), "b");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(a.path()).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        drop((a, b));
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
    }
}
