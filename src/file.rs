//! Files: written to a temporary name, synced and renamed, so that nothing is half-written.

pub mod lock;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Who may read a file that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Whatever the user's mask allows.
    Public,
    /// Mode 0600: the owner alone.
    OwnerOnly,
}

/// Writes a whole file or nothing: a temporary neighbour, synced, renamed, and the folder synced.
///
/// # Errors
/// The operating system's, with the temporary file removed; the old file, if any, is untouched.
pub fn write_atomic(path: &Path, bytes: &[u8], access: Access) -> io::Result<()> {
    let temporary = neighbour(path);
    let written = write_synced(&temporary, bytes, access).and_then(|()| fs::rename(&temporary, path));
    if let Err(error) = written {
        // The error that matters is the first one; a temporary file left behind is only untidy.
        let _ = fs::remove_file(&temporary);
        return Err(error);
    }
    sync_folder(path)
}

/// Adds bytes to the end of a file, all or none: what was written of them is cut off again on failure.
///
/// # Errors
/// The operating system's; the file is as long as it was.
pub fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let length = file.metadata()?.len();
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if written.is_err() {
        file.set_len(length)?;
    }
    written
}

fn write_synced(path: &Path, bytes: &[u8], access: Access) -> io::Result<()> {
    let mut file = create(path, access)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Creates the file exclusively, so that nobody can have it open, or lead it elsewhere by a link.
fn create(path: &Path, access: Access) -> io::Result<File> {
    // A process of the same number may have died here.
    let _ = fs::remove_file(path);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if access == Access::OwnerOnly {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

fn neighbour(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

/// Makes a rename durable. Not every system can sync a folder; there the rename stands as it is.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match File::open(folder) {
        Ok(folder) if cfg!(unix) => folder.sync_all(),
        _ => Ok(()),
    }
}
