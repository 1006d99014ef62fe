//! `deckproof replay`: recorded hands played through and judged.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::cli::CliError;
use crate::cli::screen;
use crate::verification::replay::{HandReplay, hands_of, label};
use deckproof_deck::text::exit::Exit;

#[derive(Args)]
pub(super) struct ReplayArguments {
    /// Poker Hand History files (.phh or .phhs); - is standard input.
    #[arg(required = true, value_name = "HAND")]
    hands: Vec<PathBuf>,
    /// The rule set [default: the one the record names, else what all that play its variant share].
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// Fix a reading the text leaves open, such as odd_chip=left_of_dealer.
    #[arg(long = "reading", value_name = "NAME=VALUE")]
    readings: Vec<String>,
    /// Print one JSON object a hand.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &ReplayArguments) -> Result<Exit, CliError> {
    let replay = HandReplay::new(arguments.rules.as_deref(), &arguments.readings, arguments.json)?;
    let mut out = io::BufWriter::new(screen::out());
    let mut exit = Exit::Passed;
    for path in &arguments.hands {
        let hands = hands_of(path)?;
        let several = arguments.hands.len() > 1 || hands.len() > 1;
        for hand in hands {
            let label = several.then(|| label(path, &hand.0));
            let (text, judged) = replay.judged(label.as_deref(), &hand);
            writeln!(out, "{text}").map_err(CliError::Output)?;
            exit = exit.and(judged);
        }
    }
    out.flush().map_err(CliError::Output)?;
    Ok(exit)
}
