//! A reader that gives up when nothing has come for a while: a program that hangs must not hang its auditor.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// Bytes that one piece holds at most.
const PIECE_BYTES: usize = 1 << 16;

/// Pieces that may wait.
const PIECES: usize = 4;

/// What a thread reads, piece by piece.
pub(super) struct Timed {
    pieces: Receiver<io::Result<Vec<u8>>>,
    silence_max: Duration,
    piece: Vec<u8>,
    /// How much of the piece was given.
    given: usize,
    has_ended: bool,
}

impl Timed {
    /// Reads in a thread of its own; it ends with the reader, or when nobody listens any more.
    pub(super) fn new(mut reader: impl Read + Send + 'static, silence_max: Duration) -> Timed {
        let (sender, pieces) = sync_channel(PIECES);
        thread::spawn(move || {
            loop {
                let mut piece = vec![0; PIECE_BYTES];
                let read = match reader.read(&mut piece) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    read => read,
                };
                let is_last = !matches!(read, Ok(1..));
                let sent = sender.send(read.map(|length| {
                    piece.truncate(length);
                    piece
                }));
                if is_last || sent.is_err() {
                    return;
                }
            }
        });
        Timed { pieces, silence_max, piece: Vec::new(), given: 0, has_ended: false }
    }
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.piece.len() && !self.has_ended {
            let seconds = self.silence_max.as_secs_f64();
            self.piece = match self.pieces.recv_timeout(self.silence_max) {
                Ok(piece) => piece?,
                Err(RecvTimeoutError::Timeout) => {
                    let silence = format!("nothing came for {seconds} s, which --timeout does not allow");
                    return Err(io::Error::new(io::ErrorKind::TimedOut, silence));
                }
                Err(RecvTimeoutError::Disconnected) => Vec::new(),
            };
            self.given = 0;
            self.has_ended = self.piece.is_empty();
        }
        let length = buffer.len().min(self.piece.len() - self.given);
        buffer[..length].copy_from_slice(&self.piece[self.given..self.given + length]);
        self.given += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes and then nothing for longer than anybody waits here.
    struct Hangs(u8);

    impl Read for Hangs {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0 == 0 {
                thread::sleep(Duration::from_secs(60));
            }
            self.0 -= 1;
            buffer[0] = b'x';
            Ok(1)
        }
    }

    #[test]
    fn bytes_come_as_they_are_and_the_end_is_the_end() -> io::Result<()> {
        let bytes: Vec<u8> = (0..1_000_000u32).map(|byte| byte as u8).collect();
        let mut read = Vec::new();
        Timed::new(io::Cursor::new(bytes.clone()), Duration::from_secs(60)).read_to_end(&mut read)?;
        assert!(read == bytes);
        Ok(())
    }

    #[test]
    fn silence_ends_the_reading() {
        let mut timed = Timed::new(Hangs(3), Duration::from_millis(50));
        let mut read = Vec::new();
        let error = timed.read_to_end(&mut read).expect_err("it hangs");
        assert_eq!((error.kind(), read.len()), (io::ErrorKind::TimedOut, 3));
    }
}
