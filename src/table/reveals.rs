//! The bundles of a hand that was dealt, made from the folder of its table.

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::file::{Access, TEXT_BYTES_MAX, own};
use crate::ledger::log::LogError;
use crate::ledger::log::reader::LogReader;
use crate::stud::seat::{Seat, Seats};
use crate::table::book::{ENTRIES, HANDS, RECEIPTS, TRANSCRIPTS, history_file};
use crate::table::logged::ReceiptRecord;
use crate::table::restore::{EndedHand, RestoreError, WrittenHand, early_receipts};
use crate::table::{DealtHand, VoidedHand};
use crate::text::visible;

/// Which bundles are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BundlesWanted {
    /// Entries, transcript, receipts, and the bundles of every seat and of the arbiter.
    Everything,
    /// What one seat may see.
    Seat(Seat),
    /// The full reveal, for an arbiter.
    Full,
}

/// A file to be written; a bundle opens cards, so its text is wiped.
pub struct BundleText {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: Zeroizing<String>,
    /// Who may read it.
    pub access: Access,
}

/// Why there are no bundles.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BundlesError {
    /// A file of the table cannot be read.
    #[error("{}: {error}", visible(&.path.display().to_string()))]
    File {
        /// Which.
        path: PathBuf,
        /// What the operating system said.
        error: io::Error,
    },
    /// The folder does not hold the hand.
    #[error("{}: {error}", table.display())]
    Folder {
        /// The folder.
        table: PathBuf,
        /// Why not.
        error: RestoreError,
    },
    /// The log does not prove the hand.
    #[error("hand {hand} in the log {}: {error}", log.display())]
    Log {
        /// The hand.
        hand: u64,
        /// The folder of the log.
        log: PathBuf,
        /// Why not.
        error: LogError,
    },
    /// The seat has no part in the hand.
    #[error("hand {hand} was dealt to the seats {seats}")]
    NotDealt {
        /// The seat.
        seat: Seat,
        /// The hand.
        hand: u64,
        /// Those who have.
        seats: Seats,
    },
    /// A voided hand shows a seat nothing.
    #[error("hand {hand} was voided, so no seat is shown anything")]
    Voided {
        /// The seat.
        seat: Seat,
        /// The hand.
        hand: u64,
    },
}

impl BundlesError {
    fn file(path: &Path, error: io::Error) -> BundlesError {
        BundlesError::File { path: path.to_owned(), error }
    }
}

/// The files of a hand, as the folder of its table and the log have it.
///
/// # Errors
/// [`BundlesError`].
pub fn bundles(
    table: &Path,
    hand: u64,
    log: Option<&Path>,
    wanted: BundlesWanted,
) -> Result<Vec<BundleText>, BundlesError> {
    let ended = read_hand(table, hand)?;
    let (ended, receipts) = match log {
        Some(log) => proven(ended, table, hand, log)?,
        None => (ended, Vec::new()),
    };
    if let BundlesWanted::Seat(seat) = wanted
        && !ended.seats().has(seat)
    {
        return Err(BundlesError::NotDealt { seat, hand, seats: ended.seats().clone() });
    }
    let mut files = match &ended {
        EndedHand::Closed(dealt, shown_down) => closed_files(dealt, shown_down, &ended, wanted),
        EndedHand::Voided(voided) => voided_files(voided, hand, wanted)?,
    };
    if wanted == BundlesWanted::Everything {
        files.extend(receipts);
    }
    Ok(files)
}

fn public(name: &str, text: &str) -> BundleText {
    BundleText { name: name.to_owned(), text: Zeroizing::new(text.to_owned()), access: Access::Public }
}

fn secret(name: impl Into<String>, text: Zeroizing<String>) -> BundleText {
    BundleText { name: name.into(), text, access: Access::OwnerOnly }
}

fn closed_files(
    dealt: &DealtHand,
    shown_down: &[Seat],
    ended: &EndedHand,
    wanted: BundlesWanted,
) -> Vec<BundleText> {
    let mut files = Vec::new();
    if wanted == BundlesWanted::Everything {
        files.push(public("deck.txt", dealt.deck_entry()));
        files.push(public("open.txt", dealt.open_entry()));
        files.extend(dealt.cut_entry().map(|text| public("cut.txt", text)));
        files.push(public("transcript.txt", dealt.transcript()));
        files.push(public("close.txt", dealt.close_entry()));
        files.extend(dealt.history().map(|text| public("history.phh", text)));
    }
    if matches!(wanted, BundlesWanted::Everything | BundlesWanted::Full) {
        files.push(secret("full-reveal.json", dealt.full_bundle()));
    }
    for &seat in ended.seats().in_order() {
        if wanted == BundlesWanted::Everything || wanted == BundlesWanted::Seat(seat) {
            files.push(secret(format!("seat-{seat}.json"), dealt.seat_bundle(seat, shown_down)));
        }
    }
    files
}

fn voided_files(
    voided: &VoidedHand,
    hand: u64,
    wanted: BundlesWanted,
) -> Result<Vec<BundleText>, BundlesError> {
    if let BundlesWanted::Seat(seat) = wanted {
        return Err(BundlesError::Voided { seat, hand });
    }
    let mut files = Vec::new();
    if wanted == BundlesWanted::Everything {
        files.push(public("deck.txt", voided.deck_entry()));
        files.extend(voided.open_entry().map(|text| public("open.txt", text)));
        files.extend(voided.cut_entry().map(|text| public("cut.txt", text)));
        files.push(public("void.txt", voided.void_entry()));
    }
    files.extend(voided.full_bundle().map(|text| secret("full-reveal.json", text)));
    Ok(files)
}

/// The hand with the proofs of its log, and the receipts that were handed out before its first card.
fn proven(
    ended: EndedHand,
    table: &Path,
    hand: u64,
    log: &Path,
) -> Result<(EndedHand, Vec<BundleText>), BundlesError> {
    let failed = |error: LogError| BundlesError::Log { hand, log: log.to_owned(), error };
    let reader = LogReader::open(log).map_err(failed)?;
    let path = table.join(RECEIPTS);
    let record = match own::open_to_read(&path) {
        Ok(file) => ReceiptRecord::find(hand, BufReader::new(file))
            .map_err(|error| BundlesError::file(&path, error))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(BundlesError::file(&path, error)),
    };
    let ended = ended.with_proofs(record.as_ref(), &reader).map_err(failed)?;
    let receipts = match &record {
        Some(record) => {
            let [deck, open] = early_receipts(record, &reader).map_err(failed)?;
            vec![public("deck.proof", &deck), public("open.proof", &open)]
        }
        None => Vec::new(),
    };
    Ok((ended, receipts))
}

/// The hand as the files of its table have it.
fn read_hand(table: &Path, hand: u64) -> Result<EndedHand, BundlesError> {
    let open = |file: &str| {
        let path = table.join(file);
        own::open_to_read(&path).map(BufReader::new).map_err(|error| BundlesError::file(&path, error))
    };
    let unfit = |error: RestoreError| BundlesError::Folder { table: table.to_owned(), error };
    let written = WrittenHand::find(hand, open(ENTRIES)?, open(TRANSCRIPTS)?, open(HANDS)?).map_err(unfit)?;
    let path = table.join(history_file(hand));
    let history = match own::read_text_limited(&path, TEXT_BYTES_MAX) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(BundlesError::file(&path, error)),
    };
    written.ended(history).map_err(unfit)
}
