//! The bundles of hands that were dealt, made from the folder of their table.

mod sources;

use std::collections::BTreeSet;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::log_folder::LogError;
use crate::table::DealtHand;
use crate::table::restore::{EndedHand, RestoreError};
use crate::table::reveals::sources::{HandRead, Sources};
use deckproof_deck::text::visible;
use deckproof_files::file::Access;
use deckproof_stud::stud::seat::{Seat, Seats};
use deckproof_verify::log::entry::Entry;

/// Which bundles are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BundlesWanted {
    /// Entries, transcript, receipts, and the bundles of every seat and of the arbiter.
    Everything,
    /// What one seat may see; of a voided hand its entries, which say why.
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
pub enum BundlesError {
    /// A file of the table cannot be read.
    #[error("{}: {error}", visible(&.path.display().to_string()))]
    File {
        /// Which.
        path: PathBuf,
        /// The error of the operating system.
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
}

impl BundlesError {
    pub(super) fn file(path: &Path, error: io::Error) -> BundlesError {
        BundlesError::File { path: path.to_owned(), error }
    }
}

/// The files of a hand that are handed out.
pub struct HandFiles {
    /// The hand.
    pub hand: u64,
    /// What is written.
    pub files: Vec<BundleText>,
    /// The reason, where it was voided.
    pub voided: Option<String>,
}

/// Hands that are read from the files of a table in one pass.
const HANDS_AT_ONCE: usize = 4096;

/// The files of hands, as the folder of their table and the log have them, each file of the table read once for
/// thousands of hands: each hand is handed over, or why there is nothing of it. The first hand that the table has not
/// had yet is the last one that is looked at.
///
/// # Errors
/// [`BundlesError`] where nothing can be read; the caller's.
pub fn bundles<E: From<BundlesError>>(
    table: &Path,
    hands: &[RangeInclusive<u64>],
    log: Option<&Path>,
    wanted: BundlesWanted,
    mut with: impl FnMut(Result<HandFiles, BundlesError>) -> Result<(), E>,
) -> Result<(), E> {
    let sources = Sources::open(table, log, hands)?;
    let mut numbers = ascending(hands).into_iter().flatten();
    loop {
        let some: BTreeSet<u64> = numbers.by_ref().take(HANDS_AT_ONCE).collect();
        if some.is_empty() {
            return Ok(());
        }
        let (last, read) = sources.read(&some)?;
        for (hand, read) in some.iter().zip(read) {
            with(read.and_then(|read| files(read, *hand, wanted)))?;
            if *hand > last {
                return Ok(());
            }
        }
    }
}

/// The same hands in ascending order, each once.
fn ascending(hands: &[RangeInclusive<u64>]) -> Vec<RangeInclusive<u64>> {
    let mut sorted = hands.to_vec();
    sorted.sort_by_key(|hands| *hands.start());
    let mut merged: Vec<RangeInclusive<u64>> = Vec::new();
    for hands in sorted {
        match merged.last_mut() {
            Some(before) if hands.start() <= before.end() => {
                *before = *before.start()..=*before.end().max(hands.end());
            }
            _ => merged.push(hands),
        }
    }
    merged
}

/// What is handed out of a hand.
fn files(read: HandRead, hand: u64, wanted: BundlesWanted) -> Result<HandFiles, BundlesError> {
    let HandRead { ended, entries, receipts, .. } = read;
    let is_full = wanted == BundlesWanted::Full;
    let ended = match ended {
        Ok(ended) => ended,
        // Nothing of its deck is ever shown, and no seat had a part in it.
        Err(BundlesError::Folder { error: RestoreError::NeverOpened { reason, .. }, .. }) if !is_full => {
            return Ok(HandFiles { hand, files: entry_files(&entries, receipts), voided: Some(reason) });
        }
        Err(error) => return Err(error),
    };
    if let BundlesWanted::Seat(seat) = wanted
        && !ended.seats().has(seat)
    {
        return Err(BundlesError::NotDealt { seat, hand, seats: ended.seats().clone() });
    }
    let mut files = Vec::new();
    let voided = match &ended {
        EndedHand::Closed(dealt, shown_down) => {
            files.extend(closed_files(dealt, shown_down, &ended, wanted));
            if wanted == BundlesWanted::Everything {
                files.extend(receipts);
            }
            None
        }
        EndedHand::Voided(voided) => {
            if !is_full {
                files.extend(entry_files(&entries, receipts));
            }
            if !matches!(wanted, BundlesWanted::Seat(_)) {
                files.extend(voided.full_bundle().map(|text| secret("full-reveal.json", text)));
            }
            void_reason(voided.void_entry())
        }
    };
    Ok(HandFiles { hand, files, voided })
}

/// The entries of a hand with what proves them: all that a player of a voided hand is given.
fn entry_files(entries: &[String], receipts: Vec<BundleText>) -> Vec<BundleText> {
    let kind = |text: &str| Entry::kind_of(text).unwrap_or("entry");
    let entries = entries.iter().map(|text| public(&format!("{}.txt", kind(text)), text));
    entries.chain(receipts).collect()
}

fn void_reason(void_entry: &str) -> Option<String> {
    match Entry::parse(void_entry) {
        Ok(Entry::Void(void)) => Some(void.reason),
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_are_taken_in_order_and_once() {
        let hands = ascending(&[7..=9, 1..=3, 3..=4, 20..=20, 8..=8]);
        assert_eq!(hands, [1..=4, 7..=9, 20..=20]);
    }
}
