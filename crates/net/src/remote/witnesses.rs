//! The client of witnesses (c2sp.org/tlog-witness): each is asked to cosign a log's checkpoint, and its line is verified.

use std::fmt;
use std::path::Path;
use std::thread;
use std::time::Instant;

use crate::exchange::{Address, Answered, Caller, ExchangeError, Inquiry};
use deckproof_deck::text::excerpt;
use deckproof_table::log_folder::LogError;
use deckproof_table::log_folder::reader::LogReader;
use deckproof_verify::log::note::{NOTE_BYTES_MAX, Signature};
use deckproof_verify::log::request::parse_size;
use deckproof_verify::log::vkey::{Signed, Vkey};

/// How far the time of a cosignature may be from this machine's, in seconds: players take it for the time the log was seen.
const TIME_OFF_MAX: u64 = 300;

/// A witness may cosign another publication between two questions; how often that is followed.
const QUESTIONS_MAX: usize = 4;

/// Why a witness gave no cosignature.
#[derive(Debug, thiserror::Error)]
pub enum WitnessFault {
    /// It is lost, slow, or does not speak HTTP.
    #[error(transparent)]
    Exchange(#[from] ExchangeError),
    /// Another status than 200 and those that have a meaning here.
    #[error("found status {status} ({text}), wanted a cosignature")]
    Status {
        /// Which.
        status: u16,
        /// What it said.
        text: String,
    },
    /// It does not watch this log.
    #[error("it does not watch the log {0}")]
    Unknown(String),
    /// It cosigned more than this log holds.
    #[error(
        "it says it cosigned a tree of {last} entries, the log has {size}: the log was rolled back, or what answered there is wrong; it signed nothing that shows it"
    )]
    RolledBack {
        /// What it cosigned.
        last: u64,
        /// What there is.
        size: u64,
    },
    /// It cosigned a later checkpoint of a log that grew meanwhile.
    #[error(
        "it cosigned a later checkpoint, of {last} entries: the log grew meanwhile, and what it holds now may be cosigned"
    )]
    Outrun {
        /// What it cosigned.
        last: u64,
    },
    /// It holds another tree.
    #[error(
        "it refuses the tree of {size} entries as another than it cosigned at {last} ({text}): the log was forked, or what answered there is wrong; it signed nothing that shows it"
    )]
    Forked {
        /// From where the proof started.
        last: u64,
        /// What was to be cosigned.
        size: u64,
        /// What it said.
        text: String,
    },
    /// 409 without a size.
    #[error("found status 409 with \"{0}\", wanted the size of the tree it cosigned last")]
    Size(String),
    /// It names another size each time.
    #[error("it names another tree with each question")]
    Restless,
    /// 200 without a cosignature of somebody known.
    #[error("found \"{0}\", wanted a cosignature of a witness of the trust file")]
    Stranger(String),
    /// A line of a known key that does not verify.
    #[error("the cosignature of {0} does not verify: it is of another tree, or not its own")]
    False(String),
    /// A cosignature of another time.
    #[error(
        "the cosignature of {name} bears the time {time}, this machine has {now}: one of the two clocks is wrong"
    )]
    Time {
        /// Whose.
        name: String,
        /// What it bears.
        time: u64,
        /// When it came.
        now: u64,
    },
    /// The log here cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
}

impl WitnessFault {
    /// Whether it says something against the log.
    pub fn is_accusation(&self) -> bool {
        matches!(self, WitnessFault::RolledBack { .. } | WitnessFault::Forked { .. })
    }
}

/// What one witness gave.
pub struct WitnessAnswer {
    /// Which.
    pub address: Address,
    /// Its lines, which verify, or why there are none.
    pub lines: Result<Vec<Signature>, WitnessFault>,
}

impl fmt::Display for WitnessAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.lines {
            Ok(lines) => {
                let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
                write!(f, "witness {}: cosigned by {}", self.address, names.join(", "))
            }
            Err(fault) => write!(f, "witness {}: {fault}", self.address),
        }
    }
}

/// A witness that is asked again and again.
pub struct RemoteWitness {
    address: Address,
    caller: Caller,
    /// The tree it cosigned last, as it said itself.
    last: u64,
}

/// What is to be cosigned, and what is believed.
#[derive(Clone, Copy)]
pub struct Cosigning<'a> {
    /// The log's folder.
    pub log: &'a Path,
    /// Its signed checkpoint.
    pub note: &'a str,
    /// The keys of witnesses.
    pub keys: &'a [Vkey],
    /// When nobody waits any more.
    pub until: Instant,
    /// The time of this machine in POSIX seconds.
    pub now: fn() -> u64,
}

impl RemoteWitness {
    /// A witness that was not asked yet: it will say what it cosigned last.
    pub fn new(address: Address) -> RemoteWitness {
        RemoteWitness { address, caller: Caller::default(), last: 0 }
    }

    /// Where it answers.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Asks for a cosignature; a witness that tells from which tree it wants its proof gets it.
    ///
    /// # Errors
    /// [`WitnessFault`].
    pub fn ask(&mut self, cosigning: Cosigning) -> Result<Vec<Signature>, WitnessFault> {
        let log = LogReader::of(cosigning.log, cosigning.note)?;
        let size = log.checkpoint().tree.size;
        self.last = self.last.min(size);
        for _ in 0..QUESTIONS_MAX {
            let body = log.request(self.last)?.to_string();
            let question = Inquiry {
                address: &self.address,
                path: "/add-checkpoint",
                until: cosigning.until,
                bytes_max: NOTE_BYTES_MAX,
            };
            let answered = self.caller.post(question, &body)?;
            match answered.status {
                200 => {
                    let lines = lines(&answered, &log, cosigning)?;
                    self.last = size;
                    return Ok(lines);
                }
                404 => return Err(WitnessFault::Unknown(log.checkpoint().origin.clone())),
                409 => self.last = told(&answered, self.last, size, cosigning.log)?,
                422 => {
                    return Err(WitnessFault::Forked { last: self.last, size, text: answered.beginning() });
                }
                status => return Err(WitnessFault::Status { status, text: answered.beginning() }),
            }
        }
        Err(WitnessFault::Restless)
    }
}

/// Asks all witnesses at once.
pub fn ask_all(witnesses: &mut [RemoteWitness], cosigning: Cosigning) -> Vec<WitnessAnswer> {
    thread::scope(|scope| {
        let asked: Vec<_> = witnesses
            .iter_mut()
            .map(|witness| {
                let address = witness.address.clone();
                (address, scope.spawn(move || witness.ask(cosigning)))
            })
            .collect();
        let answers = asked.into_iter().map(|(address, thread)| WitnessAnswer {
            address,
            lines: thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        });
        answers.collect()
    })
}

/// The size that a witness says it cosigned last.
fn told(answered: &Answered, asked: u64, size: u64, log: &Path) -> Result<u64, WitnessFault> {
    let last = std::str::from_utf8(&answered.body).ok().and_then(parse_size);
    match last {
        // Several tables may share a log, each of which asks for its own openings.
        Some(last) if last > size => match LogReader::open(log)?.checkpoint().tree.size {
            now if last <= now => Err(WitnessFault::Outrun { last }),
            now => Err(WitnessFault::RolledBack { last, size: now }),
        },
        Some(last) if last != asked => Ok(last),
        _ => Err(WitnessFault::Size(answered.beginning())),
    }
}

/// The lines of known witnesses, each of which must verify over this checkpoint, at this time.
fn lines(answered: &Answered, log: &LogReader, cosigning: Cosigning) -> Result<Vec<Signature>, WitnessFault> {
    let stranger = || WitnessFault::Stranger(answered.beginning());
    let text = std::str::from_utf8(&answered.body).map_err(|_| stranger())?;
    let checkpoint = log.checkpoint().to_string();
    let mut lines: Vec<Signature> = Vec::new();
    for line in text.lines() {
        let line = Signature::parse(line).ok_or_else(stranger)?;
        let mut named = cosigning.keys.iter().filter(|key| key.is_named_by(&line)).peekable();
        if named.peek().is_none() {
            continue;
        }
        let Some(Signed::ByWitness { time }) = named.find_map(|key| key.verify(&checkpoint, &line)) else {
            return Err(WitnessFault::False(excerpt(&line.name, 80)));
        };
        let now = (cosigning.now)();
        if time.abs_diff(now) > TIME_OFF_MAX {
            return Err(WitnessFault::Time { name: excerpt(&line.name, 80), time, now });
        }
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if lines.is_empty() { Err(stranger()) } else { Ok(lines) }
}
