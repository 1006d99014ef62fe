//! `deckproof log`: the public log, for operators, witnesses and auditors.

mod append;
#[cfg(feature = "net")]
pub(in crate::cli) mod ask;
#[cfg(feature = "net")]
pub(in crate::cli) mod beacon;
mod cosign;
mod prove;
mod sample;
mod scan;
mod witness;

use clap::{Args, Subcommand};

use crate::cli::{CliError, print};
use crate::verification::OTHER_VERSION_OF_HAND;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_report::rendering::log;
use deckproof_verify::log::refusal::{Code, Refusal};

#[derive(Args)]
pub(super) struct LogArguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Begin a log in a new folder, and make its key if there is none.
    Init(append::InitArguments),
    /// Add entries, sync them, and publish the checkpoint that holds them.
    Append(append::AppendArguments),
    /// Print the signed checkpoint; with cosignatures of witnesses, put them on it.
    Checkpoint(append::CheckpointArguments),
    /// Print the receipt of an entry (a tlog-proof), or what a witness takes.
    Prove(prove::LogProveArguments),
    /// Check a whole log: order, gaps, second openings, unfinished hands, forks.
    Scan(scan::LogScanArguments),
    /// Name the hands that are opened in full to the lab, one in M, drawn by the beacon.
    Sample(sample::LogSampleArguments),
    /// Fetch the value of a round of the beacon from several relays, checked by its signature.
    #[cfg(feature = "net")]
    Beacon(beacon::LogBeaconArguments),
    /// Be a witness: cosign a checkpoint that holds everything cosigned before.
    Cosign(cosign::LogCosignArguments),
    /// Be a witness as a service, to which logs send their checkpoints.
    Witness(witness::LogWitnessArguments),
}

pub(super) fn run(arguments: &LogArguments) -> Result<Exit, CliError> {
    match &arguments.command {
        Command::Init(arguments) => append::init(arguments),
        Command::Append(arguments) => append::append(arguments),
        Command::Checkpoint(arguments) => append::checkpoint(arguments),
        Command::Prove(arguments) => prove::run(arguments),
        Command::Scan(arguments) => scan::run(arguments),
        Command::Sample(arguments) => sample::run(arguments),
        #[cfg(feature = "net")]
        Command::Beacon(arguments) => beacon::run(arguments),
        Command::Cosign(arguments) => cosign::run(arguments),
        Command::Witness(arguments) => witness::run(arguments),
    }
}

/// Says that the log is refused; not where nobody whom the reader trusts signed its checkpoint as it is, for that convicts nobody.
fn refused(refusal: &Refusal, is_json: bool) -> Result<Exit, CliError> {
    let advice = match refusal.code {
        _ if refusal.is_unknown_version => OTHER_VERSION_OF_HAND,
        Code::NoteUnsigned => {
            "It is another log, or another key of its name, than that of the trust file: compare the origins, and ask whose log this is."
        }
        Code::Note | Code::NoteSig => "This copy is damaged, or was altered: fetch it again.",
        _ => {
            print(&if is_json {
                format!("{}\n", log::refused_json(refusal))
            } else {
                log::refused(refusal)
            })?;
            return Ok(Exit::Refused);
        }
    };
    let found = format!("{}: {} ({})", refusal.place, refusal.message, refusal.code.name());
    Err(CouldNotSay::new(found, advice).into())
}
