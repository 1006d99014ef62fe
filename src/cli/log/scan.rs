//! `deckproof log scan`: the auditor's side.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::cli::CliError;
use crate::cli::exit::Exit;
use crate::cli::log::files::{log_error, parse_note, print, read_note, read_trust, refused};
use crate::ledger::checkpoint::Checkpoint;
use crate::ledger::log::LogError;
use crate::ledger::log::reader::LogReader;
use crate::ledger::refusal::{Code, Refusal};
use crate::ledger::scan::report::Report;
use crate::ledger::scan::{Scan, ScanRules};
use crate::ledger::tree::TreeHead;
use crate::ledger::trust::Trust;
use crate::ledger::witnessed::Witnessed;

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

/// Why a log is not found sound.
pub(super) enum Unsound {
    Unreadable(LogError),
    Refused(Refusal),
}

impl From<LogError> for Unsound {
    fn from(error: LogError) -> Unsound {
        Unsound::Unreadable(error)
    }
}

impl From<Refusal> for Unsound {
    fn from(refusal: Refusal) -> Unsound {
        Unsound::Refused(refusal)
    }
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

/// Scans all that a checkpoint holds, in little memory. Only where an entry names a hand that ended is it read
/// again with everything remembered, for the right code.
fn scan_frugally(reader: &LogReader, is_live: bool, earlier: &[TreeHead]) -> Result<Report, Unsound> {
    match walk(reader, Scan::frugal(rules(reader, is_live, earlier))) {
        Err(Unsound::Refused(refusal)) if refusal.code == Code::LogOrphan => scan(reader, is_live, earlier),
        other => other,
    }
}

/// Scans all that a checkpoint holds, and lists every opened hand.
pub(super) fn scan(reader: &LogReader, is_live: bool, earlier: &[TreeHead]) -> Result<Report, Unsound> {
    walk(reader, Scan::new(rules(reader, is_live, earlier)))
}

/// The checkpoint's own tree is one of the trees to be met.
fn rules(reader: &LogReader, is_live: bool, earlier: &[TreeHead]) -> ScanRules {
    let Checkpoint { origin, tree } = reader.checkpoint().clone();
    ScanRules { origin, is_live, earlier: earlier.iter().copied().chain([tree]).collect() }
}

fn walk(reader: &LogReader, mut scan: Scan) -> Result<Report, Unsound> {
    reader.walk::<Unsound>(|entry| Ok(scan.entry(entry)?))?;
    Ok(scan.finish()?)
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
            print(&sound(arguments, &witnessed, &report))?;
            Ok(Exit::Passed)
        }
        Err(Unsound::Refused(refusal)) => refused(&refusal, arguments.json),
        Err(Unsound::Unreadable(error)) => Err(log_error(error)),
    }
}

fn sound(arguments: &Arguments, witnessed: &Witnessed, report: &Report) -> String {
    let (origin, tree) = (&witnessed.checkpoint.origin, &report.tree);
    if arguments.json {
        let json = json!({
            "verdict": "sound", "code": null, "origin": origin, "size": tree.size, "root": tree.root.to_string(),
            "closed": report.closed, "voids": report.voids, "unused": report.unused, "running": report.running,
            "earlier": arguments.old.len(), "signature": if arguments.trust.is_some() { "checked" } else { "not checked" },
            "quorum_time": witnessed.quorum_time,
        });
        return format!("{json}\n");
    }
    let mut text = format!("{}: sound, {} entries of {origin}.\n", arguments.folder.display(), tree.size);
    let mut line = |name: &str, value: String| {
        writeln!(text, "  {name:<16}{value}").expect("a string takes every line");
    };
    line("Root", tree.root.to_string());
    line("Hands", format!("{} closed, {} running.", report.closed, report.running));
    let voids: Vec<String> = report
        .voids
        .iter()
        .flat_map(|(table, reasons)| {
            reasons.iter().map(move |(why, number)| format!("{table} {number} ({why})"))
        })
        .collect();
    line("Voided", listed(&voids));
    let unused: Vec<String> =
        report.unused.iter().map(|(table, number)| format!("{table} {number}")).collect();
    line("Unused decks", listed(&unused));
    let earlier = match arguments.old.len() {
        0 => "none given: whether an earlier log was rewritten is not checked (--old FILE).".to_owned(),
        1 => "1 given, and this log begins with it.".to_owned(),
        several => format!("{several} given, and this log begins with each of them."),
    };
    line("Earlier trees", earlier);
    let signed = match (&arguments.trust, witnessed.quorum_time) {
        (None, _) => "not checked: no trust file was given (--trust FILE).".to_owned(),
        (Some(_), Some(time)) => format!("by the log, and by a quorum of witnesses at POSIX time {time}."),
        (Some(_), None) => {
            "by the log alone: without a quorum of witnesses others may have been shown another log."
                .to_owned()
        }
    };
    line("Signed", signed);
    text
}

fn listed(items: &[String]) -> String {
    if items.is_empty() { "none.".to_owned() } else { format!("{}.", items.join(", ")) }
}
