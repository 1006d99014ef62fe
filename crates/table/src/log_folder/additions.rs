//! Entries that were made elsewhere and are added together, after the whole log was read: under its lock, all or none.

use std::collections::HashSet;
use std::path::Path;

use crate::log_folder::reader::LogReader;
use crate::log_folder::whole::Unsound;
use crate::log_folder::{Log, LogError};
use deckproof_deck::commitment::digest::{Digest, leaf_hash};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::visible;
use deckproof_verify::log::refusal::{Code, Refusal};
use deckproof_verify::log::scan::{Scan, ScanRules};
use deckproof_verify::log::vkey::Signer;

/// What became of entries that were given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Additions {
    /// How many were added.
    pub added: u64,
    /// The index of the first of them.
    pub first: u64,
    /// How many were there already, or were given twice.
    pub present: u64,
    /// How many entries are published now.
    pub published: u64,
}

/// Why nothing was added.
#[derive(Debug, thiserror::Error)]
pub enum AdditionsError {
    /// The log cannot be read or written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The log contradicts itself, before anything was added.
    #[error("{}", ruined(.0))]
    Ruined(Refusal),
    /// An entry does not fit what the log holds.
    #[error("entry {number} of those given does not fit the log: {code}: {message}; nothing was added")]
    Misfit {
        /// Which of those given, from 1.
        number: usize,
        /// The check it fails.
        code: Code,
        /// What is wrong.
        message: String,
    },
    /// All of them together leave the log with a hand that is closed without its cut.
    #[error("the entries given do not fit the log: {code}: {message}; nothing was added")]
    MisfitTogether {
        /// The check they fail.
        code: Code,
        /// What is wrong.
        message: String,
    },
}

impl From<AdditionsError> for CouldNotSay {
    fn from(error: AdditionsError) -> CouldNotSay {
        CouldNotSay(visible(&error.to_string()).into_owned())
    }
}

/// What is to be known of a log that contradicts itself.
fn ruined(refusal: &Refusal) -> String {
    let Refusal { code, place, message, .. } = refusal;
    format!(
        "the log contradicts itself ({code}, {place}: {message}); no entry can mend that, so nothing was added: \
         docs/log.md tells how to go on in a new log"
    )
}

/// Adds what a log lacks of these entries, if all of it fits, and publishes it under one checkpoint.
///
/// # Errors
/// [`AdditionsError`]; nothing was added, but where [`LogError::Unsure`] says that it may have been.
pub fn add(folder: &Path, entries: &[String], signer: &Signer) -> Result<Additions, AdditionsError> {
    let mut log = Log::open(folder)?;
    let (first, new) = (log.size(), fitting(log.reader(), entries)?);
    for entry in &new {
        log.append(entry)?;
    }
    log.publish(signer)?;
    let (added, published) = (new.len() as u64, log.published());
    Ok(Additions { added, first, present: entries.len() as u64 - added, published })
}

/// Those that the log lacks, if they fit.
fn fitting<'a>(log: &LogReader, entries: &'a [String]) -> Result<Vec<&'a String>, AdditionsError> {
    match lacking(log, entries, Scan::frugal(rules(log))) {
        // What names a hand that has ended has another code where nothing was forgotten.
        Err(AdditionsError::Misfit { code: Code::LogOrphan, .. }) => {
            lacking(log, entries, Scan::new(rules(log)))
        }
        Err(AdditionsError::Ruined(refusal)) if refusal.code == Code::LogOrphan => {
            lacking(log, entries, Scan::new(rules(log)))
        }
        other => other,
    }
}

fn rules(log: &LogReader) -> ScanRules {
    let checkpoint = log.checkpoint().clone();
    ScanRules { origin: checkpoint.origin, is_live: true, earlier: vec![checkpoint.tree] }
}

fn lacking<'a>(
    log: &LogReader,
    entries: &'a [String],
    mut scan: Scan,
) -> Result<Vec<&'a String>, AdditionsError> {
    let given: HashSet<Digest> = entries.iter().map(|entry| leaf_hash(entry)).collect();
    let mut there = HashSet::new();
    // Who wrote the log checked these signatures; an auditor checks them again.
    scan.trust_signatures(true);
    log.walk::<Unsound>(|text| {
        let name = scan.entry(text)?;
        if given.contains(&name) {
            there.insert(name);
        }
        Ok(name)
    })?;
    scan.check_cuts().map_err(AdditionsError::Ruined)?;
    scan.trust_signatures(false);
    let mut new = Vec::new();
    for (place, entry) in entries.iter().enumerate() {
        if !there.insert(leaf_hash(entry)) {
            continue;
        }
        if let Err(Refusal { code, message, .. }) = scan.entry(entry) {
            return Err(AdditionsError::Misfit { number: place + 1, code, message });
        }
        new.push(entry);
    }
    let Err(Refusal { code, message, .. }) = scan.check_cuts() else { return Ok(new) };
    Err(AdditionsError::MisfitTogether { code, message })
}

impl From<Unsound> for AdditionsError {
    fn from(unsound: Unsound) -> AdditionsError {
        match unsound {
            Unsound::Unreadable(error) => AdditionsError::Log(error),
            Unsound::Refused(refusal) => AdditionsError::Ruined(refusal),
        }
    }
}
