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
    /// It says something against the log.
    #[error("{0}")]
    Accusation(String),
    /// What it gave is no cosignature.
    #[error("{0}")]
    Unfit(String),
    /// The log here cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
}

impl WitnessFault {
    /// Whether it says something against the log.
    pub fn is_accusation(&self) -> bool {
        matches!(self, WitnessFault::Accusation(_))
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
    /// The tree it cosigned last, as it stated itself.
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
                404 => {
                    let origin = &log.checkpoint().origin;
                    return Err(WitnessFault::Unfit(format!("it does not watch the log {origin}")));
                }
                409 => self.last = last_cosigned(&answered, self.last, size, cosigning.log)?,
                422 => {
                    return Err(WitnessFault::Accusation(format!(
                        "it refuses the tree of {size} entries as another than it cosigned at {} ({}): the log was forked, or what answered there is wrong; it signed nothing that shows it",
                        self.last,
                        answered.beginning()
                    )));
                }
                status => {
                    let text = answered.beginning();
                    return Err(WitnessFault::Unfit(format!(
                        "found status {status} ({text}), wanted a cosignature"
                    )));
                }
            }
        }
        Err(WitnessFault::Unfit("it names another tree with each question".to_owned()))
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
fn last_cosigned(answered: &Answered, asked: u64, size: u64, log: &Path) -> Result<u64, WitnessFault> {
    let last = std::str::from_utf8(&answered.body).ok().and_then(parse_size);
    match last {
        // Several tables may share a log, each of which asks for its own openings.
        Some(last) if last > size => match LogReader::open(log)?.checkpoint().tree.size {
            now if last <= now => Err(WitnessFault::Unfit(format!(
                "it cosigned a later checkpoint, of {last} entries: the log grew meanwhile, and what it holds now may be cosigned"
            ))),
            now => Err(WitnessFault::Accusation(format!(
                "it says it cosigned a tree of {last} entries, the log has {now}: the log was rolled back, or what answered there is wrong; it signed nothing that shows it"
            ))),
        },
        Some(last) if last != asked => Ok(last),
        _ => Err(WitnessFault::Unfit(format!(
            "found status 409 with \"{}\", wanted the size of the tree it cosigned last",
            answered.beginning()
        ))),
    }
}

/// The lines of known witnesses, each of which must verify over this checkpoint, at this time.
fn lines(answered: &Answered, log: &LogReader, cosigning: Cosigning) -> Result<Vec<Signature>, WitnessFault> {
    let stranger = || {
        let found = answered.beginning();
        WitnessFault::Unfit(format!("found \"{found}\", wanted a cosignature of a witness of the trust file"))
    };
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
            return Err(WitnessFault::Unfit(format!(
                "the cosignature of {} does not verify: it is of another tree, or not its own",
                excerpt(&line.name, 80)
            )));
        };
        let now = (cosigning.now)();
        if time.abs_diff(now) > TIME_OFF_MAX {
            return Err(WitnessFault::Unfit(format!(
                "the cosignature of {} bears the time {time}, this machine has {now}: one of the two clocks is wrong",
                excerpt(&line.name, 80)
            )));
        }
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if lines.is_empty() { Err(stranger()) } else { Ok(lines) }
}
