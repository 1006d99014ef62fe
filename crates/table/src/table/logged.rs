//! The log that a table's entries go to, and the receipts it gives for them before the first card.

use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use crate::log_folder::files::{Files, in_folder};
use crate::log_folder::next_entry::{self, Found, check_turn};
use crate::log_folder::reader::LogReader;
use crate::log_folder::{Log, LogError};
use deckproof_files::file::lock::LockError;
use deckproof_files::file::{Access, TEXT_BYTES_MAX, own, write_atomic};
use deckproof_verify::log::note::{Note, Signature};
use deckproof_verify::log::vkey::Signer;

/// How long another writer of the log is waited for.
const LOCK_WAIT: Duration = Duration::from_secs(30);

/// How long to sleep between two attempts at the lock.
const TRY_AGAIN: Duration = Duration::from_millis(5);

/// Asks witnesses: from the text of a signed checkpoint, lines to add to it.
pub type Witnesses = Box<dyn FnMut(&Note) -> Vec<Signature>>;

/// A log with the key that signs it. It is locked for each entry alone, so that several tables may share it.
pub struct SignedLog {
    files: Rc<dyn Files>,
    signer: Signer,
    witnesses: Option<Witnesses>,
}

impl SignedLog {
    /// The log in a folder.
    pub fn new(folder: &Path, signer: Signer) -> SignedLog {
        SignedLog::of_files(in_folder(folder), signer)
    }

    /// A log among files.
    pub fn of_files(files: Rc<dyn Files>, signer: Signer) -> SignedLog {
        SignedLog { files, signer, witnesses: None }
    }

    /// The same log, whose checkpoints go to witnesses before receipts are made. The lines they give must
    /// verify: they are not looked at here.
    pub fn with_witnesses(self, witnesses: Witnesses) -> SignedLog {
        SignedLog { witnesses: Some(witnesses), ..self }
    }

    /// The log for writing; another writer is waited for.
    fn open(&self) -> Result<Log, LogError> {
        let begin = Instant::now();
        loop {
            match Log::open_files(Rc::clone(&self.files)) {
                Err(LogError::Lock(LockError::Busy { .. })) if begin.elapsed() < LOCK_WAIT => {
                    thread::sleep(TRY_AGAIN);
                }
                other => return other,
            }
        }
    }

    /// The log's name.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn origin(&self) -> Result<String, LogError> {
        Ok(self.reader()?.checkpoint().origin.clone())
    }

    /// The log under its current checkpoint.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn reader(&self) -> Result<LogReader, LogError> {
        LogReader::open_files(Rc::clone(&self.files))
    }

    /// Adds an entry, if it comes next, and returns its index. When this returns it is durable and under a signed checkpoint.
    ///
    /// # Errors
    /// [`LogError`]; then it may be in the log or not.
    pub fn publish(&mut self, entry: &str) -> Result<u64, LogError> {
        let mut log = self.open()?;
        // Under the lock: another table of this name may have been quicker.
        check_turn(log.reader(), entry)?;
        let index = log.append(entry)?;
        log.publish(&self.signer)?;
        Ok(index)
    }

    /// The current checkpoint with the cosignatures of witnesses that come in time; it is asked for once a hand,
    /// when the hand has been opened and no card is dealt.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn cosigned(&mut self) -> Result<String, LogError> {
        let reader = self.reader()?;
        let Some(witnesses) = &mut self.witnesses else { return Ok(reader.note().to_owned()) };
        let mut note = reader.parsed_note();
        let lines = witnesses(&note);
        note.signatures.extend(lines);
        let text = note.to_string();
        let mut log = self.open()?;
        // Another table may have published since; then the cosigned checkpoint is for the receipts alone.
        if log.reader().checkpoint() == reader.checkpoint() {
            log.replace_checkpoint(&text)?;
        }
        Ok(text)
    }
}

/// The last deck a table has in a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LastDeck {
    /// The hand it is of.
    pub hand: u64,
    /// Whether the hand was closed or voided.
    pub is_ended: bool,
}

/// The last deck that a table has in a log.
///
/// # Errors
/// [`LogError`].
pub fn last_deck(log: &LogReader, table: &str) -> Result<Option<LastDeck>, LogError> {
    let last = next_entry::last(log, table)?;
    Ok(last.map(|Found { deck, is_ended }| LastDeck { hand: deck.hand, is_ended }))
}

/// The receipts of a hand, as one line of the table's public files: the hand, the places of its deck entry and
/// its open entry in the log, and the signed checkpoint that stood when it was opened. From these and the
/// tiles the receipts are made again byte for byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReceiptRecord {
    /// The hand.
    pub hand: u64,
    /// The place of its deck entry in the log, from 0.
    pub deck: u64,
    /// The place of its open entry.
    pub open: u64,
    /// The signed checkpoint.
    pub note: String,
}

impl ReceiptRecord {
    /// `HAND DECK OPEN NOTE`, each line feed of the note as a tab: a note holds no other control character.
    pub fn print(&self) -> String {
        let ReceiptRecord { hand, deck, open, note } = self;
        format!("{hand} {deck} {open} {}\n", note.replace('\n', "\t"))
    }

    /// The record of a hand among others.
    ///
    /// # Errors
    /// Those of reading.
    pub fn find(hand: u64, records: impl BufRead) -> io::Result<Option<ReceiptRecord>> {
        for line in records.lines() {
            if let Some(record) = ReceiptRecord::parse(&line?).filter(|record| record.hand == hand) {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    /// Reads a line without its line feed; nothing if it is none.
    pub fn parse(line: &str) -> Option<ReceiptRecord> {
        let mut words = line.splitn(4, ' ');
        let mut number = || words.next()?.parse::<u64>().ok();
        let (hand, deck, open) = (number()?, number()?, number()?);
        Some(ReceiptRecord { hand, deck, open, note: words.next()?.replace('\t', "\n") })
    }
}

/// The file of a table that names the folder of its log. It is the operator's alone, like the keys beside it.
pub const REMEMBERED: &str = "secret/log";

/// Writes down where the log of a table is.
///
/// # Errors
/// The file system's, of the log's folder or of [`REMEMBERED`].
pub fn remember(table: &Path, log: &Path) -> io::Result<()> {
    let path = table.join(REMEMBERED);
    own::check_folders(table, &path)?;
    let text = format!("{}\n", fs::canonicalize(log)?.display());
    if own::read_text_limited(&path, TEXT_BYTES_MAX).is_ok_and(|found| found == text) {
        return Ok(());
    }
    write_atomic(&path, text.as_bytes(), Access::OwnerOnly)
}

/// The folder of the log that a table's hands went to, as the table remembers it.
pub fn remembered(table: &Path) -> Option<PathBuf> {
    let text = own::read_text_limited(&table.join(REMEMBERED), TEXT_BYTES_MAX).ok()?;
    Some(PathBuf::from(text.trim_end_matches('\n')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_receipts_reads_back_with_every_line_of_its_note() {
        let note = "stud.example/log1\n7\nAAAA\n\n\u{2014} stud.example/log1 BBBB\n\u{2014} w CCCC\n";
        let record = ReceiptRecord { hand: 3, deck: 5, open: 6, note: note.to_owned() };
        let line = record.print();
        assert_eq!((line.matches('\n').count(), line.ends_with('\n')), (1, true));
        assert_eq!(ReceiptRecord::parse(line.trim_end_matches('\n')), Some(record));
        for line in ["", "3 5", "3 5 6", "x 5 6 a"] {
            assert_eq!(ReceiptRecord::parse(line), None, "{line}");
        }
    }
}
