//! `deckproof log scan`: the auditor's side.

use std::path::{Path, PathBuf};

use crate::cli::CliError;
use crate::cli::log::files::{log_error, parse_note, print, read_note, read_trust, refused};
use crate::ledger::checkpoint::Checkpoint;
use crate::ledger::log::reader::LogReader;
use crate::ledger::refusal::Refusal;
use crate::ledger::scan::whole::{Unsound, scan_frugally};
use crate::ledger::trust::Trust;
use crate::ledger::witnessed::Witnessed;
use crate::presentation::log::{ScanAsked, sound, sound_json};
use crate::text::exit::Exit;
use clap::Args;

#[derive(Args)]
pub(super) struct Arguments {
    /// The log's folder.
    folder: PathBuf,
    /// The log you trust; without it no signature is checked.
    #[arg(long, value_name = "FILE")]
    trust: Option<PathBuf>,
    /// Checkpoints or receipts you saved earlier: the log must begin with their trees.
    #[arg(long, value_name = "FILE")]
    old: Vec<PathBuf>,
    /// The log is still growing: the last hand of each table may run.
    #[arg(long)]
    live: bool,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

/// The checkpoint of a log, and when a quorum had cosigned it.
pub(super) fn check_note(
    path: &Path,
    note: &str,
    trust: Option<&Trust>,
) -> Result<Result<Witnessed, Refusal>, CliError> {
    if let Some(trust) = trust {
        return Ok(Witnessed::parse(note, trust, &path.display().to_string()));
    }
    let checkpoint = Checkpoint::parse(&parse_note(path, note)?.text)
        .ok_or_else(|| CliError::Usage(format!("{}: wanted a checkpoint of three lines", path.display())))?;
    Ok(Ok(Witnessed { checkpoint, quorum_time: None }))
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    let trust = arguments.trust.as_deref().map(read_trust).transpose()?;
    let reader = LogReader::open(&arguments.folder).map_err(log_error)?;
    let witnessed = match check_note(&arguments.folder.join("checkpoint"), reader.note(), trust.as_ref())? {
        Ok(witnessed) => witnessed,
        Err(refusal) => return refused(&refusal, arguments.json),
    };
    let mut earlier = Vec::new();
    for path in &arguments.old {
        let old = match check_note(path, &read_note(path)?, trust.as_ref())? {
            Ok(old) => old.checkpoint,
            Err(refusal) => return refused(&refusal, arguments.json),
        };
        if old.origin != witnessed.checkpoint.origin {
            let message = format!("--old {}: the checkpoint of another log, {}", path.display(), old.origin);
            return Err(CliError::Usage(message));
        }
        earlier.push(old.tree);
    }
    match scan_frugally(&reader, arguments.live, &earlier) {
        Ok(report) => {
            let asked = ScanAsked { earlier: arguments.old.len(), is_trusted: arguments.trust.is_some() };
            print(&match arguments.json {
                true => format!("{}\n", sound_json(&asked, &witnessed, &report)),
                false => sound(&arguments.folder.display().to_string(), &asked, &witnessed, &report),
            })?;
            Ok(Exit::Passed)
        }
        Err(Unsound::Refused(refusal)) => refused(&refusal, arguments.json),
        Err(Unsound::Unreadable(error)) => Err(log_error(error)),
    }
}
