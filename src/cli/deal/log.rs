//! The log that dealt hands go to: its folder, its key, and where the table remembers it.

use std::path::PathBuf;

use clap::Args;

use deckproof_table::table::wishes::log::LogWishes;

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

impl LogArguments {
    /// What was typed; nothing without a log.
    pub fn wishes(&self) -> Option<LogWishes> {
        let (Some(folder), Some(key)) = (&self.log, &self.log_key) else { return None };
        let (cosigned, trust) = (self.cosigned.clone(), self.trust.clone());
        Some(LogWishes { folder: folder.clone(), key: key.clone(), cosigned, trust })
    }
}
