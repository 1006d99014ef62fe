//! `raw:FILE` and `csv:FILE`: recorded decks in a file, at random access.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::deck::block::{BLOCK_HANDS, DeckBlock};
use crate::source::bytes::Hashing;
use crate::source::format::{Format, Numbering};
use crate::source::records::{Records, Waypoint};
use crate::source::{DeckSource, SourceError};

/// Records between two remembered places of a text: a jump never reads more than these.
const WAYPOINT_RECORDS: u64 = 1 << 16;

/// What a certificate says of a file of decks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedFacts {
    /// SHA-256 of the whole file.
    pub sha256: [u8; 32],
    /// All records of the file.
    pub decks: u64,
    /// What the file was taken for.
    pub format: Format,
    /// How its numbers count.
    pub numbering: Numbering,
    /// What the file was taken for, in one sentence.
    pub sentence: String,
}

/// The decks of a file.
pub struct Recorded {
    map: Arc<Map>,
    records: Records<File>,
    decks: u64,
}

/// What one pass over the file has shown, shared by all its readers.
struct Map {
    path: PathBuf,
    bytes: u64,
    waypoints: Vec<Waypoint>,
}

impl Recorded {
    /// Reads the file once, for its hash and the number of its records; no deck is judged yet.
    /// Without a format it is a text that tells by its first line whether it holds indices or cards; a
    /// first line of 52 fields none of which is a number or a card is a header.
    ///
    /// # Errors
    /// [`SourceError`]: not a regular file, empty, torn, or not a text of decks.
    pub fn open(
        path: &Path,
        format: Option<Format>,
        numbering: Numbering,
    ) -> Result<(Recorded, RecordedFacts), SourceError> {
        let name = name_of(path);
        let (mut survey, sentence) = Records::open(open_file(path)?, Hashing::On, &name, format, numbering)?;
        let mut waypoints = vec![survey.at()];
        while survey.skip()? {
            if survey.at().records.is_multiple_of(WAYPOINT_RECORDS) {
                waypoints.push(survey.at());
            }
        }
        let Waypoint { records: decks, bytes, .. } = survey.at();
        if decks == 0 {
            return Err(SourceError::Empty { place: name });
        }
        let sha256 = survey.sha256().expect("the survey hashes");
        let mut records = Records::like(&survey, open_file(path)?);
        records.seek(waypoints[0])?;
        let map = Arc::new(Map { path: path.into(), bytes, waypoints });
        let facts = RecordedFacts { sha256, decks, format: survey.format(), numbering, sentence };
        Ok((Recorded { map, records, decks }, facts))
    }

    /// Only the first `decks` of the file.
    ///
    /// # Errors
    /// [`SourceError::TooFew`] when the file has fewer.
    pub fn limited(mut self, decks: u64) -> Result<Recorded, SourceError> {
        if decks > self.decks {
            let place = self.records.name().into();
            return Err(SourceError::TooFew { place, found: self.decks, wanted: decks });
        }
        self.decks = decks;
        Ok(self)
    }

    fn go_to(&mut self, record: u64) -> Result<(), SourceError> {
        let nearest = self.map.waypoints[(record / WAYPOINT_RECORDS) as usize];
        let at = self.records.at().records;
        if record < at || at < nearest.records {
            self.records.seek(nearest)?;
        }
        while self.records.at().records < record {
            if !self.records.skip()? {
                return Err(self.changed()?);
            }
        }
        Ok(())
    }

    /// Looks whether the file still has the length the survey saw.
    fn check_length(&self) -> Result<(), SourceError> {
        match self.records.file_length()? {
            length if length == self.map.bytes => Ok(()),
            _ => Err(self.changed()?),
        }
    }

    fn changed(&self) -> Result<SourceError, SourceError> {
        let (found, wanted) = (self.records.file_length()?, self.map.bytes);
        Ok(SourceError::Changed { place: self.records.name().into(), found, wanted })
    }
}

impl DeckSource for Recorded {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        block.clear();
        let end = self.decks.min(first.saturating_add(BLOCK_HANDS as u64));
        if first >= end {
            return Ok(());
        }
        self.go_to(first)?;
        for _ in first..end {
            match self.records.next_deck() {
                Ok(Some(deck)) => block.push(&deck),
                Ok(None) => return Err(self.changed()?),
                // A file that grows or shrinks under the reader must not be held against its shuffler.
                Err(error) => return Err(self.check_length().err().unwrap_or(error)),
            }
        }
        if first.is_multiple_of(WAYPOINT_RECORDS) || end == self.decks {
            self.check_length()?;
        }
        Ok(())
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        let file = open_file(&self.map.path).ok()?;
        let mut records = Records::like(&self.records, file);
        records.seek(self.map.waypoints[0]).ok()?;
        Some(Box::new(Recorded { map: Arc::clone(&self.map), records, decks: self.decks }))
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn open_file(path: &Path) -> Result<File, SourceError> {
    let io = |error| SourceError::Io { place: path.display().to_string(), error };
    let file = File::open(path).map_err(io)?;
    if !file.metadata().map_err(io)?.is_file() {
        let place = path.display();
        return Err(SourceError::Failed(format!(
            "{place}: found no regular file, wanted one that can be read twice"
        )));
    }
    Ok(file)
}
