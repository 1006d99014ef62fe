//! Locks: one program at a time works on a checkpoint or a folder of results.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::file::{above, own};

/// Why a path is not ours to write.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another program holds it.
    #[error("{}: another run of this program is using it", .path.display())]
    Busy {
        /// What was to be locked.
        path: PathBuf,
    },
    /// The operating system's word.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The lock file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
}

/// A path that only this process writes, until the value is dropped: the operating system's lock on an empty
/// neighbour `NAME.lock`. What is written is renamed into place, so that the file itself cannot carry the lock.
/// A killed process leaves the neighbour and no lock.
#[derive(Debug)]
pub struct PathLock {
    lock_path: PathBuf,
    _file: File,
}

impl PathLock {
    /// Takes the lock, or says at once that somebody has it; then removes temporary files that a killed
    /// run left of this path.
    ///
    /// # Errors
    /// [`LockError`].
    pub fn take(path: &Path) -> Result<PathLock, LockError> {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(".lock");
        let lock_path = path.with_file_name(name);
        let failed = |error: io::Error| LockError::Io { path: lock_path.clone(), error };
        loop {
            let mut options = OpenOptions::new();
            options.create(true).truncate(false).write(true);
            let file = own::open(&lock_path, &options).map_err(failed)?;
            match file.try_lock() {
                Ok(()) if is_at(&file, &lock_path) => {
                    remove_temporaries(path);
                    return Ok(PathLock { lock_path, _file: file });
                }
                // Its holder has removed the file that was opened here: open the next one.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(LockError::Busy { path: path.to_owned() }),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
    }
}

impl Drop for PathLock {
    fn drop(&mut self) {
        // An empty file that stays is only untidy; the lock ends with the process.
        let _ = fs::remove_file(&self.lock_path);
    }
}

/// Whether an open file is the one at a path.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let same = |a: fs::Metadata, b: fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
        file.metadata()
            .ok()
            .zip(fs::symlink_metadata(path).ok())
            .is_some_and(|(open, there)| same(open, there))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// Removes `NAME.PROCESS.tmp`, which a killed run left: only the holder of the lock may call this.
pub fn remove_temporaries(path: &Path) {
    if let Some(name) = path.file_name().and_then(|name| name.to_str()) {
        remove_temporaries_of(above(path), |other| other == name);
    }
}

/// Removes what a killed run left of those files in a folder whose names are ours, as [`remove_temporaries`] does.
pub fn remove_temporaries_of(folder: &Path, is_ours: impl Fn(&str) -> bool) {
    let is_left = |temporary: &str| {
        let name = temporary.strip_suffix(".tmp").and_then(|rest| rest.rsplit_once('.'));
        name.is_some_and(|(name, process)| {
            !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit()) && is_ours(name)
        })
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_left) {
            // Only tidying up.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_a_time_and_nothing_stays() {
        let folder = tempfile::tempdir().expect("a scratch folder can be made");
        let path = folder.path().join("run");
        let held = PathLock::take(&path).expect("nobody holds it");
        assert!(matches!(PathLock::take(&path), Err(LockError::Busy { .. })));
        drop(held);
        drop(PathLock::take(&path).expect("it was given back"));
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
    }

    #[test]
    fn temporary_files_of_a_killed_run_are_removed_and_no_others() {
        let folder = tempfile::tempdir().expect("a scratch folder can be made");
        let others = ["run.tmp", "run.12a.tmp", "run..tmp", "other.12.tmp", "run.12.tmp.kept"];
        for name in ["run.12.tmp", "run.4711.tmp"].iter().chain(&others) {
            fs::write(folder.path().join(name), "x").expect("the scratch folder is writable");
        }
        drop(PathLock::take(&folder.path().join("run")).expect("nobody holds it"));
        let left = fs::read_dir(folder.path()).expect("readable").count();
        assert_eq!(left, others.len());
    }
}
