//! `deckproof vault key`: a key of age for one person, in a file where there is no age-keygen, or in a token.

use std::path::PathBuf;

use clap::Args;

use crate::cli::vault::holder::TokenArguments;
use crate::cli::{CliError, print};
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::{Access, write_atomic};
use deckproof_vault::vault::holders::NewKey;

#[derive(Args)]
pub(super) struct VaultKeyArguments {
    /// The key, a new file for its owner alone.
    #[arg(long, value_name = "FILE", required_unless_present = "hsm", conflicts_with = "hsm")]
    out: Option<PathBuf>,
    #[command(flatten)]
    token: TokenArguments,
}

pub(super) fn run(arguments: &VaultKeyArguments) -> Result<Exit, CliError> {
    if let Some(public) = arguments.token.make_key()? {
        print(&format!("{public}\n"))?;
        return Ok(Exit::Passed);
    }
    let out = arguments.out.as_deref().expect("clap wants it, or a token");
    if std::fs::symlink_metadata(out).is_ok() {
        return Err(CliError::Usage(format!("{}: found a file, wanted a new one", out.display())));
    }
    let NewKey { file, public } = NewKey::draw();
    write_atomic(out, file.as_bytes(), Access::OwnerOnly).map_err(|error| CliError::file(out, error))?;
    print(&format!("{public}\n"))?;
    Ok(Exit::Passed)
}
