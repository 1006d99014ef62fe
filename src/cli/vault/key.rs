//! `deckproof vault key`: a key of age for one person, where there is no age-keygen.

use std::path::PathBuf;

use clap::Args;

use crate::cli::{CliError, print};
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::{Access, write_atomic};
use deckproof_vault::vault::holders::NewKey;

#[derive(Args)]
pub(super) struct Arguments {
    /// The key, a new file for its owner alone.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    if std::fs::symlink_metadata(&arguments.out).is_ok() {
        return Err(CliError::Usage(format!("{}: found a file, wanted a new one", arguments.out.display())));
    }
    let NewKey { file, public } = NewKey::draw();
    write_atomic(&arguments.out, file.as_bytes(), Access::OwnerOnly)
        .map_err(|error| CliError::file(&arguments.out, error))?;
    print(&format!("{public}\n"))?;
    Ok(Exit::Passed)
}
