//! Decks that nobody has a second time, kept with the package: 52 bytes a deck in the order in which they were counted, gzip.

pub mod gzip;

use std::fs::{File, OpenOptions};
use std::io::{Cursor, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use deckproof_audit::certificate::AuditResult;
use deckproof_audit::source::format::{Format, Numbering, Written};
use deckproof_audit::source::record::SourceRecord;
use deckproof_audit::source::stream::Stream;
use deckproof_audit::source::{Consumed, DeckSource, FileEnd, SourceError};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::DeckBlock;
use deckproof_files::file::own;

/// Most decks of a first look whose stream is kept: with the repeat five times as many, which one file of a package holds.
pub const KEPT_DECKS_MAX: u64 = 1_000_000;

/// Most bytes of a kept stream, unpacked: first look and repeat, and a block beyond.
pub(super) const BYTES_MAX: u64 = (5 * KEPT_DECKS_MAX + 64) * DECK_CARDS as u64;

/// Where the decks of an audit stand.
pub fn kept_name(audit: &str) -> String {
    format!("decks/{audit}.raw.gz")
}

/// Whether nobody has the decks of such a source again.
pub fn is_gone(record: &SourceRecord) -> bool {
    record.is_stream() || record.abilities().rerun.is_err()
}

/// A source whose decks are written down as they are drawn. It has one reader, so that their order is the one that was counted.
pub struct Keeping {
    inner: Box<dyn DeckSource>,
    file: File,
    place: String,
}

impl Keeping {
    /// Keeps the decks of a source in a file, which may hold those of an interrupted run.
    ///
    /// # Errors
    /// [`SourceError`]: the file cannot be opened.
    pub fn new(inner: Box<dyn DeckSource>, path: &Path) -> Result<Keeping, SourceError> {
        let place = path.display().to_string();
        // What is there is cut where the run begins or goes on, never before.
        let opened = own::open(path, OpenOptions::new().create(true).truncate(false).read(true).write(true));
        let file = opened.map_err(|error| SourceError::Io { place: place.clone(), error })?;
        Ok(Keeping { inner, file, place })
    }

    fn cut_to(&mut self, decks: u64) -> Result<(), SourceError> {
        let bytes = decks * DECK_CARDS as u64;
        let cut = self.file.set_len(bytes).and_then(|()| self.file.seek(SeekFrom::Start(bytes)));
        cut.map(drop).map_err(|error| SourceError::Io { place: self.place.clone(), error })
    }
}

impl DeckSource for Keeping {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        if first == 0 {
            self.cut_to(0)?;
        }
        self.inner.fill(first, block)?;
        let bytes: Vec<u8> = (0..block.hands()).flat_map(|lane| *block.deck(lane).indices()).collect();
        self.file.write_all(&bytes).map_err(|error| SourceError::Io { place: self.place.clone(), error })
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        None
    }

    fn go_on(&mut self, decks: u64) -> bool {
        self.inner.go_on(decks)
    }

    fn check_end(&mut self) -> Result<(), SourceError> {
        self.inner.check_end()
    }

    fn files(&self) -> Vec<FileEnd> {
        self.inner.files()
    }

    fn arrivals(&self) -> Option<Arc<AtomicU64>> {
        self.inner.arrivals()
    }

    fn consumed(&self) -> Option<Consumed> {
        self.inner.consumed()
    }

    fn resume(&mut self, consumed: &Consumed) -> Result<(), SourceError> {
        self.inner.resume(consumed)?;
        let length = self.file.metadata().map_or(0, |about| about.len());
        if length < consumed.decks * DECK_CARDS as u64 {
            return Err(SourceError::OtherStream { place: self.place.clone(), bytes: length });
        }
        self.cut_to(consumed.decks)
    }
}

/// Kept decks as a source of so many.
///
/// # Errors
/// [`SourceError`]: no deck, or bytes that are none.
pub fn source(bytes: Vec<u8>, name: &str, decks: Option<u64>) -> Result<Box<dyn DeckSource>, SourceError> {
    let written = Written::new(Some(Format::Raw), Numbering::RankSuit);
    Ok(Box::new(Stream::open(Cursor::new(bytes), name, &written, decks)?))
}

/// Whether the bytes that the program wrote were these bytes, so that the hash of the one is that of the other.
pub fn is_as_written(result: &AuditResult) -> bool {
    let source = &result.source;
    let says = |name: &str, wanted: &str| source.text(name).is_ok_and(|own| own == wanted);
    says("format", Format::Raw.name())
        && says("numbering", Numbering::RankSuit.name())
        && source.number_if_any("first_number").is_ok_and(|first| first.is_none())
        && source.text("sha256").is_ok_and(|own| !own.is_empty())
}
