//! The log that dealt hands go to: its folder, its key, and where the table remembers it.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use crate::cli::CliError;
use crate::cli::deal::cut::LOOK_AGAIN;
use crate::cli::log::files::{add_cosignatures, log_error, read_key, read_trust};
use crate::cli::screen;
use crate::file::{Access, TEXT_BYTES_MAX, read_limited, read_text_limited, write_atomic};
use crate::ledger::log::reader::LogReader;
use crate::ledger::note::{NOTE_BYTES_MAX, Note};
use crate::ledger::trust::Trust;
use crate::ledger::vkey::Signer;
use crate::ledger::witnessed::Witnessed;
use crate::table::logged::{SignedLog, Witnesses};

/// The file of a table that names the folder of its log. It is the operator's alone, like the keys beside it.
const REMEMBERED: &str = "secret/log";

#[derive(Args)]
pub(super) struct LogArguments {
    /// Put every entry into the log in this folder, synced and under a signed checkpoint, before the next step; the receipts of a hand are files in public/ before its first card.
    #[arg(long, value_name = "FOLDER", requires = "log_key")]
    log: Option<PathBuf>,
    /// The secret key of the log, as deckproof log init made it.
    #[arg(long, value_name = "FILE", requires = "log")]
    log_key: Option<PathBuf>,
    /// Files that witnesses write their cosignatures into, as deckproof log cosign prints them: after each opening they are awaited for the checkpoint that holds it, as long as --wait says.
    #[arg(long, value_name = "FILE", requires_all = ["log", "trust"])]
    cosigned: Vec<PathBuf>,
    /// Whose cosignatures are awaited: a trust file with the witnesses' keys and their quorum.
    #[arg(long, value_name = "FILE", requires = "cosigned")]
    trust: Option<PathBuf>,
}

/// A log that can be written.
pub(super) struct GivenLog {
    pub folder: PathBuf,
    pub origin: String,
    signer: Signer,
    witnesses: Option<Witnesses>,
}

impl LogArguments {
    /// The folder that was given.
    pub fn folder(&self) -> Option<&Path> {
        self.log.as_deref()
    }

    /// The log that was given, if one was.
    pub fn read(&self, wait: Duration) -> Result<Option<GivenLog>, CliError> {
        let (Some(folder), Some(key)) = (&self.log, &self.log_key) else { return Ok(None) };
        let origin = LogReader::open(folder).map_err(log_error)?.checkpoint().origin.clone();
        let signer = read_key(key)?;
        if signer.name() != origin {
            let (key, name) = (key.display(), signer.name());
            return Err(CliError::Usage(format!(
                "--log-key {key}: it is the key of {name}, the log is {origin}"
            )));
        }
        Ok(Some(GivenLog { folder: folder.clone(), origin, signer, witnesses: self.witnesses(wait)? }))
    }
}

impl LogArguments {
    /// Whoever waits for the witnesses' files, until a quorum has cosigned or the time is up.
    fn witnesses(&self, wait: Duration) -> Result<Option<Witnesses>, CliError> {
        let Some(path) = &self.trust else { return Ok(None) };
        let trust = read_trust(path)?;
        let files = self.cosigned.clone();
        Ok(Some(Box::new(move |note| {
            let deadline = Instant::now() + wait;
            loop {
                let cosigned = look(note, &files, &trust);
                let is_met = Witnessed::parse(&cosigned.to_string(), &trust, "checkpoint")
                    .is_ok_and(|witnessed| witnessed.quorum_time.is_some());
                if is_met || Instant::now() >= deadline {
                    if !is_met {
                        screen::warn(
                            "deckproof: the quorum of the trust file did not cosign in time: the receipts do not bear it",
                        );
                    }
                    return cosigned.signatures[note.signatures.len()..].to_vec();
                }
                thread::sleep(LOOK_AGAIN);
            }
        })))
    }
}

/// The note with all cosignatures that are there.
fn look(note: &Note, files: &[PathBuf], trust: &Trust) -> Note {
    let mut cosigned = note.clone();
    // The keys were checked when the trust file was read.
    let witnesses = trust.keys().map(|keys| &keys.witness[..]).unwrap_or_default();
    for file in files {
        // A file that is not there yet, or still holds the line for an older checkpoint, is looked at again.
        if let Ok(bytes) = read_limited(file, NOTE_BYTES_MAX as u64) {
            add_cosignatures(&mut cosigned, &String::from_utf8_lossy(&bytes), witnesses);
        }
    }
    cosigned
}

impl GivenLog {
    /// For a table that writes to it, which remembers where it is.
    pub fn open(self, table: &Path) -> Result<SignedLog, CliError> {
        remember(table, &self.folder)?;
        let log = SignedLog::new(&self.folder, self.signer);
        Ok(match self.witnesses {
            Some(witnesses) => log.with_witnesses(witnesses),
            None => log,
        })
    }
}

fn remember(table: &Path, log: &Path) -> Result<(), CliError> {
    let path = table.join(REMEMBERED);
    let failed = |error| CliError::file(&path, error);
    let folder = fs::canonicalize(log).map_err(failed)?;
    let text = format!("{}\n", folder.display());
    if read_text_limited(&path, TEXT_BYTES_MAX).is_ok_and(|found| found == text) {
        return Ok(());
    }
    write_atomic(&path, text.as_bytes(), Access::OwnerOnly).map_err(failed)
}

/// The folder of the log that a table's hands went to, as the table remembers it.
pub(in crate::cli) fn remembered(table: &Path) -> Option<PathBuf> {
    let text = read_text_limited(&table.join(REMEMBERED), TEXT_BYTES_MAX).ok()?;
    Some(PathBuf::from(text.trim_end_matches('\n')))
}
