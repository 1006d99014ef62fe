//! Files: written whole or not at all, and read up to a stated length.

pub mod input;
pub mod lock;
pub mod own;
pub mod program;
pub mod temporary;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use deckproof_deck::text::secret;

/// Who may read a file that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Whatever the user's mask allows.
    Public,
    /// Mode 0600: the owner alone.
    OwnerOnly,
}

/// SHA-256 of bytes or of a text in lower-case hexadecimal, as people compare it.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    base16ct::lower::encode_string(&Sha256::digest(bytes))
}

/// Writes a whole file or nothing: a temporary neighbour, synced, renamed, and the folder synced.
///
/// # Errors
/// The operating system's, with the temporary file removed; the old file, if any, is untouched.
pub fn write_atomic(path: &Path, bytes: &[u8], access: Access) -> io::Result<()> {
    Prepared::write(path, bytes, access)?.put()
}

/// A file that is whole and durable beside the place where it belongs. Dropped, it is removed.
#[derive(Debug)]
pub struct Prepared {
    temporary: PathBuf,
    path: PathBuf,
}

impl Prepared {
    /// Writes the temporary neighbour and syncs it.
    ///
    /// # Errors
    /// The operating system's, with the temporary file removed.
    pub fn write(path: &Path, bytes: &[u8], access: Access) -> io::Result<Prepared> {
        check_replaceable(path)?;
        let prepared = Prepared { temporary: neighbour(path), path: path.to_owned() };
        write_synced(&prepared.temporary, bytes, access)?;
        Ok(prepared)
    }

    /// Renames it, and syncs the folder.
    ///
    /// # Errors
    /// The operating system's, with the temporary file removed; the old file, if any, is untouched.
    pub fn put(self) -> io::Result<()> {
        fs::rename(&self.temporary, &self.path)?;
        sync_folder(&self.path)
    }
}

/// A device such as /dev/null, a pipe or a socket, also behind a link, is nothing that a file may take the place of; nor is a link of the
/// system such as /dev/stdout, whatever lies behind it.
fn check_replaceable(path: &Path) -> io::Result<()> {
    let is_other = fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    let is_link = || fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
    if is_other || path.starts_with("/dev") && is_link() {
        let problem = "is no regular file, and nothing is put in its place";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    Ok(())
}

impl Drop for Prepared {
    fn drop(&mut self) {
        // The error that matters is the first one; a temporary file left behind is only untidy.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// Adds bytes to the end of a file, all or none: what was written of them is cut off again on failure.
///
/// # Errors
/// The operating system's; the file is as long as it was.
pub fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = own::open(path, OpenOptions::new().create(true).append(true))?;
    let length = file.metadata()?.len();
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if written.is_err() {
        file.set_len(length)?;
    }
    written
}

/// What was opened, read or removed; nothing where there is no such file.
///
/// # Errors
/// The operating system's, but for [`io::ErrorKind::NotFound`].
pub fn if_there<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// Reads a whole file of at most so many bytes. A longer one is refused before it is read.
///
/// # Errors
/// The operating system's, and [`io::ErrorKind::FileTooLarge`] with both lengths.
pub fn read_limited(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    read_opened(File::open(path)?, bytes_max)
}

fn read_opened(file: File, bytes_max: u64) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    if length > bytes_max {
        return Err(too_long(&format!("{length} bytes"), bytes_max));
    }
    // A pipe has no length, and a file may grow while it is read.
    read_stream_limited(file, bytes_max)
}

/// Most bytes of a text that a person writes: configurations, plans, scripts, start orders.
pub const TEXT_BYTES_MAX: u64 = 1 << 20;

/// Most bytes of what this program keeps to go on from: tables of counts, lines of a monitored shuffler.
pub const STATE_BYTES_MAX: u64 = 1 << 26;

/// Reads a text of at most so many bytes.
///
/// # Errors
/// As [`read_limited`], and if it is no UTF-8.
pub fn read_text_limited(path: &Path, bytes_max: u64) -> io::Result<String> {
    let bytes = read_limited(path, bytes_max)?;
    refuse_secret(secret::kind_of_text(&bytes))?;
    text_of(bytes)
}

fn text_of(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let sound = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = sound.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let problem =
            format!("line {line}: found letters that are not in UTF-8, wanted a file saved as UTF-8");
        io::Error::new(io::ErrorKind::InvalidData, problem)
    })
}

/// Reads a stream to its end if that comes within so many bytes.
///
/// # Errors
/// As [`read_limited`].
pub fn read_stream_limited(stream: impl Read, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(bytes_max.saturating_add(1)).read_to_end(&mut bytes)?;
    refuse_secret(secret::kind_of(&bytes))?;
    if bytes.len() as u64 > bytes_max { Err(too_long("more bytes", bytes_max)) } else { Ok(bytes) }
}

/// Keys are read by ways of their own: here one was named by mistake, and messages would repeat parts of it.
fn refuse_secret(found: Option<&'static str>) -> io::Result<()> {
    let refused = |kind| {
        let problem = format!("found {kind}, wanted another file; nothing of it is repeated here");
        Err(io::Error::new(io::ErrorKind::InvalidData, problem))
    };
    found.map_or(Ok(()), refused)
}

fn too_long(found: &str, bytes_max: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("found {found}, wanted at most {bytes_max}"))
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
    if access == Access::OwnerOnly {
        own::for_owner(&mut options);
    }
    options.open(path)
}

fn neighbour(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

/// Makes the names in a folder durable, before a caller goes on who answers for them.
///
/// # Errors
/// The operating system's. Windows has no call for it: there the names stand as they are, and the program says so
/// before it deals.
pub fn sync_names(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// The bytes that an unprivileged user may still write on the disk of a folder; `None` where the system has no call for it.
///
/// # Errors
/// The operating system's.
pub fn free_bytes(folder: &Path) -> io::Result<Option<u64>> {
    #[cfg(unix)]
    {
        let found = rustix::fs::statvfs(folder)?;
        Ok(Some(found.f_bavail.saturating_mul(found.f_frsize)))
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        Ok(None)
    }
}

/// The folder that a path lies in.
pub fn above(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a rename durable. Not every system can sync a folder; there the rename stays as it is.
fn sync_folder(path: &Path) -> io::Result<()> {
    match File::open(above(path)) {
        Ok(folder) if cfg!(unix) => folder.sync_all(),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_free_bytes_are_those_of_the_disk_that_holds_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let free = free_bytes(folder.path()).expect("the folder is there");
        assert_eq!(free.is_some(), cfg!(unix));
        assert!(free.is_none_or(|bytes| 0 < bytes && bytes < 1 << 60), "{free:?}");
        assert!(!cfg!(unix) || free_bytes(&folder.path().join("missing")).is_err());
    }

    #[test]
    fn a_stream_is_read_up_to_its_limit_and_refused_beyond() {
        assert_eq!(read_stream_limited(&b"abc"[..], 3).expect("three bytes fit"), b"abc");
        let error = read_stream_limited(&b"abcd"[..], 3).expect_err("four bytes do not");
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        let error = read_stream_limited(io::repeat(b'x'), 1000).expect_err("a stream without end");
        assert_eq!(error.to_string(), "found more bytes, wanted at most 1000");
    }

    /// The name of a device would else be that of a file from then on, for every program of the machine.
    #[cfg(unix)]
    #[test]
    fn a_file_takes_the_place_of_a_file_alone() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().expect("a folder");
        let (socket, link) = (folder.path().join("socket"), folder.path().join("link"));
        let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("bound");
        std::os::unix::fs::symlink(&socket, &link).expect("linked");
        for path in [&socket, &link] {
            let error = write_atomic(path, b"x", Access::Public).expect_err("it is no file");
            assert!(error.to_string().contains("is no regular file"), "{error}");
            assert!(fs::metadata(path).expect("it is there").file_type().is_socket());
        }
        assert_eq!(
            fs::read_dir(folder.path()).expect("readable").count(),
            2,
            "and nothing is left beside them"
        );
        // A folder lies behind this link, as a file may behind /dev/stdout. Only looked at: root could replace it.
        assert!(!cfg!(target_os = "linux") || check_replaceable(Path::new("/dev/fd")).is_err());
    }

    /// A device gives bytes without end and says that it has none.
    #[test]
    fn a_text_without_end_and_one_that_is_no_utf_8_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("text");
        std::fs::write(&path, "é\n").expect("writable");
        assert_eq!(read_text_limited(&path, 3).expect("three bytes"), "é\n");
        assert_eq!(read_text_limited(&path, 2).expect_err("too long").kind(), io::ErrorKind::FileTooLarge);
        std::fs::write(&path, b"\xff").expect("writable");
        assert_eq!(read_text_limited(&path, 9).expect_err("no UTF-8").kind(), io::ErrorKind::InvalidData);
        // Latin-1 in the second line, as an editor of Windows saves it.
        std::fs::write(&path, b"name = \"a\"\nname = \"Mme Lef\xe8vre\"\n").expect("writable");
        let error = read_text_limited(&path, 99).expect_err("no UTF-8").to_string();
        assert!(error.starts_with("line 2: found letters that are not in UTF-8"), "{error}");
        #[cfg(unix)]
        {
            let error = read_text_limited(Path::new("/dev/zero"), 1_000).expect_err("a device");
            assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        }
    }
}
