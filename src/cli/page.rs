//! `deckproof page`: the page for players, one file that checks a hand in a browser.

use std::path::PathBuf;

use clap::Args;
use sha2::{Digest, Sha256};

use crate::cli::{CliError, print};
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::{Access, write_atomic};

/// As the sources below `web` make it; the tests there compare.
pub(super) const PAGE: &[u8] = include_bytes!("../../web/verify.html");

#[derive(Args)]
pub(super) struct Arguments {
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    write_atomic(&arguments.out, PAGE, Access::Public)
        .map_err(|error| CliError::file(&arguments.out, error))?;
    let sha256 = base16ct::lower::encode_string(&Sha256::digest(PAGE));
    print(&format!("{sha256}  {}\n", arguments.out.display()))?;
    Ok(Exit::Passed)
}
