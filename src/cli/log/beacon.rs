//! `deckproof log beacon`: a round of the beacon, from several relays.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;

use crate::cli::log::ask::addresses;
use crate::cli::tool::posix_seconds;
use crate::cli::{CliError, print, screen, write};
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::Access;
use deckproof_net::exchange::Address;
use deckproof_net::remote::relays::{RoundAsked, fetch};
use deckproof_verify::log::beacon;
use deckproof_verify::log::entry::BeaconValue;

/// How long a round is waited for after it is due, by default.
const WAIT: Duration = Duration::from_secs(10);

#[derive(Args)]
pub(super) struct LogBeaconArguments {
    /// The round of drand quicknet.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..=1 << 53))]
    round: u64,
    /// Ask the relay of drand at this address, such as `https://api.drand.sh`; several, each with --relay: the first value that the network signed counts.
    #[arg(long, value_name = "ADDRESS", required = true)]
    relay: Vec<String>,
    /// How many seconds to wait [default: until the round is due, and 10 more].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    wait: Option<u64>,
    /// Write the value into this file, which deckproof deal --beacon reads, in place of standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(arguments: &LogBeaconArguments) -> Result<Exit, CliError> {
    let relays = addresses("--relay", &arguments.relay)?;
    let wait = arguments.wait.map(Duration::from_secs);
    let Some(value) = round(&relays, arguments.round, wait) else { return Ok(Exit::CouldNotSay) };
    let text = json(&value);
    match &arguments.out {
        None => print(&text)?,
        Some(path) => write(path, text.as_bytes(), Access::Public)?,
    }
    Ok(Exit::Passed)
}

/// The value of a round; where no relay has it, each is named with what it did.
pub(in crate::cli) fn round(relays: &[Address], round: u64, wait: Option<Duration>) -> Option<BeaconValue> {
    let until_due = Duration::from_secs(beacon::time_of(round).saturating_sub(posix_seconds()));
    let until = Instant::now() + wait.unwrap_or(until_due + WAIT);
    or_warning(fetch(relays, RoundAsked::Number(round), until))
}

/// Whether some relay has a round of the last minute.
pub(in crate::cli) fn is_reached(relays: &[Address]) -> bool {
    let least = beacon::first_round_at(posix_seconds().saturating_sub(60));
    or_warning(fetch(relays, RoundAsked::Latest { least }, Instant::now() + WAIT)).is_some()
}

fn or_warning(
    value: Result<BeaconValue, Vec<deckproof_net::remote::relays::RelayFailure>>,
) -> Option<BeaconValue> {
    value
        .map_err(|failures| {
            for (relay, fault) in failures {
                screen::warn(&format!("deckproof: relay {relay}: {fault}"));
            }
        })
        .ok()
}

fn json(value: &BeaconValue) -> String {
    let signature = base16ct::lower::encode_string(&value.signature);
    let (round, randomness) = (value.round, value.randomness);
    format!("{{\"round\":{round},\"randomness\":\"{randomness}\",\"signature\":\"{signature}\"}}\n")
}
