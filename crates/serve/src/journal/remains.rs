//! What stays of a segment once the keys of its hands are in the vault: every call, and the cards that a seat received with
//! their salts; of all others the leaves. It opens not one card more than the seats hold together.
//!
//! `secret/journal/N.remains`: for each hand a line `rest derived LEAVES` or `rest own LEAVES` and its steps; behind them for
//! each hand where its last step lay in the segment, where its lines lie here and how long they are, ascending; at the end
//! how many hands there are. So the places of hands stay as they were.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::journal::JournalError;
use crate::journal::places::LinePlace;
use crate::journal::record::{KeptStep, LINE_BYTES_MAX, Line};
use deckproof_files::file::{if_there, own, sync_names};
use deckproof_table::table::partial_deck::PartDeck;

/// Three numbers a hand.
const ENTRY_BYTES: u64 = 24;

/// The last bytes of a file: how many hands, and these.
const END: &[u8; 8] = b"remains1";

/// A hand has at most 257 steps, and no real one comes near this.
const HAND_BYTES_MAX: u64 = 257 * LINE_BYTES_MAX as u64;

/// What is left to open of a hand, as it is kept.
///
/// No `Debug`, `Display` or `Clone`; wiped when dropped.
pub struct HandRest {
    leaves: Zeroizing<String>,
    /// Whether the deck was made elsewhere.
    pub has_own_deck: bool,
}

impl HandRest {
    /// What is left of a hand.
    pub fn of(part: &PartDeck, has_own_deck: bool) -> HandRest {
        HandRest { leaves: part.print(), has_own_deck }
    }

    /// The deck of which a part is opened.
    pub fn part(&self) -> Option<PartDeck> {
        PartDeck::parse(&self.leaves)
    }

    fn word(&self) -> &'static str {
        if self.has_own_deck { "own" } else { "derived" }
    }

    fn parse(line: &str) -> Option<HandRest> {
        let (word, leaves) = line.strip_prefix("rest ")?.split_once(' ')?;
        let has_own_deck = match word {
            "own" => true,
            "derived" => false,
            _ => return None,
        };
        Some(HandRest { leaves: Zeroizing::new(leaves.to_owned()), has_own_deck })
    }
}

/// The file of a segment.
pub fn remains_path(journal: &Path, segment: u64) -> PathBuf {
    journal.join(format!("{segment:08}.remains"))
}

/// Whether there is one.
pub fn is_there(journal: &Path, segment: u64) -> bool {
    fs::symlink_metadata(remains_path(journal, segment)).is_ok()
}

fn failed(path: &Path) -> impl Fn(io::Error) -> JournalError + '_ {
    move |error| JournalError::File { path: path.to_owned(), error }
}

/// Writes the file of a segment, hand by hand.
pub struct RemainsWriter {
    journal: PathBuf,
    temporary: PathBuf,
    path: PathBuf,
    file: BufWriter<File>,
    length: u64,
    entries: Vec<[u64; 3]>,
}

impl RemainsWriter {
    /// Begins a file that is nobody's until it is finished.
    pub fn begin(journal: &Path, segment: u64) -> Result<RemainsWriter, JournalError> {
        let temporary = journal.join("remains.tmp");
        let mut options = OpenOptions::new();
        own::for_owner(options.write(true).create(true).truncate(true));
        let file = BufWriter::new(own::open(&temporary, &options).map_err(failed(&temporary))?);
        let (journal, path) = (journal.to_owned(), remains_path(journal, segment));
        Ok(RemainsWriter { journal, temporary, path, file, length: 0, entries: Vec::new() })
    }

    /// Adds a hand whose last step lies at this byte of the segment.
    pub fn push(&mut self, offset: u64, rest: &HandRest, steps: &[KeptStep]) -> Result<(), JournalError> {
        let mut text = Zeroizing::new(format!("rest {} ", rest.word()));
        text.push_str(&rest.leaves);
        text.push('\n');
        for step in steps {
            assert!(step.key.is_none(), "the key of a hand does not stay");
            text.push_str(&step.print());
            text.push('\n');
        }
        self.file.write_all(text.as_bytes()).map_err(failed(&self.temporary))?;
        self.entries.push([offset, self.length, text.len() as u64]);
        self.length += text.len() as u64;
        Ok(())
    }

    /// Puts the file in its place; it is durable, name and all, when this returns.
    pub fn finish(mut self) -> Result<(), JournalError> {
        self.entries.sort_unstable();
        let numbers = self.entries.iter().flatten().copied().chain([self.entries.len() as u64]);
        let mut end: Vec<u8> = numbers.flat_map(u64::to_be_bytes).collect();
        end.extend(END);
        let written = self.file.write_all(&end).and_then(|()| self.file.flush());
        written.and_then(|()| self.file.get_ref().sync_all()).map_err(failed(&self.temporary))?;
        fs::rename(&self.temporary, &self.path).map_err(failed(&self.path))?;
        sync_names(&self.journal).map_err(failed(&self.journal))
    }
}

/// What is left of the hand whose last step lay here; nothing if its segment is whole.
pub fn read(journal: &Path, place: LinePlace) -> Result<Option<(HandRest, Vec<KeptStep>)>, JournalError> {
    let path = remains_path(journal, place.segment);
    let file = if_there(own::open_to_read(&path)).map_err(failed(&path))?;
    let Some(mut file) = file else { return Ok(None) };
    let found = find(&mut file, place.offset).map_err(failed(&path))?;
    let damaged = |problem: &str| JournalError::Damaged {
        path: path.clone(),
        offset: place.offset,
        problem: problem.to_owned(),
    };
    let text = found.ok_or_else(|| damaged("no hand is left of this place"))?;
    let text = std::str::from_utf8(&text).map_err(|_| damaged("not UTF-8"))?;
    let mut lines = text.split_terminator('\n');
    let rest =
        lines.next().and_then(HandRest::parse).ok_or_else(|| damaged("wanted what is left of a hand"))?;
    let mut steps = Vec::new();
    for line in lines {
        match Line::parse(line).map_err(|problem| damaged(&problem))? {
            Line::Step(step) => steps.push(*step),
            _ => return Err(damaged("wanted a step")),
        }
    }
    Ok(Some((rest, steps)))
}

/// Where the last steps of the hands of a segment lay; nothing if it is whole.
pub fn offsets(journal: &Path, segment: u64) -> Result<Option<Vec<u64>>, JournalError> {
    let path = remains_path(journal, segment);
    let listed = |mut file: File| {
        let Some((first, count)) = entries(&mut file)? else { return Ok(Vec::new()) };
        (0..count).map(|entry| numbers(&mut file, first + entry * ENTRY_BYTES).map(|[of]| of)).collect()
    };
    let file = if_there(own::open_to_read(&path)).map_err(failed(&path))?;
    file.map(|file| listed(file).map_err(failed(&path))).transpose()
}

/// Where the entries begin, and how many they are.
fn entries(file: &mut File) -> io::Result<Option<(u64, u64)>> {
    let end_bytes = 8 + END.len() as u64;
    let length = file.metadata()?.len();
    let Some(end) = length.checked_sub(end_bytes) else { return Ok(None) };
    let [count] = numbers(file, end)?;
    let mut last = [0; END.len()];
    file.read_exact(&mut last)?;
    let first = count.checked_mul(ENTRY_BYTES).and_then(|bytes| end.checked_sub(bytes));
    Ok(first.filter(|_| last == *END).map(|first| (first, count)))
}

/// The lines of a hand, found by where its last step lay.
fn find(file: &mut File, offset: u64) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    let Some((first, count)) = entries(file)? else { return Ok(None) };
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        let [of, begin, bytes] = numbers(file, first + middle * ENTRY_BYTES)?;
        match of.cmp(&offset) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => {
                if bytes > HAND_BYTES_MAX || begin.checked_add(bytes).is_none_or(|end| end > first) {
                    return Ok(None);
                }
                let mut text = Zeroizing::new(vec![0; bytes as usize]);
                file.seek(SeekFrom::Start(begin))?;
                file.read_exact(&mut text)?;
                return Ok(Some(text));
            }
        }
    }
    Ok(None)
}

fn numbers<const N: usize>(file: &mut File, at: u64) -> io::Result<[u64; N]> {
    file.seek(SeekFrom::Start(at))?;
    let mut found = [0; N];
    for number in &mut found {
        let mut bytes = [0; 8];
        file.read_exact(&mut bytes)?;
        *number = u64::from_be_bytes(bytes);
    }
    Ok(found)
}
