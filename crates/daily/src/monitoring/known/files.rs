//! The sorted files of known decks: reading one beside a day, and merging.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::monitoring::check::StepFault;
use crate::monitoring::known::day::{Day, KEY_BYTES, RECORD_BYTES, number, read_bytes};
use crate::monitoring::known_line::KnownFile;
use deckproof_files::file::{if_there, own, sync_names};

/// What the name of a file begins with until it is whole.
pub const PART: &str = ".part-";

/// A buffer of a file.
const BUFFER_BYTES: usize = 1 << 18;

/// Bytes of an id in a file that has ids.
const ID_BYTES: usize = 4;

/// A deck that is remembered: in the order of the files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    key: [u8; KEY_BYTES],
    row: u32,
    /// Of the hand's id; 0 where it had none.
    id: u32,
}

impl Known {
    fn of_bytes(bytes: &[u8]) -> Known {
        let four = |at: usize| {
            bytes.get(at..at + 4).map_or(0, |four| u32::from_be_bytes([four[0], four[1], four[2], four[3]]))
        };
        Known { key: std::array::from_fn(|place| bytes[place]), row: four(KEY_BYTES), id: four(RECORD_BYTES) }
    }

    fn bytes(&self) -> [u8; RECORD_BYTES + ID_BYTES] {
        let mut bytes = [0; RECORD_BYTES + ID_BYTES];
        bytes[..KEY_BYTES].copy_from_slice(&self.key);
        bytes[KEY_BYTES..RECORD_BYTES].copy_from_slice(&self.row.to_be_bytes());
        bytes[RECORD_BYTES..].copy_from_slice(&self.id.to_be_bytes());
        bytes
    }
}

/// A deck of a day that an earlier one had.
#[derive(Clone, Copy)]
pub struct Again {
    /// Its place in the day, counted from 0.
    pub place: u64,
    /// The row of the earlier day.
    pub row: u32,
    /// Of the id that the hand had then; 0 for none.
    pub id: u32,
    /// The deck.
    pub key: [u8; KEY_BYTES],
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
    fn open(folder: &Path, file: &'a KnownFile) -> Result<Reading<'a>, StepFault> {
        let path = folder.join(file.name());
        let place = format!("{}/{}", super::FOLDER, file.name());
        let gone = || StepFault::Refused(format!("{place} is gone: it has the decks of earlier days"));
        let opened =
            if_there(own::open_to_read(&path)).map_err(|error| StepFault::unreadable(error).at(&place))?;
        let opened = opened.ok_or_else(gone)?;
        let reader = BufReader::with_capacity(BUFFER_BYTES, opened);
        Ok(Reading { file, place, reader, hash: Sha256::new(), decks: 0 })
    }

    fn next(&mut self) -> Result<Option<Known>, StepFault> {
        let mut bytes = [0; RECORD_BYTES + ID_BYTES];
        let length = if self.file.ids { bytes.len() } else { RECORD_BYTES };
        match read_bytes(&mut self.reader, &mut bytes[..length]) {
            Ok(Some(())) => {
                self.hash.update(&bytes[..length]);
                self.decks += 1;
                Ok(Some(Known::of_bytes(&bytes[..length])))
            }
            Ok(None) => self.end().map(|()| None),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(self.changed()),
            Err(error) => Err(StepFault::unreadable(error).at(&self.place)),
        }
    }

    fn end(&mut self) -> Result<(), StepFault> {
        let sha256 = base16ct::lower::encode_string(&self.hash.finalize_reset());
        if sha256 == self.file.sha256 && self.decks == self.file.decks { Ok(()) } else { Err(self.changed()) }
    }

    fn changed(&self) -> StepFault {
        StepFault::Refused(format!("{} is not the file that the last row names", self.place))
    }
}

/// Shows every deck of a day that stands in a file. The file is read whole, and refused if it is not what its row says.
///
/// # Errors
/// [`StepFault`].
pub fn compare(
    folder: &Path,
    file: &KnownFile,
    day: &mut Day,
    see: &mut dyn FnMut(Again),
) -> Result<(), StepFault> {
    let mut reading = Reading::open(folder, file)?;
    let mut days = day.sorted()?;
    let (mut known, mut own) = (reading.next()?, days.take_next()?);
    while let Some(old) = known {
        match own {
            Some(new) if new[..KEY_BYTES] < old.key[..] => own = days.take_next()?,
            Some(new) => {
                if new[..KEY_BYTES] == old.key {
                    see(Again { place: u64::from(number(&new)), row: old.row, id: old.id, key: old.key });
                }
                known = reading.next()?;
            }
            None => known = reading.next()?,
        }
    }
    Ok(())
}

/// Reads a file to its end, and refuses one that is not what its row says.
///
/// # Errors
/// [`StepFault`].
pub fn recompute(folder: &Path, file: &KnownFile) -> Result<(), StepFault> {
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
/// [`StepFault`].
pub fn add(
    folder: &Path,
    files: &[KnownFile],
    day: &mut Day,
    row: u32,
    cutoff: u32,
) -> Result<Merged, StepFault> {
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
) -> Result<KnownFile, StepFault> {
    let mut readings = Vec::new();
    for file in files {
        let mut reading = Reading::open(folder, file)?;
        let first = reading.next()?;
        readings.push((first, reading));
    }
    let ids = day.ids();
    let has_ids = ids.is_some() || files.iter().any(|file| file.ids);
    let mut days = day.sorted()?;
    let mut of_row = || -> io::Result<Option<Known>> {
        Ok(days.take_next()?.map(|own| {
            let id = ids.as_ref().map_or(0, |ids| ids.of(u64::from(number(&own))));
            Known { row: rows.1, id, ..Known::of_bytes(&own) }
        }))
    };
    let mut own = of_row()?;
    let mut writing = Writing::begin(folder, has_ids)?;
    loop {
        let old = readings.iter_mut().filter(|(next, _)| next.is_some()).min_by_key(|(next, _)| *next);
        match old {
            Some((next, reading)) if own.is_none() || *next < own => {
                let record = next.take().expect("it was filtered");
                if record.row >= rows.0 {
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
    has_ids: bool,
}

impl Writing {
    fn begin(folder: &Path, has_ids: bool) -> io::Result<Writing> {
        let path = folder.join(format!("{PART}{}-merge", std::process::id()));
        let file = own::open(&path, OpenOptions::new().write(true).create(true).truncate(true))?;
        let writer = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(Writing { path, writer, hash: Sha256::new(), decks: 0, has_ids })
    }

    fn write(&mut self, known: &Known) -> io::Result<()> {
        let bytes = known.bytes();
        let bytes = &bytes[..if self.has_ids { bytes.len() } else { RECORD_BYTES }];
        self.hash.update(bytes);
        self.decks += 1;
        self.writer.write_all(bytes)
    }

    /// Durable under its own name.
    fn end(self, folder: &Path, (first_row, last_row): (u32, u32)) -> Result<KnownFile, StepFault> {
        let file = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        let sha256 = base16ct::lower::encode_string(&self.hash.finalize());
        let known = KnownFile { first_row, last_row, decks: self.decks, sha256, ids: self.has_ids };
        fs::rename(&self.path, folder.join(known.name()))?;
        sync_names(folder)?;
        Ok(known)
    }
}
