//! Decks of a byte stream, one record after the other; nothing is ever skipped.

mod opening;
mod refusals;

use std::io::{self, Read};

use crate::source::SourceError;
use crate::source::bytes::{Bytes, Hashing, LINE_BYTES_MAX};
use crate::source::format::{Format, Numbering, Written};
use crate::source::input::Made;
use crate::source::layout::Layout;
use crate::source::marks::Marks;
use crate::source::spelling::{CARDS_MAX, Spelling, cards_in};
use crate::source::text::{self, Fields, Letters};
use crate::source::twice::{self, Identity, LOOKED_AT};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::{Deck, DeckError};

/// Most characters of a line that a message repeats.
const LETTERS_SHOWN: usize = 40;

/// How a text was read that tells by itself: what [`Records`] and its copies share.
#[derive(Clone)]
pub(super) struct Reading {
    format: Format,
    layout: Layout,
    spelling: Spelling,
    numbering: Numbering,
    /// With which number the numbers begin.
    first_number: u8,
    /// Whether that was given, and not seen in the first deck.
    is_first_number_stated: bool,
    /// Whether the place of the deck was given, and not found.
    is_place_stated: bool,
    /// Where the deck was found, and where else the same one is.
    found_in: Option<String>,
}

impl Reading {
    fn new(written: &Written) -> Reading {
        Reading {
            format: written.format.unwrap_or(Format::Indices),
            layout: Layout::Plain,
            spelling: Spelling::Plain,
            numbering: written.numbering,
            first_number: written.first_number.unwrap_or(0),
            is_first_number_stated: written.first_number.is_some(),
            is_place_stated: written.says_place(),
            found_in: None,
        }
    }

    /// The deck of 52 numbers or cards of a text.
    fn deck(&self, fields: &Fields) -> Result<Deck, DeckError> {
        if fields.count != DECK_CARDS {
            return Err(DeckError::Count { found: fields.count });
        }
        let first = if self.format == Format::Indices { self.first_number } else { 0 };
        let numbers: [u8; DECK_CARDS] = match self.format {
            Format::Cards => fields.numbers,
            // A number below the first is no card, and is kept as 255.
            _ => fields.numbers.map(|number| {
                number.checked_sub(first).map_or(u8::MAX, |number| self.numbering.to_protocol(number))
            }),
        };
        Deck::try_from(&numbers[..]).map_err(|error| match (error, fields.oversized) {
            (DeckError::NoCard { place, .. }, Some((oversized, found))) if place == oversized => {
                DeckError::NoCard { place, found: found - u64::from(first) }
            }
            (error, _) => error,
        })
    }
}

/// The decks in a byte stream of one format.
pub(super) struct Records<R> {
    bytes: Bytes<R>,
    name: String,
    reading: Reading,
    letters: Letters,
    at: Waypoint,
    /// Where ids and times of the records go, if they are kept, and how many records of other files stand there.
    marks: Option<Marks>,
    before: u64,
    /// Whether records without a deck are passed over.
    skips_empty: bool,
    /// Whether lines are those of the file.
    has_lines: bool,
    /// The first line, where it names columns and somebody wrote it.
    header: Option<Vec<u8>>,
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
    /// Looks at the beginning of a stream. Where its format was not given it is a text that tells by its
    /// first lines. The second value is the sentence that says what it was taken for; `made` says what was
    /// made of the text before.
    pub(super) fn open(
        reader: R,
        hashing: Hashing,
        name: &str,
        written: &Written,
        made: Made,
    ) -> Result<(Records<R>, String), SourceError> {
        let at = Waypoint { records: 0, lines: 0, bytes: 0 };
        let bytes = Bytes::new(reader, hashing);
        let reading = Reading::new(written);
        let skips_empty = written.empty_decks.is_some();
        let (name_of, letters) = (name.to_owned(), Letters::new());
        let mut records = Records {
            bytes,
            name: name_of,
            reading,
            letters,
            at,
            marks: None,
            before: 0,
            skips_empty,
            has_lines: !made.has_other_lines,
            header: None,
        };
        if records.bytes.reach(1).map_err(|error| records.io(error))? == 0 {
            return Err(SourceError::Empty { place: name.into() });
        }
        let sentence = match written.format {
            Some(Format::Raw) => {
                format!("{name} was read as raw, 52 bytes a deck, {}", records.numbers(written))
            }
            _ => records.open_text(written, made)?,
        };
        Ok((records, sentence))
    }

    /// The same stream from its beginning, or from this place on, read as `sample` reads it.
    pub(super) fn like<S>(sample: &Records<S>, reader: R, at: Waypoint) -> Records<R> {
        let mut bytes = Bytes::new(reader, Hashing::Off);
        bytes.begin_at(at.bytes);
        let (name, reading) = (sample.name.clone(), sample.reading.clone());
        let skips_empty = sample.skips_empty;
        Records {
            bytes,
            name,
            reading,
            letters: Letters::new(),
            at,
            marks: None,
            before: 0,
            skips_empty,
            has_lines: sample.has_lines,
            header: sample.header.clone(),
        }
    }

    /// Keeps the ids and times of the records from here on, behind those of so many records of other files.
    pub(super) fn mark(&mut self, marks: &Marks, before: u64) {
        (self.marks, self.before) = (Some(marks.clone()), before);
    }

    /// The next deck, or `None` at the end.
    pub(super) fn next_deck(&mut self) -> Result<Option<Deck>, SourceError> {
        let deck = match self.reading.format {
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
        let numbers: [u8; DECK_CARDS] =
            std::array::from_fn(|i| self.reading.numbering.to_protocol(written[i]));
        match Deck::try_from(&numbers[..]) {
            Ok(deck) => {
                self.bytes.consume(DECK_CARDS);
                Ok(Some(deck))
            }
            Err(error) => Err(self.no_raw_deck(error)?),
        }
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

    /// The length of the next line that is no comment and is not passed over.
    fn next_length(&mut self) -> Result<usize, SourceError> {
        let mut length = self.record_length()?;
        // Not by calling itself: a file may have more comments than a stack has room.
        while self.is_comment(length)? || self.is_passed_over(length)? {
            self.consume_line(length);
            length = self.record_length()?;
        }
        Ok(length)
    }

    /// The place of the next record, in words.
    pub(super) fn next_place(&mut self) -> Result<String, SourceError> {
        if self.reading.format != Format::Raw {
            self.next_length()?;
        }

        Ok(self.place())
    }

    fn next_line(&mut self) -> Result<Option<Deck>, SourceError> {
        let length = self.next_length()?;
        self.check_header(length)?;
        let line = &self.bytes.waiting()[..length];
        if text::is_blank(line) {
            return self.expect_end();
        }
        if !matches!(self.reading.layout, Layout::Plain) && line.contains(&0) {
            let found = format!("{} bytes 0", line.iter().filter(|&&byte| byte == 0).count());
            return Err(unreadable(
                self.place(),
                found,
                "text: a copy that broke off leaves such bytes, copy the file again",
            ));
        }
        let are_cards = self.reading.format == Format::Cards;
        let spelling = self.reading.spelling;
        let fields = match (&mut self.reading.layout, are_cards) {
            (Layout::Plain, true) => text::cards(line, &self.letters),
            (Layout::Plain, false) => text::indices(line),
            (layout, _) => layout.read_as(line, &self.letters, (spelling, are_cards)),
        };
        let is_whole = line.ends_with(b"\n");
        if fields.is_err()
            && let Some(found) = self.reading.layout.excess(line)
        {
            return Err(self.too_wide(found));
        }
        if fields.is_err() && !self.reading.layout.reaches_deck(line) {
            return Err(self.no_record(length));
        }
        if !fields.as_ref().is_ok_and(|fields| fields.count > 0) && self.reading.layout.lacks_deck(line) {
            return Err(self.no_deck());
        }
        let fields = fields.map_err(|bad| {
            if is_whole || bad.field > DECK_CARDS || bad.field == 1 {
                self.bad_field(&bad)
            } else {
                self.torn(bad.field - 1)
            }
        })?;
        let deck = match self.reading.deck(&fields) {
            Ok(deck) => deck,
            // Of a last line an editor may have put the line feed back.
            Err(error) => {
                let is_whole = is_whole && !self.is_last(length)?;
                return Err(self.no_deck_in(&fields, error, is_whole));
            }
        };
        self.keep_marks(length);
        self.consume_line(length);
        Ok(Some(deck))
    }

    /// Whether the next line is a comment. One that holds a deck is refused: no deck is passed over unnoticed.
    fn is_comment(&mut self, length: usize) -> Result<bool, SourceError> {
        let line = &self.bytes.waiting()[..length];
        let Reading { layout, spelling, .. } = &mut self.reading;
        if !text::is_comment(line) || layout.is_row(line, &self.letters, *spelling) {
            return Ok(false);
        }
        match cards_in(line, &self.letters) {
            0..CARDS_MAX => Ok(true),
            cards => Err(unreadable(
                self.place(),
                format!("{cards} cards in a line that begins with #"),
                "no deck in a comment: take the # away, or take the line out",
            )),
        }
    }

    /// Whether the next record has no deck and is passed over, as was asked for; it is counted.
    fn is_passed_over(&mut self, length: usize) -> Result<bool, SourceError> {
        let is_empty = self.skips_empty && self.is_empty_record(length);
        if is_empty {
            self.check_elsewhere(length)?;
        }
        if let Some(marks) = self.marks.as_ref().filter(|_| is_empty) {
            marks.push_empty(self.at.records);
        }
        Ok(is_empty)
    }

    fn is_empty_record(&mut self, length: usize) -> bool {
        let line = &self.bytes.waiting()[..length];
        !text::is_blank(line) && self.reading.layout.lacks_deck(line)
    }

    /// A line of readable fields that are no deck: proof of it, or a torn end.
    fn no_deck_in(&self, fields: &Fields, error: DeckError, is_whole: bool) -> SourceError {
        if fields.count == 0 {
            return self.no_deck();
        }
        // Without its line feed the last field may be half a number, and fields may be missing.
        let last = fields.count.clamp(1, DECK_CARDS) - 1;
        let is_torn = match error {
            DeckError::Count { found } => found < DECK_CARDS,
            DeckError::NoCard { place, .. } | DeckError::Repeated { place, .. } => place == last,
        };
        if is_torn && !is_whole {
            return self.torn(fields.count);
        }
        let accident = || self.begun_again(fields).or_else(|| self.unfilled(fields));
        self.other_first_number(fields).or_else(accident).unwrap_or_else(|| self.not_a_deck(error))
    }

    /// Blank lines are fine at the end and nowhere else.
    fn expect_end(&mut self) -> Result<Option<Deck>, SourceError> {
        let blank = self.place();
        loop {
            let length = self.line_length()?;
            if length == 0 {
                return Ok(None);
            }
            let line = &self.bytes.waiting()[..length];
            if !text::is_blank(line) && !self.is_comment(length)? {
                return Err(unreadable(blank, "a blank line between decks", "a deck in every line"));
            }
            self.consume_line(length);
        }
    }

    /// Keeps what a record says of itself, where that is wanted.
    fn keep_marks(&mut self, length: usize) {
        let (Some(marks), layout) = (&self.marks, &mut self.reading.layout) else { return };
        let line = &self.bytes.waiting()[..length];
        let named = layout.named(line);
        named.iter().for_each(|named| marks.push(&named.id, &named.time));
        let identity = match named.and_then(|named| named.key) {
            Some(key) => Identity::Named(key),
            // No deck is written shorter: what is there twice may be names of columns of files that were joined.
            None if matches!(layout, Layout::Plain | Layout::Whole) || line.len() < DECK_CARDS => return,
            None => {
                let beside = (self.at.records < LOOKED_AT).then(|| layout.beside(line)).flatten();
                Identity::Whole(twice::whole(line), beside)
            }
        };
        marks.push_identity(self.before + self.at.records, identity);
    }

    /// Passes over the next record without looking at its cards; whether there was one.
    pub(super) fn skip(&mut self) -> Result<bool, SourceError> {
        let is_there = match self.reading.format {
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
            let length = self.record_length()?;
            self.check_header(length)?;
            let is_empty = self.is_comment(length)? || self.is_passed_over(length)?;
            let line = &self.bytes.waiting()[..length];
            let is_record = !text::is_blank(line) && !is_empty;
            if is_record {
                self.keep_marks(length);
            }
            self.consume_line(length);
            if is_record || length == 0 {
                return Ok(is_record);
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

    /// Whether nothing follows so many waiting bytes.
    fn is_last(&mut self, length: usize) -> Result<bool, SourceError> {
        Ok(self.bytes.reach(length + 1).map_err(|error| self.io(error))? == length)
    }

    fn line_length(&mut self) -> Result<usize, SourceError> {
        let length = self.bytes.line_length().map_err(|error| self.io(error))?;
        self.check_length(length)
    }

    fn check_length(&self, length: usize) -> Result<usize, SourceError> {
        if length > LINE_BYTES_MAX {
            let found = format!("a line longer than {LINE_BYTES_MAX} bytes");
            let hint = text::nearest(self.bytes.waiting()).map_or(String::new(), |hint| format!(" ({hint})"));
            return Err(unreadable(self.place(), found, format!("52 cards a line{hint}")));
        }
        Ok(length)
    }

    /// Length of the next record of a text; in a table it may have several lines.
    fn record_length(&mut self) -> Result<usize, SourceError> {
        if !matches!(self.reading.layout, Layout::Table(_)) {
            return self.line_length();
        }
        let length = self.bytes.row_length().map_err(|error| self.io(error))?;
        self.check_swallowed(length)?;
        self.check_length(length)
    }

    fn consume_line(&mut self, length: usize) {
        let feeds = match self.reading.layout {
            Layout::Table(_) => {
                self.bytes.waiting()[..length].iter().filter(|&&byte| byte == b'\n').count() as u64
            }
            _ => u64::from(length > 0),
        };
        self.bytes.consume(length);
        self.at.lines += feeds;
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
        self.reading.format
    }

    /// With which number its numbers begin, where it has any.
    pub(super) fn first_number(&self) -> u8 {
        if self.reading.format == Format::Indices { self.reading.first_number } else { 0 }
    }

    /// In which column or member the decks were found, where there are several.
    pub(super) fn found_in(&self) -> Option<&str> {
        self.reading.found_in.as_deref()
    }

    /// What the stream is called in messages.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn io(&self, error: io::Error) -> SourceError {
        io_of(&self.name, error)
    }
}

fn io_of(name: &str, error: io::Error) -> SourceError {
    SourceError::Io { place: name.to_owned(), error }
}

fn unreadable(place: String, found: impl Into<String>, wanted: impl Into<String>) -> SourceError {
    SourceError::Unreadable { place, found: found.into(), wanted: wanted.into() }
}
