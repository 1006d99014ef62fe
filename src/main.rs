//! The binary `deckproof`: parse, run, exit code.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use deckproof::cli::{Cli, run, without_keys};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let (said, shown) = (error.to_string(), without_keys(&error.to_string()));
            if shown == said {
                error.exit();
            }
            let _ = writeln!(std::io::stderr(), "{shown}");
            return ExitCode::from(2);
        }
    };
    match run(&cli) {
        Ok(exit) => exit.into(),
        Err(error) => {
            // Where standard error is gone too, the exit code must say it alone.
            let _ = writeln!(std::io::stderr(), "deckproof: {error}");
            ExitCode::from(2)
        }
    }
}
