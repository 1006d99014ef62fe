//! The only way to standard output and standard error: nothing from outside steers the terminal.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use deckproof_deck::text::named::named;
use deckproof_deck::text::wrap::{COLUMNS, to_columns};
use deckproof_deck::text::{visible, visible_lines};

/// A stream to the terminal on which hidden characters are spelled out (see [`deckproof_deck::text`]).
///
/// File names, log entries, names of players and keys of JSON all end here, so the filter is here
/// once and no caller can forget it. Colours are the program's own and go through [`Screen::styled`].
pub struct Screen<W: Write> {
    inner: W,
    /// The first bytes of a character whose last ones are not written yet.
    begun: Vec<u8>,
}

/// A file in a sentence; `-` is standard input.
pub fn shown(path: &Path) -> String {
    if path == Path::new("-") {
        "standard input".to_owned()
    } else {
        visible(&path.display().to_string()).into_owned()
    }
}

named! {
    /// How a word of the program's own is set off where the terminal has colours.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Style {
        /// Passed, accepted: green.
        Good = "\u{1b}[1;32m",
        /// Failed, refused: red.
        Bad = "\u{1b}[1;31m",
        /// Could not say, look again: yellow.
        Unsure = "\u{1b}[1;33m",
    }
    /// The SGR sequence of ECMA-48.
    pub fn sequence;
}

/// Standard output.
pub fn out() -> Screen<io::Stdout> {
    Screen::new(io::stdout())
}

/// Standard error.
pub fn err() -> Screen<io::Stderr> {
    Screen::new(io::stderr())
}

/// Standard output for bytes that this program made for another one to read, such as decks; text from outside never goes here.
pub fn bytes() -> io::StdoutLock<'static> {
    io::stdout().lock()
}

/// Whether standard output is a terminal that may show colours (no-color.org).
pub fn has_colours() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// All that a command has to say, on standard output. A reader that went away, such as `head`, has read what it wanted:
/// that is no error, and the exit code still says how the check ended.
///
/// # Errors
/// The stream's, but for a reader that is gone.
pub fn say(text: &str) -> io::Result<()> {
    let mut out = out();
    or_left(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// [`say`] for sentences: on a terminal in lines of its width that every reader has; a file or another program gets them as
/// they are.
///
/// # Errors
/// As [`say`].
pub fn say_sentences(text: &str) -> io::Result<()> {
    say(&wrapped(text, io::stdout().is_terminal()))
}

/// [`say_sentences`] for a text whose first word is set off where the terminal has colours.
///
/// # Errors
/// As [`say`].
pub fn say_report(style: Style, word: &str, text: &str) -> io::Result<()> {
    let text = wrapped(text, io::stdout().is_terminal());
    match text.strip_prefix(word).filter(|_| has_colours()) {
        Some(rest) => or_left(out().styled(style, word)).and_then(|()| say(rest)),
        None => say(&text),
    }
}

fn wrapped(text: &str, is_terminal: bool) -> Cow<'_, str> {
    if is_terminal { Cow::Owned(to_columns(text, COLUMNS)) } else { Cow::Borrowed(text) }
}

/// Takes a reader that is gone for one that has read enough.
fn or_left(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// A sentence on standard error, broken as [`say_sentences`] does. Where that is gone, nobody reads it.
pub fn warn(line: &str) {
    let _ = writeln!(err(), "{}", wrapped(line, io::stderr().is_terminal()));
}

impl<W: Write> Screen<W> {
    /// A filter before a stream.
    pub fn new(inner: W) -> Screen<W> {
        Screen { inner, begun: Vec::new() }
    }

    /// Writes text in a style; the text is filtered like any other.
    ///
    /// # Errors
    /// The stream's.
    pub fn styled(&mut self, style: Style, text: &str) -> io::Result<()> {
        self.end_character()?;
        write!(self.inner, "{}{}\u{1b}[0m", style.sequence(), visible_lines(text))
    }

    /// Writes what is whole of these bytes and keeps the beginning of a character at their end.
    fn write_bytes(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (valid, bad) = match std::str::from_utf8(bytes) {
                Ok(text) => (text, None),
                Err(error) => {
                    let valid = &bytes[..error.valid_up_to()];
                    let text = std::str::from_utf8(valid).expect("it is valid up to here");
                    (text, Some(error.error_len()))
                }
            };
            self.inner.write_all(visible_lines(valid).as_bytes())?;
            bytes = &bytes[valid.len()..];
            match bad {
                Some(Some(length)) => {
                    self.inner.write_all("\u{fffd}".as_bytes())?;
                    bytes = &bytes[length..];
                }
                Some(None) => {
                    self.begun = bytes.to_vec();
                    return Ok(());
                }
                None => {}
            }
        }
        Ok(())
    }

    /// A character that was begun and does not go on is shown as unknown.
    fn end_character(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.begun).is_empty() {
            Ok(())
        } else {
            self.inner.write_all("\u{fffd}".as_bytes())
        }
    }
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.begun.is_empty() {
            self.write_bytes(bytes)?;
        } else {
            let mut whole = std::mem::take(&mut self.begun);
            whole.extend_from_slice(bytes);
            self.write_bytes(&whole)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.end_character()?;
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(write: impl Fn(&mut Screen<&mut Vec<u8>>) -> io::Result<()>) -> String {
        let mut bytes = Vec::new();
        let mut screen = Screen::new(&mut bytes);
        write(&mut screen).and_then(|()| screen.flush()).expect("a vector takes every byte");
        String::from_utf8(bytes).expect("what is shown is UTF-8")
    }

    #[test]
    fn hostile_text_is_spelled_out_and_styles_pass() {
        let hostile = "refused\u{1b}[1A\u{1b}[2Kaccepted\u{202e}\n";
        assert_eq!(
            shown(|screen| screen.write_all(hostile.as_bytes())),
            "refused\\u001b[1A\\u001b[2Kaccepted\\u202e\n"
        );
        assert_eq!(
            shown(|screen| screen.styled(Style::Good, "PASS\u{1b}[0m")),
            "\u{1b}[1;32mPASS\\u001b[0m\u{1b}[0m"
        );
    }

    #[test]
    fn characters_cut_by_a_buffer_stay_whole_and_hidden_ones_hidden() {
        let text = "a♠\u{9b}1m\u{202e}é🂡";
        for size in 1..6 {
            let found =
                shown(|screen| text.as_bytes().chunks(size).try_for_each(|some| screen.write_all(some)));
            assert_eq!(found, "a♠\\u009b1m\\u202eé🂡", "{size} bytes at a time");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_as_unknown() {
        // 0x9b alone is CSI to a terminal in an 8-bit set.
        assert_eq!(
            shown(|screen| screen.write_all(b"\x9b31m \xff \xe2\x99")),
            "\u{fffd}31m \u{fffd} \u{fffd}"
        );
        assert_eq!(
            shown(|screen| {
                screen.write_all(b"\xe2\x99")?;
                screen.write_all(b"ok")
            }),
            "\u{fffd}ok"
        );
    }
}
