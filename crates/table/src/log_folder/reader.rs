//! Reading a published log: entries, proofs, the right edge, and its whole content for a scan.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::log_folder::edge::Edge;
use crate::log_folder::files::{Files, Folder};
use crate::log_folder::layout::{self, Kind, LEVELS, TILE_WIDTH};
use crate::log_folder::{CHECKPOINT, LogError};
use deckproof_deck::commitment::digest::{Digest, leaf_hash, node_hash};
use deckproof_verify::log::checkpoint::Checkpoint;
use deckproof_verify::log::entry::ENTRY_BYTES_MAX;
use deckproof_verify::log::note::{NOTE_BYTES_MAX, Note};
use deckproof_verify::log::receipt::Receipt;
use deckproof_verify::log::request::Request;
use deckproof_verify::log::tree::{Nodes, consistency_path, inclusion_path};

const HASH_BYTES: usize = 32;

/// A bundle of entries is at most this long, in bytes; an entry's length takes two.
const BUNDLE_BYTES_MAX: u64 = TILE_WIDTH * (2 + ENTRY_BYTES_MAX as u64);

/// Tiles kept in memory; a proof takes one for each of its levels.
const TILES_KEPT: usize = 64;

/// Hashes of tiles by level and index.
type Tiles = HashMap<(u32, u64), Rc<Tile>>;

/// A tile, and the nodes above its hashes once a proof asked for one: a service gives many receipts under one checkpoint.
struct Tile {
    hashes: Vec<Digest>,
    above: OnceCell<Vec<Vec<Digest>>>,
}

impl Tile {
    /// The node at this height above the hashes; nothing where hashes below it are missing.
    fn node(&self, height: u32, index: usize) -> Option<Digest> {
        match height.checked_sub(1) {
            None => self.hashes.get(index).copied(),
            Some(row) => {
                self.above.get_or_init(|| rows_above(&self.hashes)).get(row as usize)?.get(index).copied()
            }
        }
    }
}

/// The rows of complete nodes above hashes, the lowest first.
fn rows_above(hashes: &[Digest]) -> Vec<Vec<Digest>> {
    let mut rows: Vec<Vec<Digest>> = Vec::new();
    loop {
        let below = rows.last().map_or(hashes, Vec::as_slice);
        if below.len() < 2 {
            return rows;
        }
        let row = below.chunks_exact(2).map(|pair| node_hash(&pair[0], &pair[1])).collect();
        rows.push(row);
    }
}

/// A file of the log.
struct TileFile {
    path: PathBuf,
    bytes: Vec<u8>,
    /// Whether it is the form this size of the tree has; else it is the full one, which holds more.
    is_exact: bool,
}

/// A log as its checkpoint shows it. The signature is for the trust file to judge.
pub struct LogReader {
    files: Rc<dyn Files>,
    note: String,
    checkpoint: Checkpoint,
    tiles: RefCell<Tiles>,
}

impl LogReader {
    /// Reads the checkpoint of a log.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn open(folder: &Path) -> Result<LogReader, LogError> {
        LogReader::open_files(Rc::new(Folder::new(folder)))
    }

    /// Reads the checkpoint of a log among files.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn open_files(files: Rc<dyn Files>) -> Result<LogReader, LogError> {
        let path = files.path(CHECKPOINT);
        let bytes =
            files.read(CHECKPOINT, NOTE_BYTES_MAX as u64).map_err(|error| LogError::file(&path, error))?;
        let note = String::from_utf8(bytes).map_err(|_| LogError::damaged(&path, "not UTF-8"))?;
        LogReader::of_files(files, &note)
    }

    /// A log under a checkpoint that is given.
    ///
    /// # Errors
    /// [`LogError::Damaged`] if the text is no signed checkpoint.
    pub fn of(folder: &Path, note: &str) -> Result<LogReader, LogError> {
        LogReader::of_files(Rc::new(Folder::new(folder)), note)
    }

    /// A log among files under a checkpoint that is given.
    ///
    /// # Errors
    /// [`LogError::Damaged`] if the text is no signed checkpoint.
    pub fn of_files(files: Rc<dyn Files>, note: &str) -> Result<LogReader, LogError> {
        let path = files.path(CHECKPOINT);
        let parsed = Note::parse(note).map_err(|_| LogError::damaged(&path, "wanted a signed note"))?;
        let checkpoint = Checkpoint::parse(&parsed.text)
            .ok_or_else(|| LogError::damaged(&path, "wanted a checkpoint of three lines"))?;
        let tiles = RefCell::new(Tiles::new());
        Ok(LogReader { files, note: note.to_owned(), checkpoint, tiles })
    }

    /// The same log under another of its checkpoints.
    ///
    /// # Errors
    /// [`LogError::Damaged`] if the text is no signed checkpoint.
    pub fn under(&self, note: &str) -> Result<LogReader, LogError> {
        LogReader::of_files(Rc::clone(&self.files), note)
    }

    /// Whether anybody besides the log put a line under the checkpoint; which need not verify.
    pub fn is_cosigned(&self) -> bool {
        let origin = &self.checkpoint.origin;
        self.parsed_note().signatures.iter().any(|line| line.name != *origin)
    }

    /// What the log signed.
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// The signed checkpoint as it is there.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// The signed checkpoint in its parts.
    ///
    /// # Panics
    /// Never: it was read as a note.
    pub fn parsed_note(&self) -> Note {
        Note::parse(&self.note).expect("it was read as a note")
    }

    fn size(&self) -> u64 {
        self.checkpoint.tree.size
    }

    /// A file of the log, in the form this tree size has or, where that is gone or a power cut left it torn, whole or as the
    /// checkpoint of now has it: a tile grows, and each form begins with all earlier ones.
    fn read<T>(
        &self,
        kind: Kind,
        index: u64,
        (width, bytes_max): (u64, u64),
        parse: impl Fn(TileFile) -> Result<T, LogError>,
    ) -> Result<T, LogError> {
        let form = |width: u64, is_exact: bool| {
            let name = layout::path(kind, index, width);
            let path = self.files.path(&name);
            let bytes = self.files.read(&name, bytes_max).map_err(|error| LogError::file(&path, error))?;
            parse(TileFile { path, bytes, is_exact })
        };
        let exact = form(width, true);
        if exact.is_ok() || width == TILE_WIDTH {
            return exact;
        }
        let later = [Some(TILE_WIDTH), self.width_now(kind, index).filter(|now| *now > width)];
        later.into_iter().flatten().find_map(|later| form(later, false).ok()).map_or(exact, Ok)
    }

    /// How many hashes or entries a tile has under the checkpoint of now.
    fn width_now(&self, kind: Kind, index: u64) -> Option<u64> {
        let bytes = self.files.read(CHECKPOINT, NOTE_BYTES_MAX as u64).ok()?;
        let note = Note::parse(std::str::from_utf8(&bytes).ok()?).ok()?;
        let size = Checkpoint::parse(&note.text)?.tree.size;
        let level = match kind {
            Kind::Hashes(level) => level,
            Kind::Entries => 0,
        };
        let width = layout::shifted(size, level).checked_sub(index * TILE_WIDTH)?;
        (1..TILE_WIDTH).contains(&width).then_some(width)
    }

    /// How many hashes a tile of this tree has.
    fn width(&self, level: u32, index: u64) -> u64 {
        (layout::shifted(self.size(), level) - index * TILE_WIDTH).min(TILE_WIDTH)
    }

    fn tile(&self, level: u32, index: u64) -> Result<Rc<Tile>, LogError> {
        if let Some(tile) = self.tiles.borrow().get(&(level, index)) {
            return Ok(Rc::clone(tile));
        }
        let width = self.width(level, index);
        let bytes_max = TILE_WIDTH * HASH_BYTES as u64;
        let hashes = self.read(Kind::Hashes(level), index, (width, bytes_max), |file| hashes(file, width))?;
        let tile = Rc::new(Tile { hashes, above: OnceCell::new() });
        let mut tiles = self.tiles.borrow_mut();
        if tiles.len() >= TILES_KEPT {
            tiles.clear();
        }
        tiles.insert((level, index), Rc::clone(&tile));
        Ok(tile)
    }

    /// The right edge of the tree: one tile a level.
    pub(super) fn edge(&self) -> Result<Edge, LogError> {
        let size = self.size();
        let last = |level: u32| match layout::width_of(size, level) {
            0 => Ok(Vec::new()),
            _ => Ok(self.tile(level, layout::tile_of(size, level))?.hashes.clone()),
        };
        Ok(Edge::of(size, (0..LEVELS).map(last).collect::<Result<_, LogError>>()?))
    }

    /// The bytes of the last bundle, which is not full, checked against its hashes.
    pub(super) fn last_bundle(&self, leaves: &[Digest]) -> Result<Vec<u8>, LogError> {
        if leaves.is_empty() {
            return Ok(Vec::new());
        }
        let index = layout::tile_of(self.size(), 0);
        let entries = self.bundle(index)?;
        let path = self.files.path(&layout::path(Kind::Entries, index, leaves.len() as u64));
        let mut bytes = Vec::new();
        for (entry, leaf) in entries.iter().zip(leaves) {
            if leaf_hash(entry) != *leaf {
                return Err(LogError::damaged(&path, "an entry is not the one its tile has the hash of"));
            }
            bytes.extend((entry.len() as u16).to_be_bytes());
            bytes.extend(entry.as_bytes());
        }
        Ok(bytes)
    }

    /// The entries of a bundle. What is not UTF-8 is no entry in any case, and is given with U+FFFD.
    fn bundle(&self, index: u64) -> Result<Vec<String>, LogError> {
        let width = self.width(0, index);
        self.read(Kind::Entries, index, (width, BUNDLE_BYTES_MAX), |file| entries(file, width))
    }

    /// An entry by its index.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn entry(&self, index: u64) -> Result<String, LogError> {
        self.check_index(index)?;
        let mut bundle = self.bundle(index / TILE_WIDTH)?;
        Ok(bundle.swap_remove((index % TILE_WIDTH) as usize))
    }

    fn check_index(&self, index: u64) -> Result<(), LogError> {
        let size = self.size();
        if index < size { Ok(()) } else { Err(LogError::NoEntry { index, size }) }
    }

    /// The index of the entry with this leaf hash: the last one, looked for from the end.
    ///
    /// # Errors
    /// [`LogError`] of a tile that cannot be read.
    pub fn index_of(&self, leaf: &Digest) -> Result<Option<u64>, LogError> {
        for tile in (0..self.size().div_ceil(TILE_WIDTH)).rev() {
            if let Some(place) = self.tile(0, tile)?.hashes.iter().rposition(|hash| hash == leaf) {
                return Ok(Some(tile * TILE_WIDTH + place as u64));
            }
        }
        Ok(None)
    }

    /// The index of the first entry with this leaf hash from an index on.
    ///
    /// # Errors
    /// [`LogError`] of a tile that cannot be read.
    pub fn index_from(&self, from: u64, leaf: &Digest) -> Result<Option<u64>, LogError> {
        for tile in from / TILE_WIDTH..self.size().div_ceil(TILE_WIDTH) {
            let first = tile * TILE_WIDTH;
            let skipped = from.saturating_sub(first) as usize;
            let hashes = &self.tile(0, tile)?.hashes;
            if let Some(place) = hashes.iter().skip(skipped).position(|hash| hash == leaf) {
                return Ok(Some(first + (skipped + place) as u64));
            }
        }
        Ok(None)
    }

    /// The last indices of the entries with these leaf hashes, looked for in one pass.
    ///
    /// # Errors
    /// [`LogError`] of a tile that cannot be read.
    pub fn places(&self, leaves: &HashSet<Digest>) -> Result<HashMap<Digest, u64>, LogError> {
        let mut places = HashMap::new();
        for tile in 0..self.size().div_ceil(TILE_WIDTH) {
            let tile_read = self.tile(0, tile)?;
            let found = tile_read.hashes.iter().enumerate().filter(|(_, hash)| leaves.contains(hash));
            places.extend(found.map(|(place, hash)| (*hash, tile * TILE_WIDTH + place as u64)));
        }
        Ok(places)
    }

    /// The receipt of an entry.
    ///
    /// # Errors
    /// [`LogError`]; a proof that tiles on disk spoil is not given out.
    pub fn receipt(&self, index: u64) -> Result<Receipt, LogError> {
        self.check_index(index)?;
        let path = inclusion_path(self, index, self.size())?;
        let receipt = Receipt { index, path, note: self.note.clone() };
        let leaf = self.node(0, index)?;
        if receipt.leads_to(&leaf, &self.checkpoint.tree) { Ok(receipt) } else { Err(self.spoiled()) }
    }

    /// That entries or tiles are not those of the checkpoint.
    pub(super) fn spoiled(&self) -> LogError {
        LogError::damaged(&self.files.path("tile"), "the tiles do not lead to the root of the checkpoint")
    }

    /// What a witness takes that last saw the tree of an older size.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn request(&self, old: u64) -> Result<Request, LogError> {
        if old > self.size() {
            return Err(LogError::NoEntry { index: old, size: self.size() });
        }
        Ok(Request { old, path: consistency_path(self, old, self.size())?, note: self.note.clone() })
    }

    /// Hands over entries from the last one back, until it has heard enough or the log begins.
    ///
    /// # Errors
    /// [`LogError`] of a bundle that cannot be read.
    pub fn walk_back(&self, mut is_enough: impl FnMut(&str) -> bool) -> Result<(), LogError> {
        for index in (0..self.size().div_ceil(TILE_WIDTH)).rev() {
            if self.bundle(index)?.iter().rev().any(|entry| is_enough(entry)) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Hands over all entries in order, bundle by bundle, and compares the hash tiles on the way; ends
    /// with the first error of either side.
    ///
    /// # Errors
    /// [`LogError`], as the caller's error.
    pub fn walk<E: From<LogError>>(&self, mut entry: impl FnMut(&str) -> Result<Digest, E>) -> Result<(), E> {
        let mut edge = Edge::default();
        let compare = |level: u32, tile: u64, hashes: &[Digest]| {
            let stored = self.tile(level, tile)?;
            let path = self.files.path(&layout::path(Kind::Hashes(level), tile, hashes.len() as u64));
            if stored.hashes == hashes {
                Ok(())
            } else {
                Err(LogError::damaged(&path, "the tile is not the hash of the entries"))
            }
        };
        for index in 0..self.size().div_ceil(TILE_WIDTH) {
            for text in self.bundle(index)? {
                edge.push(entry(&text)?, compare)?;
            }
        }
        for (level, hashes) in edge.partial() {
            compare(level, layout::tile_of(self.size(), level), hashes)?;
        }
        Ok(())
    }
}

/// The first hashes of a tile, so many as this tree has.
fn hashes(TileFile { path, bytes, is_exact }: TileFile, width: u64) -> Result<Vec<Digest>, LogError> {
    let needed = bytes.get(..width as usize * HASH_BYTES);
    let needed = needed.ok_or_else(|| LogError::damaged(&path, "a tile with too few hashes"))?;
    if is_exact && bytes.len() > needed.len() {
        return Err(LogError::damaged(&path, "a tile with too many bytes"));
    }
    let hashes = needed
        .chunks_exact(HASH_BYTES)
        .map(|hash| Digest::from_bytes(hash.try_into().expect("chunks have 32 bytes")));
    Ok(hashes.collect())
}

/// The first entries of a bundle, so many as this tree has.
fn entries(TileFile { path, bytes, is_exact }: TileFile, width: u64) -> Result<Vec<String>, LogError> {
    let mut rest = bytes.as_slice();
    let mut entries = Vec::with_capacity(width as usize);
    let short = || LogError::damaged(&path, "a bundle with too few entries");
    while (entries.len() as u64) < width {
        let (length, after) = rest.split_first_chunk::<2>().ok_or_else(short)?;
        let (entry, after) =
            after.split_at_checked(usize::from(u16::from_be_bytes(*length))).ok_or_else(short)?;
        entries.push(String::from_utf8_lossy(entry).into_owned());
        rest = after;
    }
    if is_exact && !rest.is_empty() {
        return Err(LogError::damaged(&path, "a bundle with too many bytes"));
    }
    Ok(entries)
}

impl Nodes for LogReader {
    type Error = LogError;

    fn node(&self, height: u32, index: u64) -> Result<Digest, LogError> {
        let (level, within) = (height / 8, height % 8);
        let first = index << within;
        let tile = self.tile(level, first / TILE_WIDTH)?;
        let start = (first % TILE_WIDTH) as usize;
        tile.node(within, start >> within).ok_or_else(|| self.spoiled())
    }
}

#[cfg(test)]
mod tests;
