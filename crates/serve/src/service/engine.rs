//! The one order of all steps: first in the journal, then in the log, then answered.

mod segments;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::calls::CallPlace;
use crate::calls::answer::{self, LoggedEntry};
use crate::calls::fault::CallFaultKind;
use crate::calls::hand::Happened;
use crate::journal::places::{LinePlace, Places};
use crate::journal::record::{KeptStep, Line};
use crate::journal::{End, Journal};
use crate::service::early_sync::{SyncAhead, SyncFiles, Unsynced};
use crate::service::ended_hands::{Past, find_places};
use crate::service::meters::Meters;
use crate::service::ownership::{HomeError, Serving, secret_folder};
use crate::service::qr_text::TablesShown;
use crate::service::replay::{JournalReplay, unfit};
use crate::service::tables::{Playing, ServedTable, WitnessWait};
use crate::service::unsynced::{CHECKPOINT, QuietFiles};
use crate::service::vaulting::Vaulting;
use crate::service::{CallAnswer, ServiceError, VaultSettings, log_folder};
use deckproof_table::log_folder::files::in_folder;
use deckproof_table::log_folder::reader::LogReader;
use deckproof_table::log_folder::{Log, filled_partials};
use deckproof_table::table::TableName;
use deckproof_verify::log::beacon::CheckedRounds;
use deckproof_verify::log::checkpoint::Checkpoint;
use deckproof_verify::log::entry::{Entry, UnsealEntry};
use deckproof_verify::log::vkey::Signer;

/// Everything that one thread writes.
pub struct Engine {
    /// The tables by name.
    pub tables: HashMap<String, ServedTable>,
    /// The journal.
    pub journal: Journal,
    /// What it is made of.
    pub parts: Parts,
    /// Rounds of the beacon whose signature was checked: many tables are cut by one.
    pub rounds: CheckedRounds,
    log: Log,
    files: Rc<QuietFiles>,
    places: Places,
    serving: Serving,
    ahead: SyncAhead,
    /// Tables whose places were written since the last sync.
    placed: BTreeSet<String>,
    /// Where the segments before this one go, if there is a vault.
    vaulting: Option<Vaulting>,
    /// Since when this segment is written, as far as this run knows, and whether a hand ended in it.
    begun: Option<Instant>,
    has_ended: bool,
}

/// With more files at once the log would sync the whole file system.
const TILES_SYNCED: usize = 16;

/// From so many steps in one batch on the file of the checkpoint may lag.
const STEPS_UNDER_LOAD: usize = 8;

/// A step that was carried out and not written yet.
pub struct Fresh {
    /// The step, without its place in the journal and the log.
    pub step: KeptStep,
    /// What it led to.
    pub happened: Happened,
}

/// What an engine is made of.
#[derive(Clone)]
pub struct Parts {
    /// The folder.
    pub folder: PathBuf,
    /// Where the key of the log lies.
    pub key_path: PathBuf,
    /// The key.
    pub signer: Arc<Signer>,
    /// Reads what has ended.
    pub past: Past,
    /// What is counted.
    pub meters: Arc<Meters>,
    /// What the tables show before the cards.
    pub showing: Arc<TablesShown>,
    /// After so many bytes the journal begins another segment.
    pub segment_bytes: u64,
    /// Who can open what has ended, if there is a vault.
    pub vault: Option<Arc<VaultSettings>>,
}

/// That the key signed the checkpoint that the log shows: another one of the same name would deal on, for a log that nobody trusts.
fn check_key(reader: &LogReader, signer: &Signer, folder: &Path) -> Result<(), HomeError> {
    let (note, key) = (reader.parsed_note(), signer.vkey());
    let is_own = note.signatures.iter().any(|line| key.verify(&note.text, line).is_some());
    if is_own { Ok(()) } else { Err(HomeError::OtherKey(folder.to_owned())) }
}

impl Engine {
    /// Opens the folder: the journal is read, and the log brought up to it. What lies behind `durable` was never
    /// answered and is cut off.
    pub fn open(parts: &Parts, durable: Option<End>) -> Result<Engine, ServiceError> {
        let secret = secret_folder(&parts.folder)?;
        let journal_folder = secret.join("journal");
        let mut serving = Serving::of(&parts.key_path, &secret)?;
        let signed = serving.signed(&parts.folder)?;
        let reader = LogReader::open(&log_folder(&parts.folder));
        if let Ok(reader) = &reader {
            check_key(reader, &parts.signer, &parts.folder)?;
        }
        let shown = reader.map(|reader| reader.checkpoint().clone());
        if !Journal::is_there(&journal_folder) {
            begin(parts, &journal_folder, &mut serving, signed, &shown?)?;
        } else if signed.is_none() {
            return Err(HomeError::Copied(parts.folder.clone()).into());
        }
        let mut replay = JournalReplay {
            tables: HashMap::new(),
            log: None,
            last_tree: None,
            ended: Vec::new(),
            // One that a power cut left torn says nothing; the journal is durable before it.
            shown: LogReader::open(&log_folder(&parts.folder)).ok().map(|reader| reader.checkpoint().tree),
            signer: Arc::clone(&parts.signer),
            folder: parts.folder.clone(),
        };
        let journal = Journal::open(&journal_folder, durable, |offset, line| replay.line(offset, line))?;
        let JournalReplay { tables, log, last_tree, ended, shown, .. } = replay;
        let (log, files, base) = log.ok_or_else(|| unfit("the journal has no first line"))?;
        let found = log.size();
        let signed = signed.unwrap_or(0).max(shown.map_or(0, |shown| shown.size));
        if signed > found {
            return Err(HomeError::Restored { folder: parts.folder.clone(), found, signed }.into());
        }
        if last_tree.unwrap_or(base) != log.tree_with([]) {
            return Err(unfit("the journal does not lead to the tree it names"));
        }
        files.add_unneeded(filled_partials(&log_folder(&parts.folder), base.size));
        let vault = parts.vault.as_ref().map(Arc::clone);
        let vaulting = vault.map(|vault| Vaulting::begin(&parts.folder, parts.signer.name(), vault));
        let places = Places::of(&secret.join("places"));
        let ahead = SyncAhead::of(sync_files(&parts.folder, &places));
        let mut engine = Engine {
            tables,
            journal,
            parts: parts.clone(),
            rounds: CheckedRounds::default(),
            log,
            files,
            places,
            serving,
            ahead,
            placed: BTreeSet::new(),
            vaulting: vaulting.transpose()?,
            // Nobody knows how long hands of an earlier run have waited.
            begun: ended.is_empty().then(Instant::now),
            has_ended: !ended.is_empty(),
        };
        engine.settle(&ended)?;
        Ok(engine)
    }

    /// Writes what can be lost in a crash and made again: places of hands, tiles, the checkpoint.
    fn settle(&mut self, ended: &[(String, u64, u64)]) -> Result<(), ServiceError> {
        let is_lost = self.tables.iter().any(|(name, table)| {
            let earlier = table.ended - ended.iter().filter(|(of, ..)| of == name).count() as u64;
            earlier > 0 && !matches!(self.places.get(name, earlier), Ok(Some(_)))
        });
        if is_lost {
            let journal = self.parts.folder.join("secret").join("journal");
            find_places(&journal, self.journal.segment(), &self.places)?;
        }
        for (table, hand, offset) in ended {
            self.put(table, *hand, *offset)?;
        }
        self.log.publish(&self.parts.signer)?;
        if self.files.shows_first() {
            let note = self.log.reader().note().to_owned();
            self.log.replace_checkpoint(&note)?;
        }
        self.show_checkpoint(true)?;
        self.note_signed(false)?;
        self.count();
        self.tables.keys().for_each(|table| self.show(table));
        Ok(())
    }

    /// Notes beside the key how many entries it has signed, `now` or if that was not done in the last second.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn note_signed(&mut self, now: bool) -> Result<(), ServiceError> {
        self.serving.note(self.log.size(), now)
    }

    /// A table shows what its hand is now.
    fn show(&self, table: &str) {
        let playing = self.tables.get(table).and_then(|place| place.playing.as_ref());
        let shown = playing.and_then(|playing| Some((playing.number, playing.hand.kept_before()?)));
        self.parts.showing.put(table, shown);
    }

    fn put(&mut self, table: &str, hand: u64, offset: u64) -> Result<(), ServiceError> {
        if !self.placed.contains(table) {
            self.placed.insert(table.to_owned());
        }
        let place = LinePlace { segment: self.journal.segment(), offset };
        let put = self.places.put(table, hand, place);
        put.map_err(ServiceError::file(&self.parts.folder.join("secret").join("places")))
    }

    fn count(&self) {
        let playing = self.tables.values().filter(|place| place.playing.is_some()).count();
        self.parts.meters.playing.store(playing as u64, Ordering::Relaxed);
        self.parts.meters.tables.store(self.tables.len() as u64, Ordering::Relaxed);
        self.parts.meters.entries.store(self.log.size(), Ordering::Relaxed);
    }

    /// The log under its checkpoint.
    pub fn log(&self) -> &LogReader {
        self.log.reader()
    }

    /// Whether the log shows an older checkpoint than its newest.
    pub fn is_checkpoint_waiting(&self) -> bool {
        self.files.is_checkpoint_waiting()
    }

    /// Shows the newest checkpoint, if its time has come, or `now`.
    ///
    /// # Errors
    /// [`ServiceError`]; then the engine must be opened again.
    pub fn show_checkpoint(&self, now: bool) -> Result<(), ServiceError> {
        let path = log_folder(&self.parts.folder).join(CHECKPOINT);
        self.files.show_checkpoint(now).map_err(ServiceError::file(&path))
    }

    /// Shows a checkpoint with the lines of its witnesses, if it is still the newest.
    ///
    /// # Errors
    /// [`ServiceError`]; then the engine must be opened again.
    pub fn show_cosigned(&self, note: &str) -> Result<(), ServiceError> {
        let newest = self.log.reader();
        match newest.under(note) {
            Ok(cosigned) if cosigned.checkpoint() == newest.checkpoint() && note != newest.note() => {
                self.files.put_checkpoint(note);
                self.show_checkpoint(true)
            }
            _ => Ok(()),
        }
    }

    /// The entries of the log.
    pub fn log_size(&self) -> u64 {
        self.log.size()
    }

    /// A table; it begins with its first hand.
    pub fn table(&mut self, table: &str) -> Option<&mut ServedTable> {
        let name = TableName::new(self.parts.signer.name(), table).ok()?;
        Some(self.tables.entry(table.to_owned()).or_insert_with(|| ServedTable::new(name)))
    }

    /// Makes steps of different tables durable together: one sync of the journal, then the log, then the places of
    /// hands that ended. Each step is then in its hand. Where these are not all steps that wait the checkpoint may be shown later.
    ///
    /// # Errors
    /// [`ServiceError`]; then the engine must be opened again.
    pub fn commit(&mut self, fresh: Vec<Fresh>, are_all: bool) -> Result<Vec<Happened>, ServiceError> {
        if fresh.is_empty() {
            return Ok(Vec::new());
        }
        let tree = self.log.tree_with(fresh.iter().filter_map(|fresh| fresh.happened.entry()));
        let mut index = self.log.size();
        let mut batch = self.journal.batch();
        let (mut written, mut happened) = (Vec::with_capacity(fresh.len()), Vec::with_capacity(fresh.len()));
        for Fresh { mut step, happened: now } in fresh {
            step.index = now.entry().map(|_| index);
            index += u64::from(now.entry().is_some());
            step.tree = tree;
            let playing = self.tables.get(&step.step.place.table).and_then(|place| place.playing.as_ref());
            step.before = playing.filter(|playing| playing.last > 0).map(|playing| playing.last);
            let line = Line::Step(Box::new(step));
            let offset = batch.push(&line.print());
            let Line::Step(step) = line else { unreachable!("made above") };
            written.push((offset, *step));
            happened.push(now);
        }
        let begin = Instant::now();
        self.journal.commit(&batch)?;
        self.parts.meters.synced(begin.elapsed());
        for now in &happened {
            if let Some(entry) = now.entry() {
                self.log.append(entry)?;
            }
        }
        self.log.publish(&self.parts.signer)?;
        // Who calls alone finds at once in the log what was answered.
        self.show_checkpoint(are_all && happened.len() < STEPS_UNDER_LOAD)?;
        for (offset, step) in written {
            self.written(offset, step)?;
        }
        self.note_signed(false)?;
        self.count();
        self.roll_if_long()?;
        Ok(happened)
    }

    /// The hand of an opening that no witness was asked about yet.
    fn unseen_open(&mut self, place: &CallPlace) -> Option<&mut Playing> {
        let playing = self.tables.get_mut(&place.table)?.playing.as_mut();
        playing.filter(|playing| playing.is_unseen_open(place))
    }

    /// From here on the hand of such an opening waits for witnesses; nothing is done for any other call.
    pub fn await_witnesses(&mut self, place: &CallPlace) -> bool {
        let Some(playing) = self.unseen_open(place) else { return false };
        playing.wait = WitnessWait::Awaited;
        true
    }

    /// Each hand whose opening no witness saw goes no further: nobody knows here whether it was answered.
    pub fn hold_unseen(&mut self) {
        for playing in self.tables.values_mut().filter_map(|table| table.playing.as_mut()) {
            let place = playing.steps.last().map(|last| last.step.place.clone());
            if place.is_some_and(|place| playing.is_unseen_open(&place)) {
                playing.wait = WitnessWait::Unmet;
            }
        }
    }

    /// The hand of an opening goes on without its quorum no further.
    pub fn hold(&mut self, place: &CallPlace) {
        if let Some(playing) = self.unseen_open(place) {
            playing.wait = WitnessWait::Unmet;
        }
    }

    /// Keeps the checkpoint that witnesses were asked about with each of these openings, so that a call that is repeated bears the
    /// same lines: durable when this returns.
    ///
    /// # Errors
    /// [`ServiceError`]; then the engine must be opened again.
    pub fn keep_seen<'a>(
        &mut self,
        opens: impl Iterator<Item = &'a CallPlace>,
        note: &str,
    ) -> Result<(), ServiceError> {
        let mut batch = self.journal.batch();
        let mut is_empty = true;
        for place in opens {
            let Some(playing) = self.unseen_open(place) else { continue };
            let open = playing.steps.last_mut().expect("its opening");
            open.seen = Some(note.to_owned());
            playing.last = batch.push(&open.print());
            (playing.wait, is_empty) = (WitnessWait::Over, false);
        }
        if is_empty {
            return Ok(());
        }
        let begin = Instant::now();
        self.journal.commit(&batch)?;
        self.parts.meters.synced(begin.elapsed());
        Ok(())
    }

    /// Puts into the log that two people opened a hand: durable in the journal first, as every entry.
    ///
    /// # Errors
    /// [`ServiceError`]; then the engine must be opened again.
    pub fn unseal(&mut self, unseal: UnsealEntry) -> Result<CallAnswer, ServiceError> {
        if unseal.origin != self.parts.signer.name() {
            let message = format!(
                "the entry is of the log {}, this one is {}",
                unseal.origin,
                self.parts.signer.name()
            );
            return Ok(Err(CallFaultKind::Unknown.fault(message)));
        }
        let (table, hand) = (&unseal.table, unseal.hand);
        if self.tables.get(table).is_none_or(|place| place.ended < hand) {
            let message = format!("table {table} has no hand {hand} that has ended");
            return Ok(Err(CallFaultKind::Unknown.fault(message)));
        }
        let (index, text) = (self.log.size(), Entry::Unseal(unseal.clone()).to_string());
        let mut batch = self.journal.batch();
        let tree = self.log.tree_with([&*text]);
        batch.push(&Line::Entry { index, tree, text: text.clone() }.print());
        self.journal.commit(&batch)?;
        self.log.append(&text)?;
        self.log.publish(&self.parts.signer)?;
        self.show_checkpoint(true)?;
        self.note_signed(false)?;
        self.count();
        let receipt = self.log.reader().receipt(index)?.to_string();
        Ok(Ok(answer::unsealed(&unseal, &LoggedEntry { index, receipt })))
    }

    /// A step that is durable.
    fn written(&mut self, offset: u64, step: KeptStep) -> Result<(), ServiceError> {
        let (table, number, kind) =
            (step.step.place.table.clone(), step.step.place.hand, step.step.kind.name());
        let is_end = step.step.kind.is_end();
        if is_end {
            self.has_ended = true;
            self.put(&table, number, offset)?;
            let counter = if kind == "close" { &self.parts.meters.closed } else { &self.parts.meters.voided };
            counter.fetch_add(1, Ordering::Relaxed);
        }
        let Some(place) = self.tables.get_mut(&table) else { return Ok(()) };
        if is_end {
            place.ended = number;
            place.playing = None;
        } else if let Some(playing) = &mut place.playing {
            playing.steps.push(step);
            playing.last = offset;
        }
        self.show(&table);
        Ok(())
    }
}

/// What was written since the last sync of all.
fn unsynced(files: &QuietFiles, placed: &mut BTreeSet<String>) -> Unsynced {
    Unsynced { tiles: files.take_unsynced(), tables: std::mem::take(placed).into_iter().collect() }
}

/// Makes tiles and places durable, from any thread.
fn sync_files(folder: &Path, places: &Places) -> SyncFiles {
    let (log, places) = (log_folder(folder), places.clone());
    Arc::new(move |unsynced| {
        let files = in_folder(&log);
        unsynced.tiles.chunks(TILES_SYNCED).try_for_each(|tiles| files.sync(tiles))?;
        places.sync(&unsynced.tables)
    })
}

/// Begins a journal for a log without entries.
fn begin(
    parts: &Parts,
    journal: &Path,
    serving: &mut Serving,
    signed: Option<u64>,
    log: &Checkpoint,
) -> Result<(), ServiceError> {
    if log.origin != parts.signer.name() {
        let (found, key) = (&log.origin, parts.signer.name());
        return Err(unfit(format!("the log is {found:?}, the key that of {key:?}")));
    }
    if log.tree.size > 0 || signed.is_some_and(|signed| signed > 0) {
        return Err(unfit(
            "the log has entries, and there is no journal of them: a service begins with a log of its own, without entries",
        ));
    }
    serving.begin(0)?;
    Journal::begin(journal, 1, |batch| {
        batch.push(&Line::Base { origin: log.origin.clone(), tree: log.tree }.print());
    })?;
    Ok(())
}
