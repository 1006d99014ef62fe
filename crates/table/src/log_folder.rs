//! The log on disk: tiles, entries and the signed checkpoint (c2sp.org/tlog-tiles), with one writer.
//!
//! The checkpoint is the truth: what lies beyond its size was never published, is not read, and is
//! overwritten. So a crash leaves a log that goes on, and no tree of one size is ever signed twice.

pub mod additions;
mod edge;
#[doc(hidden)]
pub mod files;
pub mod key_files;
mod layout;
pub mod next_entry;
#[doc(hidden)]
pub mod reader;
pub mod sample;
pub mod whole;
pub mod witness;
pub mod witness_server;

use std::convert::Infallible;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::log_folder::edge::Edge;
use crate::log_folder::files::{Files, Folder};
use crate::log_folder::layout::{Kind, LEVELS, TILE_WIDTH};
use crate::log_folder::reader::LogReader;
use deckproof_deck::commitment::digest::leaf_hash;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::visible;
use deckproof_files::file::lock::{LockError, PathLock};
use deckproof_verify::log::checkpoint::Checkpoint;
use deckproof_verify::log::entry::{Entry, EntryError};
use deckproof_verify::log::refusal::Refusal;
use deckproof_verify::log::tree::TreeHead;
use deckproof_verify::log::vkey::{KeyKind, Signer};

/// The file of the signed checkpoint.
pub(super) const CHECKPOINT: &str = "checkpoint";

/// The file of the last publication as a witness takes it: the consistency proof from the checkpoint
/// before, and the signed checkpoint (`add-checkpoint` of c2sp.org/tlog-witness).
const PUBLICATION: &str = "publication";

/// Why the log cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// Another program writes it.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The operating system's word.
    #[error("{}: {error}", .path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// A file of the log that is not what its checkpoint asks for.
    #[error("{}: {problem}", .path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A text that is no entry.
    #[error("no entry: {0}")]
    Entry(#[from] EntryError),
    /// An entry, or a key, of another log.
    #[error("found the log {found:?}, wanted {wanted:?}")]
    Origin {
        /// Whose it is.
        found: String,
        /// Whose it should be.
        wanted: String,
    },
    /// There is no such entry under the checkpoint.
    #[error("found no entry {index}, the checkpoint has {size}")]
    NoEntry {
        /// Which was wanted.
        index: u64,
        /// How many there are.
        size: u64,
    },
    /// An entry that should be in the log is not.
    #[error("an entry of this hand is not in the log")]
    Missing,
    /// An entry that does not come next.
    #[error("the log takes no such entry now: {problem}")]
    NotNext {
        /// Why not.
        problem: String,
    },
    /// The log contradicts itself: no entry that is added can mend it.
    #[error("the log contradicts itself ({}, {}: {})", .0.code, .0.place, .0.message)]
    Ruined(Refusal),
    /// The checkpoint was being moved when the disk failed, so that it is the old one or the new one.
    #[error(
        "{}: {error}, while the new checkpoint was put in its place: what was added may be in the log; deckproof log checkpoint shows it once the disk works, and adding it again leaves out what is there",
        .path.display()
    )]
    Unsure {
        /// The checkpoint.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// A witness's key was to sign a checkpoint.
    #[error("the key of {0:?} is not a log's key")]
    NotALogKey(String),
    /// Writing failed before; only the disk knows how far it came.
    #[error("an earlier write to this log failed: open it again")]
    Failed,
}

impl LogError {
    pub(super) fn file(path: &Path, error: io::Error) -> LogError {
        LogError::File { path: path.to_owned(), error }
    }

    pub(super) fn damaged(path: &Path, problem: &'static str) -> LogError {
        LogError::Damaged { path: path.to_owned(), problem }
    }
}

impl From<LogError> for CouldNotSay {
    fn from(error: LogError) -> CouldNotSay {
        CouldNotSay(visible(&error.to_string()).into_owned())
    }
}

/// The folders of partial tiles beside the full ones, by their names below the folder of a log, but for those that a tree of this
/// size needs. One that cannot be read only takes room.
pub fn filled_partials(folder: &Path, size: u64) -> Vec<String> {
    let levels = (0..LEVELS).map(|level| (Kind::Hashes(level), level));
    let needed = levels.chain([(Kind::Entries, 0)]);
    let needed: Vec<String> =
        needed.map(|(kind, level)| layout::partial_folder(kind, layout::tile_of(size, level))).collect();
    let (mut found, mut left) = (Vec::new(), vec!["tile".to_owned()]);
    while let Some(name) = left.pop() {
        for entry in fs::read_dir(folder.join(&name)).into_iter().flatten().flatten() {
            let own = format!("{name}/{}", entry.file_name().display());
            match own.strip_suffix(".p") {
                _ if !entry.file_type().is_ok_and(|kind| kind.is_dir()) => {}
                None => left.push(own),
                Some(full) if folder.join(full).is_file() && !needed.contains(&own) => found.push(own),
                Some(_) => {}
            }
        }
    }
    found
}

/// The one writer of a log. Entries are buffered until they are published together.
pub struct Log {
    _lock: Option<PathLock>,
    files: Rc<dyn Files>,
    /// What was written since the last sync.
    unsynced: Vec<String>,
    reader: LogReader,
    edge: Edge,
    /// The entries of the last bundle, as its file holds them.
    bundle: Vec<u8>,
    has_failed: bool,
}

impl Log {
    /// Begins a log without entries in a new folder, under the name and signature of its key.
    ///
    /// # Errors
    /// [`LogError`]; a folder that holds anything is left alone.
    pub fn init(folder: &Path, signer: &Signer) -> Result<(), LogError> {
        check_signer(signer)?;
        let failed = |error| LogError::file(folder, error);
        fs::create_dir_all(folder).map_err(failed)?;
        if fs::read_dir(folder).map_err(failed)?.next().is_some() {
            return Err(failed(io::Error::new(io::ErrorKind::AlreadyExists, "the folder is not empty")));
        }
        let files = Folder::new(folder);
        let _lock = files.lock()?;
        Log::init_files(&files, signer)
    }

    /// Begins a log without entries among files where there is none; the caller keeps other writers out.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn init_files(files: &dyn Files, signer: &Signer) -> Result<(), LogError> {
        check_signer(signer)?;
        let tree = TreeHead { size: 0, root: Edge::default().root() };
        let checkpoint = Checkpoint { origin: signer.name().to_owned(), tree };
        files::publish(files, CHECKPOINT, &signer.sign(&checkpoint.to_string()).to_string())
    }

    /// Opens a log for writing: reads its checkpoint and the right edge of its tree, and no more.
    ///
    /// # Errors
    /// [`LogError`]; [`LogError::Lock`] while another program writes.
    pub fn open(folder: &Path) -> Result<Log, LogError> {
        Log::open_files(Rc::new(Folder::new(folder)))
    }

    /// Opens a log among files as [`Log::open`] does in a folder.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn open_files(files: Rc<dyn Files>) -> Result<Log, LogError> {
        // The lock file would be made in any folder: look first.
        LogReader::open_files(Rc::clone(&files))?;
        let lock = files.lock()?;
        let reader = LogReader::open_files(Rc::clone(&files))?;
        let edge = reader.edge()?;
        if edge.root() != reader.checkpoint().tree.root {
            let path = files.path(CHECKPOINT);
            return Err(LogError::damaged(&path, "the tiles do not lead to the root of the checkpoint"));
        }
        let bundle = reader.last_bundle(edge.level(0))?;
        Ok(Log { _lock: lock, files, unsynced: Vec::new(), reader, edge, bundle, has_failed: false })
    }

    /// The log's name.
    pub fn origin(&self) -> &str {
        &self.reader.checkpoint().origin
    }

    /// How many entries there are, those that are not published yet too.
    pub fn size(&self) -> u64 {
        self.edge.size()
    }

    /// How many entries are published.
    pub fn published(&self) -> u64 {
        self.reader.checkpoint().tree.size
    }

    /// What is published, for proofs.
    pub fn reader(&self) -> &LogReader {
        &self.reader
    }

    /// The tree as it will be with these entries behind those that were added; nothing is written.
    pub fn tree_with<'a>(&self, entries: impl IntoIterator<Item = &'a str>) -> TreeHead {
        let mut edge = self.edge.clone();
        for entry in entries {
            let Ok(()) = edge.push(leaf_hash(entry), |_, _, _| Ok::<(), Infallible>(()));
        }
        TreeHead { size: edge.size(), root: edge.root() }
    }

    /// Adds an entry and returns its index. It is not durable before [`Log::publish`].
    ///
    /// # Errors
    /// [`LogError`]: no entry, a deck of another log, or a disk that fails.
    pub fn append(&mut self, entry: &str) -> Result<u64, LogError> {
        self.check_usable()?;
        if let Entry::Deck(deck) = Entry::parse(entry)?
            && deck.origin != self.origin()
        {
            return Err(LogError::Origin { found: deck.origin, wanted: self.origin().to_owned() });
        }
        let index = self.edge.size();
        let result = self.push(entry, index);
        self.has_failed = result.is_err();
        result.map(|()| index)
    }

    fn push(&mut self, entry: &str, index: u64) -> Result<(), LogError> {
        let length = u16::try_from(entry.len()).expect("an entry has at most 4,096 bytes");
        self.bundle.extend(length.to_be_bytes());
        self.bundle.extend(entry.as_bytes());
        let mut full: Vec<(String, Vec<u8>)> = Vec::new();
        if (index + 1).is_multiple_of(TILE_WIDTH) {
            let name = layout::path(Kind::Entries, index / TILE_WIDTH, TILE_WIDTH);
            full.push((name, std::mem::take(&mut self.bundle)));
        }
        let Ok(()) = self.edge.push(leaf_hash(entry), |level, tile, hashes| {
            full.push((layout::path(Kind::Hashes(level), tile, TILE_WIDTH), layout::bytes(hashes)));
            Ok::<(), Infallible>(())
        });
        full.into_iter().try_for_each(|(name, bytes)| self.write(name, &bytes))
    }

    /// Writes a tile that no published checkpoint needs; a torn one is written again.
    fn write(&mut self, name: String, bytes: &[u8]) -> Result<(), LogError> {
        self.files.write(&name, bytes).map_err(|error| LogError::file(&self.files.path(&name), error))?;
        self.unsynced.push(name);
        Ok(())
    }

    /// Makes all entries durable, then signs and publishes the checkpoint that holds them. Nothing is
    /// published if there is nothing new.
    ///
    /// # Errors
    /// [`LogError`]; the old checkpoint is there, or the new one.
    pub fn publish(&mut self, signer: &Signer) -> Result<(), LogError> {
        self.check_usable()?;
        check_signer(signer)?;
        if signer.name() != self.origin() {
            let (found, wanted) = (signer.name().to_owned(), self.origin().to_owned());
            return Err(LogError::Origin { found, wanted });
        }
        if self.size() == self.published() {
            return Ok(());
        }
        let result = self.publish_new(signer);
        self.has_failed = result.is_err();
        result
    }

    fn publish_new(&mut self, signer: &Signer) -> Result<(), LogError> {
        let (old, new) = (self.published(), self.size());
        let changed = |level: u32| layout::shifted(old, level) != layout::shifted(new, level);
        let mut partial: Vec<(String, Vec<u8>)> = Vec::new();
        for (level, hashes) in self.edge.partial().filter(|(level, _)| changed(*level)) {
            let name = layout::path(Kind::Hashes(level), layout::tile_of(new, level), hashes.len() as u64);
            partial.push((name, layout::bytes(hashes)));
        }
        if !self.bundle.is_empty() {
            let name = layout::path(Kind::Entries, new / TILE_WIDTH, new % TILE_WIDTH);
            partial.push((name, self.bundle.clone()));
        }
        partial.into_iter().try_for_each(|(name, bytes)| self.write(name, &bytes))?;
        self.files.sync(&self.unsynced).map_err(|error| LogError::file(&self.files.path("tile"), error))?;
        self.unsynced.clear();
        let checkpoint = Checkpoint {
            origin: self.origin().to_owned(),
            tree: TreeHead { size: new, root: self.edge.root() },
        };
        let note = signer.sign(&checkpoint.to_string()).to_string();
        files::publish(&*self.files, CHECKPOINT, &note)?;
        self.reader = LogReader::of_files(Rc::clone(&self.files), &note)?;
        // Only now: a signed checkpoint that is seen before it is published could be forked by a crash.
        // The entries are in by now, so that what a witness takes is no reason to say otherwise.
        if let Ok(request) = self.reader.request(old) {
            self.files.leave(PUBLICATION, &request.to_string());
        }
        self.remove_filled(old, new);
        Ok(())
    }

    /// Removes the partial forms of tiles that are full now. Those of tiles that are not full stay: a
    /// holder of a checkpoint may ask for the tiles of its size (c2sp.org/tlog-tiles). They take a few megabytes
    /// at most, however large the log.
    fn remove_filled(&self, old: u64, new: u64) {
        let levels = (0..LEVELS).map(|level| (Kind::Hashes(level), level));
        for (kind, level) in levels.chain([(Kind::Entries, 0)]) {
            let old_tile = layout::tile_of(old, level);
            if old_tile != layout::tile_of(new, level) {
                self.files.remove_folder(&layout::partial_folder(kind, old_tile));
            }
        }
    }

    /// Puts a cosigned form of the current checkpoint in its place.
    ///
    /// # Errors
    /// [`LogError`]; the text must be that of the current checkpoint.
    pub fn replace_checkpoint(&mut self, note: &str) -> Result<(), LogError> {
        let cosigned = LogReader::of_files(Rc::clone(&self.files), note)?;
        if cosigned.checkpoint() != self.reader.checkpoint() {
            let path = self.files.path(CHECKPOINT);
            return Err(LogError::damaged(&path, "the signatures belong to another checkpoint"));
        }
        files::publish(&*self.files, CHECKPOINT, note)?;
        self.reader = cosigned;
        Ok(())
    }

    fn check_usable(&self) -> Result<(), LogError> {
        if self.has_failed { Err(LogError::Failed) } else { Ok(()) }
    }
}

fn check_signer(signer: &Signer) -> Result<(), LogError> {
    match signer.kind() {
        KeyKind::Log => Ok(()),
        KeyKind::Witness => Err(LogError::NotALogKey(signer.name().to_owned())),
    }
}
