//! `deckproof log init`, `append` and `checkpoint`: the operator's side.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::screen;
use crate::cli::{CliError, done, failed};
use deckproof_deck::text::exit::Exit;
use deckproof_report::rendering::log;
use deckproof_table::log_folder::Log;
use deckproof_table::log_folder::additions::add;
use deckproof_table::log_folder::key_files::{
    put_cosignatures, read_entries, read_own_key, write_key, write_trust,
};
use deckproof_table::log_folder::reader::LogReader;
use deckproof_verify::log::entry::names::is_origin;
use deckproof_verify::log::vkey::{KeyKind, Signer};

#[derive(Args)]
pub(super) struct InitArguments {
    /// The log's folder; it must be new or empty. All of it can be published.
    folder: PathBuf,
    /// The log's name, such as stud.example/log1: what its checkpoints and decks bear.
    #[arg(long, value_name = "NAME")]
    origin: String,
    /// The secret key that signs checkpoints, kept apart from the log; made if the file does not exist.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Write a trust file for players and auditors here: the log's name and public key, and no witness yet.
    #[arg(long, value_name = "FILE")]
    trust: Option<PathBuf>,
}

pub(super) fn init(arguments: &InitArguments) -> Result<Exit, CliError> {
    if !is_origin(&arguments.origin) {
        let found = &arguments.origin;
        let message =
            format!("--origin: found {found:?}, wanted a name in small letters such as stud.example/log1");
        return Err(CliError::Problem(message));
    }
    if arguments.key.starts_with(&arguments.folder) {
        let message = "--key: the folder of the log is published; keep the key somewhere else";
        return Err(CliError::Problem(message.to_owned()));
    }
    let is_old = arguments.key.exists();
    let signer = if is_old {
        read_own_key(&arguments.key, &arguments.folder)?
    } else {
        let signer = Signer::generate(&arguments.origin, KeyKind::Log);
        let signer = signer.map_err(failed)?;
        write_key(&arguments.key, &signer)?;
        signer
    };
    if signer.name() != arguments.origin {
        let message = format!("--key {}: it is the key of {}", arguments.key.display(), signer.name());
        return Err(CliError::Problem(message));
    }
    if let Some(trust) = arguments.trust.as_ref().filter(|trust| trust.exists()) {
        return Err(CliError::Problem(format!("--trust {}: it exists already", trust.display())));
    }
    Log::init(&arguments.folder, &signer)?;
    if let Some(trust) = &arguments.trust {
        write_trust(trust, &signer.vkey(), &arguments.origin)?;
    }
    let again = if is_old {
        "The key was there before. If it has signed a log of this name, this one contradicts it from its first entry: then begin a log with another \
         name and a new key.\n"
    } else {
        ""
    };
    done(&format!(
        "{}: a log without entries.\nIts public key, for the trust files of others:\n  {}\n{again}",
        arguments.folder.display(),
        signer.vkey()
    ))
}

#[derive(Args)]
pub(super) struct AppendArguments {
    /// The log's folder.
    folder: PathBuf,
    /// Files of one or more entries each, such as the public/entries.txt of a table; - is standard input. What the log has already is left out, and what does not fit it is refused with all the rest.
    #[arg(required = true, value_name = "FILE")]
    entries: Vec<PathBuf>,
    /// The secret key of the log.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
}

pub(super) fn append(arguments: &AppendArguments) -> Result<Exit, CliError> {
    let signer = read_own_key(&arguments.key, &arguments.folder)?;
    let entries = read_entries(&arguments.entries)?;
    let additions = add(&arguments.folder, &entries, &signer)?;
    done(&log::added(&additions))
}

#[derive(Args)]
pub(super) struct CheckpointArguments {
    /// The log's folder.
    folder: PathBuf,
    /// What witnesses answered: files of signature lines for the current checkpoint.
    #[arg(long, value_name = "FILE", requires = "trust")]
    cosigned: Vec<PathBuf>,
    /// Whose cosignatures are taken: a trust file with the witnesses' keys.
    #[arg(long, value_name = "FILE")]
    trust: Option<PathBuf>,
    /// Ask the witness at this address, such as http://127.0.0.1:7002; several, each with --witness. Ends with 0 where the quorum of the trust file has cosigned, with 1 where a witness says that the log was rolled back or forked.
    #[arg(long, value_name = "ADDRESS", requires = "trust")]
    witness: Vec<String>,
    /// How many seconds witnesses are waited for.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    wait: u64,
}

pub(super) fn checkpoint(arguments: &CheckpointArguments) -> Result<Exit, CliError> {
    if let Some(trust) = arguments.trust.as_ref().filter(|_| !arguments.cosigned.is_empty()) {
        let left_out = |path: &Path| {
            screen::warn(&format!(
                "deckproof: {}: a line is left out: no cosignature of this checkpoint by a witness of the trust file",
                path.display()
            ));
        };
        put_cosignatures(&arguments.folder, &arguments.cosigned, trust, &left_out)?;
    }
    if let Some(trust) = arguments.trust.as_ref().filter(|_| !arguments.witness.is_empty()) {
        return ask(arguments, trust);
    }
    done(LogReader::open(&arguments.folder)?.note())
}

#[cfg(feature = "net")]
fn ask(arguments: &CheckpointArguments, trust: &Path) -> Result<Exit, CliError> {
    use std::time::Duration;

    use crate::cli::log::ask::{addresses, witnesses};
    let asked = addresses("--witness", &arguments.witness)?;
    witnesses(&arguments.folder, &asked, trust, Duration::from_secs(arguments.wait))
}

#[cfg(not(feature = "net"))]
fn ask(arguments: &CheckpointArguments, _trust: &Path) -> Result<Exit, CliError> {
    let wait = arguments.wait;
    Err(CliError::Problem(format!(
        "--witness: this build was made without the feature net, no witness is called for {wait} s"
    )))
}
