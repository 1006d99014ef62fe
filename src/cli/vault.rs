//! `deckproof vault`: what opens the hands that ended, by the keys of two people together.

pub(super) mod holder;
mod key;
pub(super) mod open;
mod prune;
pub(super) mod record;

use clap::{Args, Subcommand};

use crate::cli::CliError;
use deckproof_deck::text::exit::Exit;

#[derive(Args)]
pub(super) struct VaultArguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make the key of one person, in a file or in a token, and print its public key for a file of recipients; age-keygen makes such files.
    Key(key::VaultKeyArguments),
    /// Open all 52 cards of one hand with the keys of two people; who, when and why is an entry of the log.
    Open(Box<open::VaultOpenArguments>),
    /// Remove what opens old hands, for good.
    Prune(prune::VaultPruneArguments),
}

pub(super) fn run(arguments: &VaultArguments) -> Result<Exit, CliError> {
    match &arguments.command {
        Command::Key(arguments) => key::run(arguments),
        Command::Open(arguments) => open::run(arguments),
        Command::Prune(arguments) => prune::run(arguments),
    }
}
