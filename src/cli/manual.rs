//! `deckproof completions` and `deckproof man`: what a shell and a manual need to know of the command line.

use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::Shell;

use crate::cli::{CliError, command, screen};
use deckproof_deck::text::exit::Exit;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  deckproof completions bash > ~/.local/share/bash-completion/completions/deckproof"
)]
pub(super) struct Completions {
    /// For which shell.
    shell: Shell,
}

#[derive(Args)]
pub(super) struct Man {
    /// The folder for the pages deckproof.1, deckproof-audit.1 and so on; it is created.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

/// Prints the script that completes commands and options in a shell.
pub(super) fn completions(arguments: &Completions) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command(), "deckproof", &mut script);
    std::io::Write::write_all(&mut screen::out(), &script).map_err(CliError::Output)?;
    Ok(Exit::Passed)
}

/// Writes a manual page for the program and for each command.
pub(super) fn man(arguments: &Man) -> Result<Exit, CliError> {
    let folder: &Path = &arguments.out;
    let failed = |error| CliError::file(folder, error);
    std::fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(command(), folder).map_err(failed)?;
    Ok(Exit::Passed)
}
