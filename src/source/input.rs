//! The bytes of a file as text or records: unpacked and decoded as its first bytes say.

use std::fs::File;
#[cfg(feature = "compressed")]
use std::io::BufReader;
use std::io::{self, Cursor, Read};
use std::path::Path;

use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_16BE, UTF_16LE};

use crate::source::{SourceError, dealt};

/// The bytes of a file, as its records are read.
pub(super) type Input = Box<dyn Read + Send>;

/// Bytes read from a decoder at once.
const CHUNK_BYTES: usize = 1 << 16;

/// How a file is packed, in words for the reader; empty where it is not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Packing {
    words: Vec<&'static str>,
}

impl Packing {
    /// Whether any byte can be reached without reading those before it.
    pub(super) fn is_plain(&self) -> bool {
        self.words.is_empty()
    }

    /// As it stands in a sentence.
    pub(super) fn words(&self) -> String {
        self.words.join(", ")
    }
}

/// Opens a file and unpacks it as its first bytes say.
///
/// # Errors
/// [`SourceError`]: it cannot be read, or is packed in a way that this build does not read.
pub(super) fn open(path: &Path) -> Result<(Input, Packing), SourceError> {
    let file = open_file(path)?;
    let place = path.display().to_string();
    match first_bytes(path)?.as_slice() {
        b"PAR1" => Ok((parquet_rows(file, &place)?, Packing { words: vec!["Parquet"] })),
        _ if dealt::is_of_table(path) => {
            let words = vec![
                "the keys of dealt hands, whose decks were made from them as they lay before any public cut",
            ];
            Ok((Box::new(dealt::Decks::new(file)), Packing { words }))
        }
        _ => unpack(Box::new(file), &place),
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
pub(super) fn unpack(input: Input, place: &str) -> Result<(Input, Packing), SourceError> {
    let io = |error| SourceError::Io { place: place.to_owned(), error };
    let mut packing = Packing::default();
    let (first, input) = peek(input).map_err(io)?;
    let input = match first {
        [0x1f, 0x8b, ..] => {
            packing.words.push("gzip");
            gunzip(place, input)?
        }
        [0x28, 0xb5, 0x2f, 0xfd] => {
            packing.words.push("Zstandard");
            unzstd(place, input)?
        }
        _ => input,
    };
    let (first, input) = if packing.is_plain() { (first, input) } else { peek(input).map_err(io)? };
    let encoding: Option<(&'static Encoding, &str)> = match first {
        [0xff, 0xfe, ..] => Some((UTF_16LE, "UTF-16, low byte first")),
        [0xfe, 0xff, ..] => Some((UTF_16BE, "UTF-16, high byte first")),
        _ => None,
    };
    let Some((encoding, words)) = encoding else { return Ok((input, packing)) };
    packing.words.push(words);
    Ok((Box::new(Decoded::new(input, encoding.new_decoder_with_bom_removal())), packing))
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

/// The first four bytes, zeros where there are fewer, and the whole input again.
fn peek(mut input: Input) -> io::Result<([u8; 4], Input)> {
    let (mut first, mut length) = ([0; 4], 0);
    while length < first.len() {
        match input.read(&mut first[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok((first, Box::new(Cursor::new(first[..length].to_vec()).chain(input))))
}

#[cfg(feature = "compressed")]
fn gunzip(_: &str, input: Input) -> Result<Input, SourceError> {
    Ok(Box::new(flate2::bufread::MultiGzDecoder::new(BufReader::new(input))))
}

#[cfg(feature = "compressed")]
fn unzstd(place: &str, input: Input) -> Result<Input, SourceError> {
    let unpacked = zstd::Unpacked::new(BufReader::new(input));
    let input = unpacked.map_err(|error| SourceError::Io { place: place.to_owned(), error })?;
    Ok(Box::new(input))
}

#[cfg(feature = "parquet")]
fn parquet_rows(file: File, place: &str) -> Result<Input, SourceError> {
    crate::source::parquet::text_of(file).map_err(|error| SourceError::Io { place: place.to_owned(), error })
}

#[cfg(not(feature = "parquet"))]
fn parquet_rows(_: File, place: &str) -> Result<Input, SourceError> {
    Err(SourceError::Failed(format!(
        "{place}: found a Parquet file, wanted a text: this build has no feature `parquet`"
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

#[cfg(feature = "compressed")]
mod zstd {
    use std::io::{self, BufRead, Read};

    use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

    /// Frame after frame, each checked against its checksum.
    pub(super) struct Unpacked<R: BufRead> {
        frame: Option<StreamingDecoder<R, FrameDecoder>>,
    }

    impl<R: BufRead> Unpacked<R> {
        pub(super) fn new(input: R) -> io::Result<Unpacked<R>> {
            Ok(Unpacked { frame: Some(begin(input)?) })
        }
    }

    fn begin<R: BufRead>(input: R) -> io::Result<StreamingDecoder<R, FrameDecoder>> {
        StreamingDecoder::new(input)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))
    }

    impl<R: BufRead> Read for Unpacked<R> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            loop {
                let Some(frame) = &mut self.frame else { return Ok(0) };
                let length = frame.read(buffer)?;
                if length > 0 || buffer.is_empty() {
                    return Ok(length);
                }
                let (said, found) =
                    (frame.decoder.get_checksum_from_data(), frame.decoder.get_calculated_checksum());
                if said.is_some() && said != found {
                    return Err(io::Error::new(
                        io::ErrorKind::InvalidData,
                        "the checksum of a frame is wrong",
                    ));
                }
                let Some(ended) = self.frame.take() else { return Ok(0) };
                let mut input = ended.into_inner();
                if !input.fill_buf()?.is_empty() {
                    self.frame = Some(begin(input)?);
                }
            }
        }
    }
}

/// UTF-16 as UTF-8; what is no text is refused.
struct Decoded {
    input: Input,
    decoder: Decoder,
    raw: Vec<u8>,
    /// What is decoded, of which so much is given away: a reader may ask for less than a character at a time.
    text: Vec<u8>,
    given: usize,
    has_ended: bool,
}

impl Decoded {
    fn new(input: Input, decoder: Decoder) -> Decoded {
        Decoded { input, decoder, raw: vec![0; CHUNK_BYTES], text: Vec::new(), given: 0, has_ended: false }
    }

    /// Decodes the next bytes that hold a whole character, or comes to the end.
    fn refill(&mut self) -> io::Result<()> {
        self.given = 0;
        self.text.clear();
        while self.text.is_empty() && !self.has_ended {
            let length = self.input.read(&mut self.raw)?;
            self.has_ended = length == 0;
            let room = self.decoder.max_utf8_buffer_length_without_replacement(length);
            self.text.resize(room.unwrap_or(4 * CHUNK_BYTES), 0);
            let (result, _, written) = self.decoder.decode_to_utf8_without_replacement(
                &self.raw[..length],
                &mut self.text,
                self.has_ended,
            );
            if result != DecoderResult::InputEmpty {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "found bytes that are no UTF-16"));
            }
            self.text.truncate(written);
        }
        Ok(())
    }
}

impl Read for Decoded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.text.len() && !self.has_ended && !buffer.is_empty() {
            self.refill()?;
        }
        let left = &self.text[self.given..];
        let length = left.len().min(buffer.len());
        buffer[..length].copy_from_slice(&left[..length]);
        self.given += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> io::Result<String> {
        let (first, input) = peek(Box::new(Cursor::new(bytes.to_vec())))?;
        let encoding = if first[0] == 0xff { UTF_16LE } else { UTF_16BE };
        let mut text = String::new();
        Decoded::new(input, encoding.new_decoder_with_bom_removal()).read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn utf_16_is_decoded_in_both_orders_and_half_a_character_is_refused() {
        let text = "A♠ K♦\n".repeat(40_000);
        let words: Vec<u16> = std::iter::once(0xfeff).chain(text.encode_utf16()).collect();
        let low: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let high: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        assert!(decoded(&low).is_ok_and(|read| read == text));
        assert!(decoded(&high).is_ok_and(|read| read == text));
        assert!(decoded(&low[..low.len() - 1]).is_err());
        assert!(decoded(&[0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]).is_err());
    }
}
