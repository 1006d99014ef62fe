//! Where decks come from: the certified shuffle, recorded decks, other programs, flawed dealers.

pub mod ask;
#[doc(hidden)]
pub mod audit;
#[doc(hidden)]
pub mod chain;
#[doc(hidden)]
pub mod command;
#[doc(hidden)]
pub mod empty;
pub mod flawed;
#[doc(hidden)]
pub mod format;
pub mod group;
#[doc(hidden)]
pub mod kind;
#[doc(hidden)]
pub mod lines;
#[doc(hidden)]
pub mod list;
#[doc(hidden)]
pub mod marks;
#[doc(hidden)]
pub mod moment;
#[doc(hidden)]
pub mod named;
#[doc(hidden)]
pub mod order;
#[doc(hidden)]
pub mod os;
pub mod own;
pub mod record;
pub mod recorded;
#[doc(hidden)]
pub mod settings;
#[doc(hidden)]
pub mod stream;
#[doc(hidden)]
pub mod watched;

mod array;
mod bytes;
mod copied;
mod dealt;
mod falls;
mod files;
mod folders;
mod guess;
#[cfg(feature = "compressed")]
mod gzip;
mod input;
mod layout;
mod matched;
mod one_by_one;
#[cfg(feature = "parquet")]
mod parquet;
mod pattern;
mod pieces;
mod records;
mod spelling;
mod start_order;
mod stdin;
mod text;
mod timed;
mod twice;
#[cfg(feature = "compressed")]
mod zstandard;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use serde::{Deserialize, Serialize};

use crate::source::lines::LinesRead;
use crate::source::marks::Marks;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_deck::deck::{Deck, DeckError};
use deckproof_deck::text::decimal::{counted, thousands};

/// Decks, block by block. How a source is named, asked for and opened is its [`Kind`](kind::Kind), the joint for
/// one more: one file in `crates/source/src/source/`, one line in its list.
///
/// A source knows how many decks it may give; past them it leaves lanes empty.
pub trait DeckSource: Send {
    /// Fills the block with the decks `first, first + 1, …`, 64 of them or as many as there are:
    /// fewer means that the source has ended. A source that cannot [`fork`](DeckSource::fork) is read
    /// in order, without gaps, `first` rising by 64.
    ///
    /// # Errors
    /// [`SourceError`] names the record.
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError>;

    /// A second reader of the same decks for another thread, or `None` if the decks come in order only.
    fn fork(&self) -> Option<Box<dyn DeckSource>>;

    /// Gives decks up to number `decks` from here on, if it can go on: the same source, not started again.
    /// Says whether it can; recorded decks and streams of unknown length cannot.
    fn go_on(&mut self, _decks: u64) -> bool {
        false
    }

    /// Hears whether the source failed after the decks that were wanted of it.
    ///
    /// # Errors
    /// [`SourceError`]: how it failed.
    fn check_end(&mut self) -> Result<(), SourceError> {
        Ok(())
    }

    /// The files that the decks stand in, in order; none where they stand in no list of files.
    fn files(&self) -> Vec<FileEnd> {
        Vec::new()
    }

    /// Where a deck is, of recorded ones that can be read again: file, record, line, and its id where one is known.
    fn place_of(&mut self, _deck: u64) -> Option<String> {
        None
    }

    /// What the records say of themselves, as far as they were read, where a column of ids or times is named.
    fn marks(&self) -> Option<Marks> {
        None
    }

    /// How many decks have come so far, for a progress display of a slow stream; `None` where decks
    /// do not come one after the other.
    fn arrivals(&self) -> Option<Arc<AtomicU64>> {
        None
    }

    /// What has been read of a stream that can be read only once; `None` for every other source.
    fn consumed(&self) -> Option<Consumed> {
        None
    }

    /// Goes on where an interrupted run stopped: a stream re-reads what was consumed then and compares.
    /// Other sources need nothing, because [`fill`](DeckSource::fill) names the deck it wants.
    ///
    /// # Errors
    /// [`SourceError::OtherStream`] when the bytes are not those of the interrupted run.
    fn resume(&mut self, _consumed: &Consumed) -> Result<(), SourceError> {
        Ok(())
    }
}

/// A file of a list of files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileEnd {
    /// Its name, without folders.
    pub name: String,
    /// The number of the first deck after it.
    pub end: u64,
}

/// How far a stream has been read, and the proof of what was read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consumed {
    /// Decks given.
    pub decks: u64,
    /// Bytes they took, a header line included.
    pub bytes: u64,
    /// SHA-256 of these bytes.
    pub sha256: [u8; 32],
    /// The lines of a log, where any was passed over.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lines: Option<LinesRead>,
}

/// Why a source gave no decks.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A complete record that is not a deck: proof of a fail, except in the first record,
    /// where it more likely means the wrong format.
    #[error("{place}: {error}")]
    NotADeck {
        /// Which record, counted from 1.
        record: u64,
        /// File, record, line or offset, in words.
        place: String,
        /// What is wrong with it.
        error: DeckError,
    },
    /// A record that is not complete or not readable: nothing can be concluded.
    #[error("{place}: {found}, wanted {wanted}")]
    Unreadable {
        /// File, record, line or offset, in words.
        place: String,
        /// What was found.
        found: String,
        /// What was wanted.
        wanted: String,
    },
    /// The source ended before the decks that were asked of it.
    #[error("{place}: found {found} decks, wanted {wanted}")]
    TooFew {
        /// File or program.
        place: String,
        /// How many decks it gave.
        found: u64,
        /// How many were asked of it.
        wanted: u64,
    },
    /// No deck at all.
    #[error("{place}: found no deck, wanted at least one (did the export write anything?)")]
    Empty {
        /// File or program.
        place: String,
    },
    /// A stream that does not begin as the interrupted run's did.
    #[error(
        "{place}: the first {bytes} bytes are not those of the interrupted run, wanted the same stream again"
    )]
    OtherStream {
        /// The stream.
        place: String,
        /// How many bytes were compared.
        bytes: u64,
    },
    /// One file under two names.
    #[error(
        "{name}: it holds the same as {first}, wanted other decks: give a copy once; if a shuffler wrote both, it dealt the same \
         decks again, and both files joined into one show that"
    )]
    Copied {
        /// The later file.
        name: String,
        /// The earlier one.
        first: String,
    },
    /// Records that somebody sorted: they are not in the order of their dealing.
    #[error("{name}: {}", sorted_words(*.place, *.is_ascending))]
    Sorted {
        /// File or files.
        name: String,
        /// By the card of which place, counted from 1.
        place: usize,
        /// Whether it rises.
        is_ascending: bool,
    },
    /// Most records have no time.
    #[error(
        "{name}: {} of {} have no time in --time-column that can be read, wanted one in every record, such as 2026-11-22T04:05:06Z: \
         nothing shows in which order they were dealt; name the column of the times, or leave --time-column out",
        thousands(*.untimed), counted(*.records, "record", "records")
    )]
    Untimed {
        /// File or files.
        name: String,
        /// How many have none.
        untimed: u64,
        /// Of how many.
        records: u64,
    },
    /// Records whose times or ids fall from one to the next.
    #[error(
        "{name}: the {what} fall from record to record, from {first:?} to {last:?}: the newest record comes first; export them in the \
         order of their dealing, the oldest first (ORDER BY the hand or its time)"
    )]
    NewestFirst {
        /// File or files.
        name: String,
        /// `times` or `ids`.
        what: &'static str,
        /// That of the first record.
        first: String,
        /// That of the last one.
        last: String,
    },
    /// Records whose times jump to and fro.
    #[error(
        "{name}: the times jump to and fro from record to record{falls}, as from {from:?} to {to:?}: the records are in another order than \
         that of their dealing, which hides what a deck has from the one before, or clocks or time zones differ; export them in that order \
         (ORDER BY the hand or its time). If each table has a shuffler of its own, audit the records of each alone"
    )]
    OutOfOrder {
        /// File or files.
        name: String,
        /// How often they fall, in brackets, where that was counted.
        falls: String,
        /// Before the longest jump back.
        from: String,
        /// And after it.
        to: String,
    },
    /// Records whose times jump to and fro or do not, by whether the month or the day comes first in their dates.
    #[error(
        "{name}: two readings of the times are possible: with the {jumping} first they jump to and fro from record to record, as from {from:?} \
         to {to:?}; or with the {other} first, in which they are in order: export times that tell, such as 2026-11-30 21:05:12"
    )]
    MonthOrDay {
        /// File or files.
        name: String,
        /// What comes first in the reading in which they jump.
        jumping: &'static str,
        /// And in the other one.
        other: &'static str,
        /// Before the longest jump back.
        from: String,
        /// And after it.
        to: String,
    },
    /// A deck that lies as the stated start order does.
    #[error(
        "record {}: its cards lie as in --start-order, as they are, rotated or reversed. If the order was copied from a deck, fair decks fail \
         by it: audit without --start-order. If it was known before any deck was looked at, the dealer did not shuffle this record, \
         which an audit without --start-order may not show: look at the record at its origin",
        thousands(*.record)
    )]
    StartOrder {
        /// Which record, counted from 1.
        record: u64,
    },
    /// A file whose length changed while it was read.
    #[error("{place}: found {found} bytes, wanted the {wanted} bytes it held when it was opened")]
    Changed {
        /// The file.
        place: String,
        /// Its length now.
        found: u64,
        /// Its length when it was opened.
        wanted: u64,
    },
    /// The file or program failed.
    #[error("{place}: {error}")]
    Io {
        /// File or program.
        place: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// Anything the source says in one sentence, such as a program that stopped early.
    #[error("{0}")]
    Failed(String),
}

fn sorted_words(place: usize, is_ascending: bool) -> String {
    let by = match place {
        1 => "their first card".to_owned(),
        place => format!("card {place} from the top"),
    };
    let way = if is_ascending { "ascending" } else { "descending" };
    format!(
        "the records are sorted by {by}, {way}: somebody sorted them after their dealing, or the shuffler deals them so, which is no fair \
         shuffle; export them in the order of their dealing (ORDER BY the hand or its time) and name --time-column to decide"
    )
}

impl SourceError {
    /// Whether this is proof of a fail: a complete record that is not a deck, and not the
    /// first one, where it more likely means the wrong format.
    pub fn is_proof(&self) -> bool {
        matches!(self, SourceError::NotADeck { record: 2.., .. })
    }
}

/// Fills a block deck by deck from a source that gives `decks` decks in all.
fn fill_singly(
    block: &mut DeckBlock,
    first: u64,
    decks: u64,
    mut deck: impl FnMut(u64) -> Result<Deck, SourceError>,
) -> Result<(), SourceError> {
    block.clear();
    for number in first..decks.min(first.saturating_add(BLOCK_HANDS as u64)) {
        block.push(&deck(number)?);
    }
    Ok(())
}
