//! Files whose names the program fixes: never opened through a symbolic link, and only if they are regular files.
//!
//! Anybody who may write in a folder knows these names beforehand, and could lay a link there that leads a
//! write to another file of the user, or a pipe that waits for ever. A file that a person names is opened by
//! other ways: `/dev/stdin` and a pipe are good answers there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use crate::file::{if_there, read_opened, text_of};

/// Opens a file as these options say, if no link is there and it is a regular file; a pipe is not waited for.
///
/// # Errors
/// The operating system's, and [`io::ErrorKind::InvalidInput`] for what is no regular file.
pub fn open(path: &Path, options: &OpenOptions) -> io::Result<File> {
    let mut options = options.clone();
    refuse_links(path, &mut options)?;
    let file = options.open(path).map_err(|error| no_regular_file(path).unwrap_or(error))?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular("no regular file")) }
}

/// Opens a file for reading, as [`open`] does.
///
/// # Errors
/// As [`open`].
pub fn open_to_read(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().read(true))
}

/// Reads a whole file of at most so many bytes, opened as [`open`] does.
///
/// # Errors
/// As [`open`], and [`io::ErrorKind::FileTooLarge`] with both lengths.
pub fn read_limited(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    read_opened(open_to_read(path)?, bytes_max)
}

/// Reads a text of at most so many bytes, opened as [`open`] does.
///
/// # Errors
/// As [`read_limited`], and if it is no UTF-8.
pub fn read_text_limited(path: &Path, bytes_max: u64) -> io::Result<String> {
    text_of(read_limited(path, bytes_max)?)
}

/// Refuses a link in the place of a folder between a folder that a person named and a file of ours in it: what leads elsewhere
/// would take keys along, or give other people's files for ours. Nothing is opened by this look.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] with the name of the link.
pub fn check_folders(named: &Path, file: &Path) -> io::Result<()> {
    let inner = file.ancestors().skip(1).take_while(|folder| *folder != named && folder.starts_with(named));
    inner.into_iter().try_for_each(check_folder)
}

/// Refuses a link in the place of a folder of ours, whatever it leads to.
///
/// # Errors
/// As [`check_folders`].
pub fn check_folder(folder: &Path) -> io::Result<()> {
    match fs::symlink_metadata(folder) {
        Ok(found) if found.is_symlink() => {
            let problem = format!(
                "found a symbolic link as {}, which is not followed here, wanted a folder of our own",
                folder.display()
            );
            Err(io::Error::new(io::ErrorKind::InvalidInput, problem))
        }
        _ => Ok(()),
    }
}

/// Makes a folder of ours for its owner alone, where there is none; the folder above is for the caller to sync.
///
/// # Errors
/// As [`check_folder`], and the operating system's.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    check_folder(folder)?;
    #[cfg(unix)]
    let made = std::os::unix::fs::DirBuilderExt::mode(&mut fs::DirBuilder::new(), 0o700).create(folder);
    #[cfg(not(unix))]
    let made = fs::create_dir(folder);
    match made {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        made => made,
    }
}

/// A file that is made with these options is its owner's alone; where a system has no such modes, it has the rights of its
/// folder.
pub fn for_owner(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

/// Whether others than its owner may read a file or a folder; where a system has no such modes, nobody is known to.
pub fn is_open_to_others(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// How many bytes a file has; nothing if there is none.
///
/// # Errors
/// The operating system's, and [`io::ErrorKind::InvalidInput`] for what is no regular file.
pub fn length(path: &Path) -> io::Result<Option<u64>> {
    match if_there(fs::symlink_metadata(path))? {
        Some(found) if !found.is_file() => {
            Err(no_regular_file(path).unwrap_or_else(|| not_regular("no regular file")))
        }
        found => Ok(found.map(|file| file.len())),
    }
}

/// Overwrites a file with zeros, durably, and removes it; nothing is done where there is none. Whether the bytes are gone from
/// the disk the file system alone knows: one that copies on write, a drive that moves its blocks and every backup keep them.
///
/// # Errors
/// As [`open`].
pub fn wipe(path: &Path) -> io::Result<()> {
    let Some(mut file) = if_there(open(path, OpenOptions::new().write(true)))? else { return Ok(()) };
    let length = file.metadata()?.len();
    io::copy(&mut io::repeat(0).take(length), &mut file)?;
    file.sync_all()?;
    drop(file);
    fs::remove_file(path)?;
    crate::file::sync_folder(path)
}

/// The system itself refuses a link, so that none can be laid between a look and the opening.
#[cfg(unix)]
fn refuse_links(_path: &Path, options: &mut OpenOptions) -> io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    options.custom_flags(i32::try_from(flags.bits()).expect("flags of open are an int"));
    Ok(())
}

#[cfg(not(unix))]
fn refuse_links(path: &Path, _options: &mut OpenOptions) -> io::Result<()> {
    match no_regular_file(path) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// What is in the way, if that is a link or neither file nor folder; the system's own word would be
/// "too many levels of symbolic links" or "no such device".
fn no_regular_file(path: &Path) -> Option<io::Error> {
    let found = fs::symlink_metadata(path).ok()?.file_type();
    match (found.is_symlink(), found.is_file() || found.is_dir()) {
        (true, _) => Some(not_regular("a symbolic link, which is not followed here")),
        (false, true) => None,
        (false, false) => Some(not_regular("no regular file")),
    }
}

fn not_regular(found: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("found {found}, wanted a file of our own"))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::*;

    /// All ways in which the program opens a file that may stand there.
    fn ways() -> [OpenOptions; 4] {
        let new = OpenOptions::new;
        [
            new().read(true).clone(),
            new().append(true).create(true).clone(),
            new().write(true).create(true).truncate(true).clone(),
            new().read(true).write(true).create(true).clone(),
        ]
    }

    #[test]
    fn links_are_refused_however_a_file_is_opened_and_what_they_lead_to_is_untouched() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join(name);
        fs::write(place("precious"), "kept").expect("a file");
        for (name, target) in [("there", "precious"), ("dangling", "absent")] {
            symlink(place(target), place(name)).expect("a link");
            for options in ways() {
                let error = open(&place(name), &options).expect_err("a link");
                assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{error}");
                assert!(error.to_string().starts_with("found a symbolic link"), "{error}");
            }
            assert!(length(&place(name)).is_err() && read_limited(&place(name), 9).is_err());
        }
        assert_eq!(fs::read_to_string(place("precious")).expect("it is there"), "kept");
        assert!(!place("absent").exists());
        assert_eq!(read_text_limited(&place("precious"), 9).expect("a regular file"), "kept");
        assert_eq!(length(&place("precious")).expect("a regular file"), Some(4));
        assert_eq!(length(&place("absent")).expect("nothing there"), None);
    }

    #[test]
    fn a_link_in_the_place_of_a_folder_of_ours_is_refused_and_one_that_a_person_named_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join(name);
        fs::create_dir_all(place("elsewhere/0")).expect("a folder");
        fs::create_dir_all(place("log/plain/0")).expect("a folder");
        symlink(place("elsewhere"), place("log/tile")).expect("a link");
        symlink(place("log"), place("named")).expect("a link");
        for file in ["log/tile/000", "log/tile/0/000", "log/tile/0/not/there/000"] {
            let error = check_folders(&place("log"), &place(file)).expect_err("a link");
            assert!(error.to_string().contains("symbolic link as"), "{error}");
        }
        for file in ["log/checkpoint", "log/plain/0/000", "log/absent/0/000"] {
            check_folders(&place("log"), &place(file)).expect("no link");
        }
        check_folders(&place("named"), &place("named/plain/0/000")).expect("what a person named");
    }

    /// A second name of the file shows what is in its blocks.
    #[test]
    fn a_file_is_overwritten_before_it_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join(name);
        fs::write(place("secret"), vec![7; 20_000]).expect("writable");
        fs::hard_link(place("secret"), place("other")).expect("writable");
        wipe(&place("secret")).expect("writable");
        assert!(!place("secret").exists());
        assert_eq!(fs::read(place("other")).expect("readable"), vec![0; 20_000]);
        wipe(&place("secret")).expect("nothing is there");
        symlink(place("other"), place("link")).expect("a link");
        assert!(wipe(&place("link")).is_err());
    }

    /// Opening a pipe for reading waits for a writer, and for writing for a reader: this test would not end.
    #[test]
    fn pipes_sockets_and_devices_are_refused_and_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let (pipe, socket) = (folder.path().join("pipe"), folder.path().join("socket"));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there");
        assert!(made.success());
        let _listener = UnixListener::bind(&socket).expect("a socket");
        for path in [&pipe, &socket, Path::new("/dev/zero")] {
            for options in ways() {
                let error = open(path, &options).expect_err("no regular file");
                assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{}: {error}", path.display());
            }
            assert!(length(path).is_err());
        }
    }
}
