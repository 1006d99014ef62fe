//! Bytes that are made piece by piece, and the beginning of others, looked at before they are read.

use std::io::{self, Cursor, Read};

/// Bytes that come one after the other.
pub(super) type Input = Box<dyn Read + Send>;

/// The bytes of pieces; an empty one is the end.
pub(super) fn input(next: impl FnMut() -> io::Result<Vec<u8>> + Send + 'static) -> Input {
    Box::new(Pieces { next, piece: Vec::new(), given: 0, has_ended: false })
}

/// That bytes are not what they should be.
pub(super) fn invalid(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

struct Pieces<F> {
    next: F,
    /// A piece, of which so many bytes are given away: a reader may ask for less.
    piece: Vec<u8>,
    given: usize,
    has_ended: bool,
}

impl<F: FnMut() -> io::Result<Vec<u8>>> Read for Pieces<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.piece.len() && !self.has_ended && !buffer.is_empty() {
            self.piece = (self.next)()?;
            self.given = 0;
            self.has_ended = self.piece.is_empty();
        }
        let length = (&self.piece[self.given..]).read(buffer)?;
        self.given += length;
        Ok(length)
    }
}

/// What the first bytes say of an input, as soon as it is decided, `false` if it never is; and the whole input again.
///
/// # Errors
/// The input's.
pub(super) fn begins(input: Input, decided: impl Fn(&[u8]) -> Option<bool>) -> io::Result<(bool, Input)> {
    begins_or_is(input, decided, |_| false)
}

/// The same, where the whole input decides what its first bytes leave open.
///
/// # Errors
/// The input's.
pub(super) fn begins_or_is(
    mut input: Input,
    decided: impl Fn(&[u8]) -> Option<bool>,
    decided_whole: impl Fn(&[u8]) -> bool,
) -> io::Result<(bool, Input)> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    let says = loop {
        if let Some(says) = decided(&head) {
            break says;
        }
        match input.read(&mut byte) {
            Ok(0) => break decided_whole(&head),
            Ok(_) => head.push(byte[0]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    };
    Ok((says, Box::new(Cursor::new(head).chain(input))))
}
