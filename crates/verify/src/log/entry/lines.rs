//! The lines of an entry, taken one by one in the order the protocol gives.

use crate::log::entry::EntryError;
use deckproof_deck::commitment::digest::Digest;
use deckproof_stud::stud::seat::{Seat, Seats};

/// Largest hand or round number: 2^53 − 1, so that a double holds it.
const COUNT_MAX: u64 = (1 << 53) - 1;

/// An open entry names no more readings than this.
const READINGS_MAX: usize = 32;

const DIGEST: &str = "64 lower-case hexadecimal digits";

/// The lines after the first.
pub(super) struct Lines<'a> {
    lines: std::iter::Peekable<std::str::Split<'a, char>>,
    number: usize,
}

/// The beginning of a text, for a message.
pub(super) fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

/// A decimal number 1..2^53−1 without leading zero.
pub(super) fn count(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    is_plain.then(|| text.parse().ok()).flatten().filter(|number| (1..=COUNT_MAX).contains(number))
}

/// `NAME=VALUE,…`, the names ascending.
pub(super) fn readings(text: &str) -> Option<Vec<(String, String)>> {
    let is_letter = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
    let is_word = |word: &str| (1..=32).contains(&word.len()) && word.bytes().all(is_letter);
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        (is_word(name) && is_word(value)).then(|| (name.to_owned(), value.to_owned()))
    };
    let pairs: Vec<(String, String)> = text.split(',').map(pair).collect::<Option<_>>()?;
    let ascend = pairs.is_sorted_by(|one, next| one.0 < next.0);
    (ascend && pairs.len() <= READINGS_MAX).then_some(pairs)
}

impl<'a> Lines<'a> {
    /// All lines but the first, if every line ends with a line feed.
    pub(super) fn after_first(text: &'a str) -> Result<Lines<'a>, EntryError> {
        let Some(body) = text.strip_suffix('\n') else {
            let last = text.split('\n').next_back().unwrap_or("");
            let line = text.split('\n').count();
            return Err(EntryError::Line { line, found: shortened(last), wanted: "a final line feed" });
        };
        let mut lines = body.split('\n').peekable();
        lines.next();
        Ok(Lines { lines, number: 1 })
    }

    /// The value of a line `word value`.
    pub(super) fn field<T>(
        &mut self,
        word: &str,
        wanted: &'static str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, EntryError> {
        self.number += 1;
        let line = self.lines.next().unwrap_or("");
        let value = value_of(line, word).and_then(read);
        value.ok_or_else(|| EntryError::Line { line: self.number, found: shortened(line), wanted })
    }

    /// The value of a line `word value`, if the next line is one.
    pub(super) fn optional_field<T>(
        &mut self,
        word: &str,
        wanted: &'static str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<Option<T>, EntryError> {
        match self.lines.peek() {
            Some(line) if value_of(line, word).is_some() => self.field(word, wanted, read).map(Some),
            _ => Ok(None),
        }
    }

    /// The digest of a line `word hex`.
    pub(super) fn digest(&mut self, word: &str) -> Result<Digest, EntryError> {
        self.field(word, DIGEST, Digest::from_hex)
    }

    /// The lines `word seat hex`, ascending, of seats in the hand where these are known.
    pub(super) fn seat_digests(
        &mut self,
        word: &str,
        seats: Option<&Seats>,
    ) -> Result<Vec<(Seat, Digest)>, EntryError> {
        let mut found: Vec<(Seat, Digest)> = Vec::new();
        let wanted = "a seat of this hand, higher than the one before, and 64 lower-case hexadecimal digits";
        loop {
            let lowest = found.last().map(|last| last.0);
            let line = self.optional_field(word, wanted, |text| {
                let (seat, digest) = text.split_once(' ')?;
                let seat = Seat::parse(seat)?;
                let is_known = seats.is_none_or(|seats| seats.has(seat));
                (is_known && Some(seat) > lowest).then_some((seat, Digest::from_hex(digest)?))
            })?;
            match line {
                Some(line) => found.push(line),
                None => return Ok(found),
            }
        }
    }

    /// Nothing may follow.
    pub(super) fn end(mut self) -> Result<(), EntryError> {
        match self.lines.next() {
            None => Ok(()),
            Some(line) => {
                let wanted = "the end of the entry";
                Err(EntryError::Line { line: self.number + 1, found: shortened(line), wanted })
            }
        }
    }
}

fn value_of<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    line.strip_prefix(word)?.strip_prefix(' ')
}
