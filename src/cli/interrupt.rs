//! Ctrl-C, and the signal by which a system ends programs: what is kept of a run, and how it goes on.

#[cfg(unix)]
use std::io::Read;
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::screen;
use deckproof_audit::source::group::end_all;
#[cfg(feature = "serve")]
use deckproof_serve::door::listen::Closing;

/// From here on an interruption says what becomes of the run, and ends the program with exit code 2. A run without a
/// checkpoint keeps nothing; one with it keeps all up to its last save.
pub fn listen(checkpoint: Option<&Path>) {
    let checkpoint: Option<PathBuf> = checkpoint.map(Path::to_owned);
    at_an_end(move || sentence(checkpoint.as_deref()));
}

/// The same of a project: an audit of these items goes on only if its program gives the same decks again.
pub fn listen_certify(folder: &Path, programs: String) {
    let kept = sentence(Some(folder));
    let again = if programs.is_empty() {
        String::new()
    } else {
        format!(
            " An audit of a program ({programs}) that gives other decks when it is started again begins again, on those."
        )
    };
    at_an_end(move || format!("{kept}{again}"));
}

/// From here on an interruption ends the programs that deal, which a terminal's Ctrl-C does not reach, and ends this
/// one with exit code 2.
pub fn end_programs() {
    at_an_end(|| "\ndeckproof: interrupted.".to_owned());
}

/// Ends the programs that deal, says this, and ends with exit code 2, at Ctrl-C and at SIGTERM. A system that gives no
/// signals ends the program as it always did.
fn at_an_end(words: impl Fn() -> String + Send + Sync + 'static) {
    on_signals(move || {
        end_all();
        screen::warn(&words());
        std::process::exit(2);
    });
}

/// From here on an interruption says this, and ends the program with exit code 2.
pub fn end_with(words: &'static str) {
    at_an_end(|| words.to_owned());
}

/// From here on Ctrl-C and SIGTERM close a door.
#[cfg(feature = "serve")]
pub fn closing() -> Closing {
    let closing = Closing::default();
    let close = closing.clone();
    on_signals(move || close.close());
    closing
}

/// From here on Ctrl-C and SIGTERM do this, each time, and nothing else.
pub fn on_signals(end: impl Fn() + Send + Sync + 'static) {
    let end = Arc::new(end);
    #[cfg(unix)]
    at_termination(Arc::clone(&end));
    let _ = ctrlc::set_handler(move || end());
}

/// Not by the feature of `ctrlc`, which would take SIGHUP too and with it what `nohup` promises.
#[cfg(unix)]
fn at_termination(end: Arc<impl Fn() + Send + Sync + 'static>) {
    let Ok((mut waiting, signalled)) = UnixStream::pair() else { return };
    if signal_hook::low_level::pipe::register(signal_hook::consts::SIGTERM, signalled).is_ok() {
        std::thread::spawn(move || {
            if waiting.read_exact(&mut [0]).is_ok() {
                end();
            }
        });
    }
}

fn sentence(checkpoint: Option<&Path>) -> String {
    match checkpoint {
        Some(path) => format!(
            "\ndeckproof: interrupted; this says nothing about the shuffler. What was counted up to the last save is kept in \
             {}: the same command goes on from there.",
            path.display()
        ),
        None => "\ndeckproof: interrupted; this says nothing about the shuffler, and nothing is kept. A run with --checkpoint \
                 FILE can be interrupted and goes on with the same command."
            .to_owned(),
    }
}
