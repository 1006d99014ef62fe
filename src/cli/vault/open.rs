//! `deckproof vault open`: one hand, two keys, one entry of the log that says so.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::vault::holder::{TokenArguments, two_people};
use crate::cli::vault::record::RecordArguments;
use crate::cli::{CliError, check_new, done, failed, screen, tool};
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::{Access, Prepared};
use deckproof_serve::service::log_folder;
use deckproof_serve::service::opening::{VaultOpening, open_hand};
use deckproof_verify::log::entry::names::is_reason;

#[derive(Args)]
pub(super) struct VaultOpenArguments {
    /// The folder of the service, with its log/, secret/ and vault/.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The table.
    #[arg(long, value_name = "TABLE")]
    table: String,
    /// The hand.
    #[arg(long, value_name = "HAND", value_parser = clap::value_parser!(u64).range(1..))]
    hand: u64,
    /// The age key of one of the two people, as age-keygen wrote it; give it twice, once for each share, or once beside --hsm.
    #[arg(long, value_name = "FILE")]
    identity: Vec<PathBuf>,
    #[command(flatten)]
    token: TokenArguments,
    /// Why the hand is opened: up to 200 characters of ASCII. They stay in the log, which is public: name nobody.
    #[arg(long, value_name = "TEXT", value_parser = parse_reason)]
    reason: String,
    /// The full reveal, a new file for its owner alone: it opens all 52 cards.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    record: RecordArguments,
}

/// What stays in the log.
pub(in crate::cli) fn parse_reason(text: &str) -> Result<String, &'static str> {
    if is_reason(text) {
        Ok(text.to_owned())
    } else {
        Err("wanted 1 to 200 printable characters of ASCII, without a space at the ends")
    }
}

pub(super) fn run(arguments: &VaultOpenArguments) -> Result<Exit, CliError> {
    check_new(&arguments.out)?;
    let hand = (arguments.table.as_str(), arguments.hand);
    let Some(opened) =
        opened(&arguments.folder, hand, (&arguments.identity, &arguments.token), &arguments.reason)?
    else {
        return Ok(Exit::Refused);
    };
    let out = &arguments.out;
    let bundle = Prepared::write(out, opened.bundle.as_bytes(), Access::OwnerOnly)
        .map_err(|error| CliError::file(out, error))?;
    let recorded = arguments.record.record(&arguments.folder, Some(opened.unseal), out, bundle)?;
    done(&summary(arguments, &recorded))
}

/// A hand that these keys open; nothing if it is refused, for a reason that is printed.
pub(in crate::cli) fn opened(
    folder: &Path,
    hand: (&str, u64),
    (identities, token): (&[PathBuf], &TokenArguments),
    reason: &str,
) -> Result<Option<VaultOpening>, CliError> {
    let people = two_people(identities, token)?;
    match open_hand(folder, hand, &people, (tool::posix_seconds(), reason)) {
        Ok(opened) => Ok(Some(opened)),
        Err(error) if error.is_refusal() => {
            screen::warn(&format!("deckproof: {error}; nothing was written"));
            Ok(None)
        }
        Err(error) => Err(failed(error)),
    }
}

fn summary(arguments: &VaultOpenArguments, recorded: &str) -> String {
    let VaultOpenArguments { table, hand, folder, out, .. } = arguments;
    format!(
        "hand {hand} at table {table} is opened: every entry is the one in {}\n{} opens all 52 cards: confidential\n{recorded}",
        log_folder(folder).display(),
        out.display(),
    )
}
