//! `deckproof log scan`: the auditor's side.

use std::path::PathBuf;

use clap::Args;

use crate::cli::log::refused;
use crate::cli::{CliError, print};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_report::rendering::log::scan::{ScanAsked, ScanLimits, in_order, in_order_json, scan_claims};
use deckproof_table::log_folder::LogError;
use deckproof_table::log_folder::key_files::{check_log, earlier_trees, read_trust};
use deckproof_table::log_folder::reader::LogReader;
use deckproof_table::log_folder::whole::{Unsound, scan_frugally};
use deckproof_verify::claim::Headline;
use deckproof_verify::log::refusal::Code;

#[derive(Args)]
pub(super) struct LogScanArguments {
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
    /// Exit with 1 where more than this share of a table's decks that ended were voided, opened or not: 0 to 1.
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    max_voids: Option<f64>,
    /// Exit with 1 where more decks than this were neither opened nor voided, at all tables together.
    #[arg(long, value_name = "NUMBER")]
    max_unused: Option<u64>,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

fn parse_share(text: &str) -> Result<f64, &'static str> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("wanted a share from 0 to 1, such as 0.02"),
    }
}

pub(super) fn run(arguments: &LogScanArguments) -> Result<Exit, CliError> {
    let trust = arguments.trust.as_deref().map(read_trust).transpose()?;
    let reader = LogReader::open(&arguments.folder)?;
    let witnessed = match check_log(&arguments.folder, &reader, trust.as_ref())? {
        Ok(witnessed) => witnessed,
        Err(refusal) => return refused(&refusal, arguments.json),
    };
    let earlier = earlier_trees(&arguments.old, &witnessed.checkpoint, trust.as_ref())?;
    match scan_frugally(&reader, arguments.live, &earlier) {
        Ok(report) => {
            let limits = ScanLimits { voids: arguments.max_voids, unused: arguments.max_unused };
            let asked = ScanAsked {
                earlier: arguments.old.len(),
                is_trusted: arguments.trust.is_some(),
                is_live: arguments.live,
                limits,
            };
            print(&if arguments.json {
                format!("{}\n", in_order_json(&asked, &witnessed, &report))
            } else {
                in_order(&arguments.folder.display().to_string(), &asked, &witnessed, &report)
            })?;
            Ok(match scan_claims(&asked, &witnessed, &report).headline() {
                Headline::Accepted => Exit::Passed,
                _ => Exit::Refused,
            })
        }
        // Without a trust file nobody knows who signed what --old gives: it convicts no log.
        Err(Unsound::Refused(refusal)) if refusal.code == Code::LogConsistency && trust.is_none() => {
            let found =
                format!("the log does not begin with the tree of a file of --old: {}", refusal.message);
            let advice = "The signature of that file was not checked, so that it may be altered or typed wrong: give --trust FILE.";
            Err(CouldNotSay::new(found, advice).into())
        }
        Err(Unsound::Refused(mut refusal)) => {
            if refusal.code == Code::LogOpen {
                refusal.message += "; if the tables of this log still deal, scan it with --live: hands under way are then no fault";
            }
            refused(&refusal, arguments.json)
        }
        Err(Unsound::Unreadable(error @ LogError::Damaged { .. })) => {
            let advice = "This copy of the log is damaged, or was altered: copy it again. If a new copy is the same, the log does not give out what it \
                          signed.";
            Err(CouldNotSay::new(error.to_string(), advice).into())
        }
        Err(Unsound::Unreadable(error)) => Err(error.into()),
    }
}
