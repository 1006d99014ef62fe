//! An audit: its page, its tables and its JSON.

pub mod checked;
pub mod csv;
pub mod effects;
pub mod left_out;
pub mod limits;
pub mod list;
pub mod merged;
pub mod outcome;
pub mod page;
pub mod table;
pub mod verdict;

use deckproof_audit::session::extreme::ExtremeDeck;

/// What began at the time of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beginning {
    /// The audit.
    Audit,
    /// The rest of it, from a checkpoint: nothing says when it first began.
    Resumed,
    /// The merge of its shards: nothing says when they were counted.
    Merge,
}

impl PageRun {
    /// The deck that decided.
    fn extreme_deck(&self) -> Option<&ExtremeDeck> {
        match self {
            PageRun::Audited { extreme_deck, .. } => extreme_deck.as_ref(),
            PageRun::Again { .. } => None,
        }
    }
}

/// What a page says beside the certificate, which names no clock or machine.
pub enum PageRun {
    /// The audit ran just now.
    Audited {
        /// When it began, UTC.
        begun: String,
        /// What began then.
        beginning: Beginning,
        /// How many seconds it took.
        seconds: f64,
        /// Operating system, processor architecture and number of processors.
        machine: String,
        /// The names of the files whose decks were read, without their folders.
        files: Vec<String>,
        /// Where the record is that was no deck.
        bad_record: Option<String>,
        /// The deck that decided, where it was read again.
        extreme_deck: Option<ExtremeDeck>,
        /// What was taken on the word of shards, a sentence each.
        believed: Vec<String>,
        /// SHA-256 of the certificate's file.
        certificate_sha256: String,
    },
    /// The page is made again from a certificate.
    Again {
        /// When, UTC.
        time: String,
        /// SHA-256 of the file it was read from: white space is not the same in all versions of the program.
        certificate_sha256: String,
    },
}
