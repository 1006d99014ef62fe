//! A witness by file: what it cosigned last, kept before it cosigns again.

use std::io;
use std::path::Path;

use crate::log::LogError;
use crate::log::kept::read_small;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::input::FileError;
use deckproof_files::file::lock::PathLock;
use deckproof_files::file::{Access, read_limited, write_atomic};
use deckproof_verify::ledger::checkpoint::Checkpoint;
use deckproof_verify::ledger::note::{NOTE_BYTES_MAX, Signature};
use deckproof_verify::ledger::refusal::Refusal;
use deckproof_verify::ledger::request::Request;
use deckproof_verify::ledger::trust::Trust;
use deckproof_verify::ledger::vkey::Signer;
use deckproof_verify::ledger::witness::{Answer, answer};

/// The request in a file; `-` is standard input.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn read_request(path: &Path) -> Result<Request, CouldNotSay> {
    Request::parse(&read_small(path)?).ok_or_else(|| {
        let message =
            format!("{}: wanted \"old SIZE\", a proof, an empty line, a checkpoint", path.display());
        CouldNotSay(message)
    })
}

/// Cosigns what a request asks, where it holds everything that was cosigned before. The new checkpoint is in the file
/// `state` before its cosignature is given: a witness that forgets could be led to cosign a fork. `is_first` says that
/// there is no such file yet; `now` is the time in POSIX seconds.
///
/// # Errors
/// [`CouldNotSay`]: the state cannot be read or written, or belongs to another log; or the request starts elsewhere.
pub fn cosign(
    signer: &Signer,
    asked: &Request,
    trust: &Trust,
    (state, is_first): (&Path, bool),
    now: impl FnOnce() -> Result<u64, CouldNotSay>,
) -> Result<Result<Signature, Refusal>, CouldNotSay> {
    let _lock = PathLock::take(state).map_err(LogError::Lock)?;
    let last = read_state(state, is_first)?;
    if let Some(last) = last.as_ref().filter(|last| last.origin != trust.origin) {
        let message = format!("--state {}: it belongs to the log {}", state.display(), last.origin);
        return Err(CouldNotSay(message));
    }
    match answer(asked, trust, last.as_ref()) {
        Err(refusal) => Ok(Err(refusal)),
        Ok(Answer::StartsElsewhere { last }) => {
            let message = format!(
                "the request starts at size {}, the last cosigned checkpoint had {last}: ask the operator for `log prove --from {last}`",
                asked.old
            );
            Err(CouldNotSay(message))
        }
        Ok(Answer::Cosign(checkpoint)) => {
            let text = checkpoint.to_string();
            write_atomic(state, text.as_bytes(), Access::Public)
                .map_err(|error| FileError::new(state, error))?;
            Ok(Ok(signer.cosign(&text, now()?)))
        }
    }
}

/// The checkpoint cosigned last; only a witness that says so has none.
fn read_state(path: &Path, is_first: bool) -> Result<Option<Checkpoint>, CouldNotSay> {
    match read_limited(path, NOTE_BYTES_MAX as u64) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_first => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let message = format!(
                "--state {}: there is none; if you never cosigned this log, say --first",
                path.display()
            );
            Err(CouldNotSay(message))
        }
        Err(error) => Err(FileError::new(path, error).into()),
        Ok(_) if is_first => {
            let message = format!("--first: {} says that you have cosigned this log", path.display());
            Err(CouldNotSay(message))
        }
        Ok(bytes) => {
            let checkpoint = std::str::from_utf8(&bytes).ok().and_then(Checkpoint::parse);
            let damaged = || CouldNotSay(format!("--state {}: no checkpoint of three lines", path.display()));
            checkpoint.map(Some).ok_or_else(damaged)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::Log;
    use crate::log::kept::{add_witness, read_trust, write_trust};
    use crate::log::reader::LogReader;
    use deckproof_verify::ledger::vkey::{KeyKind, Signed};

    fn signer(name: &str, kind: KeyKind) -> Signer {
        Signer::generate(name, kind).expect("random bytes")
    }

    #[test]
    fn a_witness_keeps_what_it_cosigns_before_it_says_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join(name);
        let log = signer("stud.example/log1", KeyKind::Log);
        let witness = signer("witness.example/w1", KeyKind::Witness);
        Log::init(&place("log"), &log).expect("a new folder");
        write_trust(&place("trust"), &log.vkey(), log.name()).expect("nothing stands there");
        add_witness(&place("trust"), &witness.vkey()).expect("the trust file is JSON");
        let trust = read_trust(&place("trust")).expect("a trust file");
        let reader = LogReader::open(&place("log")).expect("a log");
        let asked = reader.request(0).expect("the whole log");
        let state = place("state");

        let none =
            cosign(&witness, &asked, &trust, (&state, false), || Ok(9)).expect_err("there is no state");
        assert!(none.to_string().ends_with("say --first"), "{none}");
        // The clock is asked last: the state is on the disk by then, and stays if the clock fails.
        let no_clock = || Err(CouldNotSay("no clock".to_owned()));
        let failed = cosign(&witness, &asked, &trust, (&state, true), no_clock).expect_err("no clock");
        assert_eq!(failed.to_string(), "no clock");
        let kept = std::fs::read_to_string(&state).expect("it was kept");
        assert_eq!(kept, reader.checkpoint().to_string());

        let again = cosign(&witness, &asked, &trust, (&state, true), || Ok(9)).expect_err("not the first");
        assert!(again.to_string().ends_with("says that you have cosigned this log"), "{again}");
        let line = cosign(&witness, &asked, &trust, (&state, false), || Ok(1_800_000_000));
        let line = line.expect("readable").expect("the same tree");
        let signed = witness.vkey().verify(&kept, &line);
        assert!(matches!(signed, Some(Signed::ByWitness { time: 1_800_000_000 })));

        let other = kept.replacen("log1", "log2", 1);
        std::fs::write(&state, other).expect("a file");
        let error = cosign(&witness, &asked, &trust, (&state, false), || Ok(9)).expect_err("another log");
        assert!(error.to_string().ends_with("it belongs to the log stud.example/log2"), "{error}");
    }

    #[test]
    fn a_tree_of_another_root_is_refused_and_the_state_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join(name);
        let log = signer("stud.example/log1", KeyKind::Log);
        let witness = signer("witness.example/w1", KeyKind::Witness);
        Log::init(&place("log"), &log).expect("a new folder");
        write_trust(&place("trust"), &log.vkey(), log.name()).expect("nothing stands there");
        let trust = read_trust(&place("trust")).expect("a trust file");
        let reader = LogReader::open(&place("log")).expect("a log");
        let asked = reader.request(0).expect("the whole log");
        let larger = reader.checkpoint().to_string().replacen("\n0\n", "\n7\n", 1);
        std::fs::write(place("state"), &larger).expect("a file");
        let refused = cosign(&witness, &asked, &trust, (&place("state"), false), || Ok(9)).expect("readable");
        assert_eq!(refused.expect_err("rolled back").code.name(), "E_LOG_CONSISTENCY");
        assert_eq!(std::fs::read_to_string(place("state")).expect("it is there"), larger);
    }
}
