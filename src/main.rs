//! The binary `deckproof`: parse, run, exit code.

use std::process::ExitCode;

use deckproof::cli::screen::warn;
use deckproof::cli::{defect, parse, private, run, without_keys};
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
            warn(without_note_keys(&without_keys(&error.to_string())).trim_end());
            return ExitCode::from(2);
        }
    };
    match run(&cli) {
        Ok(exit) => exit.into(),
        Err(error) if error.is_gone_reader() => ExitCode::from(2),
        Err(error) => {
            // Where standard error is gone too, the exit code must say it alone.
            warn(&without_note_keys(&format!("deckproof: {error}")));
            ExitCode::from(2)
        }
    }
}
