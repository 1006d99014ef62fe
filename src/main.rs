//! The binary `deckproof`: parse, run, exit code.

use std::process::ExitCode;

use clap::Parser;
use deckproof::cli::{Cli, run};

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(exit) => exit.into(),
        Err(error) => {
            eprintln!("deckproof: {error}");
            ExitCode::from(2)
        }
    }
}
