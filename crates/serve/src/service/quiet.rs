//! The files of the log without a sync of their own: the journal is durable before them, and they are made again from it.
//!
//! What a start of the journal relies on is kept until the next sync of everything: the checkpoint it names, and the tiles
//! of that tree.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;

use deckproof_files::file::lock::{LockError, PathLock};
use deckproof_table::log::files::Files;

/// The name of the checkpoint in a log.
pub const CHECKPOINT: &str = "checkpoint";

/// Files that are written and not synced.
pub struct QuietFiles {
    inner: Rc<dyn Files>,
    /// The checkpoint to begin with, until another one is put in its place.
    first: RefCell<Option<String>>,
    /// Folders that nobody needs once everything was synced.
    unneeded: RefCell<Vec<String>>,
    /// Of each tile that was written the last form.
    unsynced: RefCell<BTreeMap<String, String>>,
}

impl QuietFiles {
    /// Files that show this checkpoint first.
    pub fn of(inner: Rc<dyn Files>, first: String) -> QuietFiles {
        QuietFiles {
            inner,
            first: RefCell::new(Some(first)),
            unneeded: RefCell::default(),
            unsynced: RefCell::default(),
        }
    }

    /// Whether no checkpoint was put in place yet.
    pub fn shows_first(&self) -> bool {
        self.first.borrow().is_some()
    }

    /// The tiles that were written since this was called last; a tile grows, and of each form the next one holds all.
    pub fn take_unsynced(&self) -> Vec<String> {
        self.unsynced.take().into_values().collect()
    }

    /// The folders that nobody needs once everything was synced.
    pub fn take_unneeded(&self) -> Vec<String> {
        self.unneeded.take()
    }
}

impl Files for QuietFiles {
    fn lock(&self) -> Result<Option<PathLock>, LockError> {
        self.inner.lock()
    }

    fn read(&self, name: &str, bytes_max: u64) -> io::Result<Vec<u8>> {
        match &*self.first.borrow() {
            Some(note) if name == CHECKPOINT => Ok(note.clone().into_bytes()),
            _ => self.inner.read(name, bytes_max),
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        if let Some(tile) = name.strip_prefix("tile/") {
            let grown = tile.split(".p/").next().unwrap_or(tile);
            self.unsynced.borrow_mut().insert(grown.to_owned(), name.to_owned());
        }
        self.inner.write(name, bytes)
    }

    fn sync(&self, _names: &[String]) -> io::Result<()> {
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.inner.rename(from, to)?;
        if to == CHECKPOINT {
            *self.first.borrow_mut() = None;
        }
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
    use deckproof_table::log::files::in_folder;

    #[test]
    fn of_each_tile_the_last_form_is_unsynced_until_it_is_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = QuietFiles::of(in_folder(folder.path()), String::new());
        for name in
            ["tile/0/000.p/1", "tile/0/000.p/255", "tile/0/000", "tile/0/001.p/7", "tile/entries/001.p/7"]
        {
            files.write(name, b"x").expect("writable");
        }
        files.write("checkpoint.tmp", b"x").expect("writable");
        assert_eq!(files.take_unsynced(), ["tile/0/000", "tile/0/001.p/7", "tile/entries/001.p/7"]);
        files.write("tile/0/001.p/8", b"x").expect("writable");
        assert_eq!(files.take_unsynced(), ["tile/0/001.p/8"]);
        assert!(files.take_unsynced().is_empty());
    }
}
