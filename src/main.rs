//! The binary `deckproof`: parse, run, exit code.

use std::process::ExitCode;

use deckproof::cli::screen::warn;
use deckproof::cli::{defect, parse, private, run, without_keys};

fn main() -> ExitCode {
    defect::end_with_2();
    private::close_memory();
    let cli = match parse(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => {
            if !error.use_stderr() {
                // The help and the version, which nobody outside can change.
                error.exit();
            }
            warn(without_keys(&error.to_string()).trim_end());
            return ExitCode::from(2);
        }
    };
    match run(&cli) {
        Ok(exit) => exit.into(),
        Err(error) if error.is_gone_reader() => ExitCode::from(2),
        Err(error) => {
            // Where standard error is gone too, the exit code must say it alone.
            warn(&format!("deckproof: {error}"));
            ExitCode::from(2)
        }
    }
}
