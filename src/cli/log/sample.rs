//! `deckproof log sample`: which hands the lab sees in full.

use std::path::PathBuf;

use clap::Args;

use crate::cli::log::refused;
use crate::cli::screen;
use crate::cli::{CliError, done, print};
use deckproof_deck::text::exit::Exit;
use deckproof_report::rendering::log::{Draw, drawn_json, drawn_text, round_json, round_to_wait_for};
use deckproof_table::log_folder::key_files::{check_log, read_trust};
use deckproof_table::log_folder::reader::LogReader;
use deckproof_table::log_folder::sample;
use deckproof_table::log_folder::whole::{Unsound, scan};
use deckproof_verify::log::beacon;

#[derive(Args)]
pub(super) struct LogSampleArguments {
    /// The log's folder, under the checkpoint that was announced as final.
    folder: PathBuf,
    /// The log you trust, and the witnesses whose quorum fixes the round.
    #[arg(long, value_name = "FILE")]
    trust: PathBuf,
    /// One opened hand in M is drawn; announced with the checkpoint.
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u64).range(1..))]
    one_in: u64,
    /// The quicknet round as drand gives it: a JSON file with round and signature, or ROUND:SIGNATURE. Without it the round to wait for is printed.
    #[arg(long, value_name = "FILE|ROUND:HEX")]
    beacon: Option<String>,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &LogSampleArguments) -> Result<Exit, CliError> {
    let trust = read_trust(&arguments.trust)?;
    let reader = LogReader::open(&arguments.folder)?;
    let witnessed = match check_log(&arguments.folder, &reader, Some(&trust))? {
        Ok(witnessed) => witnessed,
        Err(refusal) => return refused(&refusal, arguments.json),
    };
    let wanted = witnessed.quorum_time.map(sample::round);
    let Some(given) = &arguments.beacon else {
        let text =
            if arguments.json { format!("{}\n", round_json(wanted)) } else { round_to_wait_for(wanted) };
        print(&text)?;
        return Ok(Exit::CouldNotSay);
    };
    let round = sample::read_round(given)?;
    if !beacon::CHECKS_SIGNATURES {
        screen::warn(
            "deckproof: the signature of the beacon is not checked: this build lacks the feature beacon",
        );
    }
    if wanted.is_some_and(|wanted| wanted != round.number) {
        let wanted = wanted.unwrap_or_default();
        let message =
            format!("--beacon: found round {}, the witnesses' quorum fixes round {wanted}", round.number);
        return Err(CliError::Problem(message));
    }
    let report = match scan(&reader, true, &[]) {
        Ok(report) => report,
        Err(Unsound::Refused(refusal)) => return refused(&refusal, arguments.json),
        Err(Unsound::Unreadable(error)) => return Err(error.into()),
    };
    let draw = Draw {
        round: round.number,
        one_in: arguments.one_in,
        is_witnessed: wanted.is_some(),
        opened: report.opened.len(),
        drawn: sample::drawn(&report.opened, &witnessed.checkpoint.tree, &round, arguments.one_in),
    };
    done(&if arguments.json { format!("{}\n", drawn_json(&draw)) } else { drawn_text(&draw) })
}
