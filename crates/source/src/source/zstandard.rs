//! Unpacked Zstandard: frame after frame, each checked against its checksum; frames that hold no data are skipped.

use std::io::{self, BufReader, Cursor, Read};
use std::sync::{Arc, Mutex, PoisonError};

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use crate::source::pieces::{self, Input, invalid};

/// Bytes read from a decoder at once.
const CHUNK_BYTES: usize = 1 << 16;

/// The packed bytes. A fault of their own is kept, for the decoder makes words of its own of it.
struct Packed {
    input: Input,
    fault: Arc<Mutex<Option<io::Error>>>,
}

impl Read for Packed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer).map_err(|error| {
            if error.kind() == io::ErrorKind::Interrupted {
                return error;
            }
            *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            io::Error::other("the packed input failed")
        })
    }
}

/// A frame, with its first bytes before the rest.
type Frame = StreamingDecoder<io::Chain<Cursor<[u8; 4]>, BufReader<Packed>>, FrameDecoder>;

/// What a packed input holds.
///
/// # Errors
/// The input's, or its first frame cannot be read.
pub(super) fn unpacked(input: Input) -> io::Result<Input> {
    let fault = Arc::default();
    let packed = Packed { input, fault: Arc::clone(&fault) };
    let broken = move |error: io::Error| {
        let own = fault.lock().unwrap_or_else(PoisonError::into_inner).take();
        own.unwrap_or(error)
    };
    let mut frame = next_frame(BufReader::new(packed)).map_err(&broken)?;
    Ok(pieces::input(move || {
        let mut piece = vec![0; CHUNK_BYTES];
        while let Some(own) = &mut frame {
            let length = own.read(&mut piece).map_err(|_| broken(damaged()))?;
            if length > 0 {
                piece.truncate(length);
                return Ok(piece);
            }
            let (stored, found) =
                (own.decoder.get_checksum_from_data(), own.decoder.get_calculated_checksum());
            if stored.is_some() && stored != found {
                return Err(invalid("the checksum of a frame is wrong"));
            }
            let (_, rest) = frame.take().expect("it has ended").into_inner().into_inner();
            frame = next_frame(rest).map_err(&broken)?;
        }
        Ok(Vec::new())
    }))
}

/// The next frame that holds data; none at the end.
fn next_frame(mut input: BufReader<Packed>) -> io::Result<Option<Frame>> {
    loop {
        let mut magic = Vec::new();
        input.by_ref().take(4).read_to_end(&mut magic)?;
        match *magic {
            [] => return Ok(None),
            // A frame to be skipped: its length, and as many bytes of somebody else (RFC 8878, 3.1.2).
            [0x50..=0x5f, 0x2a, 0x4d, 0x18] => {
                let mut length = [0; 4];
                input.read_exact(&mut length).map_err(|_| damaged())?;
                let length = u64::from(u32::from_le_bytes(length));
                if io::copy(&mut input.by_ref().take(length), &mut io::sink())? < length {
                    return Err(damaged());
                }
            }
            [a, b, c, d] => {
                let frame = StreamingDecoder::new(Cursor::new([a, b, c, d]).chain(input));
                return frame.map(Some).map_err(|error| unreadable(&error));
            }
            _ => return Err(damaged()),
        }
    }
}

fn damaged() -> io::Error {
    invalid(
        "the Zstandard file is cut short or damaged, wanted it whole: copy it again; zstd -t FILE checks it",
    )
}

/// Why a frame does not begin: it may be whole, and packed as this program does not unpack it.
fn unreadable(error: &FrameDecoderError) -> io::Error {
    let with = match error {
        FrameDecoderError::DictNotProvided { .. } => "a dictionary of its own",
        FrameDecoderError::WindowSizeTooBig { .. } => "a window of more than 100 MiB",
        _ => return damaged(),
    };
    invalid(format!(
        "found a Zstandard file packed with {with}, which this program does not unpack, wanted it unpacked: zstd -dc FILE does it"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written by `printf 'As Kd\\n' | zstd -c | xxd -i`, with its checksum.
    const FRAME: [u8; 19] = [
        0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x31, 0x00, 0x00, 0x41, 0x73, 0x20, 0x4b, 0x64, 0x0a, 0xa4, 0x60,
        0x4b, 0xbd,
    ];

    fn read(bytes: &[u8]) -> io::Result<String> {
        io::read_to_string(unpacked(Box::new(Cursor::new(bytes.to_vec())))?)
    }

    #[test]
    fn frames_to_be_skipped_are_and_a_cut_one_is_reported() {
        // Four bytes as pzstd writes them before each frame, and a table of 9 as the seekable format has at its end.
        let skipped = |length: u8| {
            [&[0x50 + length % 16, 0x2a, 0x4d, 0x18, length, 0, 0, 0][..], &vec![7; usize::from(length)]]
                .concat()
        };
        let text = "As Kd\n";
        for (parts, lines) in [
            (vec![FRAME.to_vec()], 1),
            (vec![skipped(4), FRAME.to_vec()], 1),
            (vec![FRAME.to_vec(), skipped(4), FRAME.to_vec(), skipped(9)], 2),
            (vec![FRAME.to_vec(), skipped(0), skipped(4), FRAME.to_vec()], 2),
            (vec![skipped(4)], 0),
        ] {
            assert_eq!(read(&parts.concat()).ok(), Some(text.repeat(lines)), "{parts:?}");
        }
        let whole = [&skipped(4)[..], &FRAME, &skipped(4)].concat();
        for length in (1..whole.len()).filter(|&length| ![12, 12 + FRAME.len()].contains(&length)) {
            let text = read(&whole[..length]).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(text.starts_with("the Zstandard file is cut short or damaged"), "{length}: {text}");
        }
    }

    #[test]
    fn a_fault_of_the_input_is_reported_as_it_is() {
        struct Silent;
        impl Read for Silent {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::new(io::ErrorKind::TimedOut, "silence"))
            }
        }
        let input = unpacked(Box::new(Cursor::new(FRAME[..9].to_vec()).chain(Silent)));
        let text = input.and_then(io::read_to_string).err().map(|error| error.to_string());
        assert_eq!(text.as_deref(), Some("silence"));
    }
}
