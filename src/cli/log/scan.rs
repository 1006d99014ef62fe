//! `deckproof log scan`: the auditor's side.

use std::path::PathBuf;

use clap::Args;

use crate::cli::log::refused;
use crate::cli::{CliError, print};
use crate::ledger::kept::{check_log, earlier_trees, read_trust};
use crate::ledger::log::reader::LogReader;
use crate::ledger::scan::whole::{Unsound, scan_frugally};
use crate::presentation::log::{ScanAsked, sound, sound_json};
use crate::text::exit::Exit;

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

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    let trust = arguments.trust.as_deref().map(read_trust).transpose()?;
    let reader = LogReader::open(&arguments.folder)?;
    let witnessed = match check_log(&arguments.folder, &reader, trust.as_ref())? {
        Ok(witnessed) => witnessed,
        Err(refusal) => return refused(&refusal, arguments.json),
    };
    let origin = &witnessed.checkpoint.origin;
    let earlier = match earlier_trees(&arguments.old, origin, trust.as_ref())? {
        Ok(earlier) => earlier,
        Err(refusal) => return refused(&refusal, arguments.json),
    };
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
        Err(Unsound::Unreadable(error)) => Err(error.into()),
    }
}
