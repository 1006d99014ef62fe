//! What opens the hands that ended goes to the vault, segment by segment, and is wiped here. The order is the whole of it: the
//! shares durable, what stays of the hands durable, then the segment overwritten and removed. Whichever of these a kill cuts
//! off is done again at the next start.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::calls::MoveKind;
use crate::journal::record::{KeptStep, Line};
use crate::journal::remains::{self, HandRest, RemainsWriter};
use crate::journal::{JournalError, UNFINISHED, read_ended_segment, segment_path, segments};
use crate::service::replay::unfit;
use crate::service::steps::replay;
use crate::service::{ServiceError, VaultSettings};
use deckproof_deck::text::visible;
use deckproof_files::file::own;
use deckproof_table::table::TableName;
use deckproof_vault::vault::Vault;
use deckproof_vault::vault::secrets::{VaultSecrets, VaultedHand};

/// How long after a failure it is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// A hand that ended in a segment: its calls, and where the last of them lies.
pub struct Ended {
    /// Its calls.
    pub steps: Vec<KeptStep>,
    /// The byte of the last of them.
    pub offset: u64,
}

/// The segments of a service on their way to the vault, by a thread of its own, one after the other.
pub struct Vaulting {
    settings: Arc<VaultSettings>,
    folder: PathBuf,
    origin: String,
    running: Option<JoinHandle<Result<(), ServiceError>>>,
    /// All segments before this one are in the vault: the folder, which has a file for each, is not read every second.
    done: u64,
    /// Why the last try failed, and when.
    fault: Option<(String, Instant)>,
}

impl Vaulting {
    /// Nothing is on its way. What a killed service left half-written is wiped: it holds keys.
    pub fn begin(
        folder: &Path,
        origin: &str,
        settings: Arc<VaultSettings>,
    ) -> Result<Vaulting, ServiceError> {
        Vault::of(folder).create()?;
        let unfinished = journal(folder).join(UNFINISHED);
        own::wipe(&unfinished).map_err(ServiceError::file(&unfinished))?;
        let (folder, origin) = (folder.to_owned(), origin.to_owned());
        Ok(Vaulting { settings, folder, origin, running: None, done: 0, fault: None })
    }

    /// How often the segment that is written is ended for the vault.
    pub fn every(&self) -> Duration {
        self.settings.every
    }

    /// Sends what waits on its way: every segment before the one that is written. Says why it cannot, if it cannot.
    pub fn tend(&mut self, current: u64) -> Option<&str> {
        if self.running.as_ref().is_some_and(JoinHandle::is_finished) {
            self.join();
        }
        let is_soon = self.fault.as_ref().is_some_and(|(_, since)| since.elapsed() < AGAIN);
        if self.running.is_none() && !is_soon && self.done != current {
            match waiting(&self.folder, current) {
                Ok(waiting) if waiting.is_empty() => (self.done, self.fault) = (current, None),
                Ok(waiting) => self.send(waiting),
                Err(error) => self.note(&error),
            }
        }
        self.fault.as_ref().map(|(reason, _)| reason.as_str())
    }

    fn send(&mut self, waiting: Vec<u64>) {
        let (settings, folder, origin) =
            (Arc::clone(&self.settings), self.folder.clone(), self.origin.clone());
        let send = move || {
            waiting.into_iter().try_for_each(|segment| vault_segment(&folder, &origin, &settings, segment))
        };
        match thread::Builder::new().name("vault".to_owned()).spawn(send) {
            Ok(thread) => self.running = Some(thread),
            Err(error) => self.note(&unfit(format!("no thread: {error}"))),
        }
    }

    fn join(&mut self) {
        let Some(running) = self.running.take() else { return };
        match running.join().unwrap_or_else(|_| Err(unfit("the thread of the vault ended"))) {
            Ok(()) => self.fault = None,
            Err(error) => self.note(&error),
        }
    }

    fn note(&mut self, error: &ServiceError) {
        let reason = format!("the vault cannot be written: {}", visible(&error.to_string()));
        self.fault = Some((reason, Instant::now()));
    }

    /// Waits until every segment before the one that is written is in the vault.
    ///
    /// # Errors
    /// [`ServiceError`]; what is left waits for the next start.
    pub fn finish(&mut self, current: u64) -> Result<(), ServiceError> {
        self.join();
        let waiting = waiting(&self.folder, current)?;
        waiting.into_iter().try_for_each(|segment| self.vault(segment))
    }

    fn vault(&self, segment: u64) -> Result<(), ServiceError> {
        vault_segment(&self.folder, &self.origin, &self.settings, segment)
    }
}

/// Two threads never work at one segment, also where an engine is opened again.
impl Drop for Vaulting {
    fn drop(&mut self) {
        self.join();
    }
}

fn journal(folder: &Path) -> PathBuf {
    folder.join("secret").join("journal")
}

fn waiting(folder: &Path, current: u64) -> Result<Vec<u64>, ServiceError> {
    let journal = journal(folder);
    let mut found = segments(&journal).map_err(ServiceError::file(&journal))?;
    found.retain(|segment| *segment < current);
    Ok(found)
}

/// Takes a segment that another one follows into the vault, and wipes it.
fn vault_segment(
    folder: &Path,
    origin: &str,
    settings: &VaultSettings,
    segment: u64,
) -> Result<(), ServiceError> {
    let (journal, vault) = (journal(folder), Vault::of(folder));
    let (is_vaulted, is_left) = (vault.holds(segment)?, remains::is_there(&journal, segment));
    if !is_vaulted || !is_left {
        let mut secrets = VaultSecrets::default();
        let mut left = RemainsWriter::begin(&journal, segment)?;
        each_ended(&journal, segment, |ended| {
            let (secret, rest, steps) = take_apart(origin, ended.steps)?;
            left.push(ended.offset, &rest, &steps)?;
            secrets.push(secret);
            Ok(())
        })?;
        let ranges = secrets.ranges();
        if !is_vaulted && !ranges.is_empty() {
            vault.put(segment, &secrets, (origin, (settings.today)()), &settings.holders)?;
        }
        let written = vault.index(segment)?.map(|index| index.hands).unwrap_or_default();
        if written != ranges {
            return Err(unfit(format!("the vault holds other hands of segment {segment} than the journal")));
        }
        left.finish()?;
    }
    let path = segment_path(&journal, segment);
    own::wipe(&path).map_err(ServiceError::file(&path))
}

/// The hands that ended in a segment. One that is under way at its end stands whole in the next one.
pub fn each_ended(
    journal: &Path,
    segment: u64,
    mut with: impl FnMut(Ended) -> Result<(), ServiceError>,
) -> Result<(), ServiceError> {
    let mut playing: HashMap<String, Vec<KeptStep>> = HashMap::new();
    read_ended_segment(journal, segment, |offset, line| {
        let Line::Step(step) = line else { return Ok(()) };
        let place = &step.step.place;
        let (number, table, is_end) = (place.step, place.table.clone(), step.step.kind.is_end());
        let steps = playing.entry(table.clone()).or_default();
        // An opening that witnesses saw stands there once more.
        if step.seen.is_some() && steps.last().is_some_and(|last| last.step == step.step) {
            steps.pop();
        }
        steps.push(*step);
        if number != steps.len() as u64 {
            let problem = format!("found step {number} of a hand as number {} of its steps", steps.len());
            return Err(
                JournalError::Damaged { path: segment_path(journal, segment), offset, problem }.into()
            );
        }
        if is_end {
            with(Ended { steps: playing.remove(&table).unwrap_or_default(), offset })
        } else {
            Ok(())
        }
    })
}

/// What goes to the vault, and what stays.
fn take_apart(
    origin: &str,
    mut steps: Vec<KeptStep>,
) -> Result<(VaultedHand, HandRest, Vec<KeptStep>), ServiceError> {
    let place = steps.first().map(|step| step.step.place.clone());
    let place = place.ok_or_else(|| unfit("a hand without a step"))?;
    let name = TableName::new(origin, &place.table).map_err(|error| unfit(error.to_string()))?;
    let broken = |problem: &str| {
        unfit(format!("the journal, hand {} at table {}: {problem}", place.hand, place.table))
    };
    let (hand, _) = replay(&name, place.hand, &steps, None).map_err(|fault| broken(&fault.message))?;
    let part = hand.ended().ok_or_else(|| broken("it has not ended"))?.part();
    let first = steps.first_mut().expect("looked at above");
    let key = first.key.take().ok_or_else(|| broken("it has no key"))?;
    let MoveKind::Commit { deck, .. } = &mut first.step.kind else {
        return Err(broken("its first step is no commit"));
    };
    let deck = deck.take();
    let rest = HandRest::of(&part, deck.is_some());
    Ok((VaultedHand { table: place.table, hand: place.hand, key, deck }, rest, steps))
}

#[cfg(test)]
mod tests;
