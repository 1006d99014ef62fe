//! The checkpoint of one session: locked while it runs, saved as it goes, removed when its result is out.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::audit::checkpoint::{self, RunCheckpoint};
use crate::audit::plan::{Plan, Shard};
use crate::audit::run::RunState;
use crate::session::SessionError;
use deckproof_files::file::lock::PathLock;

/// A checkpoint file in the hands of one session.
pub struct SavedRun {
    path: PathBuf,
    /// Held until the session ends.
    _lock: PathLock,
    /// What stood in the file.
    found: Option<RunCheckpoint>,
}

impl SavedRun {
    /// Locks the file and reads it, if it is there. A file that is no checkpoint is refused, and stays as it is.
    ///
    /// # Errors
    /// [`SessionError::Lock`] or [`SessionError::Checkpoint`].
    pub fn open(path: &Path) -> Result<SavedRun, SessionError> {
        let lock = PathLock::take(path)?;
        let found = checkpoint::read(path)?;
        Ok(SavedRun { path: path.to_owned(), _lock: lock, found })
    }

    /// The plan of the run that was interrupted, if one was.
    pub fn plan(&self) -> Option<&Plan> {
        self.found.as_ref().map(|found| &found.plan)
    }

    /// What stood in the file, and the file's name for messages.
    pub(super) fn take(&mut self) -> Option<(RunCheckpoint, String)> {
        let found = self.found.take()?;
        Some((found, self.path.display().to_string()))
    }

    pub(super) fn save(
        &self,
        plan: &Plan,
        shard: Shard,
        first_look: Option<&str>,
        state: &RunState,
    ) -> io::Result<()> {
        checkpoint::write(&self.path, plan, shard, first_look, state)
    }

    pub(super) fn remove(self) -> Result<(), SessionError> {
        let place = || self.path.display().to_string();
        fs::remove_file(&self.path).map_err(|error| SessionError::Remove { place: place(), error })
    }
}
