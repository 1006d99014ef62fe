//! A witness: what it cosigned last, kept before it cosigns again, and a clock that never goes back.

use std::io;
use std::path::Path;

use crate::log_folder::LogError;
use crate::log_folder::key_files::read_small;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::input::FileError;
use deckproof_files::file::lock::PathLock;
use deckproof_files::file::{Access, own, write_atomic};
use deckproof_verify::log::checkpoint::Checkpoint;
use deckproof_verify::log::note::{NOTE_BYTES_MAX, Note, Signature};
use deckproof_verify::log::refusal::Refusal;
use deckproof_verify::log::request::Request;
use deckproof_verify::log::tree::TreeHead;
use deckproof_verify::log::trust::Trust;
use deckproof_verify::log::vkey::{Signed, Signer, Vkey};
use deckproof_verify::log::witness::{Answer, answer};

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

/// How far the clock of a machine may go back between two cosignatures, in seconds: what a time server mends while it runs.
/// Then the time of the last one is given again, which is no earlier than the truth.
const CLOCK_BACK_MAX: u64 = 60;

/// A witness's clock, which never goes back: not in a run, and not over a restart, since the state bears the last time.
pub struct WitnessClock<Now> {
    now: Now,
    latest: u64,
}

impl<Now: FnMut() -> Result<u64, CouldNotSay>> WitnessClock<Now> {
    /// A clock of POSIX seconds, and the latest time that was given.
    pub fn new(now: Now, latest: u64) -> WitnessClock<Now> {
        WitnessClock { now, latest }
    }

    /// The time, no earlier than any that was given.
    fn time(&mut self, kept: u64) -> Result<u64, CouldNotSay> {
        let (now, latest) = ((self.now)()?, self.latest.max(kept));
        if latest.saturating_sub(now) > CLOCK_BACK_MAX {
            let found = format!("the clock of this machine shows {now}, the last cosignature bears {latest}");
            return Err(CouldNotSay::new(
                found,
                "Either it went back now, or it was ahead then. Nothing is cosigned before that time comes: set the clock right; if it was ahead \
                 then, this witness needs a new key.",
            ));
        }
        self.latest = latest.max(now);
        Ok(self.latest)
    }
}

/// What a witness cosigned last, as its state holds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessState {
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// The checkpoint with the signatures of the log and the cosignature; nothing where none was given.
    pub note: Option<String>,
}

impl WitnessState {
    /// Reads a cosigned note, or the three lines of a checkpoint alone.
    fn parse(text: &str) -> Option<WitnessState> {
        if let Some(checkpoint) = Checkpoint::parse(text) {
            return Some(WitnessState { checkpoint, note: None });
        }
        let checkpoint = Checkpoint::parse(&Note::parse(text).ok()?.text)?;
        Some(WitnessState { checkpoint, note: Some(text.to_owned()) })
    }

    /// The latest time at which this key cosigned it; 0 if it did not.
    pub fn time(&self, key: &Vkey) -> u64 {
        let note = self.note.as_deref().and_then(|note| Note::parse(note).ok());
        let times = note.iter().flat_map(|note| {
            let own = note.signatures.iter().filter(|line| key.is_named_by(line));
            own.filter_map(|line| match key.verify(&note.text, line) {
                Some(Signed::ByWitness { time }) => Some(time),
                _ => None,
            })
        });
        times.max().unwrap_or(0)
    }
}

/// What a witness says to a request.
pub enum WitnessReply {
    /// Its line, which may be given out: the state is on the disk.
    Cosigned(Signature),
    /// Nothing is cosigned.
    Refused {
        /// Why.
        refusal: Refusal,
        /// The size of the tree that was cosigned last.
        last: u64,
    },
    /// The request starts at another tree than the one cosigned last.
    StartsElsewhere {
        /// The size of that one.
        last: u64,
    },
    /// The proof does not lead from the tree cosigned last to the new one, and nobody signed it.
    Unproven {
        /// Which trees, and what that can be.
        message: String,
        /// The size of the tree that was cosigned last.
        last: u64,
    },
}

/// Who cosigns which log, and where what it cosigned last is kept.
#[derive(Clone, Copy)]
pub struct WitnessPost<'a> {
    /// Its key.
    pub signer: &'a Signer,
    /// The log.
    pub trust: &'a Trust,
    /// The file of the state.
    pub state: &'a Path,
}

impl WitnessPost<'_> {
    /// Cosigns what a request asks, where it holds everything that was cosigned before. The new checkpoint, cosigned, is in
    /// the file of the state before its cosignature is given: a witness that forgets could be led to cosign a fork. `is_first`
    /// says that there is no such file yet.
    ///
    /// # Errors
    /// [`CouldNotSay`]: the state cannot be read or written, or belongs to another log; or the clock went back.
    pub fn cosign(
        &self,
        asked: &Request,
        is_first: bool,
        clock: &mut WitnessClock<impl FnMut() -> Result<u64, CouldNotSay>>,
    ) -> Result<WitnessReply, CouldNotSay> {
        let _lock = PathLock::take(self.state).map_err(LogError::Lock)?;
        let last = self.read(is_first)?;
        let size = last.as_ref().map_or(0, |last| last.checkpoint.tree.size);
        match answer(asked, self.trust, last.as_ref().map(|last| &last.checkpoint)) {
            Err(refusal) => Ok(WitnessReply::Refused { refusal, last: size }),
            Ok(Answer::StartsElsewhere { last }) => Ok(WitnessReply::StartsElsewhere { last }),
            Ok(Answer::Unproven { message }) => Ok(WitnessReply::Unproven { message, last: size }),
            Ok(Answer::Cosign(checkpoint)) => {
                let kept = last.map_or(0, |last| last.time(&self.signer.vkey()));
                let text = checkpoint.to_string();
                let line = self.signer.cosign(&text, clock.time(kept)?);
                self.write(&self.cosigned(text, &asked.note, line.clone()).to_string())?;
                Ok(WitnessReply::Cosigned(line))
            }
        }
    }

    /// Begins the state of a log that was never cosigned, where there is none.
    ///
    /// # Errors
    /// [`CouldNotSay`]: it cannot be written, or there is one.
    pub fn begin(&self) -> Result<(), CouldNotSay> {
        let _lock = PathLock::take(self.state).map_err(LogError::Lock)?;
        self.read(true)?;
        let empty = Checkpoint { origin: self.trust.origin.clone(), tree: TreeHead::empty() };
        self.write(&empty.to_string())
    }

    /// What was cosigned last, of a log that has a state.
    ///
    /// # Errors
    /// [`CouldNotSay`].
    pub fn last(&self) -> Result<WitnessState, CouldNotSay> {
        Ok(self.read(false)?.expect("only a first time has none"))
    }

    fn read(&self, is_first: bool) -> Result<Option<WitnessState>, CouldNotSay> {
        let last = read_state(self.state, is_first)?;
        if let Some(last) = last.as_ref().filter(|last| last.checkpoint.origin != self.trust.origin) {
            let message =
                format!("--state {}: it belongs to the log {}", self.state.display(), last.checkpoint.origin);
            return Err(CouldNotSay(message));
        }
        if last.as_ref().is_some_and(|last| !self.is_sound(last)) {
            let found = format!("--state {}: no signature in it fits its checkpoint", self.state.display());
            return Err(CouldNotSay::new(
                found,
                "The file is damaged, or was changed. What this key cosigned last is not known: it cosigns this log no more.",
            ));
        }
        Ok(last)
    }

    /// Whether the log or this witness signed the checkpoint of the state as it is.
    fn is_sound(&self, last: &WitnessState) -> bool {
        let Some(note) = last.note.as_deref().and_then(|note| Note::parse(note).ok()) else { return true };
        let own = self.signer.vkey();
        let keys = self.trust.keys().map(|keys| &keys.log[..]).unwrap_or_default();
        note.signatures.iter().any(|line| {
            keys.iter()
                .chain([&own])
                .any(|key| key.is_named_by(line) && key.verify(&note.text, line).is_some())
        })
    }

    fn write(&self, text: &str) -> Result<(), CouldNotSay> {
        let written = write_atomic(self.state, text.as_bytes(), Access::Public);
        Ok(written.map_err(|error| FileError::new(self.state, error))?)
    }

    /// The checkpoint with a line of each key of the log and the own one, so that it stays short: what others added is theirs
    /// to publish.
    fn cosigned(&self, text: String, asked: &str, line: Signature) -> Note {
        let signatures = Note::parse(asked).map(|note| note.signatures).unwrap_or_default();
        let keys = self.trust.keys().map(|keys| &keys.log[..]).unwrap_or_default();
        let of_key = |key: &Vkey| {
            let mut own = signatures.iter().filter(|line| key.is_named_by(line));
            own.find(|line| key.verify(&text, line).is_some()).cloned()
        };
        let signatures = keys.iter().filter_map(of_key).chain([line]).collect();
        Note { text, signatures }
    }
}

/// The checkpoint cosigned last; only a witness that says so has none.
fn read_state(path: &Path, is_first: bool) -> Result<Option<WitnessState>, CouldNotSay> {
    match own::read_limited(path, NOTE_BYTES_MAX as u64) {
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
            let state = std::str::from_utf8(&bytes).ok().and_then(WitnessState::parse);
            let damaged = || CouldNotSay(format!("--state {}: no checkpoint of three lines", path.display()));
            state.map(Some).ok_or_else(damaged)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log_folder::Log;
    use crate::log_folder::key_files::{add_witness, read_trust, write_trust};
    use crate::log_folder::reader::LogReader;
    use deckproof_verify::log::vkey::KeyKind;

    fn signer(name: &str, kind: KeyKind) -> Signer {
        Signer::generate(name, kind).expect("random bytes")
    }

    /// A log without entries and a trust file that names its witness.
    fn place(folder: &Path, witness: &Signer) -> (Request, Trust, String) {
        let log = signer("stud.example/log1", KeyKind::Log);
        Log::init(&folder.join("log"), &log).expect("a new folder");
        write_trust(&folder.join("trust"), &log.vkey(), log.name()).expect("nothing stands there");
        add_witness(&folder.join("trust"), &witness.vkey()).expect("the trust file is JSON");
        let reader = LogReader::open(&folder.join("log")).expect("a log");
        let asked = reader.request(0).expect("the whole log");
        (asked, read_trust(&folder.join("trust")).expect("a trust file"), reader.checkpoint().to_string())
    }

    fn at(now: u64) -> WitnessClock<impl FnMut() -> Result<u64, CouldNotSay>> {
        WitnessClock::new(move || Ok(now), 0)
    }

    fn problem(reply: Result<WitnessReply, CouldNotSay>) -> String {
        reply.err().expect("nothing is said").to_string()
    }

    #[test]
    fn a_witness_keeps_what_it_cosigns_before_it_says_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let witness = signer("witness.example/w1", KeyKind::Witness);
        let (asked, trust, text) = place(folder.path(), &witness);
        let state = folder.path().join("state");
        let post = WitnessPost { signer: &witness, trust: &trust, state: &state };

        let none = problem(post.cosign(&asked, false, &mut at(9)));
        assert!(none.ends_with("say --first"), "{none}");
        let mut no_clock = WitnessClock::new(|| Err(CouldNotSay("no clock".to_owned())), 0);
        assert_eq!(problem(post.cosign(&asked, true, &mut no_clock)), "no clock");
        assert!(!state.exists(), "nothing was cosigned");
        // What cannot be kept is not given out.
        let nowhere = folder.path().join("log/checkpoint/state");
        assert!(
            WitnessPost { state: &nowhere, ..post }.cosign(&asked, true, &mut at(9)).is_err(),
            "no such folder"
        );
        let reply = post.cosign(&asked, true, &mut at(1_800_000_000)).expect("readable");
        let WitnessReply::Cosigned(line) = reply else { panic!("the first tree") };
        let signed = witness.vkey().verify(&text, &line);
        assert!(matches!(signed, Some(Signed::ByWitness { time: 1_800_000_000 })));
        let kept = std::fs::read_to_string(&state).expect("it was kept");
        assert_eq!(kept, format!("{}{line}\n", asked.note));
        assert_eq!(post.last().expect("a state").time(&witness.vkey()), 1_800_000_000);

        let again = problem(post.cosign(&asked, true, &mut at(9)));
        assert!(again.ends_with("says that you have cosigned this log"), "{again}");
        // The state of a release before this one: three lines.
        std::fs::write(&state, &text).expect("a file");
        let reply = post.cosign(&asked, false, &mut at(1_800_000_009)).expect("readable");
        assert!(matches!(reply, WitnessReply::Cosigned(_)), "the same tree");

        // One digit of what was kept is damaged.
        let kept = std::fs::read_to_string(&state).expect("it was kept");
        std::fs::write(&state, kept.replacen("\n0\n", "\n8\n", 1)).expect("a file");
        let error = problem(post.cosign(&asked, false, &mut at(1_800_000_009)));
        assert!(error.contains("no signature in it fits its checkpoint"), "{error}");

        std::fs::write(&state, text.replacen("log1", "log2", 1)).expect("a file");
        let error = problem(post.cosign(&asked, false, &mut at(9)));
        assert!(error.ends_with("it belongs to the log stud.example/log2"), "{error}");
    }

    #[test]
    fn the_clock_of_a_witness_never_goes_back_also_over_a_restart() {
        let folder = tempfile::tempdir().expect("a folder");
        let witness = signer("witness.example/w1", KeyKind::Witness);
        let (asked, trust, text) = place(folder.path(), &witness);
        let state = folder.path().join("state");
        let post = WitnessPost { signer: &witness, trust: &trust, state: &state };
        post.begin().expect("nothing stands there");
        assert!(post.begin().is_err(), "it was begun");
        let time = |now: u64| -> Result<u64, CouldNotSay> {
            let WitnessReply::Cosigned(line) = post.cosign(&asked, false, &mut at(now))? else {
                panic!("the same tree")
            };
            match witness.vkey().verify(&text, &line) {
                Some(Signed::ByWitness { time }) => Ok(time),
                _ => panic!("it verifies"),
            }
        };
        assert_eq!(time(1_800_000_000).expect("a time"), 1_800_000_000);
        assert_eq!(time(1_799_999_940).expect("a minute is mended"), 1_800_000_000);
        let error = time(1_799_999_939).expect_err("more is not").to_string();
        assert!(error.contains("shows 1799999939, the last cosignature bears 1800000000"), "{error}");
        assert_eq!(time(1_800_000_001).expect("a time"), 1_800_000_001);
        // In a run the latest time of all logs counts.
        let mut clock = WitnessClock::new(|| Ok(1_800_000_050), 1_800_000_100);
        let reply = post.cosign(&asked, false, &mut clock).expect("readable");
        assert!(matches!(reply, WitnessReply::Cosigned(_)) && clock.latest == 1_800_000_100);
    }

    #[test]
    fn a_tree_of_another_root_is_refused_and_the_state_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let witness = signer("witness.example/w1", KeyKind::Witness);
        let (asked, trust, text) = place(folder.path(), &witness);
        let state = folder.path().join("state");
        let larger = text.replacen("\n0\n", "\n7\n", 1);
        std::fs::write(&state, &larger).expect("a file");
        let post = WitnessPost { signer: &witness, trust: &trust, state: &state };
        let reply = post.cosign(&asked, false, &mut at(9)).expect("readable");
        let WitnessReply::Refused { refusal, last: 7 } = reply else { panic!("rolled back") };
        assert_eq!(refusal.code.name(), "E_LOG_CONSISTENCY");
        assert_eq!(std::fs::read_to_string(&state).expect("it is there"), larger);
    }
}
