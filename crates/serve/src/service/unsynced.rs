//! The files of the log without a sync of their own: the journal is durable before them, and they are made again from it.
//!
//! What a start of the journal relies on is kept until the next sync of everything: the checkpoint it names, and the tiles
//! of that tree. A tile that is not full is held back until a checkpoint that needs it is shown: under load a file for each
//! batch took half of the time of the thread that writes.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use deckproof_files::file::lock::{LockError, PathLock};
use deckproof_table::log_folder::files::Files;

/// The name of the checkpoint in a log.
pub const CHECKPOINT: &str = "checkpoint";

/// The file becomes a newer one at most so often: each time an inode is lost, and ext4 looks at all that were lost in the last
/// seconds before it makes a file. At 150 times a second that took a third of the time of the thread that writes.
pub const CHECKPOINT_EVERY: Duration = Duration::from_millis(50);

/// What a checkpoint is called before it is put in place.
const CHECKPOINT_TEMPORARY: &str = "checkpoint.tmp";

/// Partial tiles, at most 70 kB each and half of them of hashes, that are kept before those of full tiles are removed.
const PARTIALS_MAX: usize = if cfg!(test) { 16 } else { 2_048 };

/// A tile that is not full: its name with its width, and its bytes.
type HeldTile = (String, Vec<u8>);

/// The name that a tile has once it is full; nothing for what is no tile.
fn full_name(name: &str) -> Option<&str> {
    name.strip_prefix("tile/").map(|_| name.split(".p/").next().unwrap_or(name))
}

/// Files that are written and not synced.
pub struct QuietFiles {
    inner: Rc<dyn Files>,
    /// The checkpoint to begin with, until another one is put in its place.
    first: RefCell<Option<String>>,
    /// The newest checkpoint, while the file is an older one.
    waiting: RefCell<Option<Vec<u8>>>,
    /// Tiles that are not full and not written yet, by the name that they have once they are full: the last form of each.
    held: RefCell<BTreeMap<String, HeldTile>>,
    /// When the file was replaced last.
    replaced: Cell<Option<Instant>>,
    /// Folders that nobody needs once everything was synced.
    unneeded: RefCell<Vec<String>>,
    /// Partial tiles that were written since such folders were removed.
    partials: Cell<usize>,
    /// Of each tile that was written the last form.
    unsynced: RefCell<BTreeMap<String, String>>,
}

impl QuietFiles {
    /// Files that show this checkpoint first.
    pub fn of(inner: Rc<dyn Files>, first: String) -> QuietFiles {
        QuietFiles {
            inner,
            first: RefCell::new(Some(first)),
            waiting: RefCell::default(),
            held: RefCell::default(),
            replaced: Cell::default(),
            unneeded: RefCell::default(),
            partials: Cell::new(0),
            unsynced: RefCell::default(),
        }
    }

    /// Whether no checkpoint was put in place yet.
    pub fn shows_first(&self) -> bool {
        self.first.borrow().is_some()
    }

    /// Whether the file is older than the newest checkpoint.
    pub fn is_checkpoint_waiting(&self) -> bool {
        self.waiting.borrow().is_some()
    }

    /// Takes another form of the newest checkpoint, which is shown next.
    pub fn put_checkpoint(&self, note: &str) {
        *self.waiting.borrow_mut() = Some(note.as_bytes().to_vec());
    }

    /// Replaces the file by the newest checkpoint, if one waits and the last time is long enough ago, or if `now`; the tiles that
    /// it needs come first.
    ///
    /// # Errors
    /// The operating system's; the checkpoint goes on waiting.
    pub fn show_checkpoint(&self, now: bool) -> io::Result<()> {
        let mut waiting = self.waiting.borrow_mut();
        let Some(note) = &*waiting else { return Ok(()) };
        if !now && self.replaced.get().is_some_and(|replaced| replaced.elapsed() < CHECKPOINT_EVERY) {
            return Ok(());
        }
        let mut held = self.held.borrow_mut();
        while let Some(tile) = held.first_entry() {
            let (name, bytes) = tile.get();
            self.put_tile(name, bytes)?;
            tile.remove();
        }
        self.inner.write(CHECKPOINT_TEMPORARY, note)?;
        self.inner.rename(CHECKPOINT_TEMPORARY, CHECKPOINT)?;
        self.replaced.set(Some(Instant::now()));
        *waiting = None;
        Ok(())
    }

    fn put_tile(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let full = full_name(name).unwrap_or(name).to_owned();
        self.partials.set(self.partials.get() + usize::from(full != name));
        self.unsynced.borrow_mut().insert(full, name.to_owned());
        self.inner.write(name, bytes)
    }

    /// The tiles that were written since this was called last; a tile grows, and of each form the next one holds all.
    pub fn take_unsynced(&self) -> Vec<String> {
        self.unsynced.take().into_values().collect()
    }

    /// The folders that nobody needs once everything was synced.
    pub fn take_unneeded(&self) -> Vec<String> {
        self.partials.set(0);
        self.unneeded.take()
    }

    /// Takes over folders that an earlier run left.
    pub fn add_unneeded(&self, folders: Vec<String>) {
        if !folders.is_empty() {
            self.partials.set(PARTIALS_MAX);
            self.unneeded.borrow_mut().extend(folders);
        }
    }

    /// Whether partial tiles take much room of which some is not needed.
    pub fn are_crowded(&self) -> bool {
        self.partials.get() >= PARTIALS_MAX && !self.unneeded.borrow().is_empty()
    }
}

impl Files for QuietFiles {
    fn lock(&self) -> Result<Option<PathLock>, LockError> {
        self.inner.lock()
    }

    fn read(&self, name: &str, bytes_max: u64) -> io::Result<Vec<u8>> {
        if name == CHECKPOINT {
            let first = self.first.borrow().as_ref().map(|note| note.clone().into_bytes());
            return match first.or_else(|| self.waiting.borrow().clone()) {
                Some(note) => Ok(note),
                None => self.inner.read(name, bytes_max),
            };
        }
        let held = self.held.borrow();
        match full_name(name).and_then(|full| held.get(full)).filter(|(held, _)| held == name) {
            Some((_, bytes)) => Ok(bytes.clone()),
            None => self.inner.read(name, bytes_max),
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        if name == CHECKPOINT_TEMPORARY {
            *self.waiting.borrow_mut() = Some(bytes.to_vec());
            return Ok(());
        }
        match full_name(name) {
            Some(full) if full != name => {
                self.held.borrow_mut().insert(full.to_owned(), (name.to_owned(), bytes.to_vec()));
                Ok(())
            }
            Some(full) => {
                self.held.borrow_mut().remove(full);
                self.put_tile(name, bytes)
            }
            None => self.inner.write(name, bytes),
        }
    }

    fn sync(&self, _names: &[String]) -> io::Result<()> {
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        if from != CHECKPOINT_TEMPORARY {
            return self.inner.rename(from, to);
        }
        *self.first.borrow_mut() = None;
        Ok(())
    }

    fn sync_names(&self) -> io::Result<()> {
        Ok(())
    }

    /// A witness that looks in once a minute has no use for the proof from the checkpoint some milliseconds before; and making
    /// a file and losing one at each batch took a tenth of the time of the thread that writes.
    fn leave(&self, _name: &str, _text: &str) {}

    fn remove_folder(&self, name: &str) {
        self.unneeded.borrow_mut().push(name.to_owned());
    }

    fn path(&self, name: &str) -> PathBuf {
        self.inner.path(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_table::log_folder::files::in_folder;

    fn publish(files: &QuietFiles, note: &str) {
        files.write(CHECKPOINT_TEMPORARY, note.as_bytes()).expect("writable");
        files.rename(CHECKPOINT_TEMPORARY, CHECKPOINT).expect("writable");
    }

    #[test]
    fn of_each_tile_the_last_form_is_unsynced_until_it_is_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = QuietFiles::of(in_folder(folder.path()), String::new());
        let show = || {
            publish(&files, "note");
            files.show_checkpoint(true).expect("writable");
        };
        for name in ["tile/0/000.p/255", "tile/0/000", "tile/0/001.p/7", "tile/entries/001.p/7"] {
            files.write(name, b"x").expect("writable");
        }
        show();
        assert_eq!(files.take_unsynced(), ["tile/0/000", "tile/0/001.p/7", "tile/entries/001.p/7"]);
        files.write("tile/0/001.p/8", b"x").expect("writable");
        show();
        assert_eq!(files.take_unsynced(), ["tile/0/001.p/8"]);
        assert!(files.take_unsynced().is_empty());
    }

    #[test]
    fn a_tile_that_is_not_full_is_read_at_once_and_written_with_the_checkpoint_that_needs_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = QuietFiles::of(in_folder(folder.path()), String::new());
        let (older, newer, full) = ("tile/0/000.p/3", "tile/0/000.p/4", "tile/0/000");
        let is_written = |name: &str| folder.path().join(name).exists();
        files.write(older, b"abc").expect("writable");
        files.write(newer, b"abcd").expect("writable");
        publish(&files, "note");
        assert_eq!(files.read(newer, 9).expect("held"), b"abcd");
        assert_eq!(files.read(CHECKPOINT, 9).expect("waiting"), b"note");
        assert!(!is_written(newer) && files.take_unsynced().is_empty());
        files.show_checkpoint(true).expect("writable");
        assert!(is_written(newer) && !is_written(older));
        assert_eq!(files.read(newer, 9).expect("written"), b"abcd");
        // Once it is full nothing of it is held.
        files.write("tile/0/000.p/5", b"abcde").expect("writable");
        files.write(full, b"abcdef").expect("writable");
        publish(&files, "later");
        files.show_checkpoint(true).expect("writable");
        assert!(is_written(full) && !is_written("tile/0/000.p/5"));
    }

    #[test]
    fn a_tile_that_cannot_be_written_is_held_until_it_can() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = QuietFiles::of(in_folder(folder.path()), String::new());
        std::fs::write(folder.path().join("tile"), b"in the way").expect("writable");
        files.write("tile/0/000.p/3", b"abc").expect("held");
        publish(&files, "note");
        assert!(files.show_checkpoint(true).is_err() && !folder.path().join(CHECKPOINT).exists());
        std::fs::remove_file(folder.path().join("tile")).expect("it was there");
        files.show_checkpoint(true).expect("writable");
        assert_eq!(std::fs::read(folder.path().join("tile/0/000.p/3")).expect("written"), b"abc");
    }

    #[test]
    fn the_file_of_the_checkpoint_lags_and_the_newest_one_comes() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = QuietFiles::of(in_folder(folder.path()), "first".to_owned());
        let publish = |note: &str| publish(&files, note);
        let shown = || std::fs::read_to_string(folder.path().join(CHECKPOINT)).expect("readable");
        publish("one");
        files.show_checkpoint(false).expect("writable");
        assert!(shown() == "one" && !files.is_checkpoint_waiting() && !files.shows_first());
        // As if it were replaced right now, however slow the machine is.
        files.replaced.set(Some(Instant::now() + CHECKPOINT_EVERY));
        publish("two");
        publish("three");
        files.show_checkpoint(false).expect("writable");
        assert!(shown() == "one" && files.is_checkpoint_waiting());
        files.show_checkpoint(true).expect("writable");
        assert!(shown() == "three" && !files.is_checkpoint_waiting());
        files.replaced.set(Instant::now().checked_sub(CHECKPOINT_EVERY));
        publish("four");
        files.show_checkpoint(false).expect("writable");
        assert!(shown() == "four" && !files.is_checkpoint_waiting());
    }
}
