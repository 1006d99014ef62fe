//! Decks of a byte stream, one record after the other; nothing is ever skipped.

use std::io::{self, Read, Seek};

use crate::card::DECK_CARDS;
use crate::deck::{Deck, DeckError};
use crate::source::SourceError;
use crate::source::bytes::{Bytes, Hashing, LINE_BYTES_MAX};
use crate::source::format::{Format, Numbering};
use crate::source::text::{self, BadField, Fields, FirstLine, Letters};

/// Some programs begin a text with it.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The decks in a byte stream of one format.
pub(super) struct Records<R> {
    bytes: Bytes<R>,
    name: String,
    format: Format,
    numbering: Numbering,
    letters: Letters,
    at: Waypoint,
}

/// Where a record begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Waypoint {
    /// Records before it.
    pub(super) records: u64,
    /// Lines before it.
    pub(super) lines: u64,
    /// Bytes before it.
    pub(super) bytes: u64,
}

impl<R: Read> Records<R> {
    /// Looks at the beginning of a stream. `None` as format means a text, indices or cards, that tells
    /// by its first line. The second value is the sentence that says what it was taken for.
    pub(super) fn open(
        reader: R,
        hashing: Hashing,
        name: &str,
        format: Option<Format>,
        numbering: Numbering,
    ) -> Result<(Records<R>, String), SourceError> {
        let at = Waypoint { records: 0, lines: 0, bytes: 0 };
        let bytes = Bytes::new(reader, hashing);
        let mut records = Records {
            bytes,
            name: name.into(),
            format: format.unwrap_or(Format::Indices),
            numbering,
            letters: Letters::new(),
            at,
        };
        if records.bytes.reach(1).map_err(|error| records.io(error))? == 0 {
            return Err(SourceError::Empty { place: name.into() });
        }
        let sentence = match format {
            Some(Format::Raw) => format!("{name} was read as raw, 52 bytes a deck, {}", records.numbers()),
            _ => records.open_text(format)?,
        };
        Ok((records, sentence))
    }

    /// The same stream at a known place, read as `sample` reads it.
    pub(super) fn like<S>(sample: &Records<S>, reader: R) -> Records<R> {
        Records {
            bytes: Bytes::new(reader, Hashing::Off),
            name: sample.name.clone(),
            format: sample.format,
            numbering: sample.numbering,
            letters: Letters::new(),
            at: Waypoint { records: 0, lines: 0, bytes: 0 },
        }
    }

    fn open_text(&mut self, format: Option<Format>) -> Result<String, SourceError> {
        let mark = self.bytes.reach(BYTE_ORDER_MARK.len()).map_err(|error| self.io(error))?;
        if mark >= BYTE_ORDER_MARK.len() && self.bytes.waiting().starts_with(BYTE_ORDER_MARK) {
            self.bytes.consume(BYTE_ORDER_MARK.len());
        }
        let mut first = self.judge_first_line()?;
        let has_header = first == FirstLine::Header;
        if has_header {
            let header = self.line_length()?;
            self.consume_line(header);
            first = self.judge_first_line()?;
        }
        if self.line_length()? == 0 {
            return Err(SourceError::Empty { place: self.name.clone() });
        }
        if let (None, FirstLine::Deck(found)) = (format, first) {
            self.format = found;
        } else if format.is_none() {
            let place = self.place();
            return Err(unreadable(
                place,
                "a line that does not begin with a card",
                "52 card numbers or cards",
            ));
        }
        Ok(self.sentence(has_header))
    }

    fn judge_first_line(&mut self) -> Result<FirstLine, SourceError> {
        let length = self.line_length()?;
        Ok(text::first_line(&self.bytes.waiting()[..length], &self.letters))
    }

    fn sentence(&self, has_header: bool) -> String {
        let line = self.bytes.waiting().split(|&byte| byte == b'\n').next().unwrap_or_default();
        let (name, format, separator) = (&self.name, self.format, text::separator_name(line));
        let numbers = match format {
            Format::Cards => String::new(),
            _ => format!(", {}", self.numbers()),
        };
        let header = if has_header { "; its first line was taken as a header" } else { "" };
        format!("{name} was read as {format}, one deck a line, separated by {separator}{numbers}{header}")
    }

    fn numbers(&self) -> &'static str {
        match self.numbering {
            Numbering::RankSuit => "cards numbered 4·rank + suit",
            Numbering::SuitRank => "cards numbered 13·suit + rank",
        }
    }

    /// The next deck, or `None` at the end.
    pub(super) fn next_deck(&mut self) -> Result<Option<Deck>, SourceError> {
        let deck = match self.format {
            Format::Raw => self.next_raw()?,
            Format::Indices | Format::Cards => self.next_line()?,
        };
        self.at.records += u64::from(deck.is_some());
        Ok(deck)
    }

    fn next_raw(&mut self) -> Result<Option<Deck>, SourceError> {
        if !self.reach_raw()? {
            return Ok(None);
        }
        let written = &self.bytes.waiting()[..DECK_CARDS];
        let numbers: [u8; DECK_CARDS] = std::array::from_fn(|i| self.numbering.to_protocol(written[i]));
        let deck = Deck::try_from(&numbers[..]).map_err(|error| self.not_a_deck(error))?;
        self.bytes.consume(DECK_CARDS);
        Ok(Some(deck))
    }

    /// Whether a whole raw record waits; a torn one is an error.
    fn reach_raw(&mut self) -> Result<bool, SourceError> {
        match self.bytes.reach(DECK_CARDS).map_err(|error| self.io(error))? {
            0 => Ok(false),
            length if length < DECK_CARDS => {
                Err(unreadable(self.place(), format!("{length} bytes"), "52 bytes"))
            }
            _ => Ok(true),
        }
    }

    fn next_line(&mut self) -> Result<Option<Deck>, SourceError> {
        let length = self.line_length()?;
        let line = &self.bytes.waiting()[..length];
        if text::is_blank(line) {
            return self.expect_end();
        }
        let fields = match self.format {
            Format::Cards => text::cards(line, &self.letters),
            _ => text::indices(line),
        };
        let is_whole = line.ends_with(b"\n");
        let fields = fields.map_err(|bad| self.bad_field(bad))?;
        let deck = self.judge(&fields, is_whole)?;
        self.consume_line(length);
        Ok(Some(deck))
    }

    /// A line of readable fields: a deck, proof that it is none, or a torn end.
    fn judge(&self, fields: &Fields, is_whole: bool) -> Result<Deck, SourceError> {
        let error = match self.deck(fields) {
            Ok(deck) => return Ok(deck),
            Err(error) => error,
        };
        // Without its line feed the last field may be half a number, and fields may be missing.
        let last = fields.count.min(DECK_CARDS) - 1;
        let is_torn = match error {
            DeckError::Count { found } => found < DECK_CARDS,
            DeckError::NoCard { place, .. } | DeckError::Repeated { place, .. } => place == last,
        };
        if is_torn && !is_whole {
            let found = format!("the text ends in the middle of a line, after {} cards", fields.count);
            return Err(unreadable(self.place(), found, "52 cards and a line feed"));
        }
        Err(self.not_a_deck(error))
    }

    fn deck(&self, fields: &Fields) -> Result<Deck, DeckError> {
        if fields.count != DECK_CARDS {
            return Err(DeckError::Count { found: fields.count });
        }
        let numbers: [u8; DECK_CARDS] = match self.format {
            Format::Cards => fields.numbers,
            _ => fields.numbers.map(|number| self.numbering.to_protocol(number)),
        };
        Deck::try_from(&numbers[..]).map_err(|error| match (error, fields.oversized) {
            (DeckError::NoCard { place, .. }, Some((first, found))) if place == first => {
                DeckError::NoCard { place, found }
            }
            (error, _) => error,
        })
    }

    /// Blank lines are fine at the end and nowhere else.
    fn expect_end(&mut self) -> Result<Option<Deck>, SourceError> {
        let blank = self.place();
        loop {
            let length = self.line_length()?;
            if length == 0 {
                return Ok(None);
            }
            if !text::is_blank(&self.bytes.waiting()[..length]) {
                return Err(unreadable(blank, "a blank line between decks", "a deck in every line"));
            }
            self.consume_line(length);
        }
    }

    /// Passes over the next record without looking at its cards; whether there was one.
    pub(super) fn skip(&mut self) -> Result<bool, SourceError> {
        let is_there = match self.format {
            Format::Raw => {
                self.reach_raw()? && {
                    self.bytes.consume(DECK_CARDS);
                    true
                }
            }
            Format::Indices | Format::Cards => self.skip_line()?,
        };
        self.at.records += u64::from(is_there);
        Ok(is_there)
    }

    fn skip_line(&mut self) -> Result<bool, SourceError> {
        loop {
            let length = self.line_length()?;
            let is_blank = text::is_blank(&self.bytes.waiting()[..length]);
            self.consume_line(length);
            if !is_blank || length == 0 {
                return Ok(!is_blank);
            }
        }
    }

    /// Consumes up to a place that an earlier run reached, without looking; whether the stream got there.
    pub(super) fn consume_to(&mut self, end: Waypoint) -> Result<bool, SourceError> {
        while self.bytes.consumed() < end.bytes {
            if self.bytes.reach(1).map_err(|error| self.io(error))? == 0 {
                return Ok(false);
            }
            let left = usize::try_from(end.bytes - self.bytes.consumed()).unwrap_or(usize::MAX);
            self.bytes.consume(left.min(self.bytes.waiting().len()));
        }
        (self.at.records, self.at.lines) = (end.records, end.lines);
        Ok(self.bytes.consumed() == end.bytes)
    }

    fn line_length(&mut self) -> Result<usize, SourceError> {
        let length = self.bytes.line_length().map_err(|error| self.io(error))?;
        if length > LINE_BYTES_MAX {
            let found = format!("a line longer than {LINE_BYTES_MAX} bytes");
            return Err(unreadable(self.place(), found, "52 cards a line"));
        }
        Ok(length)
    }

    fn consume_line(&mut self, length: usize) {
        self.bytes.consume(length);
        self.at.lines += u64::from(length > 0);
    }

    /// Where the next record begins.
    pub(super) fn at(&self) -> Waypoint {
        Waypoint { bytes: self.bytes.consumed(), ..self.at }
    }

    /// Whether nothing follows what has been read.
    pub(super) fn has_ended(&self) -> bool {
        self.bytes.has_ended()
    }

    /// SHA-256 of the consumed bytes.
    pub(super) fn sha256(&self) -> Option<[u8; 32]> {
        self.bytes.sha256()
    }

    /// What the stream was taken for.
    pub(super) fn format(&self) -> Format {
        self.format
    }

    /// What the stream is called in messages.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn place(&self) -> String {
        let (name, record) = (&self.name, self.at.records + 1);
        match self.format {
            Format::Raw => format!("{name}, record {record} (byte {})", self.bytes.consumed()),
            _ => format!("{name}, record {record} (line {})", self.at.lines + 1),
        }
    }

    fn not_a_deck(&self, error: DeckError) -> SourceError {
        SourceError::NotADeck { record: self.at.records + 1, place: self.place(), error }
    }

    fn bad_field(&self, bad: BadField) -> SourceError {
        let found = format!("{:?} in field {}", bad.text, bad.field);
        let wanted = match self.format {
            Format::Cards => "a card such as As or 10h",
            _ => "a card number 0 to 51",
        };
        unreadable(self.place(), found, wanted)
    }

    fn io(&self, error: io::Error) -> SourceError {
        SourceError::Io { place: self.name.clone(), error }
    }
}

impl<R: Read + Seek> Records<R> {
    /// Goes on at a known record.
    pub(super) fn seek(&mut self, at: Waypoint) -> Result<(), SourceError> {
        self.bytes.seek(at.bytes).map_err(|error| self.io(error))?;
        self.at = at;
        Ok(())
    }
}

impl Records<std::fs::File> {
    /// Length of the file now, in bytes.
    pub(super) fn file_length(&self) -> Result<u64, SourceError> {
        self.bytes.file_length().map_err(|error| self.io(error))
    }
}

fn unreadable(place: String, found: impl Into<String>, wanted: impl Into<String>) -> SourceError {
    SourceError::Unreadable { place, found: found.into(), wanted: wanted.into() }
}
