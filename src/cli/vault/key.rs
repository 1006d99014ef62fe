//! `deckproof vault key`: a key of age for one person, in a file where there is no age-keygen, or in a token.

use std::path::PathBuf;

use clap::Args;

use crate::cli::vault::holder::TokenArguments;
use crate::cli::{CliError, check_new, done, write};
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::Access;
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
        return done(&format!("{public}\n"));
    }
    let out = arguments.out.as_deref().expect("clap wants it, or a token");
    check_new(out)?;
    let NewKey { file, public } = NewKey::draw();
    write(out, file.as_bytes(), Access::OwnerOnly)?;
    done(&format!("{public}\n"))
}
