//! How a text tells by its first lines what it is: header, layout, format, numbers.

use std::io::Read;

use crate::source::SourceError;
use crate::source::format::{Format, Written};
use crate::source::guess::refusal::Refusal;
use crate::source::guess::{self, names};
use crate::source::input::{Made, ROW_A_CARD};
use crate::source::layout::Layout;
use crate::source::records::{LETTERS_SHOWN, Records, io_of, unreadable};
use crate::source::spelling::{CARDS_MAX, cards_in};
use crate::source::text::{self, FirstLine, Letters, begins_at};
use deckproof_deck::text::secret;

/// Some programs begin a text with it.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Lines looked at before a layout is believed.
const HEAD_LINES: usize = 16;

impl<R: Read> Records<R> {
    /// A text that tells by its first lines how it is laid out; the sentence says what it was taken for.
    pub(super) fn open_text(&mut self, written: &Written, made: Made) -> Result<String, SourceError> {
        let mark = self.bytes.reach(BYTE_ORDER_MARK.len()).map_err(|error| self.io(error))?;
        if mark >= BYTE_ORDER_MARK.len() && self.bytes.waiting().starts_with(BYTE_ORDER_MARK) {
            self.bytes.consume(BYTE_ORDER_MARK.len());
        }
        let says_separator = self.skip_separator()?;
        let has_comments = self.skip_comments()?;
        let length = self.line_length()?;
        if length == 0 {
            return Err(SourceError::Empty { place: self.name.clone() });
        }
        if let Some(kind) = secret::kind_of_text(&self.bytes.waiting()[..length]) {
            let wanted = "decks; a key is repeated in no message".to_owned();
            return Err(unreadable(self.name.clone(), kind.to_owned(), wanted));
        }
        let (has_header, layout) = match self.plain_layout(written, made)? {
            Some(has_header) => (has_header, "one deck a line".to_owned()),
            None => self.guessed_layout(written, made)?,
        };
        if has_header {
            let header = self.line_length()?;
            self.header =
                (!made.has_names).then(|| self.bytes.waiting()[..header].trim_ascii_end().to_owned());
            self.consume_line(header);
            self.skip_comments()?;
        }
        if self.line_length()? == 0 {
            return Err(SourceError::Empty { place: self.name.clone() });
        }
        let separator =
            if says_separator { "; a line sep= above it says how cells are separated" } else { "" };
        let takes_header = has_header && made.of.is_none();
        Ok(self.sentence(written, &layout, takes_header, has_comments) + separator)
    }

    /// Whether the first line, or the one after 52 column names, is a deck that the fast reader reads; whether
    /// there are such names. A first line that only begins like one is left for the other layouts.
    fn plain_layout(&mut self, written: &Written, made: Made) -> Result<Option<bool>, SourceError> {
        let first = self.judge_line(0)?;
        let has_header = first == FirstLine::Header;
        if has_header && !written.names_columns() {
            self.check_names()?;
        }
        // Names that are numbers need a second look.
        if written.names_columns() || !has_header && (made.has_names || self.counts_up(written)?) {
            return Ok(None);
        }
        let FirstLine::Deck(format) = (if has_header { self.judge_line(1)? } else { first }) else {
            return Ok(None);
        };
        if written.format.is_some_and(|stated| stated != format) {
            return Ok(None);
        }
        let head = self.bytes.head(2).map_err(|error| io_of(&self.name, error))?;
        let line =
            head.split_inclusive(|&byte| byte == b'\n').nth(usize::from(has_header)).unwrap_or_default();
        let fields = match format {
            Format::Cards => text::cards(line, &self.letters),
            _ => text::indices(line),
        };
        let begins = fields.ok().and_then(|fields| begins_at(&fields, format == Format::Cards));
        let Some(first_number) = begins.filter(|&begins| {
            format == Format::Cards || written.first_number.is_none_or(|stated| stated == begins)
        }) else {
            return Ok(None);
        };
        (self.reading.format, self.reading.first_number) = (format, first_number);
        Ok(Some(has_header))
    }

    /// Whether the first line counts from 0 or 1: names, or a deck.
    fn counts_up(&mut self, written: &Written) -> Result<bool, SourceError> {
        let head = self.bytes.head(1).map_err(|error| io_of(&self.name, error))?;
        Ok(written.format.is_none() && text::indices(head).is_ok_and(|fields| names::counts_up(&fields)))
    }

    /// That the names of the first line are in the order of their numbers, if they have any.
    fn check_names(&mut self) -> Result<(), SourceError> {
        let head = self.bytes.head(1).map_err(|error| io_of(&self.name, error))?;
        let names: Vec<&str> = text::tokens(head).filter_map(|name| std::str::from_utf8(name).ok()).collect();
        match names::disorder(&names) {
            Some(what) => Err(unreadable(self.place(), what, names::ORDER_WANTED)),
            None => Ok(()),
        }
    }

    /// What the first lines show that are not plain; whether the first one is a header, and the words for it.
    fn guessed_layout(&mut self, written: &Written, made: Made) -> Result<(bool, String), SourceError> {
        let length = self.bytes.head(HEAD_LINES).map_err(|error| io_of(&self.name, error))?.len();
        let lines = records_of(&self.bytes.waiting()[..length], self.bytes.has_ended(), &self.letters);
        let guessed = guess::guess(&lines, written, &self.letters, made.has_names);
        match guessed.or_else(|refusal| {
            let later = written.empty_decks.and_then(|_| guess::guess_later(&lines, written, &self.letters));
            later.ok_or(refusal)
        }) {
            Ok(guess) => {
                let words = guess.in_words(made.of);
                let reading = &mut self.reading;
                (reading.format, reading.layout) = (guess.format, guess.layout);
                reading.spelling = guess.spelling;
                reading.found_in =
                    guess.found_in.filter(|_| !written.says_place() && made.of != Some(ROW_A_CARD));
                reading.first_number = guess.first_number;
                Ok((guess.has_header, words))
            }
            Err(refusal) => {
                let free = Written { first_number: None, ..written.clone() };
                let otherwise = guess::guess(&lines, &free, &self.letters, made.has_names).ok();
                match otherwise.zip(written.first_number) {
                    Some((guess, stated)) => Err(unreadable(
                        self.place(),
                        format!("numbers that begin at {}, {}", guess.first_number, guess.in_words(made.of)),
                        format!("numbers that begin at {stated}, as --first-number says"),
                    )),
                    None => {
                        let row = refusal.row.unwrap_or(0);
                        let line = lines.get(row).or(lines.first()).copied().unwrap_or_default();
                        let first_line = line.split(|&byte| byte == b'\n').next().unwrap_or_default();
                        let shown =
                            text::shown(String::from_utf8_lossy(first_line).trim_end(), LETTERS_SHOWN);
                        // What the text is may stand in its first line, above the row that is shown.
                        let nearest = text::own_file(&self.bytes.waiting()[..length])
                            .or_else(|| text::nearest(line))
                            .or_else(|| lines.first().and_then(|&first| text::nearest(first)));
                        // Blank lines and comments between are lines of the file too.
                        let waiting = self.bytes.waiting();
                        let begin = line.as_ptr().addr().checked_sub(waiting.as_ptr().addr());
                        let before = begin.and_then(|begin| waiting.get(..begin)).unwrap_or_default();
                        let above = before.iter().filter(|&&byte| byte == b'\n').count();
                        self.fall_back(written, refusal, (shown, nearest, above as u64))
                    }
                }
            }
        }
    }

    /// A text whose first record is no deck is read plainly, so that its first record is named with its fault;
    /// a first line that is nothing of the kind is refused.
    fn fall_back(
        &mut self,
        written: &Written,
        refusal: Refusal,
        data: (String, Option<&'static str>, u64),
    ) -> Result<(bool, String), SourceError> {
        let first = self.judge_line(0)?;
        let has_header = first == FirstLine::Header;
        let format = match if has_header { self.judge_line(1)? } else { first } {
            _ if refusal.is_known => None,
            _ if written.names_columns() => None,
            // Names that are numbers were looked at twice.
            FirstLine::Deck(_) if self.counts_up(written)? => None,
            FirstLine::Deck(found) => Some(written.format.unwrap_or(found)),
            _ => written.format,
        };
        let Some(format) = format else {
            let Refusal { what, wanted, row, .. } = refusal;
            let (shown, nearest, above) = data;
            let wanted = wanted + &nearest.map_or(String::new(), |hint| format!(" ({hint})"));
            if row.is_none() {
                return Err(unreadable(self.name.clone(), what, wanted));
            }
            let line = self.at.lines + 1 + above;
            let place = if self.has_lines {
                format!("{}, record 1 (line {line})", self.name)
            } else {
                format!("{}, record 1", self.name)
            };
            return Err(unreadable(place, format!("\"{shown}\": {what}"), wanted));
        };
        self.reading.format = format;
        Ok((has_header, "one deck a line".to_owned()))
    }

    /// Passes over a first line `sep=;` as Excel writes and reads it; whether there was one.
    fn skip_separator(&mut self) -> Result<bool, SourceError> {
        let length = self.line_length()?;
        let line = self.bytes.waiting()[..length].trim_ascii_end();
        let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
        // A tab at its end was taken for white space.
        let is_separator =
            line.len() <= 5 && line.get(..4).is_some_and(|word| word.eq_ignore_ascii_case(b"sep="));
        if is_separator {
            self.consume_line(length);
        }
        Ok(is_separator)
    }

    /// Passes over lines that begin with `#` before the first record; whether there were any.
    fn skip_comments(&mut self) -> Result<bool, SourceError> {
        let mut found = false;
        loop {
            let length = self.line_length()?;
            if !is_comment(&self.bytes.waiting()[..length], &self.letters) {
                return Ok(found);
            }
            self.consume_line(length);
            found = true;
        }
    }

    fn judge_line(&mut self, number: usize) -> Result<FirstLine, SourceError> {
        self.line_length()?;
        let head = self.bytes.head(number + 1).map_err(|error| io_of(&self.name, error))?;
        let line = head.split_inclusive(|&byte| byte == b'\n').nth(number).unwrap_or_default();
        Ok(text::first_line(line, &self.letters))
    }

    fn sentence(&self, written: &Written, layout: &str, has_header: bool, has_comments: bool) -> String {
        let line = self.bytes.waiting().split(|&byte| byte == b'\n').next().unwrap_or_default();
        let (name, format) = (&self.name, self.reading.format);
        let separator = match self.reading.layout {
            Layout::Plain => format!(", separated by {}", text::separator_name(line)),
            _ => String::new(),
        };
        let numbers = match format {
            Format::Cards => String::new(),
            _ => format!(", {}", self.numbers(written)),
        };
        let header = if has_header { "; its first line was taken as a header" } else { "" };
        let comments = if has_comments { "; lines that begin with # are comments" } else { "" };
        format!("{name} was read as {}, {layout}{separator}{numbers}{header}{comments}", format.name())
    }

    /// How numbers name cards; what was assumed and not given is stated.
    pub(super) fn numbers(&self, written: &Written) -> String {
        let begin = match self.reading.first_number {
            0 => "numbers begin at 0",
            _ => "numbers begin at 1",
        };
        let cards = self.reading.numbering.words();
        let assumed = if written.is_numbering_stated {
            ""
        } else {
            ", which is assumed: everything about ranks, suits and hands depends on it (--numbering)"
        };
        format!("{begin}, cards numbered {cards}{assumed}")
    }
}

/// Whether a line is a comment, as long as nothing is known of the rows: one that holds a deck may be a row whose id begins with `#`.
fn is_comment(line: &[u8], letters: &Letters) -> bool {
    text::is_comment(line) && cards_in(line, letters) < CARDS_MAX
}

/// The records of the first lines of a text, comments left out; the last one only where it is whole.
fn records_of<'a>(head: &'a [u8], has_ended: bool, letters: &Letters) -> Vec<&'a [u8]> {
    let (mut records, mut rest) = (Vec::new(), head);
    while !rest.is_empty() {
        let mut quotes = 0;
        let end = rest.iter().position(|&byte| {
            quotes += usize::from(byte == b'"');
            byte == b'\n' && quotes % 2 == 0
        });
        let length = end.map_or(rest.len(), |end| end + 1);
        let (record, after) = rest.split_at(length);
        if (end.is_some() || has_ended || records.is_empty())
            && !is_comment(record, letters)
            && !text::is_blank(record)
        {
            records.push(record);
        }
        rest = after;
    }
    records
}
