//! `deckproof hands`: published hands read, counted, and judged as far as betting has no part in them.

mod dealt;
mod json;
mod words;

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::audit::verdict::Verdict;
use crate::cli::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen;
use crate::hands::census::Census;
use crate::hands::collection::Collection;
use crate::hands::dealt::read::DealtHands;
use crate::hands::description::{Description, describe};
use crate::hands::judgement::{Judgement, judge};

#[derive(Args)]
#[command(
    after_help = "Judged are the door cards of all seats dealt in, the bring-in by seat and card, and the exporting \
player's first three cards: betting has no part in them. Later streets and shown hands are described only, unless \
--dealt says that every dealt card is there.\n\n\
Exit codes: 0 nothing found in 1,000 hands or more, 1 something found, 2 too few hands, or some that cannot be read."
)]
pub(super) struct Arguments {
    /// Text exports of PokerStars and Full Tilt Poker, and Poker Hand History files (.phh, .phhs); - is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The files hold every dealt card in the order dealt, hidden ones too, and all streets are judged: tables with the columns hand, seat, street, card (seat - for a card all seats share; burned cards left out), or Poker Hand Histories without an unknown card.
    #[arg(long)]
    dealt: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Everything that is told.
struct Findings {
    collection: Collection,
    census: Census,
    description: Description,
    judgement: Judgement,
    exit: Exit,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    if arguments.dealt {
        return judge_dealt(arguments);
    }
    let mut collection = Collection::default();
    for path in &arguments.files {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        collection.add(&name, &read(path)?);
    }
    let census = Census::of(&collection.records);
    let judgement = judge(&census, !collection.impossible.is_empty());
    let exit = exit(&collection, &judgement);
    let description = describe(&collection.records);
    let findings = Findings { collection, census, description, judgement, exit };
    let text = match arguments.json {
        true => format!("{}\n", json::print(&findings)),
        false => words::print(&findings),
    };
    screen::out().write_all(text.as_bytes()).map_err(CliError::Output)?;
    Ok(exit)
}

/// The cards that were really dealt.
fn judge_dealt(arguments: &Arguments) -> Result<Exit, CliError> {
    let mut hands = DealtHands::default();
    for path in &arguments.files {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        hands.add(&name, &read(path)?);
    }
    let (text, exit) = dealt::report(&hands, arguments.json);
    screen::out().write_all(text.as_bytes()).map_err(CliError::Output)?;
    Ok(exit)
}

/// Hands that cannot be read might be just those that matter, so nothing passes without them.
fn exit(collection: &Collection, judgement: &Judgement) -> Exit {
    match judgement.verdict {
        Verdict::Fail | Verdict::Investigate => Exit::Refused,
        Verdict::Inconclusive => Exit::CouldNotSay,
        Verdict::Pass if !collection.unread.is_empty() => Exit::CouldNotSay,
        Verdict::Pass => Exit::Passed,
    }
}

/// The text of a file. Old exports have names in other encodings; those letters do not matter.
fn read(path: &Path) -> Result<String, CliError> {
    let mut bytes = Vec::new();
    let result = match path == Path::new("-") {
        true => io::stdin().lock().read_to_end(&mut bytes).map(|_| ()),
        false => fs::read(path).map(|found| bytes = found),
    };
    result.map_err(|error| CliError::file(path, error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
