//! The sorted files of known decks: reading one beside a day, and merging.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::monitoring::known::day::{Day, Fingerprint, KEY_BYTES, number, read_record, record};
use crate::monitoring::known_line::KnownFile;
use deckproof_files::file::own;

/// What the name of a file begins with until it is whole.
pub const PART: &str = ".part-";

/// Decks of a day that came up earlier, and are looked for in one file.
const AGAIN_MAX: usize = 10;

/// A buffer of a file.
const BUFFER_BYTES: usize = 1 << 18;

/// Why files say nothing.
pub enum FileFault {
    /// The system did not read or write one.
    Io(io::Error),
    /// One is not what its row says.
    Changed(String),
}

impl From<io::Error> for FileFault {
    fn from(error: io::Error) -> FileFault {
        FileFault::Io(error)
    }
}

/// A deck of a day that an earlier one had.
pub struct Again {
    /// Its place in the day, counted from 1.
    pub deck: u64,
    /// The row of the earlier day.
    pub row: u32,
}

/// A file that is read from its beginning to its end, and then compared with what its row says.
struct Reading<'a> {
    file: &'a KnownFile,
    place: String,
    reader: BufReader<File>,
    hash: Sha256,
    decks: u64,
}

impl<'a> Reading<'a> {
    fn open(folder: &Path, file: &'a KnownFile) -> Result<Reading<'a>, FileFault> {
        let path = folder.join(file.name());
        let place = format!("{}/{}", super::FOLDER, file.name());
        let opened = match own::open_to_read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(FileFault::Changed(format!("{place} is gone: it has the decks of earlier days")));
            }
            opened => opened?,
        };
        let reader = BufReader::with_capacity(BUFFER_BYTES, opened);
        Ok(Reading { file, place, reader, hash: Sha256::new(), decks: 0 })
    }

    fn next(&mut self) -> Result<Option<Fingerprint>, FileFault> {
        match read_record(&mut self.reader) {
            Ok(Some(record)) => {
                self.hash.update(record);
                self.decks += 1;
                Ok(Some(record))
            }
            Ok(None) => self.end().map(|()| None),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(self.changed()),
            Err(error) => Err(error.into()),
        }
    }

    fn end(&mut self) -> Result<(), FileFault> {
        let sha256 = base16ct::lower::encode_string(&self.hash.finalize_reset());
        match sha256 == self.file.sha256 && self.decks == self.file.decks {
            true => Ok(()),
            false => Err(self.changed()),
        }
    }

    fn changed(&self) -> FileFault {
        FileFault::Changed(format!("{} is not the file that the last row names", self.place))
    }
}

/// The decks of a day that stand in a file under a row that counts. The file is read whole, and refused if it is not what
/// its row says.
///
/// # Errors
/// [`FileFault`].
pub fn compare(
    folder: &Path,
    file: &KnownFile,
    day: &mut Day,
    counts: &dyn Fn(u32) -> bool,
) -> Result<Vec<Again>, FileFault> {
    let mut reading = Reading::open(folder, file)?;
    let mut days = day.sorted()?;
    let (mut known, mut own) = (reading.next()?, days.take_next()?);
    let mut again = Vec::new();
    while let Some(old) = known {
        match own {
            Some(new) if new[..KEY_BYTES] < old[..KEY_BYTES] => own = days.take_next()?,
            Some(new) => {
                let is_again = new[..KEY_BYTES] == old[..KEY_BYTES] && counts(number(&old));
                if is_again && again.len() < AGAIN_MAX {
                    again.push(Again { deck: u64::from(number(&new)) + 1, row: number(&old) });
                }
                known = reading.next()?;
            }
            None => known = reading.next()?,
        }
    }
    Ok(again)
}

/// Reads a file to its end, and refuses one that is not what its row says.
///
/// # Errors
/// [`FileFault`].
pub fn recompute(folder: &Path, file: &KnownFile) -> Result<(), FileFault> {
    let mut reading = Reading::open(folder, file)?;
    while reading.next()?.is_some() {}
    Ok(())
}

/// The files after a day.
pub struct Merged {
    /// What the row is to name, the longest first.
    pub files: Vec<KnownFile>,
    /// Decks that are no longer remembered.
    pub forgotten: u64,
}

/// Writes a day's decks as a file of their own, merged with those files that are at most twice as long; where more than a
/// quarter of all is too old, everything is merged and the old goes.
///
/// # Errors
/// [`FileFault`].
pub fn add(
    folder: &Path,
    files: &[KnownFile],
    day: &mut Day,
    row: u32,
    cutoff: u32,
) -> Result<Merged, FileFault> {
    own::check_folder(folder)?;
    fs::create_dir_all(folder)?;
    let known: u64 = files.iter().map(|file| file.decks).sum();
    let (gone, mut kept): (Vec<KnownFile>, Vec<KnownFile>) =
        files.iter().cloned().partition(|file| file.last_row < cutoff);
    let old: u64 = kept.iter().filter(|file| file.first_row < cutoff).map(|file| file.decks).sum();
    let is_full = cutoff > 1 && 4 * old > known;
    let mut merged: Vec<KnownFile> = Vec::new();
    let mut decks = day.decks();
    while let Some(file) = kept.pop_if(|file| is_full || file.decks <= 2 * decks) {
        decks += file.decks;
        merged.push(file);
    }
    let first_row = merged.iter().map(|file| file.first_row).min().unwrap_or(row).max(cutoff.min(row));
    let own = merge(folder, &merged, day, (first_row, row))?;
    let before: u64 = merged.iter().map(|file| file.decks).sum();
    let dropped = before + day.decks() - own.decks;
    kept.push(own);
    let forgotten = gone.iter().map(|file| file.decks).sum::<u64>() + dropped;
    Ok(Merged { files: kept, forgotten })
}

/// Merges files and a day into one of the rows from the first to the last.
fn merge(
    folder: &Path,
    files: &[KnownFile],
    day: &mut Day,
    rows: (u32, u32),
) -> Result<KnownFile, FileFault> {
    let mut readings = Vec::new();
    for file in files {
        let mut reading = Reading::open(folder, file)?;
        let first = reading.next()?;
        readings.push((first, reading));
    }
    let mut days = day.sorted()?;
    let mut of_row = || -> io::Result<Option<Fingerprint>> {
        Ok(days.take_next()?.map(|own| record(&own[..KEY_BYTES], rows.1)))
    };
    let mut own = of_row()?;
    let mut writing = Writing::begin(folder)?;
    loop {
        let old = readings.iter_mut().filter(|(next, _)| next.is_some()).min_by_key(|(next, _)| *next);
        match old {
            Some((next, reading)) if own.is_none() || *next < own => {
                let record = next.take().expect("it was filtered");
                if number(&record) >= rows.0 {
                    writing.write(&record)?;
                }
                *next = reading.next()?;
            }
            _ => match own.take() {
                Some(record) => {
                    writing.write(&record)?;
                    own = of_row()?;
                }
                None => break,
            },
        }
    }
    writing.end(folder, rows)
}

/// A file that is being written under another name.
struct Writing {
    path: PathBuf,
    writer: BufWriter<File>,
    hash: Sha256,
    decks: u64,
}

impl Writing {
    fn begin(folder: &Path) -> io::Result<Writing> {
        let path = folder.join(format!("{PART}{}-merge", std::process::id()));
        let file = own::open(&path, OpenOptions::new().write(true).create(true).truncate(true))?;
        let writer = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(Writing { path, writer, hash: Sha256::new(), decks: 0 })
    }

    fn write(&mut self, record: &Fingerprint) -> io::Result<()> {
        self.hash.update(record);
        self.decks += 1;
        self.writer.write_all(record)
    }

    /// Durable under its own name.
    fn end(self, folder: &Path, (first_row, last_row): (u32, u32)) -> Result<KnownFile, FileFault> {
        let file = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        let sha256 = base16ct::lower::encode_string(&self.hash.finalize());
        let known = KnownFile { first_row, last_row, decks: self.decks, sha256 };
        fs::rename(&self.path, folder.join(known.name()))?;
        File::open(folder)?.sync_all()?;
        Ok(known)
    }
}
