//! `-`: decks of a stream that can be read only once, such as standard input.

use std::ffi::OsStr;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::source::ask::{Abilities, AskError, Source};
use crate::source::bytes::Hashing;
use crate::source::empty::EmptyDecks;
use crate::source::format::{self, Format, Numbering, RECORD_FIELDS, Written};
use crate::source::input::{self, Made};
use crate::source::kind::{Kind, KindFacts};
use crate::source::lines::{self, LinesRead};
use crate::source::marks::Marks;
use crate::source::matched::PassedLines;
use crate::source::pieces::Input;
use crate::source::record::{RecordError, SourceRecord};
use crate::source::records::{Records, Waypoint};
use crate::source::settings::Settings;
use crate::source::timed;
use crate::source::twice::TwiceRead;
use crate::source::{Consumed, DeckSource, SourceError};
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};

/// What the record calls a stream.
pub(super) const RECORD_KIND: &str = "stream";

/// What can be done with a stream.
pub(super) const ABILITIES: Abilities = Abilities {
    shard: Err("a stream can be read only from its beginning"),
    is_supplied: true,
    ..Abilities::ALL
};

/// A kind of source that gives a stream, by what is typed.
pub(super) struct StreamKind {
    pub(super) name: &'static str,
    pub(super) form: &'static str,
    pub(super) ask: Ask,
}

/// Makes the source of what follows the name of a kind.
type Ask = fn(&StreamKind, Option<&OsStr>, &Settings) -> Result<Box<dyn Source>, AskError>;

impl Kind for StreamKind {
    fn facts(&self) -> KindFacts {
        KindFacts {
            settings: format::SETTINGS,
            record_kind: RECORD_KIND,
            abilities: ABILITIES,
            ..KindFacts::new(self.name, self.form)
        }
    }

    fn parse(&self, rest: Option<&OsStr>, settings: &Settings) -> Result<Box<dyn Source>, AskError> {
        (self.ask)(self, rest, settings)
    }

    fn of_record(&self, _: &SourceRecord) -> Result<Box<dyn Source>, AskError> {
        Err(AskError::new(
            "the decks are those of a stream, which is named by the SHA-256 of its bytes",
            "Supply the same bytes with --source -, or cmd:'PROGRAM ARGS'.",
        ))
    }

    fn check(&self, record: &SourceRecord) -> Result<(), RecordError> {
        record.only(&[&["sha256"][..], &lines::RECORD_FIELDS, &RECORD_FIELDS].concat())?;
        LinesRead::checked(record)?;
        Written::check(record)?;
        match record.text("sha256")? {
            "" => Ok(()),
            _ => record.hexadecimal("sha256").map(drop),
        }
    }

    fn words(&self, record: &SourceRecord) -> Result<String, RecordError> {
        let lines = LinesRead::checked(record)?
            .and_then(LinesRead::words)
            .map_or(String::new(), |words| format!(", {words}"));
        let [chosen, place] = [Written::chosen_words(record), Written::place_words(record)];
        let format = format!("{}{chosen}{place}{lines}", record.text("format")?);
        Ok(match record.text("sha256")? {
            "" => format!("a stream of decks in format {format}"),
            sha256 => format!("a stream of decks in format {format}, SHA-256 of the bytes read {sha256}"),
        })
    }
}

/// What a plan says of a stream, where nothing of it has been read.
pub fn record(format: Format, numbering: Numbering) -> SourceRecord {
    SourceRecord::new(RECORD_KIND)
        .with("format", format.name())
        .with("numbering", numbering.name())
        .with("sha256", "")
}

/// A reader that gives up where that was asked for.
pub(super) fn timed(reader: impl Read + Send + 'static, written: &Written) -> Input {
    match written.silence_max {
        Some(silence_max) => timed::read(reader, silence_max),
        None => Box::new(reader),
    }
}

/// Unpacked and decoded as its first bytes say; `name` is what messages call it. No raw deck begins like a packed
/// stream: each such beginning has a byte above 51.
///
/// # Errors
/// [`SourceError`]: it fails, or is packed in a way that this build does not read.
pub(super) fn unpacked(input: Input, name: &str, written: &Written) -> Result<Unpacked, SourceError> {
    let (input, packing) = input::unpack(input, name, written)?;
    let sentence = packing.words().map(|words| format!("{name}: {words}; SHA-256 is that of what it holds"));
    Ok(Unpacked { input, sentence, made: packing.made(), passed: packing.passed })
}

/// A stream as its decks are written.
pub(super) struct Unpacked {
    /// Its bytes.
    pub(super) input: Input,
    /// How it was packed, in a sentence, if it was.
    pub(super) sentence: Option<String>,
    /// What was made of it.
    pub(super) made: Made,
    /// Its lines, where --deck-regex tells where their decks stand.
    pub(super) passed: PassedLines,
}

/// That a plan cannot tell how the decks of a stream are written.
fn no_format() -> AskError {
    AskError::new(
        "a plan reads no stream, so it cannot tell how the decks are written",
        "Give --format raw, indices or cards.",
    )
}

/// What a plan says of a stream that is written so.
pub(super) fn planned(written: &Written) -> Result<SourceRecord, AskError> {
    let record = record(written.format.ok_or_else(no_format)?, written.numbering);
    let first_number = written.first_number.map(u64::from).filter(|&first| first > 0);
    Ok(written.add_columns(record.with_some("first_number", first_number)))
}

/// The decks of a reader, in order.
///
/// It hashes every byte it consumes, so that an interrupted run can go on when it is fed the same
/// stream again.
pub struct Stream<R> {
    records: Records<R>,
    wanted: Option<u64>,
    is_over: bool,
    sentence: String,
    arrivals: Arc<AtomicU64>,
    marks: Marks,
    /// The lines of a log.
    lines: PassedLines,
    /// Whether a column of ids or times was named.
    is_marked: bool,
    empty_decks: Option<EmptyDecks>,
}

impl<R: Read> Stream<R> {
    /// Waits for the first line and looks at it. Where its format was not given it is a text that tells by
    /// its first lines; `None` as `wanted` means to the end of the stream.
    ///
    /// # Errors
    /// [`SourceError`]: empty, or not a text of decks.
    pub fn open(
        reader: R,
        name: &str,
        written: &Written,
        wanted: Option<u64>,
    ) -> Result<Stream<R>, SourceError> {
        Stream::open_made(Made::default(), reader, name, written, wanted)
    }

    /// The same, where something was made of its lines.
    pub(super) fn open_made(
        made: Made,
        reader: R,
        name: &str,
        written: &Written,
        wanted: Option<u64>,
    ) -> Result<Stream<R>, SourceError> {
        let (mut records, sentence) = Records::open(reader, Hashing::On, name, written, made)?;
        let arrivals = Arc::default();
        let marks = Marks::new(written);
        records.mark(&marks, 0);
        Ok(Stream {
            records,
            wanted,
            is_over: wanted == Some(0),
            sentence,
            arrivals,
            marks,
            lines: PassedLines::default(),
            is_marked: written.is_marked(),
            empty_decks: written.empty_decks,
        })
    }

    /// The same, whose records these lines hold.
    pub(super) fn of_lines(self, lines: &PassedLines) -> Stream<R> {
        self.marks.join(0, lines.records());
        Stream { lines: lines.clone(), ..self }
    }

    /// What the stream was taken for, in one sentence.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }

    /// What the stream was taken for.
    pub fn format(&self) -> Format {
        self.records.format()
    }

    /// What the public record says of it.
    pub(super) fn record(&self, written: &Written) -> SourceRecord {
        let record =
            record(self.format(), written.numbering).with_some(format::PLACE_FIELD, self.records.found_in());
        let first_number = Some(u64::from(self.records.first_number())).filter(|&first| first > 0);
        written.add_columns(record.with_some("first_number", first_number))
    }

    /// Whether the reader has reported its end.
    pub(super) fn has_ended(&self) -> bool {
        self.records.has_ended()
    }

    /// Whether all decks that were wanted of it have come.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// How many decks were read.
    pub(super) fn decks(&self) -> u64 {
        self.records.at().records
    }

    /// Every record may stand there once, and a part of them without a deck, no more.
    pub(super) fn check_records(&self) -> Result<(), SourceError> {
        let is_read = |twice: &&TwiceRead| twice.records.iter().all(|&record| record < self.decks());
        if let Some(twice) = self.marks.twice().iter().find(is_read) {
            let name = self.records.name();
            return Err(SourceError::Failed(format!("{name}: {}. {}", twice.fault(), twice.advice())));
        }
        let empty = self.marks.empty(self.decks());
        match self.empty_decks.and_then(|empty_decks| empty_decks.fault(empty, self.decks())) {
            None => Ok(()),
            Some(fault) => Err(SourceError::Failed(format!("{}: {fault}", self.records.name()))),
        }
    }

    fn end(&mut self) -> Result<(), SourceError> {
        let (place, found) = (self.records.name().to_string(), self.decks());
        match self.wanted {
            Some(wanted) => Err(SourceError::TooFew { place, found, wanted }),
            None if found == 0 => Err(SourceError::Empty { place }),
            None => {
                self.is_over = true;
                Ok(())
            }
        }
    }
}

impl<R: Read + Send> DeckSource for Stream<R> {
    /// # Panics
    /// If `first` is not the deck that comes next.
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        block.clear();
        if self.is_over {
            return Ok(());
        }
        assert_eq!(first, self.decks(), "a stream comes in order");
        let end = self.wanted.unwrap_or(u64::MAX).min(first.saturating_add(BLOCK_HANDS as u64));
        for _ in first..end {
            match self.records.next_deck()? {
                Some(deck) => {
                    block.push(&deck);
                    self.arrivals.fetch_add(1, Ordering::Relaxed);
                }
                None => return self.end(),
            }
        }
        self.is_over = self.wanted == Some(end);
        Ok(())
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        None
    }

    fn go_on(&mut self, decks: u64) -> bool {
        if self.wanted.is_none() {
            return false;
        }
        self.wanted = Some(decks);
        self.is_over = self.decks() >= decks;
        true
    }

    fn check_end(&mut self) -> Result<(), SourceError> {
        self.check_records()
    }

    fn marks(&self) -> Option<Marks> {
        self.is_marked.then(|| self.marks.clone())
    }

    fn arrivals(&self) -> Option<Arc<AtomicU64>> {
        Some(Arc::clone(&self.arrivals))
    }

    fn consumed(&self) -> Option<Consumed> {
        let Waypoint { records: decks, bytes, .. } = self.records.at();
        let lines = Some(self.lines.counts()).filter(|lines| lines.passed_over > 0);
        Some(Consumed { decks, bytes, sha256: self.records.sha256().expect("a stream hashes"), lines })
    }

    fn resume(&mut self, consumed: &Consumed) -> Result<(), SourceError> {
        // Record by record, for what they say of themselves.
        while self.decks() < consumed.decks {
            match self.records.skip() {
                Ok(true) => {}
                Ok(false) | Err(SourceError::Unreadable { .. }) => break,
                Err(error) => return Err(error),
            }
        }
        let is_same = self.decks() == consumed.decks && self.records.at().bytes == consumed.bytes;
        if is_same && self.records.sha256() == Some(consumed.sha256) {
            self.arrivals.store(consumed.decks, Ordering::Relaxed);
            return Ok(());
        }
        let place = self.records.name().to_string();
        Err(SourceError::OtherStream { place, bytes: consumed.bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a line, then asks how many decks have come, then another line.
    struct Slow {
        lines: u64,
        seen: Arc<AtomicU64>,
        log: Arc<std::sync::Mutex<Vec<u64>>>,
    }

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.log.lock().expect("no holder panics").push(self.seen.load(Ordering::Relaxed));
            if self.lines == 0 {
                return Ok(0);
            }
            self.lines -= 1;
            let numbers: Vec<String> = (0..52).rev().map(|card| card.to_string()).collect();
            let line = numbers.join(" ") + "\n";
            buffer[..line.len()].copy_from_slice(line.as_bytes());
            Ok(line.len())
        }
    }

    #[test]
    fn decks_of_a_slow_stream_are_known_as_they_come() {
        let (seen, log) = (Arc::new(AtomicU64::new(0)), Arc::default());
        let slow = Slow { lines: 5, seen: Arc::clone(&seen), log: Arc::clone(&log) };
        let written = Written::new(None, Numbering::RankSuit);
        let mut stream = Stream::open(slow, "slow", &written, None).expect("a text of decks");
        stream.arrivals = seen;
        let mut block = DeckBlock::default();
        stream.fill(0, &mut block).expect("five decks");
        assert_eq!(block.hands(), 5);
        // Long before the block of 64 is full, and the head of several lines is read for its layout first.
        let log = log.lock().expect("no holder panics");
        assert!(log.ends_with(&[3, 4, 5]) || log.contains(&4), "{log:?}");
    }
}
