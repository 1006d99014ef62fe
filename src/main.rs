//! The binary `deckproof`: parse, run, exit code.

use std::process::ExitCode;

use deckproof::cli::screen::{say, warn};
use deckproof::cli::{defect, parse, private, refusal, run, without_keys};
use deckproof::text::secret::without_note_keys;

fn main() -> ExitCode {
    defect::end_with_2();
    private::close_memory();
    if let Err(error) = defect::tame_signals() {
        warn(&format!("deckproof: {error}; a full file or an end of memory ends this run by a signal"));
    }
    let cli = match parse(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => {
            if !error.use_stderr() {
                // The help and the version, which nobody outside can change.
                error.exit();
            }
            let reason = without_note_keys(&without_keys(&error.to_string()));
            warn(reason.trim_end());
            refuse(&reason);
            return ExitCode::from(2);
        }
    };
    match run(&cli) {
        Ok(exit) => exit.into(),
        Err(error) if error.is_gone_reader() => ExitCode::from(2),
        Err(error) => {
            // Where standard error is gone too, the exit code must say it alone.
            let reason = without_note_keys(&error.to_string());
            warn(&format!("deckproof: {reason}"));
            refuse(&reason);
            ExitCode::from(2)
        }
    }
}

/// Where JSON was asked for, its reader gets an object in every case.
fn refuse(reason: &str) {
    if std::env::args_os().take_while(|word| word != "--").any(|word| word == "--json") {
        // The exit code says it where nobody reads.
        let _ = say(&refusal(reason));
    }
}
