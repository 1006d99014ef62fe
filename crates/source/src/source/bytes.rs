//! A byte stream read through one buffer, hashed up to what was consumed and not a byte further.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// Large enough that a system call costs nothing beside the parsing of its bytes.
const BUFFER_BYTES: usize = 1 << 18;

/// No deck is written this long; a longer line is no text of decks.
pub(super) const LINE_BYTES_MAX: usize = 1 << 14;

/// The bytes of a reader, consumed piece by piece.
pub(super) struct Bytes<R> {
    reader: R,
    buffer: Vec<u8>,
    /// `buffer[hashed..start]` is consumed but not yet hashed.
    hashed: usize,
    /// `buffer[start..end]` is read but not yet consumed.
    start: usize,
    end: usize,
    has_ended: bool,
    consumed: u64,
    hash: Option<Sha256>,
}

/// Whether the consumed bytes are hashed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hashing {
    On,
    Off,
}

impl<R: Read> Bytes<R> {
    pub(super) fn new(reader: R, hashing: Hashing) -> Bytes<R> {
        let hash = (hashing == Hashing::On).then(Sha256::new);
        let buffer = vec![0; BUFFER_BYTES];
        Bytes { reader, buffer, hashed: 0, start: 0, end: 0, has_ended: false, consumed: 0, hash }
    }

    /// What is read and not yet consumed.
    pub(super) fn waiting(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Takes `length` of the waiting bytes.
    pub(super) fn consume(&mut self, length: usize) {
        assert!(length <= self.waiting().len(), "only what was read can be consumed");
        self.start += length;
        self.consumed += length as u64;
    }

    /// Whether the reader has reported that nothing follows the waiting bytes.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// How many bytes were consumed.
    pub(super) fn consumed(&self) -> u64 {
        self.consumed
    }

    /// SHA-256 of the consumed bytes.
    pub(super) fn sha256(&self) -> Option<[u8; 32]> {
        let hash = self.hash.clone()?;
        Some(hash.chain_update(&self.buffer[self.hashed..self.start]).finalize().into())
    }

    /// Waits until `length` bytes are there or the stream has ended; how many are there.
    pub(super) fn reach(&mut self, length: usize) -> io::Result<usize> {
        while self.waiting().len() < length && !self.has_ended {
            self.read_more()?;
        }
        Ok(self.waiting().len())
    }

    /// Length of the next line with its line feed, or of what is left at the end; 0 means nothing is
    /// left. A line above [`LINE_BYTES_MAX`] comes as that many bytes without a line feed.
    pub(super) fn line_length(&mut self) -> io::Result<usize> {
        self.line_length_from(0)
    }

    /// The same of the line that begins so many bytes further on.
    fn line_length_from(&mut self, start: usize) -> io::Result<usize> {
        let mut searched = 0;
        loop {
            let waiting = &self.waiting()[start..];
            if let Some(place) = waiting[searched..].iter().position(|&byte| byte == b'\n') {
                return Ok(searched + place + 1);
            }
            searched = waiting.len();
            if self.has_ended || searched > LINE_BYTES_MAX {
                return Ok(searched);
            }
            self.read_more()?;
        }
    }

    /// Length of the next record of a table: lines until every quotation mark has its second (RFC 4180).
    pub(super) fn row_length(&mut self) -> io::Result<usize> {
        let mut length = 0;
        loop {
            let line = self.line_length_from(length)?;
            let is_open =
                self.waiting()[..length + line].iter().filter(|&&byte| byte == b'"').count() % 2 == 1;
            length += line;
            if !is_open || line == 0 || length > LINE_BYTES_MAX {
                return Ok(length);
            }
        }
    }

    /// The next lines, at most so many and not many more bytes than a line may have; they are not consumed.
    pub(super) fn head(&mut self, lines: usize) -> io::Result<&[u8]> {
        let mut length = 0;
        for _ in 0..lines {
            let line = self.line_length_from(length)?;
            length += line;
            if line == 0 || length > 2 * LINE_BYTES_MAX {
                break;
            }
        }
        Ok(&self.waiting()[..length])
    }

    fn read_more(&mut self) -> io::Result<()> {
        self.make_room();
        loop {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.has_ended = true,
                Ok(length) => self.end += length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            return Ok(());
        }
    }

    fn make_room(&mut self) {
        if let Some(hash) = &mut self.hash {
            hash.update(&self.buffer[self.hashed..self.start]);
        }
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        (self.hashed, self.start) = (0, 0);
        assert!(self.end < self.buffer.len(), "nothing that is waited for is longer than the buffer");
    }
}

impl<R> Bytes<R> {
    /// Counts from here on as if so many bytes had been consumed; only for readers without a hash that have
    /// read nothing yet.
    pub(super) fn begin_at(&mut self, offset: u64) {
        assert!(self.hash.is_none() && self.end == 0, "a hash cannot jump");
        self.consumed = offset;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte a call, as a slow pipe may.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.0.len().min(1);
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    #[test]
    fn hash_covers_exactly_what_was_consumed() -> io::Result<()> {
        // FIPS 180-4 example: SHA-256("abc").
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let mut bytes = Bytes::new(Drip(b"abcdef"), Hashing::On);
        assert_eq!(bytes.reach(5)?, 5);
        bytes.consume(3);
        bytes.reach(6)?;
        let found = bytes.sha256().expect("it hashes").map(|byte| format!("{byte:02x}")).concat();
        assert_eq!((found.as_str(), bytes.consumed()), (expected, 3));
        Ok(())
    }

    #[test]
    fn lines_end_with_their_feed_and_the_rest_without() -> io::Result<()> {
        let mut bytes = Bytes::new(Drip(b"ab\n\ncd"), Hashing::Off);
        for expected in [3, 1, 2, 0] {
            let length = bytes.line_length()?;
            assert_eq!(length, expected);
            bytes.consume(length);
        }
        Ok(())
    }
}
