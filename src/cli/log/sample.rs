//! `deckproof log sample`: which hands the lab sees in full.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use crate::cli::CliError;
use crate::cli::log::files::{log_error, print, read_text, read_trust, refused};
use crate::cli::log::scan::check_note;
use crate::cli::screen;
use crate::commitment::digest::{Digest, parse_hex};
use crate::ledger::beacon;
use crate::ledger::log::reader::LogReader;
use crate::ledger::sample;
use crate::ledger::scan::report::OpenedHand;
use crate::ledger::scan::whole::{Unsound, scan};
use crate::presentation::log::{Draw, drawn_json, drawn_text, round_json, round_to_wait_for};
use crate::text::excerpt;
use crate::text::exit::Exit;

#[derive(Args)]
pub(super) struct Arguments {
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

/// A round of the beacon whose signature was checked.
struct Round {
    number: u64,
    randomness: Digest,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    let trust = read_trust(&arguments.trust)?;
    let reader = LogReader::open(&arguments.folder).map_err(log_error)?;
    let witnessed = match check_note(&arguments.folder.join("checkpoint"), reader.note(), Some(&trust))? {
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
    let round = read_round(given)?;
    if wanted.is_some_and(|wanted| wanted != round.number) {
        let wanted = wanted.unwrap_or_default();
        let message =
            format!("--beacon: found round {}, the witnesses' quorum fixes round {wanted}", round.number);
        return Err(CliError::Usage(message));
    }
    let report = match scan(&reader, true, &[]) {
        Ok(report) => report,
        Err(Unsound::Refused(refusal)) => return refused(&refusal, arguments.json),
        Err(Unsound::Unreadable(error)) => return Err(log_error(error)),
    };
    let root = &witnessed.checkpoint.tree.root;
    let is_drawn = |hand: &&OpenedHand| {
        hand.is_voided || sample::is_drawn(root, &round.randomness, &hand.deck, arguments.one_in)
    };
    let drawn: Vec<&OpenedHand> = report.opened.iter().filter(is_drawn).collect();
    let draw = Draw {
        round: round.number,
        one_in: arguments.one_in,
        is_witnessed: wanted.is_some(),
        opened: report.opened.len(),
        drawn,
    };
    print(&if arguments.json { format!("{}\n", drawn_json(&draw)) } else { drawn_text(&draw) })?;
    Ok(Exit::Passed)
}

/// Reads a round and checks that the network signed it.
fn read_round(given: &str) -> Result<Round, CliError> {
    let usage = |message: String| CliError::Usage(format!("--beacon: {message}"));
    let inline = given
        .split_once(':')
        .and_then(|(round, signature)| Some((round.parse::<u64>().ok()?, signature.to_owned())));
    let (number, signature) = match inline {
        Some(inline) => inline,
        None => from_json(&read_text(given.as_ref(), 1 << 16)?).ok_or_else(|| {
            usage(format!("{given}: found neither drand's JSON with round and signature nor ROUND:SIGNATURE"))
        })?,
    };
    let bytes: [u8; 48] = parse_hex(&signature).ok_or_else(|| {
        let letters = signature.chars().count();
        usage(format!(
            "found a signature of {letters} letters, {:?}, wanted 96 lower-case hexadecimal digits",
            excerpt(&signature, 20)
        ))
    })?;
    if number == 0 || number >= 1 << 53 {
        return Err(usage(format!("found round {number}, wanted 1 or more")));
    }
    if !beacon::CHECKS_SIGNATURES {
        screen::warn(
            "deckproof: the signature of the beacon is not checked: this build lacks the feature beacon",
        );
    }
    if !beacon::is_signed(number, &bytes) {
        return Err(usage(format!("drand quicknet did not sign this for round {number}")));
    }
    Ok(Round { number, randomness: beacon::randomness(&bytes) })
}

fn from_json(text: &str) -> Option<(u64, String)> {
    let json: Value = serde_json::from_str(text).ok()?;
    Some((json.get("round")?.as_u64()?, json.get("signature")?.as_str()?.to_owned()))
}
