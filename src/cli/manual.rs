//! `deckproof completions` and `deckproof man`: what a shell and a manual need to know of the command line.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Arg, Args, Command};
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
    #[arg(long, value_name = "FOLDER", required_unless_present = "reference")]
    out: Option<PathBuf>,
    /// Print every command with its options as one page of Markdown: docs/commands.md.
    #[arg(long, conflicts_with = "out")]
    reference: bool,
}

/// Prints the script that completes commands and options in a shell.
pub(super) fn completions(arguments: &Completions) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command(), "deckproof", &mut script);
    std::io::Write::write_all(&mut screen::out(), &script).map_err(CliError::Output)?;
    Ok(Exit::Passed)
}

/// Writes a manual page for the program and for each command, or prints all of them as one of Markdown.
pub(super) fn man(arguments: &Man) -> Result<Exit, CliError> {
    let Some(folder) = arguments.out.as_deref() else {
        return screen::say(&reference()).map(|()| Exit::Passed).map_err(CliError::Output);
    };
    let failed = |error| CliError::file(folder, error);
    std::fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(command(), folder).map_err(failed)?;
    Ok(Exit::Passed)
}

/// Every command with its options, as the program knows them; the examples and exit codes stand in its help.
fn reference() -> String {
    let mut program = command();
    program.build();
    let mut text = "# Commands and options\n\nThis page is what `deckproof man --reference` prints. `deckproof COMMAND --help` has examples too.\n"
        .to_owned();
    for own in program.get_subcommands().filter(|own| own.get_name() != "help") {
        write_command(&mut text, own, &format!("deckproof {}", own.get_name()), 2);
    }
    text
}

fn write_command(text: &mut String, command: &Command, name: &str, level: usize) {
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let _ = write!(text, "\n{} {name}\n{}\n", "#".repeat(level), one_line(&about));
    let mut shown =
        command.get_arguments().filter(|own| !own.is_hide_set() && own.get_id() != "help").peekable();
    if shown.peek().is_some() {
        text.push('\n');
    }
    shown.for_each(|own| write_argument(text, own));
    for own in command.get_subcommands().filter(|own| own.get_name() != "help") {
        write_command(text, own, &format!("{name} {}", own.get_name()), level + 1);
    }
}

fn write_argument(text: &mut String, own: &Arg) {
    let values: Vec<String> =
        own.get_value_names().unwrap_or_default().iter().map(|name| format!("<{name}>")).collect();
    let values = if own.get_action().takes_values() { values.join(" ") } else { String::new() };
    let name = match (own.get_short(), own.get_long()) {
        (None, None) => values.clone(),
        (Some(short), Some(long)) => format!("-{short}, --{long} {values}"),
        (Some(short), None) => format!("-{short} {values}"),
        (None, Some(long)) => format!("--{long} {values}"),
    };
    let help = own.get_long_help().or(own.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut sentences = vec![one_line(&help)];
    let takes_values = own.get_action().takes_values();
    let known: Vec<String> =
        own.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
    if !known.is_empty() && takes_values {
        sentences.push(format!("One of {}", known.join(", ")));
    }
    let usual: Vec<String> =
        own.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
    if !usual.is_empty() && takes_values {
        sentences.push(format!("Default: {}", usual.join(", ")));
    }
    let _ = write!(text, "- `{}`: {}", name.trim(), sentences.join(". "));
    text.push('\n');
}

/// A help text as one paragraph in which nothing is markup.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut line = String::new();
    for letter in words.join(" ").chars() {
        if "\\`*_[]<|".contains(letter) {
            line.push('\\');
        }
        line.push(letter);
    }
    line
}
