//! The client of drand's relays: one round of quicknet, from the relay that has it first, believed by its signature alone.

use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use crate::exchange::{Address, Caller, ExchangeError, Inquiry};
use deckproof_table::table::pending::parse_value;
use deckproof_verify::log::beacon::{CHECKS_SIGNATURES, QUICKNET, is_signed};
use deckproof_verify::log::entry::BeaconValue;

/// A value takes 400 bytes.
const VALUE_BYTES_MAX: usize = 1 << 14;

/// How long one question to a relay may take before it is asked again.
const QUESTION_WAIT: Duration = Duration::from_secs(5);

/// How long to wait between two questions.
const ASK_AGAIN: Duration = Duration::from_millis(500);

/// Why a relay gave no value.
#[derive(Debug, thiserror::Error)]
pub enum RelayFault {
    /// It is lost, slow, or does not speak HTTP.
    #[error(transparent)]
    Exchange(#[from] ExchangeError),
    /// Another status than 200; drand has 404 or 425 for a round that is not out.
    #[error("{0}")]
    Status(String),
    /// What it gave is not the value, or nothing is believed unchecked.
    #[error("{0}")]
    Unfit(String),
}

/// A relay, and why it gave nothing.
pub type RelayFailure = (Address, RelayFault);

/// Which round is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoundAsked {
    /// This one; while it is not out, relays are asked again.
    Number(u64),
    /// The newest one, no older than this.
    Latest {
        /// The oldest round that counts.
        least: u64,
    },
}

impl RoundAsked {
    fn path(self) -> String {
        match self {
            RoundAsked::Number(round) => format!("/{QUICKNET}/public/{round}"),
            RoundAsked::Latest { .. } => format!("/{QUICKNET}/public/latest"),
        }
    }

    fn check(self, found: u64) -> Result<(), RelayFault> {
        let other = |wanted| RelayFault::Unfit(format!("found round {found}, wanted round {wanted}"));
        match self {
            RoundAsked::Number(wanted) if found != wanted => Err(other(wanted)),
            RoundAsked::Latest { least } if found < least => Err(other(least)),
            _ => Ok(()),
        }
    }
}

/// Asks all relays at once, and again until one has the round or the time is up: the first value that the network signed.
///
/// # Errors
/// Each relay with its last fault.
pub fn fetch(
    relays: &[Address],
    asked: RoundAsked,
    until: Instant,
) -> Result<BeaconValue, Vec<RelayFailure>> {
    let (sender, receiver) = channel();
    for (place, relay) in relays.iter().cloned().enumerate() {
        let sender = sender.clone();
        // Who is slow is left behind: its thread ends when the time is up, and nobody hears it where another relay was quicker.
        thread::spawn(move || ask(&relay, asked, until, &|value| _ = sender.send((place, value))));
    }
    drop(sender);
    let mut faults: Vec<Option<RelayFault>> = relays.iter().map(|_| None).collect();
    while let Ok((place, value)) =
        receiver.recv_timeout(until.saturating_duration_since(Instant::now()) + QUESTION_WAIT)
    {
        match value {
            Ok(value) => return Ok(value),
            Err(fault) => faults[place] = Some(fault),
        }
    }
    let faults = faults.into_iter().map(|fault| fault.unwrap_or(ExchangeError::Slow.into()));
    Err(relays.iter().cloned().zip(faults).collect())
}

/// Asks one relay until it has the round; each fault is reported, and the last one counts.
fn ask(relay: &Address, asked: RoundAsked, until: Instant, tell: &dyn Fn(Result<BeaconValue, RelayFault>)) {
    let caller = Caller::default();
    loop {
        let value = question(&caller, relay, asked, until);
        // A round that is not out, or a relay that stumbles, may be asked again; one that lies is not asked again.
        let is_final = match &value {
            Err(RelayFault::Exchange(fault)) => matches!(fault, ExchangeError::TooLong(_)),
            Err(RelayFault::Status(_)) => false,
            _ => true,
        };
        tell(value);
        if is_final || Instant::now() + ASK_AGAIN >= until {
            return;
        }
        thread::sleep(ASK_AGAIN);
    }
}

fn question(
    caller: &Caller,
    relay: &Address,
    asked: RoundAsked,
    until: Instant,
) -> Result<BeaconValue, RelayFault> {
    if !CHECKS_SIGNATURES {
        let found = "this build was made without the feature beacon and cannot check a signature";
        return Err(RelayFault::Unfit(found.to_owned()));
    }
    let (path, until) = (asked.path(), until.min(Instant::now() + QUESTION_WAIT));
    let answered = caller.get(Inquiry { address: relay, path: &path, until, bytes_max: VALUE_BYTES_MAX })?;
    if answered.status != 200 {
        let (status, text) = (answered.status, answered.beginning());
        return Err(RelayFault::Status(format!("found status {status} ({text}), wanted a value")));
    }
    let no_value = || format!("found \"{}\", wanted a round and its signature", answered.beginning());
    let value = parse_value(&answered.body).ok_or_else(|| RelayFault::Unfit(no_value()))?;
    asked.check(value.round)?;
    if is_signed(value.round, &value.signature) {
        return Ok(value);
    }
    Err(RelayFault::Unfit(format!("the network did not sign what it gave as round {}", value.round)))
}
