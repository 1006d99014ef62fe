//! A whole log scanned from its folder, as an auditor does it.

use crate::log_folder::LogError;
use crate::log_folder::reader::LogReader;
use deckproof_verify::log::checkpoint::Checkpoint;
use deckproof_verify::log::refusal::{Code, Refusal};
use deckproof_verify::log::scan::report::Report;
use deckproof_verify::log::scan::{Scan, ScanRules};
use deckproof_verify::log::tree::TreeHead;

/// Why a log is not found sound.
pub enum Unsound {
    /// It cannot be read.
    Unreadable(LogError),
    /// A check failed.
    Refused(Refusal),
}

impl From<LogError> for Unsound {
    fn from(error: LogError) -> Unsound {
        Unsound::Unreadable(error)
    }
}

impl From<Refusal> for Unsound {
    fn from(refusal: Refusal) -> Unsound {
        Unsound::Refused(refusal)
    }
}

/// Scans all that a checkpoint holds, in little memory. Only where an entry names a hand that ended is it read
/// again with everything remembered, for the right code.
///
/// # Errors
/// [`Unsound`].
pub fn scan_frugally(reader: &LogReader, is_live: bool, earlier: &[TreeHead]) -> Result<Report, Unsound> {
    match walk(reader, Scan::frugal(rules(reader, is_live, earlier))) {
        Err(Unsound::Refused(refusal)) if refusal.code == Code::LogOrphan => scan(reader, is_live, earlier),
        other => other,
    }
}

/// Whether a log that is written on is in order. Signatures of the beacon are taken unchecked, so that a table with
/// hundreds of thousands of hands begins at once; an auditor checks them.
///
/// # Errors
/// [`LogError::Ruined`]; of what cannot be read.
pub fn check_order(reader: &LogReader) -> Result<(), LogError> {
    let mut scan = Scan::frugal(rules(reader, true, &[]));
    scan.trust_signatures(true);
    match walk(reader, scan) {
        Ok(_) => Ok(()),
        Err(Unsound::Unreadable(error)) => Err(error),
        Err(Unsound::Refused(refusal)) => Err(LogError::Ruined(refusal)),
    }
}

/// Scans all that a checkpoint holds, and lists every opened hand.
///
/// # Errors
/// [`Unsound`].
pub fn scan(reader: &LogReader, is_live: bool, earlier: &[TreeHead]) -> Result<Report, Unsound> {
    walk(reader, Scan::new(rules(reader, is_live, earlier)))
}

/// The checkpoint's own tree is one of the trees to be met.
fn rules(reader: &LogReader, is_live: bool, earlier: &[TreeHead]) -> ScanRules {
    let Checkpoint { origin, tree } = reader.checkpoint().clone();
    ScanRules { origin, is_live, earlier: earlier.iter().copied().chain([tree]).collect() }
}

/// All entries are read before one of them is judged: entries that are not those which the checkpoint signs are a damaged copy,
/// whatever else they would be.
fn walk(reader: &LogReader, mut scan: Scan) -> Result<Report, Unsound> {
    let mut refusal = None;
    reader.walk::<LogError>(|entry| {
        if refusal.is_none() {
            match scan.entry(entry) {
                Ok(hash) => return Ok(hash),
                Err(refused) => refusal = Some(refused),
            }
        }
        Ok(scan.pass(entry))
    })?;
    if scan.tree() != reader.checkpoint().tree {
        return Err(reader.spoiled().into());
    }
    match refusal {
        Some(refusal) => Err(refusal.into()),
        None => Ok(scan.finish()?),
    }
}
