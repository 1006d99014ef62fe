//! The bytes of a file as text or records: unpacked and decoded as its first bytes say.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use crate::source::bytes::LINE_BYTES_MAX;
use crate::source::format::{Format, Written};
use crate::source::matched::PassedLines;
use crate::source::pieces::{self, Input, begins};
use crate::source::{SourceError, array, copied, dealt, matched, one_by_one};
#[cfg(feature = "compressed")]
use crate::source::{gzip, zstandard};

/// What standard input is called in messages.
pub(super) const STANDARD_INPUT: &str = "standard input";

/// Bytes read from a decoder at once.
const CHUNK_BYTES: usize = 1 << 16;

/// How a file is packed, in words for the reader; empty where it is not.
#[derive(Clone, Debug, Default)]
pub(super) struct Packing {
    words: Vec<&'static str>,
    made: Made,
    /// The lines that --deck-regex does not match, as they are read.
    pub(super) passed: PassedLines,
    /// Whether its text holds whatever the file does, and not the decks alone.
    pub(super) is_whole: bool,
}

/// What was made of a file before its lines were read as records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Made {
    /// Of what the rows of its table were made, in words, where nobody wrote them so.
    pub(super) of: Option<&'static str>,
    /// Whether its lines are others than those of the file, so that no message names one.
    pub(super) has_other_lines: bool,
    /// Whether its first line names columns, whatever it holds.
    pub(super) has_names: bool,
}

/// What decks were made of where each row is a card.
pub(super) const ROW_A_CARD: &str = "one row a card, 52 rows a deck in the order of positions";

/// The packings among the words.
const PACKED: [&str; 3] = ["gzip", "Zstandard", "Parquet"];

impl Packing {
    fn of(words: &'static str) -> Packing {
        Packing {
            words: vec![words],
            made: Made { has_other_lines: true, ..Made::default() },
            ..Packing::default()
        }
    }

    /// Whether any byte can be reached without reading those before it.
    pub(super) fn is_plain(&self) -> bool {
        self.words.is_empty() && self.made.of.is_none()
    }

    /// What was made of it.
    pub(super) fn made(&self) -> Made {
        self.made
    }

    /// As part of a sentence, if there is anything to say; what only lays a text out otherwise is no packing.
    pub(super) fn words(&self) -> Option<String> {
        if self.words.is_empty() {
            return None;
        }
        let is_packed = self.words.iter().any(|word| PACKED.contains(word));
        let begin = if is_packed { "it is packed: " } else { "it was read as " };
        Some(format!("{begin}{}", self.words.join(", ")))
    }
}

/// Opens a file and unpacks it as its first bytes say.
///
/// # Errors
/// [`SourceError`]: it cannot be read, or is packed in a way that this build does not read.
pub(super) fn open(path: &Path, written: &Written) -> Result<(Input, Packing), SourceError> {
    let file = open_file(path)?;
    let place = path.display().to_string();
    match first_bytes(path)?.as_slice() {
        b"PAR1" => {
            let mut packing = Packing::of("Parquet");
            let rows = one_by_one::decks(parquet_rows(file, &place, written)?, written);
            let (rows, is_one_by_one) = rows.map_err(|error| SourceError::Io { place, error })?;
            packing.made.of = Some(if is_one_by_one { ROW_A_CARD } else { "rows of a Parquet file" });
            packing.made.has_names = !is_one_by_one;
            Ok((rows, packing))
        }
        _ if dealt::is_of_table(path) => {
            let words =
                "the keys of dealt hands, whose decks were made from them as they lay before any public cut";
            let decks = dealt::decks(path, file).map_err(|error| SourceError::Io { place, error })?;
            Ok((decks, Packing::of(words)))
        }
        _ => unpack(Box::new(file), &place, written),
    }
}

fn first_bytes(path: &Path) -> Result<Vec<u8>, SourceError> {
    let mut first = Vec::new();
    let read = open_file(path)?.take(4).read_to_end(&mut first);
    read.map_err(|error| SourceError::Io { place: path.display().to_string(), error })?;
    Ok(first)
}

/// Unpacks and decodes what its first bytes say is packed; `place` is what messages call it.
///
/// # Errors
/// [`SourceError`]: it cannot be read, or is packed in a way that this build does not read.
pub(super) fn unpack(input: Input, place: &str, written: &Written) -> Result<(Input, Packing), SourceError> {
    let io = |error| SourceError::Io { place: place.to_owned(), error };
    let mut packing = Packing { is_whole: written.deck_regex.is_none(), ..Packing::default() };
    let (first, input) = peek(input).map_err(io)?;
    if let Some((name, command)) = other_packing(&first) {
        return Err(SourceError::Failed(format!(
            "{place}: found a file packed by {name}, which this program does not unpack, wanted it unpacked: {}",
            unpacking(command, place)
        )));
    }
    let input = match first {
        [0x1f, 0x8b, ..] => {
            packing.words.push("gzip");
            gunzip(place, input)?
        }
        // A frame, or one that is to be skipped and comes before it, as parallel and seekable packers write it.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
            packing.words.push("Zstandard");
            unzstd(place, input)?
        }
        _ => input,
    };
    let (first, input) = if packing.is_plain() { (first, input) } else { peek(input).map_err(io)? };
    if !packing.is_plain() && matches!(first, [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..]) {
        return Err(SourceError::Failed(format!(
            "{place}: found a compressed file within a {} file, wanted one that is compressed once: unpack it once",
            packing.words[0]
        )));
    }
    let decoded: Option<(Unit, &str)> = match first {
        [0xff, 0xfe, ..] => Some((u16::from_le_bytes, "UTF-16, low byte first")),
        [0xfe, 0xff, ..] => Some((u16::from_be_bytes, "UTF-16, high byte first")),
        // Without a mark: letters of ASCII beside zeros. No deck of 52 bytes holds 0 three times, and no text any.
        [b' '..=b'~', 0, b' '..=b'~', 0, b' '..=b'~', 0] => {
            Some((u16::from_le_bytes, "UTF-16 without a mark, low byte first"))
        }
        [0, b' '..=b'~', 0, b' '..=b'~', 0, b' '..=b'~'] => {
            Some((u16::from_be_bytes, "UTF-16 without a mark, high byte first"))
        }
        _ => None,
    };
    let input: Input = match decoded {
        Some((unit, words)) => {
            packing.words.push(words);
            text_of(input, unit)
        }
        None => input,
    };
    if written.format == Some(Format::Raw) {
        return Ok((input, packing));
    }
    let (has_returns, mut input) = begins(input, ends_with_returns).map_err(io)?;
    if has_returns {
        packing.words.push("lines that end with carriage returns");
        input = with_feeds(input);
    }
    let input: Input = match &written.deck_regex {
        Some(pattern) => {
            packing.words.push("what --deck-regex matches of its lines; every other line was passed over");
            matched::decks(input, pattern.clone(), written.groups(), packing.passed.clone())
        }
        None => input,
    };
    let (input, is_dump) = copied::rows(input).map_err(io)?;
    packing.made.of = is_dump.then_some("the rows of a dump");
    let (input, array) = array::elements(input).map_err(io)?;
    packing.words.extend(array);
    let (input, is_one_by_one) = one_by_one::decks(input, written).map_err(io)?;
    packing.made.of = is_one_by_one.then_some(ROW_A_CARD).or(packing.made.of);
    packing.is_whole &= !is_one_by_one;
    if !written.groups().is_empty() {
        packing.made.of = packing.made.of.or(Some("groups of --deck-regex"));
        packing.made.has_names = !is_one_by_one;
    }
    packing.made.has_other_lines =
        array.is_some() || packing.made.of.is_some() || written.deck_regex.is_some();
    Ok((input, packing))
}

/// How a packed file is audited; a name that a shell would cut goes by a pipe, and of a stream the name is not known.
fn unpacking(command: &str, place: &str) -> String {
    let is_bare = |letter: char| letter.is_alphanumeric() || "._-/+".contains(letter);
    match place {
        STANDARD_INPUT => format!("{command} FILE | deckproof audit -"),
        _ if place.chars().all(is_bare) => format!("--source cmd:'{command} {place}' does both"),
        _ => format!("{command} '{}' | deckproof audit -", place.replace('\'', r"'\''")),
    }
}

/// Packings that are known and not unpacked here, by their first bytes: the name, and the command that unpacks them.
fn other_packing(first: &[u8]) -> Option<(&'static str, &'static str)> {
    match first {
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(("xz", "xz -dc")),
        // After the level 1 to 9 the digits of pi begin the first block, those of its root an empty file.
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, ..] => Some(("bzip2", "bzip2 -dc")),
        [0x04, 0x22, 0x4d, 0x18, ..] => Some(("lz4", "lz4 -dc")),
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Some(("7-Zip", "7z x -so")),
        _ => None,
    }
}

/// A regular file, which can be read twice.
pub(super) fn open_file(path: &Path) -> Result<File, SourceError> {
    let io = |error| SourceError::Io { place: path.display().to_string(), error };
    let file = File::open(path).map_err(io)?;
    if !file.metadata().map_err(io)?.is_file() {
        let place = path.display();
        return Err(SourceError::Failed(format!(
            "{place}: found no regular file, wanted one that can be read twice"
        )));
    }
    Ok(file)
}

/// Whether the lines of a text that begins so end with carriage returns alone, as on an old Mac; `None` while that is open.
fn ends_with_returns(head: &[u8]) -> Option<bool> {
    match head {
        [.., b'\n'] => Some(false),
        // A return in a quoted cell of the first line ends none.
        [line @ .., b'\r', last] if *last != b'\r' => {
            (line.iter().filter(|&&byte| byte == b'"').count() % 2 == 0).then_some(true)
        }
        _ => (head.len() > LINE_BYTES_MAX).then_some(false),
    }
}

/// Line feeds for carriage returns.
fn with_feeds(mut input: Input) -> Input {
    pieces::input(move || {
        let mut piece = vec![0; CHUNK_BYTES];
        let length = input.read(&mut piece)?;
        piece.truncate(length);
        piece.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        Ok(piece)
    })
}

/// The first six bytes, zeros where there are fewer, and the whole input again.
fn peek(mut input: Input) -> io::Result<([u8; 6], Input)> {
    let (mut begin, mut first) = (Vec::new(), [0; 6]);
    input.by_ref().take(first.len() as u64).read_to_end(&mut begin)?;
    first[..begin.len()].copy_from_slice(&begin);
    Ok((first, Box::new(Cursor::new(begin).chain(input))))
}

#[cfg(feature = "compressed")]
fn gunzip(_: &str, input: Input) -> Result<Input, SourceError> {
    Ok(gzip::unpacked(input))
}

#[cfg(feature = "compressed")]
fn unzstd(place: &str, input: Input) -> Result<Input, SourceError> {
    zstandard::unpacked(input).map_err(|error| SourceError::Io { place: place.to_owned(), error })
}

#[cfg(feature = "parquet")]
fn parquet_rows(file: File, place: &str, written: &Written) -> Result<Input, SourceError> {
    crate::source::parquet::text_of(file, written)
        .map_err(|error| SourceError::Io { place: place.to_owned(), error })
}

#[cfg(not(feature = "parquet"))]
fn parquet_rows(_: File, place: &str, _: &Written) -> Result<Input, SourceError> {
    Err(SourceError::Failed(format!(
        "{place}: found a Parquet file, which this build without the feature parquet does not read, wanted text, such as \
         duckdb -csv -c \"FROM '{place}'\" writes"
    )))
}

#[cfg(not(feature = "compressed"))]
fn gunzip(place: &str, _: Input) -> Result<Input, SourceError> {
    Err(not_built(place))
}

#[cfg(not(feature = "compressed"))]
fn unzstd(place: &str, _: Input) -> Result<Input, SourceError> {
    Err(not_built(place))
}

#[cfg(not(feature = "compressed"))]
fn not_built(place: &str) -> SourceError {
    SourceError::Failed(format!(
        "{place}: found a compressed file, wanted a plain one: this build has no `compressed`"
    ))
}

/// How two bytes make a unit of UTF-16.
type Unit = fn([u8; 2]) -> u16;

/// The mark that says in which order bytes stand; as the first unit it is no part of the text.
const BYTE_ORDER_MARK: u16 = 0xfeff;

/// UTF-16 as UTF-8; what is no text is refused.
fn text_of(input: Input, unit: Unit) -> Input {
    let mut units = Units { input, unit, raw: vec![0; CHUNK_BYTES], waiting: 0, has_begun: false };
    pieces::input(move || units.next_text().map(String::into_bytes))
}

struct Units {
    input: Input,
    unit: Unit,
    raw: Vec<u8>,
    /// Bytes at the start of `raw` that wait for the rest of their character.
    waiting: usize,
    has_begun: bool,
}

impl Units {
    /// Decodes the next bytes that hold a whole character, or comes to the end.
    fn next_text(&mut self) -> io::Result<String> {
        let (mut text, mut has_ended) = (String::new(), false);
        while text.is_empty() && !has_ended {
            let read = self.input.read(&mut self.raw[self.waiting..])?;
            has_ended = read == 0;
            let length = self.waiting + read;
            let (pairs, _) = self.raw[..length].as_chunks();
            let mut units: Vec<u16> = pairs.iter().map(|&pair| (self.unit)(pair)).collect();
            // Half a character waits for the other half while there may be one.
            let is_half = units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit));
            if is_half && !has_ended {
                units.pop();
            }
            let used = 2 * units.len();
            let mark = usize::from(!self.has_begun && units.first() == Some(&BYTE_ORDER_MARK));
            self.has_begun |= !units.is_empty();
            for letter in char::decode_utf16(units.into_iter().skip(mark)) {
                text.push(letter.map_err(|_| no_text())?);
            }
            self.raw.copy_within(used..length, 0);
            self.waiting = length - used;
            if has_ended && self.waiting > 0 {
                return Err(no_text());
            }
        }
        Ok(text)
    }
}

fn no_text() -> io::Error {
    pieces::invalid("found bytes that are no UTF-16")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives so many bytes at a time, so that characters are torn at every place.
    struct Torn(Vec<u8>, usize);

    impl Read for Torn {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(self.0.len()).min(buffer.len());
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0.drain(..length);
            Ok(length)
        }
    }

    fn decoded(bytes: &[u8], at_once: usize) -> io::Result<String> {
        let unit: Unit = if bytes[0] == 0xff { u16::from_le_bytes } else { u16::from_be_bytes };
        io::read_to_string(text_of(Box::new(Torn(bytes.to_vec(), at_once)), unit))
    }

    #[test]
    fn utf_16_is_decoded_in_both_orders_and_half_a_character_is_refused() {
        // 🂡 takes two units; a mark within the text is a letter of it.
        let text = "A♠ K♦ 🂡\u{feff}\n".repeat(40);
        let words: Vec<u16> = std::iter::once(BYTE_ORDER_MARK).chain(text.encode_utf16()).collect();
        let low: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let high: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        for at_once in [1, 2, 3, 5, 1_000_000] {
            assert!(decoded(&low, at_once).is_ok_and(|read| read == text), "{at_once}");
            assert!(decoded(&high, at_once).is_ok_and(|read| read == text), "{at_once}");
            assert!(decoded(&low[..low.len() - 1], at_once).is_err());
            assert!(decoded(&[0xff, 0xfe, 0x41, 0x00, 0x3c, 0xd8], at_once).is_err());
            assert!(decoded(&[0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00], at_once).is_err());
            assert!(decoded(&[0xff, 0xfe, 0xa1, 0xdc, 0x41, 0x00], at_once).is_err());
        }
        let long = "5♠ ".repeat(CHUNK_BYTES);
        let bytes: Vec<u8> = long.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert!(decoded(&bytes, usize::MAX).is_ok_and(|read| read == long));
    }
}
