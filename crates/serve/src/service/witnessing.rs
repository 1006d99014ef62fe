//! Openings that wait for witnesses: one round at a time, and all tables that wait share its checkpoint.

use std::sync::mpsc::{self, Sender};
use std::thread;

use crate::calls::CallPlace;
use crate::service::{CosignedCheckpoint, Reply, ServiceError, WitnessOutage, WitnessSettings};

/// An opening whose answer waits.
pub struct AwaitedOpen {
    /// Which.
    pub place: CallPlace,
    /// Who gets the answer.
    pub reply: Reply,
}

/// The openings that wait.
pub struct Witnessing {
    /// What follows where the quorum is not met.
    pub outage: WitnessOutage,
    notes: Sender<String>,
    is_asking: bool,
    /// Those whose checkpoint is with the witnesses.
    asked: Vec<AwaitedOpen>,
    /// Those of the next round.
    waiting: Vec<AwaitedOpen>,
}

impl Witnessing {
    /// Starts the thread that asks, as long as what comes of it is taken.
    pub fn start(
        settings: WitnessSettings,
        take: impl Fn(CosignedCheckpoint) -> bool + Send + 'static,
    ) -> Result<Witnessing, ServiceError> {
        let (notes, given) = mpsc::channel::<String>();
        let WitnessSettings { mut ask, outage } = settings;
        let asking = move || {
            while let Ok(note) = given.recv()
                && take(ask(&note))
            {}
        };
        let thread = thread::Builder::new().name("witnesses".to_owned()).spawn(asking);
        thread.map_err(|error| ServiceError::Unfit(format!("no thread: {error}")))?;
        Ok(Witnessing { outage, notes, is_asking: false, asked: Vec::new(), waiting: Vec::new() })
    }

    /// Takes an opening into the next round, or where it was called again into the one that it is in.
    pub fn push(&mut self, open: AwaitedOpen) {
        if self.asked.iter().any(|asked| asked.place == open.place) {
            self.asked.push(open)
        } else {
            self.waiting.push(open)
        }
    }

    /// Whether openings wait, and no round is under way.
    pub fn is_due(&self) -> bool {
        !self.is_asking && !self.waiting.is_empty()
    }

    /// Begins a round under this checkpoint, which holds all that waits, if one is due.
    pub fn ask(&mut self, note: &str) {
        if self.is_due() && self.notes.send(note.to_owned()).is_ok() {
            self.is_asking = true;
            self.asked = std::mem::take(&mut self.waiting);
        }
    }

    /// The openings of the round that has ended.
    pub fn take_asked(&mut self) -> Vec<AwaitedOpen> {
        self.is_asking = false;
        std::mem::take(&mut self.asked)
    }

    /// All that wait, where the service cannot go on.
    pub fn take_all(&mut self) -> Vec<AwaitedOpen> {
        let mut all = std::mem::take(&mut self.asked);
        all.append(&mut self.waiting);
        all
    }
}
