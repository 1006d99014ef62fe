//! The value of a public beacon that the sample of hands is drawn from: a round of drand quicknet whose signature is checked.

use std::path::Path;

use crate::commitment::digest::parse_hex;
use crate::file::read_text_limited;
use crate::ledger::beacon;
use crate::monitoring::check::{CheckResult, DayCheck};

/// What drand gives is shorter.
const BYTES_MAX: u64 = 1 << 16;

/// A round that the network signed.
pub struct Drawn {
    /// SHA-256 of the signature, in hexadecimal.
    pub randomness: String,
    /// Which round, for a person.
    pub words: String,
}

/// Why a round says nothing good.
pub enum BeaconFault {
    /// The file is not there or no round.
    Unreadable(String),
    /// The network did not sign it.
    Refused(String),
}

impl BeaconFault {
    /// As a step of the day.
    pub fn check(&self, name: &str) -> DayCheck {
        match self {
            BeaconFault::Unreadable(reason) => DayCheck::new(name, CheckResult::CouldNotSay, reason.as_str()),
            BeaconFault::Refused(fault) => DayCheck::new(name, CheckResult::Refused, fault.as_str()),
        }
    }
}

/// What is said where no beacon is configured: whoever writes the log or the record could then choose.
pub fn without() -> String {
    "drawn without a beacon, so that who writes the log could choose the sample".to_owned()
}

/// Reads a round as drand gives it, JSON with `round` and `signature`, and checks that the network signed it.
///
/// # Errors
/// [`BeaconFault`].
pub fn read(path: &str) -> Result<Drawn, BeaconFault> {
    let text = read_text_limited(Path::new(path), BYTES_MAX)
        .map_err(|error| BeaconFault::Unreadable(format!("{path}: {error}")))?;
    let (round, signature) = parse(&text).ok_or_else(|| {
        let wanted = "wanted the JSON of drand quicknet with round and a signature of 96 lower-case hexadecimal digits";
        BeaconFault::Unreadable(format!("{path}: {wanted}"))
    })?;
    if !beacon::is_signed(round, &signature) {
        return Err(BeaconFault::Refused(format!(
            "{path}: drand quicknet did not sign this for round {round}"
        )));
    }
    let checked = if beacon::CHECKS_SIGNATURES { "signed" } else { "signature not checked by this build" };
    Ok(Drawn {
        randomness: beacon::randomness(&signature).to_string(),
        words: format!("drawn by round {round} of drand quicknet ({checked})"),
    })
}

fn parse(text: &str) -> Option<(u64, [u8; 48])> {
    let json: serde_json::Value = serde_json::from_str(text).ok()?;
    let round = json.get("round")?.as_u64().filter(|&round| round > 0 && round < 1 << 53)?;
    Some((round, parse_hex(json.get("signature")?.as_str()?)?))
}
