//! `raw:FILE` and `csv:FILE`: recorded decks in one file or several, at random access where they are plain.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::source::bytes::Hashing;
use crate::source::format::{Format, Numbering, Written};
use crate::source::input::{self, Packing};
use crate::source::lines::LinesRead;
use crate::source::marks::Marks;
use crate::source::pieces::Input;
use crate::source::records::{Records, Waypoint};
use crate::source::twice::TwiceRead;
use crate::source::{DeckSource, FileEnd, SourceError};
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_deck::deck::{Deck, DeckError};

/// Records between two remembered places of a text: a jump never reads more than these.
const WAYPOINT_RECORDS: u64 = 1 << 16;

/// Records that tell whether a file of decks is one, and how many are looked at after one of them that is no deck.
const FIRST_RECORDS: u64 = 64;

/// What a certificate says of recorded decks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedFacts {
    /// SHA-256 of the whole file, as it lies on the disk; of several files, of their SHA-256 one after the other.
    pub sha256: [u8; 32],
    /// How many files.
    pub files: u64,
    /// All records of all files.
    pub decks: u64,
    /// What they were taken for.
    pub format: Format,
    /// How their numbers count.
    pub numbering: Numbering,
    /// With which number their numbers begin.
    pub first_number: u8,
    /// Records that stand there twice, over all files.
    pub twice: Vec<TwiceRead>,
    /// The lines of logs.
    pub lines: LinesRead,
    /// In which columns or members their decks were found, where these have several.
    pub deck_place: Option<String>,
    /// What they were taken for, in one sentence a file.
    pub sentences: Vec<String>,
}

/// Some of the decks of files, one file after the other.
pub struct Recorded {
    files: Arc<Vec<Map>>,
    /// The file that is open, by its place in the list, and its records.
    place: usize,
    records: Records<Input>,
    /// Records before deck 0.
    offset: u64,
    decks: u64,
    /// Whether records follow the last deck that were not looked at.
    is_limited: bool,
    /// Records that stand there twice.
    twice: Arc<Vec<TwiceRead>>,
    /// Two of them among decks that were asked for later.
    doubled: Option<TwiceRead>,
    /// Ids and times of all records, where a column of them was named.
    marks: Option<Marks>,
}

/// What one pass over a file has shown, shared by all its readers.
struct Map {
    path: PathBuf,
    /// How it was stated to be written.
    written: Written,
    /// How it is read: each file has separators, columns and a header of its own.
    like: Records<io::Empty>,
    packing: Packing,
    /// Length of the file on the disk.
    length: u64,
    /// Records of the files before it.
    before: u64,
    records: u64,
    waypoints: Vec<Waypoint>,
}

/// One file as its survey saw it.
struct Survey {
    map: Map,
    sha256: [u8; 32],
    /// The same of its text, where that holds whatever the file does.
    unpacked: [u8; 32],
    reader: Records<Input>,
    sentence: String,
}

impl Survey {
    /// Reads the file once, for its hash and the number of its records; no deck is judged.
    fn of(path: &Path, written: &Written, before: u64, marks: &Marks) -> Result<Survey, SourceError> {
        let name = name_of(path);
        let length = length_of(path)?;
        let (input, packing) = if written.format == Some(Format::Raw) {
            (Box::new(input::open_file(path)?) as Input, Packing::default())
        } else {
            input::open(path, written)?
        };
        let (mut survey, mut sentence) = Records::open(input, Hashing::On, &name, written, packing.made())?;
        sentence += &packing.words().map_or(String::new(), |words| format!("; {words}"));
        survey.mark(marks, before);
        marks.join(before, packing.passed.records());
        let mut waypoints = vec![survey.at()];
        while survey.skip()? {
            if survey.at().records.is_multiple_of(WAYPOINT_RECORDS) {
                waypoints.push(survey.at());
            }
        }
        let records = survey.at().records;
        if records == 0 {
            return Err(SourceError::Empty { place: name });
        }
        let text = survey.sha256().expect("it was hashed");
        let sha256 = if packing.is_plain() { text } else { hash_file(path)? };
        let unpacked = if packing.is_whole { text } else { sha256 };
        let passed = packing.passed.counts().words();
        sentence += &passed.map_or(String::new(), |words| format!("; {words}"));
        let like = Records::like(&survey, io::empty(), waypoints[0]);
        let written = written.clone();
        let map = Map { path: path.into(), written, like, packing, length, before, records, waypoints };
        map.check_length()?;
        Ok(Survey { map, sha256, unpacked, reader: survey, sentence })
    }
}

impl Map {
    /// A reader at a remembered place.
    fn open(&self, at: Waypoint) -> Result<Records<Input>, SourceError> {
        if self.packing.is_plain() {
            let mut file = input::open_file(&self.path)?;
            let sought = file.seek(SeekFrom::Start(at.bytes));
            sought.map_err(|error| SourceError::Io { place: name_of(&self.path), error })?;
            return Ok(Records::like(&self.like, Box::new(file), at));
        }
        let (input, _) = input::open(&self.path, &self.written)?;
        let start = Waypoint { records: 0, lines: 0, bytes: 0 };
        let mut records = Records::like(&self.like, input, start);
        if records.consume_to(at)? { Ok(records) } else { Err(self.changed()?) }
    }

    /// Looks whether the file still has the length the survey saw.
    fn check_length(&self) -> Result<(), SourceError> {
        match length_of(&self.path)? {
            length if length == self.length => Ok(()),
            _ => Err(self.changed()?),
        }
    }

    fn changed(&self) -> Result<SourceError, SourceError> {
        let (found, wanted) = (length_of(&self.path)?, self.length);
        Ok(SourceError::Changed { place: name_of(&self.path), found, wanted })
    }

    fn end(&self) -> u64 {
        self.before + self.records
    }
}

impl Recorded {
    /// Reads one file once: [`Recorded::open_all`].
    ///
    /// # Errors
    /// As there.
    pub fn open(path: &Path, written: &Written) -> Result<(Recorded, RecordedFacts), SourceError> {
        Recorded::open_all(&[path.to_owned()], written)
    }

    /// Reads the files once, in this order, for their hashes and the number of their records; no deck is judged
    /// yet. Texts tell by their first lines how they are laid out, and all of them must be written alike.
    ///
    /// # Errors
    /// [`SourceError`]: no regular file, empty, torn, not a text of decks, or written otherwise than the first.
    ///
    /// # Panics
    /// If there is no file.
    pub fn open_all(paths: &[PathBuf], written: &Written) -> Result<(Recorded, RecordedFacts), SourceError> {
        let (mut surveys, mut before, marks) = (Vec::new(), 0, Marks::new(written));
        for path in paths {
            let survey = Survey::of(path, written, before, &marks)?;
            before = survey.map.end();
            surveys.push(survey);
        }
        check_alike(&surveys)?;
        check_copies(&surveys)?;
        let first = surveys.first().expect("there is a file");
        let sha256 = match surveys.as_slice() {
            [one] => one.sha256,
            many => {
                many.iter().fold(Sha256::new(), |hash, one| hash.chain_update(one.sha256)).finalize().into()
            }
        };
        let facts = RecordedFacts {
            sha256,
            files: surveys.len() as u64,
            decks: before,
            format: first.reader.format(),
            numbering: written.numbering,
            first_number: first.reader.first_number(),
            twice: marks.twice(),
            lines: surveys
                .iter()
                .map(|survey| survey.map.packing.passed.counts())
                .fold(LinesRead::default(), LinesRead::and),
            deck_place: deck_place(&surveys),
            sentences: surveys.iter().map(|survey| survey.sentence.clone()).collect(),
        };
        let records = first.map.open(first.map.waypoints[0])?;
        let files = Arc::new(surveys.into_iter().map(|survey| survey.map).collect());
        let twice = Arc::new(facts.twice.clone());
        let recorded = Recorded {
            files,
            place: 0,
            records,
            offset: 0,
            decks: before,
            is_limited: false,
            twice,
            doubled: None,
            marks: written.is_marked().then_some(marks),
        };
        Ok((recorded, facts))
    }

    /// Only `decks` of the records, after the first `offset` of them.
    ///
    /// # Errors
    /// [`SourceError::TooFew`] when there are fewer.
    pub fn range(mut self, offset: u64, decks: u64) -> Result<Recorded, SourceError> {
        let found = self.decks.saturating_sub(offset);
        if decks > found {
            return Err(SourceError::TooFew { place: self.records.name().into(), found, wanted: decks });
        }
        self.is_limited = offset + decks < self.decks;
        (self.offset, self.decks) = (offset, decks);
        Ok(self)
    }

    /// Only the first `decks`.
    ///
    /// # Errors
    /// [`SourceError::TooFew`] when there are fewer.
    pub fn limited(self, decks: u64) -> Result<Recorded, SourceError> {
        self.range(0, decks)
    }

    /// What is wrong with the first record after the last deck that is none or cannot be read, if there is one. It was not asked for.
    ///
    /// # Errors
    /// [`SourceError`]: a file that changed.
    pub(super) fn fault_after(&mut self) -> Result<Option<SourceError>, SourceError> {
        let end = if self.is_limited { self.files.last().map_or(0, Map::end) } else { 0 };
        for record in self.offset + self.decks..end {
            match self.read_one(record) {
                Ok(_) => {}
                Err(error @ (SourceError::Unreadable { .. } | SourceError::NotADeck { .. })) => {
                    return Ok(Some(error));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    fn map(&self) -> &Map {
        &self.files[self.place]
    }

    /// Goes to a record, counted from 0 over all files.
    fn go_to(&mut self, record: u64) -> Result<(), SourceError> {
        let place = self.files.partition_point(|map| map.end() <= record);
        let map = &self.files[place];
        let inside = record - map.before;
        let nearest = map.waypoints[(inside / WAYPOINT_RECORDS) as usize];
        let at = self.records.at().records;
        if place != self.place || inside < at || at < nearest.records {
            self.records = map.open(nearest)?;
            self.place = place;
        }
        while self.records.at().records < inside {
            if !self.records.skip()? {
                return Err(self.map().changed()?);
            }
        }
        Ok(())
    }

    /// The deck of a record. One of the first with too few or too many cards is no proof where most of them are as it.
    fn read(&mut self, record: u64) -> Result<Deck, SourceError> {
        let is_short = |deck: &Result<Deck, SourceError>| {
            matches!(deck, Err(SourceError::NotADeck { error: DeckError::Count { .. }, .. }))
        };
        let deck = self.read_one(record);
        let Err(SourceError::NotADeck { place, .. }) = &deck else { return deck };
        if !is_short(&deck) || record >= FIRST_RECORDS {
            return deck;
        }
        let first = (record + FIRST_RECORDS).min(self.files.last().map_or(0, Map::end));
        let short = (0..first).filter(|&other| is_short(&self.read_one(other))).count() as u64;
        if 2 * short <= first {
            return deck;
        }
        Err(SourceError::Unreadable {
            place: place.clone(),
            found: format!("{short} of the first {first} records without 52 cards"),
            wanted: "52 cards in each: logs of the cards that were dealt are read by deckproof hands --dealt"
                .to_owned(),
        })
    }

    /// The deck of a record at which the reader is.
    fn read_one(&mut self, record: u64) -> Result<Deck, SourceError> {
        if record >= self.map().end() || self.map().before + self.records.at().records != record {
            self.go_to(record)?;
        }
        let error = match self.records.next_deck() {
            Ok(Some(deck)) => return Ok(deck),
            Ok(None) => return Err(self.map().changed()?),
            Err(error) => error,
        };
        // A file that grows or shrinks under the reader must not be held against its shuffler.
        self.map().check_length()?;
        Err(match error {
            // Decks are counted from the first that was asked for; the place names the record in its file.
            SourceError::NotADeck { place, error, .. } => {
                SourceError::NotADeck { record: record - self.offset + 1, place, error }
            }
            other => other,
        })
    }
}

impl DeckSource for Recorded {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        block.clear();
        let end = self.decks.min(first.saturating_add(BLOCK_HANDS as u64));
        if first >= end {
            return Ok(());
        }
        if let Some(twice) = self.doubled {
            // An export that holds a record twice says nothing about the shuffler.
            return Err(SourceError::Failed(twice.fault()));
        }
        self.go_to(self.offset + first)?;
        for number in first..end {
            let deck = self.read(self.offset + number)?;
            block.push(&deck);
        }
        if first.is_multiple_of(WAYPOINT_RECORDS) || end == self.decks {
            self.map().check_length()?;
        }
        Ok(())
    }

    /// Packed files are read once, in order, by one reader.
    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        if !self.files.iter().all(|map| map.packing.is_plain()) {
            return None;
        }
        let map = self.map();
        let records = map.open(map.waypoints[0]).ok()?;
        let Recorded { place, offset, decks, is_limited, doubled, .. } = *self;
        let (files, twice) = (Arc::clone(&self.files), Arc::clone(&self.twice));
        let marks = self.marks.clone();
        Some(Box::new(Recorded { files, place, records, offset, decks, is_limited, twice, doubled, marks }))
    }

    /// The records after those that were asked for, where the file has so many.
    fn go_on(&mut self, decks: u64) -> bool {
        let all = self.files.last().map_or(0, Map::end);
        let Some(end) = self.offset.checked_add(decks).filter(|end| *end <= all) else { return false };
        let later = self.offset + self.decks..end;
        self.doubled =
            self.twice.iter().find(|own| own.records.iter().all(|record| later.contains(record))).copied();
        self.decks = decks;
        self.is_limited = end < all;
        true
    }

    fn files(&self) -> Vec<FileEnd> {
        let end = |map: &Map| map.end().saturating_sub(self.offset).min(self.decks);
        self.files.iter().map(|map| FileEnd { name: name_of(&map.path), end: end(map) }).collect()
    }

    fn place_of(&mut self, deck: u64) -> Option<String> {
        self.go_to(self.offset.checked_add(deck)?).ok()?;
        self.records.next_place().ok()
    }

    fn marks(&self) -> Option<Marks> {
        self.marks.as_ref().map(|marks| marks.after(self.offset))
    }
}

/// Where the decks of all files were found; nothing where they stand alone.
fn deck_place(surveys: &[Survey]) -> Option<String> {
    let mut places: Vec<&str> = surveys.iter().filter_map(|survey| survey.reader.found_in()).collect();
    places.dedup();
    (!places.is_empty()).then(|| places.join("; "))
}

fn check_alike(surveys: &[Survey]) -> Result<(), SourceError> {
    let Some((first, others)) = surveys.split_first() else { return Ok(()) };
    let kind = |survey: &Survey| (survey.reader.format(), survey.reader.first_number());
    match others.iter().find(|other| kind(other) != kind(first)) {
        Some(other) => {
            let text =
                |survey: &Survey| format!("{} in {}", written_as(&survey.reader), survey.reader.name());
            Err(SourceError::Failed(format!(
                "found {} and {}, wanted all files written alike: audit them one by one, or export them in one way",
                text(first),
                text(other)
            )))
        }
        None => Ok(()),
    }
}

/// A copy of a file is likelier than a dealer that dealt all its decks again, and the bytes do not show which it is.
fn check_copies(surveys: &[Survey]) -> Result<(), SourceError> {
    let mut seen = BTreeMap::new();
    for Survey { unpacked, map, .. } in surveys {
        if let Some(first) = seen.insert(unpacked, &map.path) {
            return Err(SourceError::Copied {
                name: map.path.display().to_string(),
                first: first.display().to_string(),
            });
        }
    }
    Ok(())
}

/// How decks are written, in few words.
fn written_as<R: Read>(records: &Records<R>) -> &'static str {
    match (records.format(), records.first_number()) {
        (Format::Raw, _) => "52 bytes a deck",
        (Format::Cards, _) => "cards such as As",
        (Format::Indices, 0) => "numbers 0 to 51",
        (Format::Indices, _) => "numbers 1 to 52",
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn length_of(path: &Path) -> Result<u64, SourceError> {
    let metadata = std::fs::metadata(path);
    metadata
        .map(|metadata| metadata.len())
        .map_err(|error| SourceError::Io { place: path.display().to_string(), error })
}

fn hash_file(path: &Path) -> Result<[u8; 32], SourceError> {
    let io = |error| SourceError::Io { place: path.display().to_string(), error };
    let (mut file, mut hash, mut buffer) = (input::open_file(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer).map_err(io)? {
            0 => return Ok(hash.finalize().into()),
            length => hash.update(&buffer[..length]),
        }
    }
}
