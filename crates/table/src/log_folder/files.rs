//! The files of a log as single operations, so that a test can cut every one of them short.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::log_folder::{CHECKPOINT, LogError};
use deckproof_files::file::lock::{LockError, PathLock};
use deckproof_files::file::{own, sync_names};

/// From so many files on the whole file system is synced at once.
const FILES_SYNCED_ONE_BY_ONE: usize = 24;

/// Files by name, such as `tile/0/000`. Every operation may fail, and a process may die in it.
pub trait Files {
    /// Keeps other writers out for as long as the value lives; nothing if the caller sees to that.
    ///
    /// # Errors
    /// [`LockError`]; busy while another writer has it.
    fn lock(&self) -> Result<Option<PathLock>, LockError>;
    /// Reads a whole file of at most so many bytes.
    ///
    /// # Errors
    /// The operating system's.
    fn read(&self, name: &str, bytes_max: u64) -> io::Result<Vec<u8>>;
    /// Writes a whole file in place of any, and makes the folders above it.
    ///
    /// # Errors
    /// The operating system's; the file may be torn.
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()>;
    /// Makes files durable, with their names and those of all folders above them.
    ///
    /// # Errors
    /// The operating system's; then nothing is known of them.
    fn sync(&self, names: &[String]) -> io::Result<()>;
    /// Gives a file another name in place of a file that had it; durable only with the folder.
    ///
    /// # Errors
    /// The operating system's.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;
    /// Makes the names in the log's own folder durable.
    ///
    /// # Errors
    /// The operating system's.
    fn sync_names(&self) -> io::Result<()>;
    /// Puts a file in place that can be made again from the rest, so that its loss is no error.
    fn leave(&self, name: &str, text: &str) {
        let temporary = format!("{name}.tmp");
        if self.write(&temporary, text.as_bytes()).is_ok() {
            // As above: it can be made again.
            let _ = self.rename(&temporary, name);
        }
    }
    /// Removes a folder of files that nobody needs any more; what stays only takes room.
    fn remove_folder(&self, name: &str);
    /// The name of a file for people.
    fn path(&self, name: &str) -> PathBuf;
}

/// A folder of the file system.
#[derive(Clone, Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    pub fn new(path: &Path) -> Folder {
        Folder(path.to_owned())
    }
}

impl Folder {
    /// Where a file is; a link in the place of one of the log's folders is refused.
    fn place(&self, name: &str) -> io::Result<PathBuf> {
        let path = self.path(name);
        own::check_folders(&self.0, &path)?;
        Ok(path)
    }
}

impl Files for Folder {
    fn lock(&self) -> Result<Option<PathLock>, LockError> {
        PathLock::take(&self.path(CHECKPOINT)).map(Some)
    }

    fn read(&self, name: &str, bytes_max: u64) -> io::Result<Vec<u8>> {
        own::read_limited(&self.place(name)?, bytes_max)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.place(name)?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        let written = own::open(&path, &options).or_else(|error| match path.parent() {
            Some(folder) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(folder)?;
                own::open(&path, &options)
            }
            _ => Err(error),
        });
        written?.write_all(bytes)
    }

    fn sync(&self, names: &[String]) -> io::Result<()> {
        if names.len() >= FILES_SYNCED_ONE_BY_ONE && sync_file_system(&self.0)? {
            return Ok(());
        }
        let paths: Vec<PathBuf> = names.iter().map(|name| self.path(name)).collect();
        // A folder may be new, so the folders above it are synced as well: they hold its name.
        let above = |path: &PathBuf| -> Vec<PathBuf> {
            let folders = path.ancestors().skip(1).take_while(|folder| folder.starts_with(&self.0));
            folders.map(Path::to_owned).collect()
        };
        let mut folders: Vec<PathBuf> = paths.iter().flat_map(above).collect();
        folders.sort();
        folders.dedup();
        paths.iter().try_for_each(|path| own::open_to_read(path)?.sync_all())?;
        if cfg!(unix) {
            folders.iter().try_for_each(|path| File::open(path)?.sync_all())?;
        }
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.place(from)?, self.place(to)?)
    }

    fn sync_names(&self) -> io::Result<()> {
        sync_names(&self.0)
    }

    fn remove_folder(&self, name: &str) {
        let _ = fs::remove_dir_all(self.path(name));
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

/// The files of a log in a folder of the file system.
pub fn in_folder(path: &Path) -> Rc<dyn Files> {
    Rc::new(Folder::new(path))
}

/// Puts a file in place, durably, whole or not at all.
pub(super) fn publish(files: &dyn Files, name: &str, text: &str) -> Result<(), LogError> {
    let temporary = format!("{name}.tmp");
    let written =
        files.write(&temporary, text.as_bytes()).and_then(|()| files.sync(std::slice::from_ref(&temporary)));
    written.map_err(|error| LogError::file(&files.path(name), error))?;
    let unsure = |error| LogError::Unsure { path: files.path(name), error };
    files.rename(&temporary, name).map_err(unsure)?;
    files.sync_names().map_err(unsure)
}

/// Whether the system can sync all files of a folder's file system in one call, and did.
#[cfg(target_os = "linux")]
fn sync_file_system(folder: &Path) -> io::Result<bool> {
    rustix::fs::syncfs(&File::open(folder)?)?;
    Ok(true)
}

#[cfg(not(target_os = "linux"))]
fn sync_file_system(_folder: &Path) -> io::Result<bool> {
    Ok(false)
}
