//! All tables of one folder: one thread that writes, and readers of what has ended.
//!
//! | in the folder | holds |
//! |---|---|
//! | `lock` | nothing; locked while a service runs |
//! | `log/` | the public log, as `deckproof log init` began it |
//! | `secret/journal/` | every call, and what opens each hand |
//! | `secret/places/` | where each hand lies in the journal |
//! | `vault/` | what opens the hands that ended, in two shares for two people, where there is a vault |
//! | KEY`.serving`, beside the key of the log | which folder the key serves, and how many entries it has signed |

pub mod case;
mod early_sync;
mod ended_hands;
mod engine;
pub mod meters;
mod next_call;
pub mod opening;
mod ownership;
mod qr_text;
mod receipts;
mod replay;
mod steps;
mod tables;
mod unsynced;
mod vaulting;
mod witnessing;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use zeroize::Zeroizing;

use crate::calls::Call;
use crate::calls::fault::{CallFault, CallFaultKind};
use crate::journal::{JournalError, remains};
use crate::service::ended_hands::Past;
use crate::service::engine::Parts;
use crate::service::meters::Meters;
use crate::service::ownership::HomeError;
use crate::service::qr_text::TablesShown;
use crate::service::tables::ServiceLimits;
use crate::service::writer::{Message, WaitingCall, Writer};
use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::text::date::Date;
use deckproof_table::log_folder::LogError;
use deckproof_vault::vault::holders::Holders;
use deckproof_vault::vault::{Vault, VaultError};
use deckproof_verify::log::vkey::Signer;

/// What a call is answered.
pub type CallAnswer = Result<Zeroizing<String>, CallFault>;

/// Takes an answer to whom it belongs.
pub type Reply = Box<dyn FnOnce(CallAnswer) + Send>;

/// Why no new hand may begin, if there is a reason.
pub type Gate = Box<dyn Fn() -> Option<String> + Send>;

/// How a service runs.
pub struct ServiceSettings {
    /// Its folder.
    pub folder: PathBuf,
    /// Where the key of the log lies.
    pub key_path: PathBuf,
    /// The key of the log.
    pub signer: Signer,
    /// Asked before a hand begins, at most once a second.
    pub gate: Gate,
    /// Calls that may wait.
    pub waiting_max: usize,
    /// Tables there may be.
    pub tables_max: usize,
    /// Calls a second at one table.
    pub rate_max: u32,
    /// Bytes after which the journal begins another segment.
    pub segment_bytes: u64,
    /// Where what opens the hands goes once they have ended, if there is a vault.
    pub vault: Option<VaultSettings>,
    /// Who sees each opening before it is answered, if anybody does.
    pub witnesses: Option<WitnessSettings>,
}

/// Calls that may wait for the thread that writes.
const WAITING_MAX: usize = 16_384;

/// Tables there may be, and calls a second at one of them, where nothing else is said.
const TABLES_MAX: usize = 10_000;
const RATE_MAX: u32 = 1_000;

/// After so many bytes the journal begins another segment: some 10,000 hands, read in seconds at a start.
const SEGMENT_BYTES: u64 = 64 << 20;

impl ServiceSettings {
    /// A service of this folder, with this key: no gate, no vault, the usual limits.
    pub fn new(folder: PathBuf, key_path: PathBuf, signer: Signer) -> ServiceSettings {
        ServiceSettings {
            folder,
            key_path,
            signer,
            gate: Box::new(|| None),
            waiting_max: WAITING_MAX,
            tables_max: TABLES_MAX,
            rate_max: RATE_MAX,
            segment_bytes: SEGMENT_BYTES,
            vault: None,
            witnesses: None,
        }
    }
}

/// A checkpoint after witnesses were asked.
pub struct CosignedCheckpoint {
    /// The signed checkpoint with the lines that they gave, each of which verifies.
    pub note: String,
    /// Whether these are those of a quorum.
    pub is_met: bool,
    /// Witnesses that did not answer in time, and are left out for a while.
    pub left_out: Vec<String>,
    /// Witnesses that say that the log was rolled back or forked.
    pub accusing: Vec<String>,
}

/// What follows where the quorum does not cosign an opening in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WitnessOutage {
    /// The hand goes on, and its receipts bear what was given.
    GoOn,
    /// The hand stops before its first card, until the opening is repeated with success or the hand is voided.
    Hold,
}

/// Asks for cosignatures of a signed checkpoint of the log; it waits only so long.
pub type AskWitnesses = Box<dyn FnMut(&str) -> CosignedCheckpoint + Send>;

/// Who sees each opening.
pub struct WitnessSettings {
    /// Asks them.
    pub ask: AskWitnesses,
    /// What follows where they are too few.
    pub outage: WitnessOutage,
}

/// Who can open the hands that ended, two together.
pub struct VaultSettings {
    /// The holders of each share.
    pub holders: [Holders; 2],
    /// How long a hand that ended waits at most before it is sent on its way.
    pub every: Duration,
    /// The day.
    pub today: fn() -> Date,
}

/// Why a service cannot start, or stopped.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The folder is not this service's to write.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The vault.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// A file of the folder.
    #[error("{}: {error}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What happened.
        error: std::io::Error,
    },
    /// Journal and log do not belong together.
    #[error("{0}")]
    Unfit(String),
}

impl ServiceError {
    fn file(path: &Path) -> impl Fn(std::io::Error) -> ServiceError + '_ {
        |error| ServiceError::File { path: path.to_owned(), error }
    }
}

/// What a mutex holds: a thread that panicked has left it whole.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The folder of the log.
pub fn log_folder(folder: &Path) -> PathBuf {
    folder.join("log")
}

/// Whether hands of the service go to a vault, or went to one that is no longer there.
fn has_vault(folder: &Path) -> bool {
    Vault::of(folder).is_there() || remains::is_there(&folder.join("secret").join("journal"), 1)
}

/// A running service, or one that only reads.
pub struct Service {
    sender: Option<SyncSender<Message>>,
    thread: Option<JoinHandle<()>>,
    past: Past,
    meters: Arc<Meters>,
    showing: Arc<TablesShown>,
    log: PathBuf,
}

impl Service {
    /// Starts the thread that writes; when this returns, all that was begun before is known again.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn start(settings: ServiceSettings) -> Result<Service, ServiceError> {
        let lock = ownership::lock(&settings.folder)?;
        if settings.vault.is_none() && has_vault(&settings.folder) {
            return Err(ServiceError::Unfit(format!(
                "{}: found a service with a vault, wanted the holders of its shares: without them keys would stay here for ever",
                settings.folder.display()
            )));
        }
        let signer = Arc::new(settings.signer);
        let past = Past::of(&settings.folder, Arc::clone(&signer));
        let meters = Arc::new(Meters::default());
        let showing = Arc::new(TablesShown::default());
        let log = log_folder(&settings.folder);
        let parts = Parts {
            folder: settings.folder,
            key_path: settings.key_path,
            signer,
            past: past.clone(),
            meters: Arc::clone(&meters),
            showing: Arc::clone(&showing),
            segment_bytes: settings.segment_bytes,
            vault: settings.vault.map(Arc::new),
        };
        let limits = ServiceLimits { tables: settings.tables_max, rate: settings.rate_max };
        let writer = Writer { parts, gate: settings.gate, limits, witnesses: settings.witnesses, lock };
        let (sender, thread) = writer.start(settings.waiting_max)?;
        Ok(Service { sender: Some(sender), thread: Some(thread), past, meters, showing, log })
    }

    /// A service that deals nothing: what has ended is read, also from a copy of a folder.
    pub fn only_reading(folder: &Path, signer: Signer) -> Service {
        let past = Past::of(folder, Arc::new(signer));
        Service {
            sender: None,
            thread: None,
            past,
            meters: Arc::new(Meters::default()),
            showing: Arc::new(TablesShown::default()),
            log: log_folder(folder),
        }
    }

    /// The folder of the log, which everybody may read.
    pub fn log(&self) -> &Path {
        &self.log
    }

    /// What is counted.
    pub fn meters(&self) -> &Meters {
        &self.meters
    }

    /// What a player keeps of a hand under way before its first card: 64 digits that the log has.
    pub fn kept_before(&self, table: &str, hand: u64) -> Option<Digest> {
        self.showing.get(table, hand)
    }

    /// Why no hand can be dealt, if none can.
    pub fn stopped(&self) -> Option<String> {
        match self.sender {
            None => Some("this service only reads".to_owned()),
            Some(_) => self.meters.stopped(&self.log),
        }
    }

    /// Carries a call out; the reply may come from another thread.
    pub fn call(&self, call: Call, reply: Reply) {
        let name = call.name();
        let meters = Arc::clone(&self.meters);
        let reply: Reply = Box::new(move |answer| {
            meters.count(name, answer.as_ref().err().map(|fault| fault.kind));
            reply(answer);
        });
        // What has ended does not change: it is read without waiting for those who write.
        if let Call::Look(look) = &call
            && self.past.has(&look.table, look.hand)
        {
            let answer = self.past.look(look);
            // Where the hand ended just now its tiles come with the next checkpoint, and whoever writes can wait for that.
            let is_early = answer.as_ref().is_err_and(|fault| fault.kind == CallFaultKind::Stopped);
            if !is_early || self.sender.is_none() {
                return reply(answer);
            }
        }
        let Some(sender) = &self.sender else {
            return reply(Err(CallFaultKind::Stopped.fault("this service only reads")));
        };
        self.meters.waiting.fetch_add(1, Ordering::Relaxed);
        let Err(left) = sender.try_send(Message::Call(WaitingCall { call, reply })) else { return };
        self.meters.waiting.fetch_sub(1, Ordering::Relaxed);
        let (message, fault) = match left {
            TrySendError::Full(message) => (message, CallFaultKind::Busy.fault("too many calls are waiting")),
            TrySendError::Disconnected(message) => {
                (message, CallFaultKind::Stopped.fault("the service is ending"))
            }
        };
        if let Message::Call(asked) = message {
            (asked.reply)(Err(fault));
        }
    }

    /// Carries a call out and waits for its answer.
    ///
    /// # Errors
    /// [`CallFault`].
    pub fn wait(&self, call: Call) -> CallAnswer {
        let (sender, receiver) = std::sync::mpsc::channel();
        self.call(call, Box::new(move |answer| drop(sender.send(answer))));
        receiver.recv().unwrap_or_else(|_| Err(CallFaultKind::Stopped.fault("the service has ended")))
    }
}

/// The calls that wait are carried out; then the thread ends.
impl Drop for Service {
    fn drop(&mut self) {
        if let Some(sender) = self.sender.take() {
            // A writer that is gone has ended.
            let _ = sender.send(Message::End);
        }
        if let Some(thread) = self.thread.take() {
            // A writer that panicked has answered nobody, and what it had promised is in the journal.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests;
