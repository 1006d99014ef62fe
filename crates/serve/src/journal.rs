//! What the service keeps: every call in batches that are whole or not there, and where each hand of a table lies.
//!
//! `secret/journal/N` is a segment. It begins with the size of the log and the hands under way, so that a start reads the
//! last segment alone. A batch is a line `batch LENGTH SHA-256` and as many bytes of lines; only the last one can be torn,
//! and then nobody has heard of it. Each step of a hand says where the step before it lies.

pub mod places;
pub mod record;
pub mod remains;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::journal::record::Line;
use deckproof_files::file::{own, sha256, sync_names};

/// `batch`, ten digits, 64 hexadecimal digits, two spaces and a line feed.
const HEADER_BYTES: u64 = 6 + 10 + 1 + 64 + 1;

/// A batch holds at most this many bytes; more than any number of calls that wait at once.
const BATCH_BYTES_MAX: u64 = 1 << 30;

/// A segment before it has its name: it holds the keys of the hands under way.
pub const UNFINISHED: &str = "unfinished.tmp";

/// Why the journal cannot be used. Holds nothing secret.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The operating system's word.
    #[error("{}: {error}", .path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// Not what was written.
    #[error("{}: byte {offset}: {problem}", .path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// Where.
        offset: u64,
        /// What is wrong.
        problem: String,
    },
}

/// How far a journal is durable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// The segment.
    pub segment: u64,
    /// Its bytes.
    pub length: u64,
}

/// The last segment, for writing.
pub struct Journal {
    folder: PathBuf,
    segment: u64,
    file: File,
    length: u64,
}

/// Lines that become durable together.
pub struct Batch {
    begin: u64,
    text: Zeroizing<String>,
}

impl Batch {
    /// Adds a line without its line feed, and says where it will lie.
    pub fn push(&mut self, line: &str) -> u64 {
        let offset = self.next();
        self.text.push_str(line);
        self.text.push('\n');
        offset
    }

    /// Where the next line will lie.
    pub fn next(&self) -> u64 {
        self.begin + HEADER_BYTES + self.text.len() as u64
    }

    fn bytes(&self) -> Zeroizing<Vec<u8>> {
        let head = format!("batch {:010} {}\n", self.text.len(), sha256(self.text.as_bytes()));
        let mut bytes = Zeroizing::new(Vec::with_capacity(head.len() + self.text.len()));
        bytes.extend(head.as_bytes());
        bytes.extend(self.text.as_bytes());
        bytes
    }
}

/// The file of a segment.
pub fn segment_path(folder: &Path, segment: u64) -> PathBuf {
    folder.join(format!("{segment:08}"))
}

impl Journal {
    /// Whether a folder holds a journal.
    pub fn is_there(folder: &Path) -> bool {
        last_segment(folder).is_ok_and(|last| last.is_some())
    }

    /// Begins a segment with the lines that are pushed; it is durable, name and all, when this returns.
    pub fn begin(
        folder: &Path,
        segment: u64,
        fill: impl FnOnce(&mut Batch),
    ) -> Result<Journal, JournalError> {
        let path = segment_path(folder, segment);
        let failed = |error| JournalError::File { path: path.clone(), error };
        let mut batch = Batch { begin: 0, text: Zeroizing::new(String::new()) };
        fill(&mut batch);
        let temporary = folder.join(UNFINISHED);
        let mut options = OpenOptions::new();
        own::for_owner(options.write(true).create(true).truncate(true));
        let bytes = batch.bytes();
        let written = own::open(&temporary, &options).and_then(|mut file| {
            file.write_all(&bytes)?;
            file.sync_all()
        });
        written.map_err(failed)?;
        fs::rename(&temporary, &path).map_err(failed)?;
        sync_names(folder).map_err(failed)?;
        let file = own::open(&path, OpenOptions::new().append(true)).map_err(failed)?;
        Ok(Journal { folder: folder.to_owned(), segment, file, length: bytes.len() as u64 })
    }

    /// Opens the last segment and hands over its lines with the places they lie at. A torn end is cut off; so is what
    /// lies behind `durable`, where it is known that nobody has heard of that.
    ///
    /// # Errors
    /// [`JournalError`]; the caller's.
    pub fn open<E: From<JournalError>>(
        folder: &Path,
        durable: Option<End>,
        mut with: impl FnMut(u64, Line) -> Result<(), E>,
    ) -> Result<Journal, E> {
        let none = || io::Error::new(io::ErrorKind::NotFound, "there is no journal");
        let segment = last_segment(folder)
            .and_then(|last| last.ok_or_else(none))
            .map_err(|error| JournalError::File { path: folder.to_owned(), error })?;
        let path = segment_path(folder, segment);
        let failed = |error| JournalError::File { path: path.clone(), error };
        let mut options = OpenOptions::new();
        options.read(true).append(true);
        let mut file = own::open(&path, &options).map_err(failed)?;
        let mut found = file.metadata().map_err(failed)?.len();
        if let Some(End { length, .. }) = durable.filter(|end| end.segment == segment && end.length < found) {
            file.set_len(length).map_err(failed)?;
            found = length;
        }
        let length = read_batches(&mut file, found, &path, &mut with)?;
        if length < found {
            file.set_len(length).map_err(failed)?;
        }
        file.sync_all().map_err(failed)?;
        Ok(Journal { folder: folder.to_owned(), segment, file, length })
    }

    /// The segment that is written.
    pub fn segment(&self) -> u64 {
        self.segment
    }

    /// How far it is durable.
    pub fn end(&self) -> End {
        End { segment: self.segment, length: self.length }
    }

    /// An empty batch.
    pub fn batch(&self) -> Batch {
        Batch { begin: self.length, text: Zeroizing::new(String::new()) }
    }

    /// Makes a batch durable with one sync.
    ///
    /// # Errors
    /// [`JournalError::File`]; then the journal must be opened again.
    pub fn commit(&mut self, batch: &Batch) -> Result<(), JournalError> {
        let bytes = batch.bytes();
        let written = self.file.write_all(&bytes).and_then(|()| self.file.sync_data());
        written
            .map_err(|error| JournalError::File { path: segment_path(&self.folder, self.segment), error })?;
        self.length += bytes.len() as u64;
        Ok(())
    }
}

/// Hands over all lines of a segment with the places they lie at, and says where the last whole batch ends.
fn read_batches<E: From<JournalError>>(
    file: &mut File,
    end: u64,
    path: &Path,
    with: &mut impl FnMut(u64, Line) -> Result<(), E>,
) -> Result<u64, E> {
    let mut length = 0;
    while let Some(text) = read_batch(file, length, end, path)? {
        let mut at = length + HEADER_BYTES;
        for line in text.split_terminator('\n') {
            let damaged = |problem| JournalError::Damaged { path: path.to_owned(), offset: at, problem };
            with(at, Line::parse(line).map_err(damaged)?)?;
            at += line.len() as u64 + 1;
        }
        length = at;
    }
    Ok(length)
}

/// Hands over all lines of a segment that another one follows; nothing in it may be torn.
///
/// # Errors
/// [`JournalError`]; the caller's.
pub fn read_ended_segment<E: From<JournalError>>(
    folder: &Path,
    segment: u64,
    mut with: impl FnMut(u64, Line) -> Result<(), E>,
) -> Result<(), E> {
    let path = segment_path(folder, segment);
    let failed = |error| JournalError::File { path: path.clone(), error };
    let mut file = own::open_to_read(&path).map_err(failed)?;
    let end = file.metadata().map_err(failed)?.len();
    let offset = read_batches(&mut file, end, &path, &mut with)?;
    if offset == end {
        Ok(())
    } else {
        let problem = "wanted a whole batch".to_owned();
        Err(JournalError::Damaged { path: path.clone(), offset, problem }.into())
    }
}

/// The next batch from `offset`; nothing at the end, where a torn one may lie.
fn read_batch(
    file: &mut File,
    offset: u64,
    end: u64,
    path: &Path,
) -> Result<Option<Zeroizing<String>>, JournalError> {
    let failed = |error| JournalError::File { path: path.to_owned(), error };
    let damaged =
        |problem: &str| JournalError::Damaged { path: path.to_owned(), offset, problem: problem.to_owned() };
    if end - offset < HEADER_BYTES {
        return Ok(None);
    }
    let mut head = [0; HEADER_BYTES as usize];
    file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(&mut head)).map_err(failed)?;
    let Some((length, hash)) = header(&head) else {
        // A crash may have left the length of the file and none of its bytes.
        return if is_last(file, offset, end).map_err(failed)? {
            Ok(None)
        } else {
            Err(damaged("wanted the head of a batch"))
        };
    };
    if length > BATCH_BYTES_MAX || offset + HEADER_BYTES + length > end {
        return Ok(None);
    }
    let mut text = Zeroizing::new(vec![0; length as usize]);
    file.read_exact(&mut text).map_err(failed)?;
    if sha256(&text) != hash {
        return if offset + HEADER_BYTES + length == end {
            Ok(None)
        } else {
            Err(damaged("the batch is not what was written"))
        };
    }
    match String::from_utf8(std::mem::take(&mut *text)) {
        Ok(text) => Ok(Some(Zeroizing::new(text))),
        Err(_) => Err(damaged("not UTF-8")),
    }
}

fn header(head: &[u8]) -> Option<(u64, String)> {
    let text = std::str::from_utf8(head).ok()?.strip_prefix("batch ")?.strip_suffix('\n')?;
    let (length, hash) = text.split_once(' ')?;
    Some((length.parse().ok()?, hash.to_owned()))
}

/// Whether all bytes from here on are the zeros of a length that became durable before its bytes.
fn is_last(file: &mut File, offset: u64, end: u64) -> io::Result<bool> {
    file.seek(SeekFrom::Start(offset))?;
    for byte in io::BufReader::new(file.take(end - offset)).bytes() {
        if byte? != 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The numbers of the segments of a folder, ascending.
pub fn segments(folder: &Path) -> io::Result<Vec<u64>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        found.extend(name.to_str().filter(|name| name.len() == 8).and_then(|name| name.parse::<u64>().ok()));
    }
    found.sort_unstable();
    Ok(found)
}

/// The number of the last segment of a folder.
fn last_segment(folder: &Path) -> io::Result<Option<u64>> {
    Ok(segments(folder)?.pop())
}

/// A line that lies in a segment.
pub fn read_line(folder: &Path, segment: u64, offset: u64) -> Result<Line, JournalError> {
    let path = segment_path(folder, segment);
    let failed = |error| JournalError::File { path: path.clone(), error };
    let mut file = own::open_to_read(&path).map_err(failed)?;
    file.seek(SeekFrom::Start(offset)).map_err(failed)?;
    let mut text = Zeroizing::new(Vec::with_capacity(record::LINE_BYTES_MAX));
    let mut rest = io::BufReader::new(file).take(record::LINE_BYTES_MAX as u64);
    io::BufRead::read_until(&mut rest, b'\n', &mut text).map_err(failed)?;
    let damaged = |problem| JournalError::Damaged { path: path.clone(), offset, problem };
    let line = std::str::from_utf8(&text).ok().and_then(|text| text.strip_suffix('\n'));
    Line::parse(line.ok_or_else(|| damaged("no line lies here".to_owned()))?).map_err(damaged)
}
