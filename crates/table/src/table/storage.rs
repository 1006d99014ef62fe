//! The files of a table as single operations, so that a test can cut every one of them short.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use deckproof_files::file::{above, if_there, own};

/// What is secret lies below this folder, and may be read by its owner alone.
pub const SECRET: &str = "secret";

/// What may be published lies below this folder.
pub const PUBLIC: &str = "public";

/// No temporary file of ours is longer, in bytes.
const WIPED_BYTES_MAX: u64 = 1 << 20;

/// Most bytes that are read of a file at once: some 300,000 hands of one table.
const READ_BYTES_MAX: u64 = 1 << 30;

/// Files by name, such as `public/entries.txt`. Every operation may fail, and a process may die in it.
pub trait Storage {
    /// The bytes from an offset on; nothing if there is no such file.
    ///
    /// # Errors
    /// The operating system's.
    fn read(&self, file: &str, offset: u64) -> io::Result<Option<Zeroizing<Vec<u8>>>>;
    /// How many bytes a file has; nothing if there is no such file.
    ///
    /// # Errors
    /// The operating system's.
    fn length(&self, file: &str) -> io::Result<Option<u64>>;
    /// Creates a file that is not there and writes to it.
    ///
    /// # Errors
    /// The operating system's; the file may be torn.
    fn create(&mut self, file: &str, bytes: &[u8]) -> io::Result<()>;
    /// Writes at the end of a file.
    ///
    /// # Errors
    /// The operating system's; the end may be torn.
    fn append(&mut self, file: &str, bytes: &[u8]) -> io::Result<()>;
    /// Writes over the beginning of a file.
    ///
    /// # Errors
    /// The operating system's.
    fn overwrite(&mut self, file: &str, bytes: &[u8]) -> io::Result<()>;
    /// Cuts a file to a length.
    ///
    /// # Errors
    /// The operating system's.
    fn truncate(&mut self, file: &str, length: u64) -> io::Result<()>;
    /// Makes what was written to a file durable.
    ///
    /// # Errors
    /// The operating system's; then nothing is known of the file.
    fn sync(&mut self, file: &str) -> io::Result<()>;
    /// Gives a file another name, in place of a file that had it.
    ///
    /// # Errors
    /// The operating system's.
    fn rename(&mut self, from: &str, to: &str) -> io::Result<()>;
    /// Removes a file.
    ///
    /// # Errors
    /// The operating system's.
    fn remove(&mut self, file: &str) -> io::Result<()>;
    /// Makes the names in a folder durable.
    ///
    /// # Errors
    /// The operating system's.
    fn sync_folder(&mut self, folder: &str) -> io::Result<()>;
}

/// Writes at the end of a file, durably.
pub(super) fn append(storage: &mut impl Storage, file: &str, bytes: &[u8]) -> io::Result<()> {
    storage.append(file, bytes)?;
    storage.sync(file)
}

/// Writes a whole file or nothing, durably: under the one temporary name of its folder, synced and renamed.
pub(super) fn replace(storage: &mut impl Storage, file: &str, bytes: &[u8]) -> io::Result<()> {
    let folder = file.split('/').next().unwrap_or_default();
    let temporary = temporary(folder);
    wipe(storage, &temporary)?;
    storage.create(&temporary, bytes)?;
    storage.sync(&temporary)?;
    storage.rename(&temporary, file)?;
    storage.sync_folder(folder)
}

/// Removes a temporary file that a process left behind, after its bytes are written over: it may hold a
/// chain key.
pub(super) fn wipe(storage: &mut impl Storage, file: &str) -> io::Result<()> {
    let Some(length) = storage.length(file)? else { return Ok(()) };
    storage.overwrite(file, &vec![0; length.min(WIPED_BYTES_MAX) as usize])?;
    storage.sync(file)?;
    storage.remove(file)
}

/// The one temporary name of a folder.
pub(super) fn temporary(folder: &str) -> String {
    format!("{folder}/unfinished.tmp")
}

/// A folder of the file system, locked as long as this value lives.
pub struct Folder {
    path: PathBuf,
    /// Unlocked when it is dropped, also by a process that is killed.
    _lock: File,
}

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Another process deals here.
    #[error("{}: another process deals at this table", .path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("{}: {error}", .path.display())]
    System {
        /// The file or folder.
        path: PathBuf,
        /// Its error.
        error: io::Error,
    },
}

impl Folder {
    /// Makes the folder and what belongs into it, where it is not there, and locks it.
    ///
    /// # Errors
    /// [`FolderError`].
    pub fn create(path: &Path) -> Result<Folder, FolderError> {
        let system = |path: &Path, error| FolderError::System { path: path.to_owned(), error };
        let made = fs::create_dir_all(path).and_then(|()| sync_path(above(path)));
        made.map_err(|error| system(path, error))?;
        let folder = Folder::open(path)?;
        // A link that lies there would have keys written elsewhere.
        let (public, secret) = (path.join(PUBLIC), path.join(SECRET));
        let made = own::check_folder(&public).and_then(|()| fs::create_dir_all(&public));
        made.map_err(|error| system(&public, error))?;
        own::create_folder(&secret).map_err(|error| system(&secret, error))?;
        sync_path(path).map_err(|error| system(path, error))?;
        Ok(folder)
    }

    /// Locks a folder that is there.
    ///
    /// # Errors
    /// [`FolderError`].
    pub fn open(path: &Path) -> Result<Folder, FolderError> {
        let lock = path.join("lock");
        let system = |error| FolderError::System { path: lock.clone(), error };
        let file = own::open(&lock, OpenOptions::new().create(true).append(true)).map_err(system)?;
        match file.try_lock() {
            Ok(()) => Ok(Folder { path: path.to_owned(), _lock: file }),
            Err(TryLockError::WouldBlock) => Err(FolderError::Locked { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => Err(system(error)),
        }
    }

    /// Where a file is; a link in the place of one of the table's folders is refused.
    fn place(&self, file: &str) -> io::Result<PathBuf> {
        let path = self.path.join(file);
        own::check_folders(&self.path, &path)?;
        Ok(path)
    }
}

/// Makes the names in a folder durable; not every system can, and there they stand as they are.
fn sync_path(folder: &Path) -> io::Result<()> {
    match File::open(folder) {
        Ok(folder) if cfg!(unix) => folder.sync_all(),
        _ => Ok(()),
    }
}

impl Storage for Folder {
    fn read(&self, file: &str, offset: u64) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
        let Some(mut file) = if_there(own::open_to_read(&self.place(file)?))? else { return Ok(None) };
        // A buffer that grows leaves copies of secrets behind, so it is made once.
        let length = file.metadata()?.len().saturating_sub(offset);
        if length > READ_BYTES_MAX {
            let problem = format!("found {length} bytes, wanted at most {READ_BYTES_MAX}");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
        }
        let mut bytes = Zeroizing::new(Vec::with_capacity(length as usize + 1));
        file.seek(SeekFrom::Start(offset))?;
        // A file that grows meanwhile is read no further.
        file.take(length).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    fn length(&self, file: &str) -> io::Result<Option<u64>> {
        own::length(&self.place(file)?)
    }

    fn create(&mut self, file: &str, bytes: &[u8]) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        if file.starts_with(SECRET) {
            own::for_owner(&mut options);
        }
        options.open(self.place(file)?)?.write_all(bytes)
    }

    fn append(&mut self, file: &str, bytes: &[u8]) -> io::Result<()> {
        own::open(&self.place(file)?, OpenOptions::new().append(true))?.write_all(bytes)
    }

    fn overwrite(&mut self, file: &str, bytes: &[u8]) -> io::Result<()> {
        own::open(&self.place(file)?, OpenOptions::new().write(true))?.write_all(bytes)
    }

    fn truncate(&mut self, file: &str, length: u64) -> io::Result<()> {
        own::open(&self.place(file)?, OpenOptions::new().write(true))?.set_len(length)
    }

    fn sync(&mut self, file: &str) -> io::Result<()> {
        own::open(&self.place(file)?, OpenOptions::new().write(true))?.sync_all()
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.place(from)?, self.place(to)?)
    }

    fn remove(&mut self, file: &str) -> io::Result<()> {
        fs::remove_file(self.place(file)?)
    }

    fn sync_folder(&mut self, folder: &str) -> io::Result<()> {
        sync_path(&self.path.join(folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_would_fill_the_memory_is_refused_unread() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let storage = Folder::create(folder.path()).expect("it can be made");
        let file = File::create(storage.path.join("public/entries.txt")).expect("it can be made");
        // Sparse: it takes no room.
        file.set_len(READ_BYTES_MAX + 3).expect("the file system has sparse files");
        let error = storage.read("public/entries.txt", 0).expect_err("too long");
        assert_eq!(error.to_string(), "found 1073741827 bytes, wanted at most 1073741824");
        assert_eq!(
            storage.read("public/entries.txt", READ_BYTES_MAX).expect("short").expect("there").len(),
            3
        );
    }
}
