//! `deckproof log cosign`: a witness by file.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use crate::cli::CliError;
use crate::cli::log::files::{
    add_witness, log_error, print, read_key, read_small, read_trust, refused, write_key,
};
use crate::file::lock::PathLock;
use crate::file::{Access, read_limited, write_atomic};
use crate::ledger::checkpoint::Checkpoint;
use crate::ledger::log::LogError;
use crate::ledger::note::{NOTE_BYTES_MAX, is_key_name};
use crate::ledger::request::Request;
use crate::ledger::vkey::{KeyKind, Signer};
use crate::ledger::witness::{Answer, answer};
use crate::text::exit::Exit;

#[derive(Args)]
pub(super) struct Arguments {
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

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
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
        return Err(CliError::Usage(message));
    }
    let signer = Signer::generate(name, KeyKind::Witness);
    let signer = signer.map_err(|error| CliError::Usage(error.to_string()))?;
    write_key(key, &signer)?;
    if let Some(trust) = trust {
        add_witness(trust, &signer.vkey())?;
    }
    print(&format!("{}\n", signer.vkey()))?;
    Ok(Exit::Passed)
}

fn cosign(arguments: &Arguments, request: &Path, trust: &Path, state: &Path) -> Result<Exit, CliError> {
    let signer = read_key(&arguments.key)?;
    if signer.kind() != KeyKind::Witness {
        let message = format!("--key {}: a log's key cannot cosign", arguments.key.display());
        return Err(CliError::Usage(message));
    }
    let trust = read_trust(trust)?;
    let text = read_small(request)?;
    let asked = Request::parse(&text).ok_or_else(|| {
        let message =
            format!("{}: wanted \"old SIZE\", a proof, an empty line, a checkpoint", request.display());
        CliError::Usage(message)
    })?;
    let _lock = PathLock::take(state).map_err(|error| log_error(LogError::Lock(error)))?;
    let last = read_state(state, arguments.first)?;
    if let Some(last) = last.as_ref().filter(|last| last.origin != trust.origin) {
        let message = format!("--state {}: it belongs to the log {}", state.display(), last.origin);
        return Err(CliError::Usage(message));
    }
    match answer(&asked, &trust, last.as_ref()) {
        Err(refusal) => refused(&refusal, false),
        Ok(Answer::StartsElsewhere { last }) => {
            let message = format!(
                "the request starts at size {}, the last cosigned checkpoint had {last}: ask the operator for `log prove --from {last}`",
                asked.old
            );
            Err(CliError::Usage(message))
        }
        Ok(Answer::Cosign(checkpoint)) => {
            let text = checkpoint.to_string();
            // Kept before it is cosigned: a witness that forgets could be led to cosign a fork.
            write_atomic(state, text.as_bytes(), Access::Public)
                .map_err(|error| CliError::file(state, error))?;
            print(&format!("{}\n", signer.cosign(&text, now()?)))?;
            Ok(Exit::Passed)
        }
    }
}

/// The checkpoint cosigned last; only a witness that says so has none.
fn read_state(path: &Path, is_first: bool) -> Result<Option<Checkpoint>, CliError> {
    match read_limited(path, NOTE_BYTES_MAX as u64) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_first => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let message = format!(
                "--state {}: there is none; if you never cosigned this log, say --first",
                path.display()
            );
            Err(CliError::Usage(message))
        }
        Err(error) => Err(CliError::file(path, error)),
        Ok(_) if is_first => {
            let message = format!("--first: {} says that you have cosigned this log", path.display());
            Err(CliError::Usage(message))
        }
        Ok(bytes) => {
            let checkpoint = std::str::from_utf8(&bytes).ok().and_then(Checkpoint::parse);
            let damaged =
                || CliError::Usage(format!("--state {}: no checkpoint of three lines", path.display()));
            checkpoint.map(Some).ok_or_else(damaged)
        }
    }
}

fn now() -> Result<u64, CliError> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since.map(|since| since.as_secs()).ok().filter(|seconds| (1..1 << 63).contains(seconds));
    seconds.ok_or_else(|| CliError::Usage("the clock of this machine shows a time before 1970".to_owned()))
}
