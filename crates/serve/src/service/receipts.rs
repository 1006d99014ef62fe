//! Receipts under the checkpoint with which an entry was published. The checkpoint is signed again, which gives the same
//! bytes.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::calls::fault::{CallFault, CallFaultKind};
use deckproof_deck::text::visible;
use deckproof_table::log_folder::reader::LogReader;
use deckproof_verify::log::checkpoint::Checkpoint;
use deckproof_verify::log::tree::TreeHead;
use deckproof_verify::log::vkey::Signer;

/// What was kept cannot be read.
pub fn kept(problem: impl Display) -> CallFault {
    CallFaultKind::Stopped.fault(format!("what was kept of this hand cannot be read: {problem}"))
}

/// The log, as its tiles and its key have it.
#[derive(Clone)]
pub struct Receipts {
    log: PathBuf,
    signer: Arc<Signer>,
}

impl Receipts {
    /// The receipts of a log.
    pub fn of(log: &Path, signer: Arc<Signer>) -> Receipts {
        Receipts { log: log.to_owned(), signer }
    }

    /// The origin of the log.
    pub fn origin(&self) -> &str {
        self.signer.name()
    }

    /// The log under the checkpoint of a tree that was published.
    pub fn reader(&self, tree: TreeHead) -> Result<LogReader, CallFault> {
        let note = self.signer.sign(&Checkpoint { origin: self.origin().to_owned(), tree }.to_string());
        self.under(&note.to_string())
    }

    /// The log under a checkpoint that was kept.
    pub fn under(&self, note: &str) -> Result<LogReader, CallFault> {
        LogReader::of(&self.log, note).map_err(|error| kept(visible(&error.to_string())))
    }
}
