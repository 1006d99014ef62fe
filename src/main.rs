//! The binary `deckproof`: parse, run, exit code.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use deckproof::cli::{Cli, run};

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(exit) => exit.into(),
        Err(error) => {
            // Where standard error is gone too, the exit code must say it alone.
            let _ = writeln!(std::io::stderr(), "deckproof: {error}");
            ExitCode::from(2)
        }
    }
}
