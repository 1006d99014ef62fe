//! Ctrl-C: what is kept of a run, and how it goes on.

use std::path::{Path, PathBuf};

use crate::cli::screen;
use deckproof_audit::source::group::end_all;

/// From here on an interruption says what becomes of the run, and ends the program with exit code 2. A run without a
/// checkpoint keeps nothing; one with it keeps all up to its last save.
pub fn listen(checkpoint: Option<&Path>) {
    let checkpoint: Option<PathBuf> = checkpoint.map(Path::to_owned);
    // A system that gives no signals ends the program as it always did.
    let _ = ctrlc::set_handler(move || {
        end_all();
        screen::warn(&sentence(checkpoint.as_deref()));
        std::process::exit(2);
    });
}

/// From here on an interruption ends the programs that deal, which a terminal's Ctrl-C does not reach, and ends this
/// one with exit code 2.
pub fn end_programs() {
    let _ = ctrlc::set_handler(|| {
        end_all();
        screen::warn("\ndeckproof: interrupted.");
        std::process::exit(2);
    });
}

fn sentence(checkpoint: Option<&Path>) -> String {
    match checkpoint {
        Some(path) => format!(
            "\ndeckproof: interrupted; nothing is said about the shuffler. What was counted up to the last save is kept in \
             {}: the same command goes on from there.",
            path.display()
        ),
        None => "\ndeckproof: interrupted; nothing is said about the shuffler, and nothing is kept. A run with --checkpoint \
                 FILE can be interrupted and goes on with the same command."
            .to_owned(),
    }
}
