//! A reader that gives up when nothing has come for a while: a program that hangs must not hang its auditor.

use std::io::{self, Read};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use crate::source::pieces::{self, Input};

/// Bytes that one piece holds at most.
const PIECE_BYTES: usize = 1 << 16;

/// Pieces that may wait.
const PIECES: usize = 4;

/// Reads in a thread of its own; it ends with the reader, or when nobody listens any more.
pub(super) fn read(mut reader: impl Read + Send + 'static, silence_max: Duration) -> Input {
    let (sender, received) = sync_channel(PIECES);
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
    pieces::input(move || match received.recv_timeout(silence_max) {
        Ok(piece) => piece,
        Err(RecvTimeoutError::Timeout) => {
            let seconds = silence_max.as_secs_f64();
            let silence = format!("nothing came for {seconds} s, which --timeout does not allow");
            Err(io::Error::new(io::ErrorKind::TimedOut, silence))
        }
        Err(RecvTimeoutError::Disconnected) => Ok(Vec::new()),
    })
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
        super::read(io::Cursor::new(bytes.clone()), Duration::from_secs(60)).read_to_end(&mut read)?;
        assert!(read == bytes);
        Ok(())
    }

    #[test]
    fn silence_ends_the_reading() {
        let mut timed = super::read(Hangs(3), Duration::from_millis(50));
        let mut read = Vec::new();
        let error = timed.read_to_end(&mut read).expect_err("it hangs");
        assert_eq!((error.kind(), read.len()), (io::ErrorKind::TimedOut, 3));
    }
}
