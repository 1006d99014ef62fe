//! The thread that writes: it takes what waits, carries it out, makes it durable with one sync, and answers.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::json;
use zeroize::Zeroizing;

use crate::calls::answer::{self, LoggedEntry};
use crate::calls::fault::{CallFault, CallFaultKind};
use crate::calls::hand::{Hand, Happened};
use crate::calls::{Call, CallPlace, LookKind, Move, MoveKind};
use crate::journal::End;
use crate::journal::record::KeptStep;
use crate::service::engine::{Engine, Fresh, Parts};
use crate::service::home::FolderLock;
use crate::service::meters::Meters;
use crate::service::past::Past;
use crate::service::quiet::CHECKPOINT_EVERY;
use crate::service::receipts::kept;
use crate::service::showing::TablesShown;
use crate::service::steps::{copy, replay};
use crate::service::tables::{Playing, ServedTable};
use crate::service::{CallAnswer, Gate, Reply, ServiceError, VaultSettings};
use deckproof_deck::key::HandKey;
use deckproof_deck::text::visible;
use deckproof_table::table::TableName;
use deckproof_verify::ledger::tree::TreeHead;
use deckproof_verify::ledger::vkey::Signer;

/// Calls that are carried out together.
const BATCH_MAX: usize = 1024;

/// Calls of one hand; a hand of eight seats with every street and a time-out at each action has fewer.
const STEPS_MAX: usize = 256;

/// How often the gate is asked, and a folder that failed is opened again.
const EVERY: Duration = Duration::from_secs(1);

/// A call that waits.
pub struct WaitingCall {
    /// What is called.
    pub call: Call,
    /// Who gets the answer.
    pub reply: Reply,
}

/// What one service takes.
#[derive(Clone, Copy)]
pub struct ServiceLimits {
    /// Tables.
    pub tables: usize,
    /// Calls a second at one table.
    pub rate: u32,
    /// Bytes of a segment.
    pub segment: u64,
}

/// What the thread needs.
pub struct Writer {
    /// The folder.
    pub folder: PathBuf,
    /// Where the key of the log lies.
    pub key_path: PathBuf,
    /// The key.
    pub signer: Arc<Signer>,
    /// Whether a hand may begin.
    pub gate: Gate,
    /// What it takes.
    pub limits: ServiceLimits,
    /// Reads what has ended.
    pub past: Past,
    /// What is counted.
    pub meters: Arc<Meters>,
    /// What the tables show before the cards.
    pub showing: Arc<TablesShown>,
    /// Who can open what has ended, if there is a vault.
    pub vault: Option<Arc<VaultSettings>>,
    /// Kept as long as the thread runs.
    pub lock: FolderLock,
}

/// The engine, or how far its journal was durable when it failed.
enum Mill {
    Runs(Box<Engine>),
    Failed { durable: End, since: Instant },
}

struct Thread {
    mill: Mill,
    parts: Parts,
    gate: Gate,
    asked: Instant,
    closed: Option<String>,
    /// Why the vault takes nothing, if it does not.
    full: Option<String>,
    limits: ServiceLimits,
    _lock: FolderLock,
}

impl Writer {
    /// Starts the thread, once the folder is open.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn start(
        self,
        waiting_max: usize,
    ) -> Result<(SyncSender<WaitingCall>, JoinHandle<()>), ServiceError> {
        let (sender, receiver) = mpsc::sync_channel(waiting_max);
        let (opened, told) = mpsc::channel();
        let thread = thread::Builder::new().name("writer".to_owned()).spawn(move || {
            let parts = Parts {
                folder: self.folder,
                key_path: self.key_path,
                signer: self.signer,
                past: self.past,
                meters: self.meters,
                showing: self.showing,
                segment_bytes: self.limits.segment,
                vault: self.vault,
            };
            match Engine::open(&parts, None) {
                Ok(engine) => {
                    let mill = Mill::Runs(Box::new(engine));
                    let (gate, limits) = (self.gate, self.limits);
                    let mut thread = Thread {
                        mill,
                        parts,
                        closed: gate(),
                        full: None,
                        gate,
                        asked: Instant::now(),
                        limits,
                        _lock: self.lock,
                    };
                    thread.show_state();
                    if opened.send(Ok(())).is_ok() {
                        thread.run(&receiver);
                    }
                }
                Err(error) => drop(opened.send(Err(error))),
            }
        });
        let thread = thread.map_err(|error| ServiceError::Unfit(format!("no thread: {error}")))?;
        let told = told.recv().unwrap_or_else(|_| Err(ServiceError::Unfit("the writer ended".to_owned())));
        told.map(|()| (sender, thread))
    }
}

impl Thread {
    fn run(&mut self, receiver: &Receiver<WaitingCall>) {
        loop {
            let patience = match &self.mill {
                Mill::Runs(engine) if engine.is_checkpoint_waiting() => CHECKPOINT_EVERY,
                _ => EVERY,
            };
            let first = match receiver.recv_timeout(patience) {
                Ok(asked) => Some(asked),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return self.end(),
            };
            let mut batch: Vec<WaitingCall> = first.into_iter().collect();
            while batch.len() < BATCH_MAX
                && let Ok(asked) = receiver.try_recv()
            {
                batch.push(asked);
            }
            self.parts.meters.waiting.fetch_sub(batch.len() as u64, Ordering::Relaxed);
            self.look_around();
            while !batch.is_empty() {
                batch = self.round(batch);
            }
            self.show_checkpoint(false);
            self.tend_vault();
        }
    }

    fn end(&mut self) {
        self.show_checkpoint(true);
        if let Mill::Runs(engine) = &mut self.mill
            && let Err(error) = engine.end_vault()
        {
            self.fail(&error);
        }
    }

    fn tend_vault(&mut self) {
        let Mill::Runs(engine) = &mut self.mill else { return };
        match engine.tend_vault() {
            Ok(full) if full == self.full => {}
            Ok(full) => {
                self.full = full;
                self.show_state();
            }
            Err(error) => self.fail(&error),
        }
    }

    /// Why no hand begins, if none does.
    fn no_hand(&self) -> Option<&str> {
        self.closed.as_deref().or(self.full.as_deref())
    }

    fn show_checkpoint(&mut self, now: bool) {
        if let Mill::Runs(engine) = &self.mill
            && let Err(error) = engine.show_checkpoint(now)
        {
            self.fail(&error);
        }
    }

    /// Asks the gate, and opens a folder that failed, once a second.
    fn look_around(&mut self) {
        if self.asked.elapsed() >= EVERY {
            self.asked = Instant::now();
            self.closed = (self.gate)();
            if let Mill::Failed { durable, since } = &self.mill
                && since.elapsed() >= EVERY
            {
                let durable = *durable;
                self.mill = match Engine::open(&self.parts, Some(durable)) {
                    Ok(engine) => Mill::Runs(Box::new(engine)),
                    Err(error) => {
                        self.parts.meters.stop(Some(visible(&error.to_string()).into_owned()));
                        Mill::Failed { durable, since: Instant::now() }
                    }
                };
            }
            self.show_state();
        }
    }

    fn show_state(&self) {
        if matches!(self.mill, Mill::Runs(_)) {
            self.parts.meters.stop(self.no_hand().map(str::to_owned));
        }
    }

    /// Carries out at most one step of each table, makes them durable, answers; what waits for such a step is left.
    fn round(&mut self, batch: Vec<WaitingCall>) -> Vec<WaitingCall> {
        let closed = self.no_hand().map(str::to_owned);
        let Mill::Runs(engine) = &mut self.mill else {
            let fault = stopped();
            batch.into_iter().for_each(|asked| (asked.reply)(Err(fault.clone())));
            return Vec::new();
        };
        let (mut left, mut later, mut fresh, mut replies) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut moved: HashSet<String> = HashSet::new();
        for asked in batch {
            if moved.contains(asked.call.table()) {
                left.push(asked);
                continue;
            }
            let WaitingCall { call, reply } = asked;
            let Call::Move(step) = call else {
                later.push(WaitingCall { call, reply });
                continue;
            };
            match advance(engine, &step, closed.as_deref(), self.limits) {
                Ok(Some(now)) => {
                    moved.insert(step.place.table);
                    fresh.push(now);
                    replies.push(reply);
                }
                Ok(None) => later.push(WaitingCall { call: Call::Move(step), reply }),
                Err(fault) => reply(Err(fault)),
            }
        }
        let steps: Vec<_> = fresh.iter().map(|fresh| fresh.step.step.place.clone()).collect();
        match engine.commit(fresh) {
            Ok(happened) => {
                let answers = answers(engine, &steps, &happened);
                replies.into_iter().zip(answers).for_each(|(reply, answer)| reply(answer));
                let mut failed = None;
                for WaitingCall { call, reply } in later {
                    reply(match (call, &failed) {
                        (_, Some(_)) => Err(stopped()),
                        (Call::Unseal(unseal), None) => engine.unseal(*unseal).unwrap_or_else(|error| {
                            failed = Some(error);
                            Err(stopped())
                        }),
                        (call, None) => look(engine, &call),
                    });
                }
                if let Some(error) = failed {
                    self.fail(&error);
                }
                left
            }
            Err(error) => {
                self.fail(&error);
                let all = later.into_iter().chain(left).map(|asked| asked.reply);
                replies.into_iter().chain(all).for_each(|reply| reply(Err(stopped())));
                Vec::new()
            }
        }
    }

    /// Nothing is known of what was being written: all of it is read again.
    fn fail(&mut self, error: &ServiceError) {
        let Mill::Runs(engine) = &self.mill else { return };
        let durable = engine.journal.end();
        self.mill = Mill::Failed { durable, since: Instant::now() };
        self.parts.meters.stop(Some(visible(&error.to_string()).into_owned()));
    }
}

fn stopped() -> CallFault {
    CallFault::new(
        CallFaultKind::Stopped,
        "the service cannot write: the same call may be repeated once it can",
    )
}

/// Carries a step out; nothing for one that was carried out before.
fn advance(
    engine: &mut Engine,
    step: &Move,
    closed: Option<&str>,
    limits: ServiceLimits,
) -> Result<Option<Fresh>, CallFault> {
    let is_new = !engine.tables.contains_key(&step.place.table);
    if is_new && (step.place.hand != 1 || step.place.step != 1) {
        return Err(CallFault::new(
            CallFaultKind::OutOfTurn,
            "this table is new: its first call is commit, hand 1, step 1",
        ));
    }
    if is_new && engine.tables.len() >= limits.tables {
        return Err(CallFault::new(
            CallFaultKind::Busy,
            format!("there are {} tables already", limits.tables),
        ));
    }
    let is_known = !is_new;
    let place = engine
        .table(&step.place.table)
        .ok_or_else(|| CallFault::new(CallFaultKind::Schema, "no name of a table"))?;
    let advanced = check_rate(place, limits.rate).and_then(|()| advance_at(place, step, closed));
    if !is_known && !matches!(advanced, Ok(Some(_))) {
        engine.tables.remove(&step.place.table);
    }
    advanced
}

fn check_rate(place: &mut ServedTable, rate: u32) -> Result<(), CallFault> {
    let (second, count) = &mut place.rate;
    if second.elapsed() >= Duration::from_secs(1) {
        (*second, *count) = (Instant::now(), 0);
    }
    *count += 1;
    match *count > rate {
        true => Err(CallFault::new(CallFaultKind::Busy, format!("a table takes {rate} calls a second"))),
        false => Ok(()),
    }
}

/// The step that a table waits for.
fn next_of(place: &ServedTable) -> (u64, u64) {
    match &place.playing {
        Some(playing) => (playing.number, playing.steps.len() as u64 + 1),
        None => (place.ended + 1, 1),
    }
}

fn advance_at(
    place: &mut ServedTable,
    step: &Move,
    closed: Option<&str>,
) -> Result<Option<Fresh>, CallFault> {
    let (hand, number) = next_of(place);
    let found = (step.place.hand, step.place.step);
    if found.0 < hand || (found.0 == hand && found.1 < number) {
        return match found.0 > 0 && found.1 > 0 {
            true => Ok(None),
            false => Err(CallFault::new(CallFaultKind::Schema, "hands and steps count from 1")),
        };
    }
    if found != (hand, number) {
        let message = format!("the table waits for hand {hand}, step {number}");
        return Err(CallFault::new(CallFaultKind::OutOfTurn, message));
    }
    let (key, happened) = match &mut place.playing {
        None => begin(place, step, hand, closed)?,
        Some(playing) if playing.steps.len() >= STEPS_MAX && !step.kind.is_end() => {
            return Err(CallFault::new(
                CallFaultKind::Unfit,
                format!("a hand has at most {STEPS_MAX} steps and its end"),
            ));
        }
        Some(playing) => (None, apply(&place.name, playing, &step.kind)?),
    };
    let tree = TreeHead::empty();
    Ok(Some(Fresh { step: KeptStep { step: step.clone(), key, index: None, tree, before: None }, happened }))
}

type Begun = (Option<HandKey>, Happened);

fn begin(place: &mut ServedTable, step: &Move, hand: u64, closed: Option<&str>) -> Result<Begun, CallFault> {
    if let Some(reason) = closed {
        return Err(CallFault::new(CallFaultKind::Stopped, format!("no hand begins: {reason}")));
    }
    let MoveKind::Commit { mix, .. } = &step.kind else {
        return Err(CallFault::new(CallFaultKind::OutOfTurn, "the first step of a hand is commit"));
    };
    let key = place.draw_key(*mix).map_err(|error| CallFault::new(CallFaultKind::Stopped, error))?;
    let (begun, happened) = Hand::begin(&place.name, hand, &step.kind, copy(&key))?;
    place.playing = Some(Playing { number: hand, hand: begun, steps: Vec::new(), last: 0 });
    Ok((Some(key), happened))
}

/// A hand that a refused call has spoilt is made again from its steps.
fn apply(name: &TableName, playing: &mut Playing, kind: &MoveKind) -> Result<Happened, CallFault> {
    let applied = playing.hand.apply(kind);
    if playing.hand.is_lost() {
        playing.hand = replay(name, playing.number, &playing.steps, None)?.0;
    }
    applied
}

/// The answers to steps that are durable.
fn answers(engine: &Engine, steps: &[CallPlace], happened: &[Happened]) -> Vec<CallAnswer> {
    let reader = engine.log();
    let mut index = engine.log_size() - happened.iter().filter(|now| now.entry().is_some()).count() as u64;
    let mut answers = Vec::with_capacity(steps.len());
    for (place, now) in steps.iter().zip(happened) {
        let logged = now.entry().map(|_| {
            index += 1;
            let receipt = reader.receipt(index - 1);
            receipt.map(|receipt| LoggedEntry { index: index - 1, receipt: receipt.to_string() })
        });
        answers.push(match logged.transpose() {
            Ok(logged) => Ok(answer::moved(place, now, logged.as_ref())),
            Err(error) => Err(kept(&visible(&error.to_string()))),
        });
    }
    answers
}

/// A call that changes nothing, or was carried out before.
///
/// # Panics
/// Never: an unseal is written, and not looked up.
fn look(engine: &Engine, call: &Call) -> CallAnswer {
    let playing = engine.tables.get(call.table()).and_then(|place| place.playing.as_ref());
    let at = |hand: u64| playing.filter(|playing| playing.number == hand);
    match call {
        Call::Move(step) => match at(step.place.hand) {
            Some(playing) => engine.past.view(&step.place.table, playing.number, &playing.steps).again(step),
            None => engine.past.again(step),
        },
        Call::Look(LookKind::Status { table }) => status(engine, table),
        Call::Unseal(_) => unreachable!("it is written"),
        Call::Look(look) => {
            let (LookKind::Receipt { hand, .. } | LookKind::Bundle { hand, .. }) = look else {
                unreachable!("status is above")
            };
            match (at(*hand), look) {
                (Some(playing), LookKind::Receipt { table, entry, .. }) => {
                    engine.past.view(table, playing.number, &playing.steps).receipt(entry)
                }
                (Some(playing), LookKind::Bundle { table, seat, link, .. }) => {
                    engine.past.view(table, playing.number, &playing.steps).bundle(*seat, link.as_deref())
                }
                _ => engine.past.look(look),
            }
        }
    }
}

fn status(engine: &Engine, table: &str) -> CallAnswer {
    let none = || CallFault::new(CallFaultKind::Unknown, format!("there is no table {table}"));
    let place = engine.tables.get(table).ok_or_else(none)?;
    let (hand, step) = next_of(place);
    let playing = place.playing.as_ref();
    let events: Vec<_> = playing.map_or(Vec::new(), |playing| {
        let events = playing.steps.iter().filter_map(|step| match &step.step.kind {
            MoveKind::Event { seat, what, at } => {
                Some(json!({ "seat": seat.number(), "what": what.name(), "at": at }))
            }
            _ => None,
        });
        events.collect()
    });
    let answer = json!({
        "table": table,
        "ended": place.ended,
        "stage": playing.map_or("between hands", |playing| playing.hand.stage_name()),
        "next": { "hand": hand, "step": step },
        "events": events,
    });
    Ok(Zeroizing::new(answer.to_string()))
}
