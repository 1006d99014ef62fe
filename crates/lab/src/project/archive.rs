//! A package as one ZIP file: read into memory within limits, written so that one package has one text of bytes.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Cursor, Read, Seek, Write};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::project::check::Shelf;
use crate::project::package::files::PackageFiles;
use crate::project::package::sums::is_of_system;
use deckproof_deck::text::excerpt;
use deckproof_files::file::read_stream_limited;

/// An archive is no longer than this, in bytes.
pub const ARCHIVE_BYTES_MAX: u64 = 256 << 20;
/// All its files together are no longer than this, in bytes: a small archive can unpack to any length.
pub const CONTENT_BYTES_MAX: u64 = 512 << 20;
/// Most entries, folders among them.
const ENTRIES_MAX: usize = 4_200;
/// Most folders around a package, one in the other: each is looked for in all names.
const ENCLOSING_MAX: usize = 8;
/// How a ZIP file begins: with its first entry, or with its end where it has none.
const BEGINNINGS: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Why an archive is not read as a package.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// It is damaged, larger than a package, or of a kind that is not read.
    #[error("{0}")]
    Unreadable(String),
    /// It is made so that two programs can read two packages from it, or write where no package is.
    #[error("{0}")]
    Forged(String),
}

impl ArchiveError {
    /// Whether no honest program writes such an archive.
    pub fn is_forged(&self) -> bool {
        matches!(self, ArchiveError::Forged(_))
    }
}

/// Whether these bytes begin as a ZIP file.
pub fn is_archive(bytes: &[u8]) -> bool {
    BEGINNINGS.iter().any(|beginning| bytes.starts_with(beginning))
}

/// A package in memory.
pub struct Archive {
    files: PackageFiles,
}

impl Archive {
    /// Unpacks an archive whose files stand at its top, or all in one folder of it.
    ///
    /// # Errors
    /// [`ArchiveError`]: nothing is written anywhere in any case.
    pub fn read(bytes: &[u8]) -> Result<Archive, ArchiveError> {
        Archive::read_within(bytes, CONTENT_BYTES_MAX)
    }

    fn read_within(bytes: &[u8], content_bytes_max: u64) -> Result<Archive, ArchiveError> {
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(unreadable)?;
        if archive.len() > ENTRIES_MAX {
            let found = format!("found {} entries, wanted at most {ENTRIES_MAX}", archive.len());
            return Err(ArchiveError::Unreadable(found));
        }
        // Two entries of one name, or a header that the directory does not list: another program may read another file.
        archive.validate_header_consistency().map_err(|error| match error {
            ZipError::InvalidArchive(what) => ArchiveError::Forged(what.into_owned()),
            error => unreadable(error),
        })?;
        let names = names(&mut archive)?;
        let mut files = PackageFiles::new();
        let mut left = content_bytes_max;
        for (place, name) in names.iter().enumerate() {
            let name = String::from_utf8_lossy(name).into_owned();
            if is_of_system(&name) {
                continue;
            }
            let shown = excerpt(&name, 80);
            if leads_out(&name) {
                let wanted = "wanted a path inside the package";
                return Err(ArchiveError::Forged(format!("found the entry {shown:?}, {wanted}")));
            }
            let mut entry = archive.by_index(place).map_err(unreadable)?;
            if name.ends_with('/') {
                continue;
            }
            if entry.is_symlink() {
                return Err(ArchiveError::Forged(format!("the entry {shown:?} is a link, wanted a file")));
            }
            // The stated length may be a lie, so that what is unpacked is counted.
            let content = read_stream_limited(&mut entry, left).map_err(|error| {
                ArchiveError::Unreadable(match error.kind() {
                    io::ErrorKind::FileTooLarge => format!(
                        "found more than {content_bytes_max} bytes when unpacked, wanted at most {content_bytes_max} bytes"
                    ),
                    _ => format!("the entry {shown:?} cannot be unpacked: {error}"),
                })
            })?;
            left -= content.len() as u64;
            files.insert(name, content);
        }
        Ok(Archive { files })
    }

    /// The bytes of a file.
    pub fn file(&self, name: &str) -> Option<&[u8]> {
        self.files.get(name).map(Vec::as_slice)
    }
}

/// The names of all entries, with `/` between folders and without the folders in which every file lies: old packers of
/// Windows write `\`, and the packer of a folder packs its name too, which may be any.
fn names<R: Read + Seek>(archive: &mut ZipArchive<R>) -> Result<Vec<Vec<u8>>, ArchiveError> {
    let entries = archive.len();
    let name = |place| Ok(archive.by_index_raw(place).map_err(unreadable)?.name_raw().to_vec());
    let mut names = (0..entries).map(name).collect::<Result<Vec<Vec<u8>>, ArchiveError>>()?;
    // Beside a / it is a letter of a name to some programs, and to others a folder.
    if !names.iter().flatten().any(|&byte| byte == b'/') {
        let separators = names.iter_mut().flatten().filter(|byte| **byte == b'\\');
        separators.for_each(|byte| *byte = b'/');
    }
    for _ in 0..ENCLOSING_MAX {
        let Some(folder) = enclosing(&names) else { break };
        let inner = names.iter_mut().filter(|name| name.starts_with(&folder) && **name != folder);
        inner.for_each(|name| drop(name.drain(..folder.len())));
    }
    Ok(names)
}

/// The folder in which every file lies, with its `/`; never one that leads out of where the archive is.
fn enclosing(names: &[Vec<u8>]) -> Option<Vec<u8>> {
    let is_file = |name: &&Vec<u8>| !name.ends_with(b"/") && !is_of_system(&String::from_utf8_lossy(name));
    let mut files = names.iter().filter(is_file);
    let first = files.next()?;
    let folder = &first[..=first.iter().position(|&byte| byte == b'/')?];
    let is_all = files.all(|name| name.starts_with(folder));
    (is_all && !leads_out(&String::from_utf8_lossy(folder))).then(|| folder.to_vec())
}

/// Whether some program writes a file of this name elsewhere, or under another name, than its place in the archive.
fn leads_out(name: &str) -> bool {
    // Windows leaves dots and blanks at the end of a name away.
    let is_above = |part: &str| part != "." && part.trim_matches(['.', ' ']).is_empty();
    let is_odd = |letter: char| letter.is_control() || [':', '\\'].contains(&letter);
    name.strip_suffix('/').unwrap_or(name).split('/').any(is_above) || name.contains(is_odd)
}

impl Shelf for Archive {
    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self.files.keys().cloned().collect())
    }

    fn read(&self, name: &str, bytes_max: u64) -> io::Result<Vec<u8>> {
        let bytes = self.files.get(name).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        if bytes.len() as u64 > bytes_max {
            Err(io::Error::from(io::ErrorKind::FileTooLarge))
        } else {
            Ok(bytes.clone())
        }
    }
}

/// A package as a ZIP file: its files in the order of their names, without times, users or comments.
///
/// # Errors
/// [`ArchiveError`].
pub fn write(files: &BTreeMap<String, Vec<u8>>) -> Result<Vec<u8>, ArchiveError> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    // Always 1980-01-01, the first time that the format knows.
    let options = SimpleFileOptions::DEFAULT.unix_permissions(0o644);
    for (name, bytes) in files {
        writer.start_file(name, options).map_err(unreadable)?;
        writer.write_all(bytes).map_err(unreadable)?;
    }
    Ok(writer.finish().map_err(unreadable)?.into_inner())
}

fn unreadable(error: impl Display) -> ArchiveError {
    let fault = excerpt(&error.to_string(), 200);
    ArchiveError::Unreadable(format!("it is no ZIP file that can be read: {fault}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str]) -> PackageFiles {
        names.iter().map(|name| ((*name).to_owned(), name.repeat(50).into_bytes())).collect()
    }

    fn packed(names: &[&str]) -> Vec<u8> {
        write(&files(names)).expect("it is written")
    }

    /// Replaces bytes by as many others, in local headers and directory alike.
    fn patched(bytes: &[u8], from: &str, to: impl AsRef<[u8]>) -> Vec<u8> {
        let to = to.as_ref();
        assert_eq!(from.len(), to.len());
        let mut bytes = bytes.to_vec();
        let mut places = 0;
        for start in 0..=bytes.len() - from.len() {
            if bytes[start..].starts_with(from.as_bytes()) {
                bytes[start..start + to.len()].copy_from_slice(to);
                places += 1;
            }
        }
        assert!(places > 0, "{from} is in it");
        bytes
    }

    fn refused(bytes: &[u8]) -> ArchiveError {
        Archive::read(bytes).err().expect("it is not read")
    }

    #[test]
    fn what_is_written_is_read_again_at_the_top_or_in_one_folder() {
        let names = ["SHA256SUMS", "a/b.json", "report.json"];
        let archive = Archive::read(&packed(&names)).expect("it is read");
        assert_eq!(archive.files, files(&names));
        assert_eq!(packed(&names), packed(&names));
        // What macOS packs along is no part of it.
        let unasked = ["p/.DS_Store", "__MACOSX/._p", "__MACOSX/p/._SHA256SUMS"];
        let names = [&["p/SHA256SUMS", "p/a/b.json"], &unasked[..]].concat();
        let archive = Archive::read(&packed(&names)).expect("it is read");
        assert_eq!(archive.names().expect("names"), ["SHA256SUMS", "a/b.json"]);
        // A file beside the folder belongs to no package, and is not hidden by taking the folder away.
        let archive = Archive::read(&packed(&["p/SHA256SUMS", "q"])).expect("it is read");
        assert_eq!(archive.names().expect("names"), ["p/SHA256SUMS", "q"]);
    }

    #[test]
    fn whatever_the_enclosing_folders_are_called_they_are_no_part_of_the_package() {
        let inner = ["SHA256SUMS", "a/b.json"];
        let names_of = |bytes: &[u8]| Archive::read(bytes).map(|archive| archive.names().expect("names"));
        for folder in ["LAB 2026", "r1(1)", "Gutachten-für-Müller", ".", "..r1", ".r1", "a b/r1", "r1/r1"] {
            let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
            writer.add_directory(format!("{folder}/"), SimpleFileOptions::DEFAULT).expect("a folder");
            for name in inner.map(|name| format!("{folder}/{name}")) {
                writer.start_file(name, SimpleFileOptions::DEFAULT).expect("a file");
            }
            let bytes = writer.finish().expect("written").into_inner();
            assert_eq!(names_of(&bytes).expect("an archive"), inner, "{folder}");
        }
        // An old packer of Windows: backslashes, and letters of no UTF-8.
        let plain = packed(&["Mxller|SHA256SUMS", "Mxller|a|b.json"]);
        let bytes = patched(&patched(&plain, "|", "\\"), "Mx", b"M\x81");
        assert_eq!(names_of(&bytes).expect("an archive"), inner);
        // Both are U+FFFD where the bytes are read as a text, and two folders.
        let two = packed(&["My/SHA256SUMS", "Mz/a.json"]);
        let two = patched(&patched(&two, "My", b"M\x81"), "Mz", b"M\x82");
        assert_eq!(names_of(&two).expect("an archive"), ["M\u{fffd}/SHA256SUMS", "M\u{fffd}/a.json"]);
        // What some programs take for a letter and others for a folder.
        let mixed = patched(&packed(&["r1/SHA256SUMS", "r1|a.json"]), "|", "\\");
        assert!(refused(&mixed).is_forged());
        for folder in ["..", "", "...", ".. ", "C:", "a/..", "a/", "\u{1b}[2J"] {
            let error = refused(&packed(
                &inner.map(|name| format!("{folder}/{name}")).each_ref().map(|name| &**name),
            ));
            assert!(error.is_forged() && !error.to_string().contains('\u{1b}'), "{folder}: {error}");
        }
        // No name makes the reader work for ever.
        let deep = "d/".repeat(ENCLOSING_MAX + 1);
        assert_eq!(names_of(&packed(&[&format!("{deep}a")])).expect("an archive"), ["d/a"]);
    }

    #[test]
    fn entries_that_lead_elsewhere_are_refused() {
        for other in
            ["../../evil1", "/etc/evil01", "a/../b/evil", "a\\..\\evil12", "CON:stream1", "a/b/\u{7}/evil0"]
        {
            let bytes = patched(&packed(&["SHA256SUMS", "placeholder"]), "placeholder", other);
            let error = refused(&bytes);
            assert!(error.is_forged(), "{other}: {error}");
        }
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.add_symlink("report.json", "/etc/passwd", SimpleFileOptions::DEFAULT).expect("a link");
        let bytes = writer.finish().expect("written").into_inner();
        let error = refused(&bytes);
        assert!(error.is_forged() && error.to_string().contains("is a link"), "{error}");
    }

    #[test]
    fn two_entries_of_one_name_are_refused() {
        let bytes =
            patched(&packed(&["SHA256SUMS", "report.jsom", "report.json"]), "report.jsom", "report.json");
        assert!(refused(&bytes).is_forged());
        // The local header says another name than the directory.
        let whole = packed(&["SHA256SUMS", "report.json"]);
        let mut bytes = whole.clone();
        let place = whole.windows(11).position(|window| window == b"report.json").expect("a header");
        bytes[place] = b'R';
        assert!(refused(&bytes).is_forged());
    }

    #[test]
    fn what_unpacks_to_too_much_is_refused_whatever_length_it_states() {
        let zeros: PackageFiles = [("zeros".to_owned(), vec![0; 4_000_000])].into();
        let bytes = write(&zeros).expect("written");
        assert!(bytes.len() < 10_000, "{} bytes", bytes.len());
        let read = Archive::read_within(&bytes, 1_000_000).err().expect("too much");
        assert!(read.to_string().contains("more than 1000000 bytes when unpacked"), "{read}");
        assert!(Archive::read_within(&bytes, 4_000_000).is_ok());
        let two = ["a", "b"].map(|name| (name.to_owned(), vec![0; 600_000]));
        let bytes = write(&PackageFiles::from(two)).expect("written");
        assert!(Archive::read_within(&bytes, 1_000_000).is_err(), "together they are too much");
        let many: PackageFiles = (0..=ENTRIES_MAX).map(|number| (number.to_string(), Vec::new())).collect();
        let error = refused(&write(&many).expect("written"));
        assert!(error.to_string().contains("4201 entries"), "{error}");
    }

    #[test]
    fn a_file_is_read_within_its_limit() {
        let archive = Archive::read(&packed(&["SHA256SUMS"])).expect("an archive");
        assert_eq!(archive.read("SHA256SUMS", 500).expect("500 bytes").len(), 500);
        let error = archive.read("SHA256SUMS", 499).expect_err("a byte too many");
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn a_damaged_archive_is_no_contradiction() {
        let whole = packed(&["SHA256SUMS", "report.json"]);
        for length in 0..whole.len() {
            assert!(Archive::read(&whole[..length]).is_err(), "{length} bytes");
        }
        // No change of a byte goes unseen: it is refused, or what is read is the same.
        for place in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x10;
            if let Ok(archive) = Archive::read(&bytes) {
                let names: Vec<String> = archive.names().expect("names");
                let own = files(&["SHA256SUMS", "report.json"]);
                let is_renamed = names != ["SHA256SUMS", "report.json"];
                assert!(is_renamed || archive.files == own, "byte {place}");
            }
        }
    }
}
