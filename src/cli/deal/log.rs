//! The log that dealt hands go to: its folder, its key, and where the table remembers it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::cli::CliError;
use deckproof_table::table::pending::AskedWitnesses;
use deckproof_table::table::request::log::LogOptions;

#[derive(Args)]
pub(super) struct DealLogArguments {
    /// Put every entry into the log in this folder, synced and under a signed checkpoint, before the next step; the receipts of a hand are files in public/ before its first card.
    #[arg(long, value_name = "FOLDER", requires = "log_key")]
    log: Option<PathBuf>,
    /// The secret key of the log, as deckproof log init made it.
    #[arg(long, value_name = "FILE", requires = "log")]
    log_key: Option<PathBuf>,
    /// Files that witnesses write their cosignatures into, as deckproof log cosign prints them: after each opening the dealing waits until they cover the checkpoint that holds it, as long as --wait gives.
    #[arg(long, value_name = "FILE", requires_all = ["log", "trust"])]
    cosigned: Vec<PathBuf>,
    /// Ask the witness at this address for its cosignature after each opening, such as http://127.0.0.1:7002; several, each with --witness. The dealing waits for them as long as --wait gives, or 10 seconds; what is missing then is missing in the receipts.
    #[arg(long, value_name = "ADDRESS", requires_all = ["log", "trust"])]
    witness: Vec<String>,
    /// Whose cosignatures the dealing waits for: a trust file with the witnesses' keys and their quorum.
    #[arg(long, value_name = "FILE")]
    trust: Option<PathBuf>,
}

impl DealLogArguments {
    /// What was typed; nothing without a log. Dealing waits for witnesses that long.
    pub fn options(&self, wait: Duration) -> Result<Option<LogOptions>, CliError> {
        if self.trust.is_some() && self.cosigned.is_empty() && self.witness.is_empty() {
            let message = "--trust: wanted --cosigned FILE or --witness ADDRESS beside it";
            return Err(CliError::Problem(message.to_owned()));
        }
        let (Some(folder), Some(key)) = (&self.log, &self.log_key) else { return Ok(None) };
        let (cosigned, trust) = (self.cosigned.clone(), self.trust.clone());
        let asked = if self.witness.is_empty() { None } else { Some(asked(folder, &self.witness, wait)?) };
        Ok(Some(LogOptions { folder: folder.clone(), key: key.clone(), cosigned, asked, trust }))
    }
}

#[cfg(feature = "net")]
fn asked(log: &Path, texts: &[String], wait: Duration) -> Result<AskedWitnesses, CliError> {
    use crate::cli::log::ask;
    ask::asked_witnesses(log, ask::addresses("--witness", texts)?, wait)
}

#[cfg(not(feature = "net"))]
fn asked(_log: &Path, _texts: &[String], _wait: Duration) -> Result<AskedWitnesses, CliError> {
    Err(CliError::Problem("--witness: this build was made without the feature net".to_owned()))
}
