//! Writing the files of a log: tiles first, synced together, then the checkpoint that needs them.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::file::{Access, write_atomic};
use crate::ledger::log::LogError;
use crate::ledger::log::layout::{self, Kind, LEVELS, TILE_WIDTH};

/// From so many files on the whole file system is synced at once.
const FILES_SYNCED_ONE_BY_ONE: usize = 24;

/// The folder of a log, and what was written there since the last sync.
pub(super) struct Storage {
    folder: PathBuf,
    unsynced: Vec<PathBuf>,
    folders: BTreeSet<PathBuf>,
}

impl Storage {
    pub fn new(folder: &Path) -> Storage {
        Storage { folder: folder.to_owned(), unsynced: Vec::new(), folders: BTreeSet::new() }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes a tile that no published checkpoint needs; a torn one is written again.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), LogError> {
        let path = self.folder.join(name);
        let parent = path.parent().expect("a tile lies in a folder");
        if !self.folders.contains(parent) {
            fs::create_dir_all(parent).map_err(|error| LogError::file(parent, error))?;
            // New folders must last as well; their parents hold their names.
            let ancestors = parent.ancestors().take_while(|above| above.starts_with(&self.folder));
            self.folders.extend(ancestors.map(Path::to_owned));
        }
        let written = File::create(&path).and_then(|mut file| file.write_all(bytes));
        written.map_err(|error| LogError::file(&path, error))?;
        self.unsynced.push(path);
        Ok(())
    }

    /// Makes everything that was written durable.
    pub fn sync(&mut self) -> Result<(), LogError> {
        if self.unsynced.len() < FILES_SYNCED_ONE_BY_ONE || !sync_file_system(&self.folder)? {
            for path in self.unsynced.iter().chain(&self.folders) {
                if path.is_dir() && !cfg!(unix) {
                    continue;
                }
                let synced = File::open(path).and_then(|file| file.sync_all());
                synced.map_err(|error| LogError::file(path, error))?;
            }
        }
        self.unsynced.clear();
        self.folders.clear();
        Ok(())
    }

    /// Puts a file in place, durably, whole or not at all.
    pub fn publish(&self, name: &str, text: &str) -> Result<(), LogError> {
        let path = self.folder.join(name);
        write_atomic(&path, text.as_bytes(), Access::Public).map_err(|error| LogError::file(&path, error))
    }

    /// Puts a file in place that can be made again from the rest, so that its loss is no error.
    pub fn leave(&self, name: &str, text: &str) {
        let temporary = self.folder.join(format!("{name}.tmp"));
        if fs::write(&temporary, text).is_ok() {
            // As said: it can be made again.
            let _ = fs::rename(&temporary, self.folder.join(name));
        }
    }

    /// Removes partial tiles but those of the last two checkpoints: a table publishes at every hand, and
    /// 256 forms of one tile would take a hundred times the room of the tile.
    pub fn remove_superseded(&self, old: u64, new: u64) {
        let levels = (0..LEVELS).map(|level| (Kind::Hashes(level), level));
        for (kind, level) in levels.chain([(Kind::Entries, 0)]) {
            let (old_tile, new_tile) = (layout::tile_of(old, level), layout::tile_of(new, level));
            if old_tile != new_tile {
                // The full tile serves whoever still wants a part of it.
                let _ = fs::remove_dir_all(self.folder.join(layout::partial_folder(kind, old_tile)));
            }
            let kept = [layout::width_of(old, level), layout::width_of(new, level)];
            if layout::shifted(old, level) != layout::shifted(new, level) && kept[1] > 0 {
                remove_others(&self.folder.join(layout::partial_folder(kind, new_tile)), &kept);
            }
        }
    }
}

fn remove_others(folder: &Path, kept: &[u64]) {
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = file.file_name();
        let width = name.to_str().and_then(|name| name.parse::<u64>().ok());
        if width.is_some_and(|width| width < TILE_WIDTH && !kept.contains(&width)) {
            // Only room is lost if it stays.
            let _ = fs::remove_file(file.path());
        }
    }
}

/// Whether the system can sync all files of a folder's file system in one call, and did.
#[cfg(target_os = "linux")]
fn sync_file_system(folder: &Path) -> Result<bool, LogError> {
    let failed = |error| LogError::file(folder, error);
    let file = File::open(folder).map_err(failed)?;
    rustix::fs::syncfs(&file).map_err(|error| failed(error.into()))?;
    Ok(true)
}

#[cfg(not(target_os = "linux"))]
fn sync_file_system(_folder: &Path) -> Result<bool, LogError> {
    Ok(false)
}
