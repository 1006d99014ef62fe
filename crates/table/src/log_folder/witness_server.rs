//! A witness of several logs: what is answered to `add-checkpoint`, and what is read of it (c2sp.org/tlog-witness).
//!
//! Its folder holds `HASH/checkpoint` for each log, HASH the SHA-256 of the log's name: the checkpoint cosigned last, at the
//! place where a monitor looks for it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::log_folder::witness::{WitnessClock, WitnessPost, WitnessReply};
use crate::log_folder::{CHECKPOINT, LogError};
use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::visible;
use deckproof_files::file::input::FileError;
use deckproof_files::file::lock::PathLock;
use deckproof_files::file::own;
use deckproof_verify::log::checkpoint::Checkpoint;
use deckproof_verify::log::note::{NOTE_BYTES_MAX, Note};
use deckproof_verify::log::refusal::Code;
use deckproof_verify::log::request::Request;
use deckproof_verify::log::trust::Trust;
use deckproof_verify::log::vkey::Signer;
use deckproof_verify::log::witnessed::Witnessed;

/// A request is at most this long, in bytes: a note, and 64 lines of a proof with 45 letters each.
pub const REQUEST_BYTES_MAX: usize = NOTE_BYTES_MAX + 64 * 45;

/// The type of an answer that is a size.
const SIZE: &str = "text/x.tlog.size";

const TEXT: &str = "text/plain; charset=utf-8";

/// The clock of the machine, in POSIX seconds.
pub type MachineClock = Box<dyn FnMut() -> Result<u64, CouldNotSay> + Send>;

/// A log that is watched.
struct WatchedLog {
    trust: Trust,
    hash: String,
    state: PathBuf,
}

/// What is answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeskAnswer {
    /// The status of HTTP.
    pub status: u16,
    /// The type of the text.
    pub kind: &'static str,
    /// The text.
    pub text: String,
    /// What the operator of the witness should know.
    pub report: Option<String>,
}

impl DeskAnswer {
    fn new(status: u16, text: impl std::fmt::Display) -> DeskAnswer {
        let text = format!("{}\n", visible(&text.to_string()));
        DeskAnswer { status, kind: TEXT, text, report: None }
    }
}

/// A witness. One process has its folder.
pub struct WitnessDesk {
    signer: Signer,
    logs: Vec<WatchedLog>,
    clock: WitnessClock<MachineClock>,
    _lock: PathLock,
}

impl WitnessDesk {
    /// Takes a folder, in which each log of these trust files has a state; that of the logs named in `first` is begun.
    ///
    /// # Errors
    /// [`CouldNotSay`]: a state that is absent, or that cannot be read; a first log that has one; a folder that is taken.
    pub fn open(
        folder: &Path,
        signer: Signer,
        trusts: Vec<Trust>,
        first: &[String],
        now: MachineClock,
    ) -> Result<WitnessDesk, CouldNotSay> {
        if let Some(stranger) = first.iter().find(|name| !trusts.iter().any(|trust| trust.origin == **name)) {
            return Err(CouldNotSay(format!("--first {stranger}: no --trust names this log")));
        }
        fs::create_dir_all(folder).map_err(|error| FileError::new(folder, error))?;
        let lock = PathLock::take(&folder.join("witness")).map_err(LogError::Lock)?;
        let mut logs: Vec<WatchedLog> = Vec::new();
        for trust in trusts {
            let hash = Digest::of(trust.origin.as_bytes()).to_string();
            if logs.iter().any(|log| log.hash == hash) {
                return Err(CouldNotSay(format!("--trust: found the log {} twice", trust.origin)));
            }
            let state = folder.join(&hash).join(CHECKPOINT);
            own::check_folders(folder, &state).map_err(|error| FileError::new(&state, error))?;
            logs.push(WatchedLog { trust, hash, state });
        }
        let mut latest = 0;
        for log in &logs {
            let post = log.post(&signer);
            if first.contains(&log.trust.origin) {
                let place = folder.join(&log.hash);
                fs::create_dir_all(&place).map_err(|error| FileError::new(&place, error))?;
                post.begin()?;
            }
            if !log.state.exists() {
                let origin = &log.trust.origin;
                let found = format!("{}: it holds nothing of the log {origin}", folder.display());
                return Err(CouldNotSay::new(
                    found,
                    &format!(
                        "If you never cosigned this log, say --first {origin}. If what you cosigned is lost, this key must not cosign it again."
                    ),
                ));
            }
            latest = post.last()?.time(&signer.vkey()).max(latest);
        }
        Ok(WitnessDesk { signer, logs, clock: WitnessClock::new(now, latest), _lock: lock })
    }

    /// What `add-checkpoint` answers to a body. What is answered with 200 is on the disk.
    pub fn add_checkpoint(&mut self, body: &[u8]) -> DeskAnswer {
        let Some((asked, new)) = parse(body) else {
            let wanted = "wanted \"old SIZE\", at most 63 hashes, an empty line, a checkpoint of three lines and its signatures";
            return DeskAnswer::new(400, wanted);
        };
        let Some(log) = self.logs.iter().find(|log| log.trust.origin == new.origin) else {
            return DeskAnswer::new(404, "this witness watches no log of this name");
        };
        // Before anything is locked or read: a stranger costs no more than a signature.
        if let Err(refusal) = Witnessed::parse(&asked.note, &log.trust, "checkpoint") {
            let status = if refusal.code == Code::Note { 400 } else { 403 };
            return DeskAnswer::new(status, refusal.message);
        }
        let place = |text: String| Some(format!("{}: {}", log.trust.origin, visible(&text)));
        let reply = match log.post(&self.signer).cosign(&asked, false, &mut self.clock) {
            Ok(reply) => reply,
            // What is wrong with its disk or its clock is for the witness to know.
            Err(error) => {
                let answer = DeskAnswer::new(500, "this witness cannot cosign now");
                return DeskAnswer { report: place(format!("not cosigned: {error}")), ..answer };
            }
        };
        match reply {
            WitnessReply::Cosigned(line) => {
                let text = format!("{line}\n");
                DeskAnswer { status: 200, kind: TEXT, text, report: None }
            }
            _ if asked.old > new.tree.size => DeskAnswer::new(
                400,
                format!("old {} is larger than the checkpoint, {}", asked.old, new.tree.size),
            ),
            WitnessReply::StartsElsewhere { last } => size(last),
            // The status that tlog-witness has for a proof that does not verify.
            WitnessReply::Unproven { message, .. } => {
                let report = place(format!("not cosigned: {message}"));
                DeskAnswer { report, ..DeskAnswer::new(422, message) }
            }
            WitnessReply::Refused { refusal, last } => {
                let report = place(format!("refused: {}", refusal.message));
                if asked.old == last {
                    DeskAnswer { report, ..DeskAnswer::new(422, refusal.message) }
                } else {
                    DeskAnswer { report, ..size(last) }
                }
            }
        }
    }

    /// The checkpoint cosigned last of the log whose name has this hash, if one was.
    ///
    /// # Errors
    /// [`CouldNotSay`].
    pub fn checkpoint(&self, hash: &str) -> Result<Option<String>, CouldNotSay> {
        let Some(log) = self.logs.iter().find(|log| log.hash == hash) else { return Ok(None) };
        Ok(log.post(&self.signer).last()?.note)
    }
}

impl WatchedLog {
    fn post<'a>(&'a self, signer: &'a Signer) -> WitnessPost<'a> {
        WitnessPost { signer, trust: &self.trust, state: &self.state }
    }
}

/// The request, and the checkpoint that its note holds: which log it is of says whose keys judge it.
fn parse(body: &[u8]) -> Option<(Request, Checkpoint)> {
    let text = std::str::from_utf8(body).ok().filter(|text| text.len() <= REQUEST_BYTES_MAX)?;
    let asked = Request::parse(text)?;
    let new = Checkpoint::parse(&Note::parse(&asked.note).ok()?.text)?;
    Some((asked, new))
}

/// The size of the tree that was cosigned last, from where a proof must start.
fn size(last: u64) -> DeskAnswer {
    DeskAnswer { status: 409, kind: SIZE, text: format!("{last}\n"), report: None }
}

#[cfg(test)]
mod tests;
