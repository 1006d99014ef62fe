//! The fingerprints of a day's decks, sorted; many are sorted in parts that lie in files without a name.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use sha2::{Digest, Sha256};

use deckproof_audit::source::FileEnd;
use deckproof_audit::source::marks::Marks;
use deckproof_deck::deck::Deck;
use deckproof_deck::text::decimal::thousands;
use deckproof_deck::text::excerpt;
use deckproof_files::file::if_there;

/// 12 bytes of the deck's SHA-256 and 4 of a number: of a day its place there, in a file the row of its day.
pub type Fingerprint = [u8; RECORD_BYTES];

/// Bytes of a record.
pub const RECORD_BYTES: usize = 16;

/// Bytes of it that are of the deck.
pub const KEY_BYTES: usize = 12;

/// Records that are held in memory: 64 MB.
const HELD_MAX: usize = 4 << 20;

/// Letters of an id or time in a sentence.
const LABEL_LETTERS: usize = 40;

/// The fingerprints of one day.
#[derive(Default)]
pub struct Day {
    folder: PathBuf,
    held: Vec<Fingerprint>,
    held_max: usize,
    parts: Vec<File>,
    decks: u64,
    /// The one that comes last, with its place.
    last: Option<(u32, [u8; KEY_BYTES])>,
    /// What could not be written, once.
    fault: Option<io::Error>,
    marks: Option<Marks>,
    files: Vec<FileEnd>,
    is_remembered: bool,
}

/// The ids of a day's hands, or where a file has none their times.
#[derive(Clone)]
pub struct Ids(Marks);

impl Ids {
    /// 4 bytes of `SHA-256("deckproof/v1 known-id" ‖ id)` of the hand at a place, counted from 0; 0 where it has no id.
    pub fn of(&self, place: u64) -> u32 {
        let id = self.0.id(place).or_else(|| self.0.time(place));
        id.map_or(0, |id| {
            let hash = Sha256::new().chain_update("deckproof/v1 known-id").chain_update(id).finalize();
            u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]]).max(1)
        })
    }
}

/// The first 12 bytes of `SHA-256("deckproof/v1 known-deck" ‖ the 52 indices)`.
pub fn key(deck: &Deck) -> [u8; KEY_BYTES] {
    let hash = Sha256::new().chain_update("deckproof/v1 known-deck").chain_update(deck.indices()).finalize();
    std::array::from_fn(|place| hash[place])
}

/// A key as hexadecimal digits.
pub fn key_text(key: &[u8; KEY_BYTES]) -> String {
    base16ct::lower::encode_string(key)
}

/// `number` as it stands in a record.
pub fn record(key: &[u8], number: u32) -> Fingerprint {
    let mut record = [0; RECORD_BYTES];
    record[..KEY_BYTES].copy_from_slice(key);
    record[KEY_BYTES..].copy_from_slice(&number.to_be_bytes());
    record
}

/// The number of a record.
pub fn number(record: &Fingerprint) -> u32 {
    u32::from_be_bytes([record[12], record[13], record[14], record[15]])
}

impl Day {
    /// No deck yet; parts that do not fit into memory go to this folder.
    pub fn new(folder: &Path) -> Day {
        Day::holding(folder, HELD_MAX)
    }

    /// A day whose decks are not remembered: of them nothing but their names is known.
    pub fn forgetting() -> Day {
        Day::default()
    }

    pub(super) fn holding(folder: &Path, held_max: usize) -> Day {
        Day { folder: folder.to_owned(), held_max, is_remembered: true, ..Day::default() }
    }

    /// What the source says of its records, and the files that they stand in.
    pub fn name(&mut self, marks: Option<Marks>, files: Vec<FileEnd>) {
        (self.marks, self.files) = (marks, files);
    }

    /// Whether its decks are remembered.
    pub fn is_remembered(&self) -> bool {
        self.is_remembered
    }

    /// What the source says of its records.
    pub fn marks(&self) -> Option<&Marks> {
        self.marks.as_ref()
    }

    /// The files that the decks stand in.
    pub fn files(&self) -> &[FileEnd] {
        &self.files
    }

    /// The ids of the hands, where a column of ids or times is known.
    pub fn ids(&self) -> Option<Ids> {
        self.marks.clone().filter(Marks::has_names).map(Ids)
    }

    /// A deck by its place, counted from 0, as a person finds it: by its id, its time, or its number.
    pub fn label(&self, place: u64) -> String {
        let cell = |cell: String| excerpt(&cell, LABEL_LETTERS);
        let id = || Some(format!("hand {}", cell(self.marks.as_ref()?.id(place)?)));
        let time = || Some(format!("the deck of {}", cell(self.marks.as_ref()?.time(place)?)));
        id().or_else(time).unwrap_or_else(|| format!("deck {}", thousands(place + 1)))
    }

    /// Adds a deck by its key, with its place in the day, counted from 0.
    pub fn add(&mut self, key: &[u8; KEY_BYTES], place: u64) {
        if !self.is_remembered {
            return;
        }
        // A day of more than 4·10⁹ decks names the last ones wrongly, and finds them all the same.
        let place = u32::try_from(place).unwrap_or(u32::MAX);
        self.held.push(record(key, place));
        self.decks += 1;
        self.last = self.last.max(Some((place, *key)));
        if self.held.len() >= self.held_max
            && let Err(error) = self.spill()
        {
            self.held.clear();
            self.fault.get_or_insert(error);
        }
    }

    /// The key of the deck that comes last.
    pub fn last_key(&self) -> Option<[u8; KEY_BYTES]> {
        self.last.map(|(_, key)| key)
    }

    /// How many decks were added.
    pub fn decks(&self) -> u64 {
        self.decks
    }

    /// Writes what is held into a file that has no name any more, so that a job that is killed leaves nothing.
    fn spill(&mut self) -> io::Result<()> {
        static PARTS: AtomicU32 = AtomicU32::new(0);
        fs::create_dir_all(&self.folder)?;
        let part = PARTS.fetch_add(1, Ordering::Relaxed);
        let path = self.folder.join(format!("{}{}-{part}", super::files::PART, std::process::id()));
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
        // Another job may have tidied up meanwhile.
        if_there(fs::remove_file(&path))?;
        self.held.sort_unstable();
        let mut writer = BufWriter::new(file);
        self.held.iter().try_for_each(|record| writer.write_all(record))?;
        self.parts.push(writer.into_inner().map_err(io::IntoInnerError::into_error)?);
        self.held.clear();
        Ok(())
    }

    /// All records in order.
    ///
    /// # Errors
    /// If a part cannot be read, or could not be written.
    pub fn sorted(&mut self) -> io::Result<Sorted<'_>> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        self.held.sort_unstable();
        let mut sources: Vec<Source> = vec![Source::Held(self.held.iter())];
        for part in &mut self.parts {
            part.seek(SeekFrom::Start(0))?;
            sources.push(Source::Part(BufReader::new(part)));
        }
        let mut next = BinaryHeap::new();
        for (place, source) in sources.iter_mut().enumerate() {
            if let Some(record) = source.next()? {
                next.push(Reverse((record, place)));
            }
        }
        Ok(Sorted { sources, next })
    }

    /// Shows neighbouring pairs of places, counted from 0, that have the same deck.
    ///
    /// # Errors
    /// As [`Day::sorted`].
    pub fn each_repeated(&mut self, see: &mut dyn FnMut(u64, u64)) -> io::Result<()> {
        let mut sorted = self.sorted()?;
        let mut before = None::<Fingerprint>;
        while let Some(record) = sorted.take_next()? {
            if let Some(before) = before.filter(|before| before[..KEY_BYTES] == record[..KEY_BYTES]) {
                see(u64::from(number(&before)), u64::from(number(&record)));
            }
            before = Some(record);
        }
        Ok(())
    }

    /// The place of the first of these decks that is here and stands before the end, with what goes with it.
    ///
    /// # Errors
    /// As [`Day::sorted`].
    pub fn place_of(&mut self, wanted: &BTreeMap<String, usize>) -> io::Result<Option<(u64, usize)>> {
        if wanted.is_empty() {
            return Ok(None);
        }
        let last = self.decks.saturating_sub(1);
        let mut sorted = self.sorted()?;
        while let Some(record) = sorted.take_next()? {
            let (key, place) = (std::array::from_fn(|at| record[at]), u64::from(number(&record)));
            if let Some(&own) = wanted.get(&key_text(&key)).filter(|_| place < last) {
                return Ok(Some((place, own)));
            }
        }
        Ok(None)
    }

    /// Whether every deck is there exactly twice, as a file that was joined to itself has them.
    ///
    /// # Errors
    /// As [`Day::sorted`].
    pub fn doubled(&mut self) -> io::Result<Option<Doubled>> {
        let decks = self.decks;
        let mut sorted = self.sorted()?;
        let (mut halves, mut records) = (decks > 0, decks > 0);
        let is_same = |a: &Fingerprint, b: &Fingerprint| a[..KEY_BYTES] == b[..KEY_BYTES];
        let mut before = None::<Fingerprint>;
        while let Some(first) = sorted.take_next()? {
            // Two and no third one.
            let is_new = !before.is_some_and(|before| is_same(&before, &first));
            before = sorted.take_next()?.filter(|second| is_new && is_same(&first, second));
            let apart = before.map(|second| u64::from(number(&second) - number(&first)));
            halves &= apart.is_some_and(|apart| 2 * apart == decks);
            records &= apart == Some(1);
            if !halves && !records {
                return Ok(None);
            }
        }
        Ok(if halves { Some(Doubled::Halves) } else { Some(Doubled::Records) })
    }
}

/// How a file comes to hold each of its decks exactly twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubled {
    /// Its second half is its first half: a file that was joined to itself.
    Halves,
    /// Each record stands twice, one after the other.
    Records,
}

impl Doubled {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Doubled::Halves => "the second half of the decks is the first half",
            Doubled::Records => "every deck is there twice, one after the other",
        }
    }
}

/// Records in order from several places.
pub struct Sorted<'a> {
    sources: Vec<Source<'a>>,
    next: BinaryHeap<Reverse<(Fingerprint, usize)>>,
}

enum Source<'a> {
    Held(std::slice::Iter<'a, Fingerprint>),
    Part(BufReader<&'a mut File>),
}

impl Source<'_> {
    fn next(&mut self) -> io::Result<Option<Fingerprint>> {
        match self {
            Source::Held(records) => Ok(records.next().copied()),
            Source::Part(reader) => {
                let mut record = [0; RECORD_BYTES];
                Ok(read_bytes(reader, &mut record)?.map(|()| record))
            }
        }
    }
}

impl Sorted<'_> {
    /// The next record.
    ///
    /// # Errors
    /// If a part cannot be read.
    pub fn take_next(&mut self) -> io::Result<Option<Fingerprint>> {
        let Some(Reverse((record, place))) = self.next.pop() else { return Ok(None) };
        if let Some(record) = self.sources[place].next()? {
            self.next.push(Reverse((record, place)));
        }
        Ok(Some(record))
    }
}

/// So many bytes, or the end.
///
/// # Errors
/// Fewer are the end of a file that was cut.
pub fn read_bytes(reader: &mut impl BufRead, bytes: &mut [u8]) -> io::Result<Option<()>> {
    if reader.fill_buf()?.is_empty() {
        return Ok(None);
    }
    reader.read_exact(bytes).map(Some)
}
