//! The thread that writes: it takes what waits, carries it out, makes it durable with one sync, and answers.

use std::collections::HashSet;
use std::fs::File;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::json;
use zeroize::Zeroizing;

use crate::calls::answer::{self, LoggedEntry};
use crate::calls::fault::{CallFault, CallFaultKind};
use crate::calls::hand::Happened;
use crate::calls::{Call, CallPlace, HandLook, Move, MoveKind};
use crate::journal::End;
use crate::service::engine::{Engine, Parts};
use crate::service::next_call::{advance, next_of, unmet};
use crate::service::receipts::kept;
use crate::service::tables::{Playing, ServiceLimits};
use crate::service::unsynced::CHECKPOINT_EVERY;
use crate::service::witnessing::{AwaitedOpen, Witnessing};
use crate::service::{
    CallAnswer, CosignedCheckpoint, Gate, Reply, ServiceError, WitnessOutage, WitnessSettings,
};
use deckproof_deck::text::visible;

/// Calls that are carried out together.
const BATCH_MAX: usize = 1024;

/// How often the gate is asked, and a folder that failed is opened again.
const EVERY: Duration = Duration::from_secs(1);

/// A call that waits.
pub struct WaitingCall {
    /// What is called.
    pub call: Call,
    /// Who gets the answer.
    pub reply: Reply,
}

/// What the thread receives.
pub enum Message {
    /// A call.
    Call(WaitingCall),
    /// What came of asking the witnesses.
    Witnessed(CosignedCheckpoint),
    /// The service ends; what was sent before is carried out.
    End,
}

/// What the thread needs.
pub struct Writer {
    /// What the engine is made of.
    pub parts: Parts,
    /// Whether a hand may begin.
    pub gate: Gate,
    /// What it takes.
    pub limits: ServiceLimits,
    /// Who sees each opening, if anybody does.
    pub witnesses: Option<WitnessSettings>,
    /// Kept as long as the thread runs.
    pub lock: File,
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
    witnessing: Option<Witnessing>,
    _lock: File,
}

impl Writer {
    /// Starts the thread, once the folder is open.
    pub fn start(self, waiting_max: usize) -> Result<(SyncSender<Message>, JoinHandle<()>), ServiceError> {
        let (sender, receiver) = mpsc::sync_channel(waiting_max);
        let taker: SyncSender<Message> = sender.clone();
        let take = move |cosigned| taker.send(Message::Witnessed(cosigned)).is_ok();
        let witnesses = self.witnesses.map(|witnesses| Witnessing::start(witnesses, take));
        let witnessing = witnesses.transpose()?;
        let (opened, answer) = mpsc::channel();
        let thread = thread::Builder::new().name("writer".to_owned()).spawn(move || {
            match Engine::open(&self.parts, None) {
                Ok(engine) => {
                    let mut thread = Thread {
                        mill: Mill::Runs(Box::new(engine)),
                        parts: self.parts,
                        closed: (self.gate)(),
                        full: None,
                        gate: self.gate,
                        asked: Instant::now(),
                        limits: self.limits,
                        witnessing,
                        _lock: self.lock,
                    };
                    thread.hold_unseen();
                    thread.show_state();
                    if opened.send(Ok(())).is_ok() {
                        thread.run(&receiver);
                    }
                }
                Err(error) => drop(opened.send(Err(error))),
            }
        });
        let thread = thread.map_err(|error| ServiceError::Unfit(format!("no thread: {error}")))?;
        let answer =
            answer.recv().unwrap_or_else(|_| Err(ServiceError::Unfit("the writer ended".to_owned())));
        if let Err(error) = answer {
            // It holds the lock of the folder until it has ended.
            let _ = thread.join();
            return Err(error);
        }
        Ok((sender, thread))
    }
}

impl Thread {
    fn run(&mut self, receiver: &Receiver<Message>) {
        loop {
            let patience = match &self.mill {
                Mill::Runs(engine) if engine.is_checkpoint_waiting() => CHECKPOINT_EVERY,
                _ => EVERY,
            };
            let mut next = match receiver.recv_timeout(patience) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(Message::End),
            };
            let (mut batch, mut cosigned, mut is_ending) = (Vec::new(), None, false);
            while let Some(message) = next.take() {
                match message {
                    Message::Call(asked) => batch.push(asked),
                    Message::Witnessed(checkpoint) => cosigned = Some(checkpoint),
                    Message::End => is_ending = true,
                }
                if batch.len() < BATCH_MAX && !is_ending {
                    next = receiver.try_recv().ok();
                }
            }
            self.parts.meters.waiting.fetch_sub(batch.len() as u64, Ordering::Relaxed);
            self.look_around();
            if let Some(checkpoint) = cosigned {
                self.witnessed(&checkpoint);
            }
            while !batch.is_empty() {
                batch = self.round(batch);
            }
            self.ask_witnesses();
            self.carry_out(|engine| engine.show_checkpoint(false));
            self.carry_out(|engine| engine.note_signed(is_ending));
            self.tend_vault();
            if is_ending {
                return self.end();
            }
        }
    }

    /// Where hands are held, also those of an earlier run.
    fn hold_unseen(&mut self) {
        let is_held = self.witnessing.as_ref().is_some_and(|with| with.outage == WitnessOutage::Hold);
        if let (true, Mill::Runs(engine)) = (is_held, &mut self.mill) {
            engine.hold_unseen();
        }
    }

    /// All openings that wait go into one round.
    fn ask_witnesses(&mut self) {
        let (Some(witnessing), Mill::Runs(engine)) = (&mut self.witnessing, &self.mill) else { return };
        if !witnessing.is_due() {
            return;
        }
        // The proof for them is read from the log, as it lies there.
        match engine.show_checkpoint(true) {
            Ok(()) => witnessing.ask(engine.log().note()),
            Err(error) => self.fail(&error),
        }
    }

    /// Answers the openings of a round.
    fn witnessed(&mut self, checkpoint: &CosignedCheckpoint) {
        let (Some(witnessing), Mill::Runs(engine)) = (&mut self.witnessing, &mut self.mill) else { return };
        let (asked, outage) = (witnessing.take_asked(), witnessing.outage);
        self.parts.meters.witnessed(asked.len() as u64, checkpoint);
        if let Err(error) = engine.show_cosigned(&checkpoint.note) {
            for AwaitedOpen { reply, .. } in asked {
                reply(Err(stopped()));
            }
            return self.fail(&error);
        }
        if !checkpoint.is_met && outage == WitnessOutage::Hold {
            for AwaitedOpen { place, reply } in asked {
                engine.hold(&place);
                reply(Err(unmet()));
            }
            return;
        }
        let kept = engine.keep_seen(asked.iter().map(|open| &open.place), &checkpoint.note);
        for AwaitedOpen { place, reply } in asked {
            reply(match &kept {
                Ok(()) => open_again(engine, &place),
                Err(_) => Err(stopped()),
            });
        }
        if let Err(error) = kept {
            self.fail(&error);
        }
    }

    fn end(&mut self) {
        let open = self.witnessing.as_mut().map(Witnessing::take_all).unwrap_or_default();
        for AwaitedOpen { reply, .. } in open {
            reply(Err(CallFaultKind::Stopped.fault("the service is ending")));
        }
        self.carry_out(|engine| engine.show_checkpoint(true));
        self.carry_out(Engine::end_vault);
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

    /// Has the engine do this, if it runs.
    fn carry_out(&mut self, work: impl FnOnce(&mut Engine) -> Result<(), ServiceError>) {
        if let Mill::Runs(engine) = &mut self.mill
            && let Err(error) = work(engine)
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
                self.hold_unseen();
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
        match engine.commit(fresh, left.is_empty()) {
            Ok(happened) => {
                let answers = answers(engine, &steps, &happened);
                for ((place, reply), answer) in steps.into_iter().zip(replies).zip(answers) {
                    give(engine, &mut self.witnessing, place, (answer, reply));
                }
                let mut failed = None;
                for WaitingCall { call, reply } in later {
                    // What was answered before is proven by the tiles that lie in the log.
                    if failed.is_none() {
                        failed = engine.show_checkpoint(true).err();
                    }
                    match (call, &failed) {
                        (_, Some(_)) => reply(Err(stopped())),
                        (Call::Unseal(unseal), None) => {
                            reply(engine.unseal(*unseal).unwrap_or_else(|error| {
                                failed = Some(error);
                                Err(stopped())
                            }))
                        }
                        (Call::Move(step), None) => {
                            let answer = repeated(engine, &step);
                            give(engine, &mut self.witnessing, step.place, (answer, reply));
                        }
                        (Call::Look(look), None) => reply(looked(engine, &look)),
                        (Call::Status { table }, None) => reply(status(engine, &table)),
                    }
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
        let open = self.witnessing.as_mut().map(Witnessing::take_all).unwrap_or_default();
        open.into_iter().for_each(|open| (open.reply)(Err(stopped())));
    }
}

/// An answer goes out, but that of an opening waits until witnesses were asked about it.
fn give(
    engine: &mut Engine,
    witnessing: &mut Option<Witnessing>,
    place: CallPlace,
    (answer, reply): (CallAnswer, Reply),
) {
    match witnessing {
        Some(witnessing) if answer.is_ok() && engine.await_witnesses(&place) => {
            witnessing.push(AwaitedOpen { place, reply });
        }
        _ => reply(answer),
    }
}

/// The answer to an opening that stands last in its hand.
fn open_again(engine: &Engine, place: &CallPlace) -> CallAnswer {
    let playing = engine.tables.get(&place.table).and_then(|table| table.playing.as_ref());
    let open = playing.and_then(|playing| Some((playing, playing.steps.last()?)));
    let (playing, open) = open.ok_or_else(stopped)?;
    engine.parts.past.view(&place.table, playing.number, &playing.steps).again(&open.step)
}

fn stopped() -> CallFault {
    CallFaultKind::Stopped.fault("the service cannot write: repeat the same call once it can, and no other one, for it may have been carried out",
    )
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
            Err(error) => Err(kept(visible(&error.to_string()))),
        });
    }
    answers
}

/// The hand of this number, if it is under way at the table.
fn under_way<'a>(engine: &'a Engine, table: &str, hand: u64) -> Option<&'a Playing> {
    let playing = engine.tables.get(table).and_then(|place| place.playing.as_ref());
    playing.filter(|playing| playing.number == hand)
}

/// A call that was carried out before.
fn repeated(engine: &Engine, step: &Move) -> CallAnswer {
    let CallPlace { table, hand, .. } = &step.place;
    match under_way(engine, table, *hand) {
        Some(playing) => engine.parts.past.view(table, *hand, &playing.steps).again(step),
        None => engine.parts.past.again(step),
    }
}

/// What is looked up of a hand.
fn looked(engine: &Engine, look: &HandLook) -> CallAnswer {
    let HandLook { table, hand, kind } = look;
    match under_way(engine, table, *hand) {
        Some(playing) => engine.parts.past.view(table, *hand, &playing.steps).look(kind),
        None => engine.parts.past.look(look),
    }
}

fn status(engine: &Engine, table: &str) -> CallAnswer {
    let none = || CallFaultKind::Unknown.fault(format!("there is no table {table}"));
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
