//! The command line: what was typed → what it means; the only room that sees clock, environment and terminal.

pub mod audit;
pub mod certificate;
pub mod daily;
pub mod exit;
pub mod secret;

mod tool;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::cli::exit::{CouldNotSay, Exit};

/// Shuffle certification and RNG audit for Seven-Card Stud.
///
/// Exit status: 0 passed, 1 refused, 2 could not say.
#[derive(Parser, Debug)]
#[command(name = "deckproof", version, max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Audit a shuffler: exact statistics over millions of decks, a certificate, a report and a verdict.
    Audit(audit::AuditArguments),
    /// Add the shards of one audit to one certificate.
    Merge(audit::MergeArguments),
    /// Run the audit of the day, add its outcome to daily.jsonl and print five lines fit for mail.
    Daily(daily::DailyArguments),
}

/// Runs the program.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let ended = run(&arguments.command);
    let exit = ended.unwrap_or_else(|CouldNotSay(reason)| {
        eprintln!("deckproof: {reason}");
        Exit::CouldNotSay
    });
    exit.into()
}

fn run(command: &Command) -> Result<Exit, CouldNotSay> {
    match command {
        Command::Audit(arguments) => audit::audit(arguments),
        Command::Merge(arguments) => audit::merge(arguments),
        Command::Daily(arguments) => daily::daily(arguments),
    }
}
