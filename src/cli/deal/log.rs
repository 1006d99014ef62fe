//! The log that dealt hands go to: its folder, its key, and where the table remembers it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::cli::CliError;
use crate::cli::screen;
use crate::ledger::kept::{read_key, read_trust};
use crate::ledger::log::reader::LogReader;
use crate::ledger::vkey::Signer;
use crate::table::awaited::cosignatures;
use crate::table::logged::{REMEMBERED, SignedLog, Witnesses, remember};

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
        let origin = LogReader::open(folder)?.checkpoint().origin.clone();
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
        Ok(Some(cosignatures(trust, self.cosigned.clone(), wait, screen::warn)))
    }
}

impl GivenLog {
    /// For a table that writes to it, which remembers where it is.
    pub fn open(self, table: &Path) -> Result<SignedLog, CliError> {
        let remembered = remember(table, &self.folder);
        remembered.map_err(|error| CliError::file(&table.join(REMEMBERED), error))?;
        let log = SignedLog::new(&self.folder, self.signer);
        Ok(match self.witnesses {
            Some(witnesses) => log.with_witnesses(witnesses),
            None => log,
        })
    }
}
