//! `deckproof rank`: hands named as a player would.

use std::io::{self, BufRead, Write};

use clap::Args;

use crate::cli::CliError;
use crate::cli::screen;
use deckproof_deck::text::exit::Exit;
use deckproof_report::rendering::ranks::{in_words, to_json, write_census};
use deckproof_stud::stud::low::Low8;
use deckproof_stud::stud::rank::High;
use deckproof_stud::stud::rank::census::census;
use deckproof_stud::stud::typed::{parse, words};

#[derive(Args)]
pub(super) struct RankArguments {
    /// Five to seven cards, such as 'As Ks 9h 9d 4c 3c 2s'; with - or without any, one hand a line from standard input.
    #[arg(value_name = "CARDS")]
    hands: Vec<String>,
    /// Print one JSON object a hand.
    #[arg(long)]
    json: bool,
    /// Rank all 133,784,560 hands of seven cards, and print the counts by high category and low.
    #[arg(long, conflicts_with_all = ["hands", "json"])]
    exhaustive: bool,
}

pub(super) fn run(arguments: &RankArguments) -> Result<Exit, CliError> {
    let mut out = io::BufWriter::new(screen::out());
    if arguments.exhaustive {
        return write_census(&mut out, &census(7)).map(|()| Exit::Passed).map_err(CliError::Output);
    }
    if arguments.hands.is_empty() || arguments.hands == ["-"] {
        for (number, line) in (1..).zip(io::stdin().lock().lines()) {
            let line = line.map_err(|error| CliError::file("standard input".as_ref(), error))?;
            if !line.trim().is_empty() {
                name(&mut out, &format!("line {number}"), &line, arguments.json)?;
            }
        }
    } else {
        // Typed without quotes, a hand comes as one argument a card.
        let is_one_hand =
            arguments.hands.len() > 1 && arguments.hands.iter().all(|hand| words(hand).len() == 1);
        let hands = if is_one_hand { vec![arguments.hands.join(" ")] } else { arguments.hands.clone() };
        for (number, hand) in (1..).zip(&hands) {
            name(&mut out, &format!("hand {number}"), hand, arguments.json)?;
        }
    }
    out.flush().map_err(CliError::Output)?;
    Ok(Exit::Passed)
}

fn name(out: &mut impl Write, place: &str, text: &str, as_json: bool) -> Result<(), CliError> {
    let cards = parse(text).map_err(|problem| CliError::Problem(format!("{place}: {problem}")))?;
    let (high, low) = (High::best(cards), Low8::best(cards));
    let line = if as_json { to_json(high, low).to_string() } else { in_words(text, high, low) };
    writeln!(out, "{line}").map_err(CliError::Output)
}
