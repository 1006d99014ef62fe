//! When another segment of the journal begins, and what goes to the vault then.

use std::io;
use std::path::Path;
use std::thread;
use std::time::Instant;

use crate::journal::Journal;
use crate::journal::record::Line;
use crate::service::engine::{Engine, unsynced};
use crate::service::{ServiceError, log_folder};
use deckproof_table::log_folder::files::in_folder;

impl Engine {
    /// Whether hands that ended in this segment have waited long enough for the vault.
    fn is_time_for_vault(&self) -> bool {
        let is_due = |every| self.begun.is_none_or(|begun| begun.elapsed() >= every);
        self.has_ended && self.vaulting.as_ref().is_some_and(|vaulting| is_due(vaulting.every()))
    }

    /// Sends segments on their way to the vault. Says why no hand should begin, if they do not get there.
    ///
    /// # Errors
    /// [`ServiceError`]; then the engine must be opened again.
    pub fn tend_vault(&mut self) -> Result<Option<String>, ServiceError> {
        if self.is_time_for_vault() {
            self.roll_if_long()?;
        }
        let current = self.journal.segment();
        Ok(self.vaulting.as_mut().and_then(|vaulting| vaulting.tend(current)).map(str::to_owned))
    }

    /// Takes all that has ended into the vault, at the end of the service.
    ///
    /// # Errors
    /// [`ServiceError`]; what is left waits for the next start.
    pub fn end_vault(&mut self) -> Result<(), ServiceError> {
        if self.vaulting.is_some() && self.has_ended {
            self.roll()?;
        }
        let current = self.journal.segment();
        self.vaulting.as_mut().map_or(Ok(()), |vaulting| vaulting.finish(current))
    }

    /// Whether another segment should begin now: once a sync of everything will be short, or at twice the length.
    fn is_time_to_roll(&mut self) -> io::Result<bool> {
        let length = self.journal.end().length;
        let is_due =
            length >= self.parts.segment_bytes || self.is_time_for_vault() || self.files.are_crowded();
        if !is_due || length >= 2 * self.parts.segment_bytes {
            Ok(is_due)
        } else {
            let (files, placed) = (&self.files, &mut self.placed);
            self.ahead.is_done(|| unsynced(files, placed))
        }
    }

    /// Begins another segment with what a start needs: so that it never reads more than one.
    pub(super) fn roll_if_long(&mut self) -> Result<(), ServiceError> {
        let is_time = self.is_time_to_roll();
        let failed = ServiceError::file(&self.parts.folder);
        if is_time.map_err(failed)? { self.roll() } else { Ok(()) }
    }

    fn roll(&mut self) -> Result<(), ServiceError> {
        // The new segment begins with this tree, whose tiles a start reads.
        self.show_checkpoint(true)?;
        let failed = ServiceError::file(&self.parts.folder);
        self.ahead.end(&unsynced(&self.files, &mut self.placed)).map_err(failed)?;
        let origin = self.parts.signer.name().to_owned();
        let base = Line::Base { origin, tree: self.log.tree_with([]) };
        let folder = self.parts.folder.join("secret").join("journal");
        let tables = &mut self.tables;
        self.journal = Journal::begin(&folder, self.journal.segment() + 1, |batch| {
            batch.push(&base.print());
            for (table, place) in tables.iter_mut() {
                batch.push(&Line::Table { table: table.clone(), ended: place.ended }.print());
                let Some(playing) = &mut place.playing else { continue };
                let mut before = None;
                for step in &mut playing.steps {
                    step.before = before;
                    before = Some(batch.push(&step.print()));
                }
                playing.last = before.unwrap_or(0);
            }
        })?;
        (self.begun, self.has_ended) = (Some(Instant::now()), false);
        remove_aside(&self.parts.folder, self.files.take_unneeded());
        Ok(())
    }
}

/// Removes folders of the log by another thread: they hold tens of thousands of files. What stays only takes room.
fn remove_aside(folder: &Path, unneeded: Vec<String>) {
    let log = log_folder(folder);
    let remove = move || unneeded.iter().for_each(|name| in_folder(&log).remove_folder(name));
    let _ = thread::Builder::new().name("remove".to_owned()).spawn(remove);
}
