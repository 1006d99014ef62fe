//! `deckproof log cosign`: a witness by file.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::log::refused;
use crate::cli::{CliError, done, failed, print, tool};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_table::log_folder::key_files::{
    add_witness, check_new_witness, read_key, read_trust, write_key,
};
use deckproof_table::log_folder::witness::{WitnessClock, WitnessPost, WitnessReply, read_request};
use deckproof_verify::log::checkpoint::Checkpoint;
use deckproof_verify::log::note::{Note, is_key_name};
use deckproof_verify::log::request::Request;
use deckproof_verify::log::vkey::{KeyKind, Signer};

#[derive(Args)]
pub(super) struct LogCosignArguments {
    /// What the operator asks: the file `publication` of the log, or the output of `log prove --from`; - is standard input.
    #[arg(required_unless_present = "init", value_name = "REQUEST")]
    request: Option<PathBuf>,
    /// The log you watch: a trust file with its name and keys; with --init, the trust file to which your public key is added.
    #[arg(long, value_name = "FILE", required_unless_present = "init")]
    trust: Option<PathBuf>,
    /// Your secret key.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The checkpoint you cosigned last: never lose it and never put an older one back.
    #[arg(long, value_name = "FILE", required_unless_present = "init")]
    state: Option<PathBuf>,
    /// You never cosigned this log: begin the state.
    #[arg(long, conflicts_with = "init")]
    first: bool,
    /// Make a key under this name, such as witness.example/w1, and print its public part.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["request", "state"])]
    init: Option<String>,
}

pub(super) fn run(arguments: &LogCosignArguments) -> Result<Exit, CliError> {
    match (&arguments.init, &arguments.request, &arguments.trust, &arguments.state) {
        (Some(name), _, trust, _) => init(name, &arguments.key, trust.as_deref()),
        (None, Some(request), Some(trust), Some(state)) => cosign(arguments, request, trust, state),
        _ => unreachable!("the arguments are required"),
    }
}

fn init(name: &str, key: &Path, trust: Option<&Path>) -> Result<Exit, CliError> {
    if !is_key_name(name) {
        let message = format!(
            "--init: found {name:?}, wanted a name in printable ASCII without space and +, such as witness.example/w1"
        );
        return Err(CliError::Problem(message));
    }
    trust.map_or(Ok(()), |trust| check_new_witness(trust, name))?;
    let signer = Signer::generate(name, KeyKind::Witness);
    let signer = signer.map_err(failed)?;
    write_key(key, &signer)?;
    if let Some(trust) = trust {
        add_witness(trust, &signer.vkey())?;
    }
    done(&format!("{}\n", signer.vkey()))
}

fn cosign(
    arguments: &LogCosignArguments,
    request: &Path,
    trust: &Path,
    state: &Path,
) -> Result<Exit, CliError> {
    let signer = witness_key(&arguments.key)?;
    let trust = read_trust(trust)?;
    let asked = read_request(request)?;
    let post = WitnessPost { signer: &signer, trust: &trust, state };
    match post.cosign(&asked, arguments.first, &mut WitnessClock::new(now, 0))? {
        WitnessReply::Cosigned(line) => print(&format!("{line}\n")).map(|()| Exit::Passed),
        WitnessReply::Refused { refusal, last } => match size_of(&asked) {
            Some(size) if size < last => Err(CouldNotSay::new(
                format!("the request is of a log of size {size}, and you have cosigned size {last}"),
                "It is an old request that came late, or the log was rolled back: ask the operator for one of the log as it is now. If the log has no \
                 more entries than this, it lost what it had signed.",
            )
            .into()),
            _ => refused(&refusal, false),
        },
        WitnessReply::Unproven { message, last } => Err(CouldNotSay::new(
            message,
            &format!(
                "Nobody signs a proof, and one that lost a character on its way looks the same: ask the operator for `log prove --from {last}` again. \
                 If a whole one does not show it either, the log does not hold what you cosigned: keep both checkpoints, which it signed."
            ),
        )
        .into()),
        WitnessReply::StartsElsewhere { last } => {
            let message = format!(
                "the request starts at size {}, the last cosigned checkpoint had {last}: ask the operator for `log prove --from {last}`",
                asked.old
            );
            Err(CliError::Problem(message))
        }
    }
}

/// Of how many entries a request is.
fn size_of(request: &Request) -> Option<u64> {
    Some(Checkpoint::parse(&Note::parse(&request.note).ok()?.text)?.tree.size)
}

/// The secret key of a witness.
pub(super) fn witness_key(path: &Path) -> Result<Signer, CliError> {
    let signer = read_key(path)?;
    if signer.kind() != KeyKind::Witness {
        let message = format!("--key {}: a log's key cannot cosign", path.display());
        return Err(CliError::Problem(message));
    }
    Ok(signer)
}

/// The time in POSIX seconds.
pub(super) fn now() -> Result<u64, CouldNotSay> {
    let seconds = Some(tool::posix_seconds()).filter(|seconds| *seconds > 0);
    seconds.ok_or_else(|| CouldNotSay("the clock of this machine shows a time before 1970".to_owned()))
}
