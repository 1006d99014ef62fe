//! `deckproof vault open`: one hand, two keys, one line that says so.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::vault::failed;
use crate::cli::{CliError, print, screen, tool};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::{Access, write_atomic};
use deckproof_serve::service::log_folder;
use deckproof_serve::service::opening::{VaultOpening, open_hand};
use deckproof_vault::vault::Vault;
use deckproof_vault::vault::holders::Identities;
use deckproof_vault::vault::openings::{VaultEvent, append};

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of the service, with its log/, secret/ and vault/.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The table.
    #[arg(long, value_name = "TABLE")]
    table: String,
    /// The hand.
    #[arg(long, value_name = "HAND", value_parser = clap::value_parser!(u64).range(1..))]
    hand: u64,
    /// The age key of one of the two people, as age-keygen wrote it; give it twice, once for each share.
    #[arg(long, value_name = "FILE", required = true)]
    identity: Vec<PathBuf>,
    /// Why the hand is opened: up to 200 letters, which stay in vault/openings.txt.
    #[arg(long, value_name = "TEXT", value_parser = parse_reason)]
    reason: String,
    /// The full reveal, a new file for its owner alone: it opens all 52 cards.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// A sentence that stays in a file of lines.
pub(in crate::cli) fn parse_reason(text: &str) -> Result<String, &'static str> {
    let is_sentence = !text.trim().is_empty() && !text.chars().any(char::is_control);
    match is_sentence && text.chars().count() <= 200 {
        true => Ok(text.to_owned()),
        false => Err("wanted a sentence of 1 to 200 letters on one line"),
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    if std::fs::symlink_metadata(&arguments.out).is_ok() {
        return Err(CliError::Usage(format!("{}: found a file, wanted a new one", arguments.out.display())));
    }
    let hand = (arguments.table.as_str(), arguments.hand);
    let Some(opened) = opened(&arguments.folder, hand, &arguments.identity)? else {
        return Ok(Exit::Refused);
    };
    let line = note(&arguments.folder, hand, &arguments.reason, &opened)?;
    write_atomic(&arguments.out, opened.bundle.as_bytes(), Access::OwnerOnly)
        .map_err(|error| CliError::file(&arguments.out, error))?;
    print(&summary(arguments, line))?;
    Ok(Exit::Passed)
}

/// A hand that these keys open; nothing if it is refused, for a reason that is printed.
pub(in crate::cli) fn opened(
    folder: &Path,
    (table, hand): (&str, u64),
    identities: &[PathBuf],
) -> Result<Option<VaultOpening>, CliError> {
    let [first, second] = identities else {
        screen::warn(&format!(
            "deckproof: found {} --identity, wanted two: a hand is opened by two people together, and the share of one alone opens nothing",
            identities.len()
        ));
        return Ok(None);
    };
    let read = |path| Identities::read(path).map_err(|error| failed(&error));
    match open_hand(folder, table, hand, &[read(first)?, read(second)?]) {
        Ok(opened) => Ok(Some(opened)),
        Err(error) if error.is_refusal() => {
            screen::warn(&format!("deckproof: {error}; nothing was written"));
            Ok(None)
        }
        Err(error) => Err(CliError::CouldNotSay(CouldNotSay(error.to_string()))),
    }
}

/// The opening is written down before anything is shown.
pub(in crate::cli) fn note(
    folder: &Path,
    (table, hand): (&str, u64),
    reason: &str,
    opened: &VaultOpening,
) -> Result<u64, CliError> {
    let (log_size, log_root) = (opened.log.size, opened.log.root.to_string());
    let event = VaultEvent::Opened { table, hand, holders: &opened.holders, reason, log_size, log_root };
    append(&Vault::of(folder).openings_path(), &tool::time_utc(), &event).map_err(|error| failed(&error))
}

fn summary(arguments: &Arguments, line: u64) -> String {
    let Arguments { table, hand, folder, out, .. } = arguments;
    let openings = Vault::of(folder).openings_path();
    format!(
        "hand {hand} at table {table} is opened: every entry is the one in {}\n{} opens all 52 cards: confidential\n\
         who, when and why is line {line} of {}\n",
        log_folder(folder).display(),
        out.display(),
        openings.display()
    )
}
