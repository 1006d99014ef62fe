//! Whose folder it is: one writer at a time, and none in a copy or an older state of the folder.
//!
//! Beside the key of the log lies KEY`.serving`: the number by which the file system knows `secret/`, which a copy does not
//! have, and how many entries the service had signed at least, which an older state lacks. It is written at most once a
//! second, and at an orderly end: only a state of the last seconds before a crash is taken for the true one.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::service::ServiceError;
use deckproof_files::file::{TEXT_BYTES_MAX, above, if_there, own, sync_names};
use deckproof_table::log_folder::key_files::serving_file;

/// How often the number of entries is written.
const EVERY: Duration = Duration::from_secs(1);

const FIRST_LINE: &str = "deckproof/serving/v1";

/// Why a folder is not written.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// Another service runs.
    #[error("{}: another service deals from this folder", .0.display())]
    Busy(PathBuf),
    /// A copy.
    #[error(
        "{}: this folder is not the one that the key of the log served, or the file KEY.serving beside the key is gone: a copy does not deal; --read-only reads it",
        .0.display()
    )]
    Copied(PathBuf),
    /// Another key of the same name.
    #[error("{}: another key signed the checkpoint of this log: give the key that began it, or begin another log", .0.display())]
    OtherKey(PathBuf),
    /// An older state.
    #[error(
        "{}: the folder holds {found} entries, the key of the log has signed {signed}: a restored folder does not deal; --read-only reads it",
        .folder.display()
    )]
    Restored {
        /// The folder.
        folder: PathBuf,
        /// What it holds.
        found: u64,
        /// What was signed.
        signed: u64,
    },
}

/// Takes the lock of a folder; freed when the file is dropped, also by a process that is killed.
pub fn lock(folder: &Path) -> Result<File, ServiceError> {
    let path = folder.join("lock");
    let file =
        own::open(&path, OpenOptions::new().create(true).append(true)).map_err(ServiceError::file(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(HomeError::Busy(folder.to_owned()).into()),
        Err(TryLockError::Error(error)) => Err(ServiceError::file(&path)(error)),
    }
}

/// The secret folder of a service; made for its owner alone where it is not there.
pub fn secret_folder(folder: &Path) -> Result<PathBuf, ServiceError> {
    let secret = folder.join("secret");
    for path in [secret.clone(), secret.join("journal"), secret.join("places")] {
        own::create_folder(&path).map_err(ServiceError::file(&path))?;
    }
    for path in [&secret, &folder.to_owned()] {
        sync_names(path).map_err(ServiceError::file(path))?;
    }
    Ok(secret)
}

/// The file beside the key of the log.
pub struct Serving {
    path: PathBuf,
    number: u64,
    /// What was written last, and when.
    written: Option<(u64, Instant)>,
}

impl Serving {
    /// The file beside this key, for this secret folder.
    pub fn of(key: &Path, secret: &Path) -> Result<Serving, ServiceError> {
        let number = number_of(secret).map_err(ServiceError::file(secret))?;
        Ok(Serving { path: serving_file(key), number, written: None })
    }

    /// Whether this folder is the one the key serves: then how many entries were signed at least. For a key that
    /// serves none, nothing.
    pub fn signed(&self, folder: &Path) -> Result<Option<u64>, ServiceError> {
        let text = if_there(own::read_text_limited(&self.path, TEXT_BYTES_MAX))
            .map_err(ServiceError::file(&self.path))?;
        let Some(text) = text else { return Ok(None) };
        let mut lines = text.lines();
        let number =
            |line: Option<&str>, word: &str| line?.strip_prefix(word)?.trim_start_matches('0').parse().ok();
        let (first, folder_line, entries) = (lines.next(), lines.next(), lines.next());
        match (first, number(folder_line, "folder "), entries) {
            (Some(FIRST_LINE), Some(number), Some(_)) if number == self.number => {}
            _ => return Err(HomeError::Copied(folder.to_owned()).into()),
        }
        Ok(Some(number(entries, "entries ").unwrap_or(0)))
    }

    /// Writes the file, durably.
    pub fn begin(&mut self, entries: u64) -> Result<(), ServiceError> {
        let mut options = OpenOptions::new();
        own::for_owner(options.write(true).create(true).truncate(false));
        let written = own::open(&self.path, &options).and_then(|mut file| {
            file.write_all(self.text(entries).as_bytes())?;
            file.sync_all()
        });
        written.map_err(ServiceError::file(&self.path))?;
        self.written = Some((entries, Instant::now()));
        let above = above(&self.path);
        sync_names(above).map_err(ServiceError::file(above))
    }

    /// Writes how many entries there are, `now` or if nothing was written in the last second. It need not be durable.
    pub fn note(&mut self, entries: u64, now: bool) -> Result<(), ServiceError> {
        if self.written.is_some_and(|(noted, at)| noted == entries || !now && at.elapsed() < EVERY) {
            return Ok(());
        }
        let file = own::open(&self.path, OpenOptions::new().write(true));
        file.and_then(|mut file| file.write_all(self.text(entries).as_bytes()))
            .map_err(ServiceError::file(&self.path))?;
        self.written = Some((entries, Instant::now()));
        Ok(())
    }

    /// Every text has the same length, so that none is ever half an older one.
    fn text(&self, entries: u64) -> String {
        format!("{FIRST_LINE}\nfolder {:020}\nentries {entries:020}\n", self.number)
    }
}

/// What the file system calls a folder: a copy has another number.
#[cfg(unix)]
fn number_of(folder: &Path) -> io::Result<u64> {
    use std::os::unix::fs::MetadataExt;
    Ok(fs::metadata(folder)?.ino())
}

#[cfg(not(unix))]
fn number_of(folder: &Path) -> io::Result<u64> {
    let created = fs::metadata(folder)?.created()?.duration_since(std::time::UNIX_EPOCH);
    Ok(created.map_or(0, |since| since.as_nanos() as u64))
}
