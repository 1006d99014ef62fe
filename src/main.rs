//! The binary `deckproof`.

use std::process::ExitCode;

fn main() -> ExitCode {
    deckproof::cli::main()
}
