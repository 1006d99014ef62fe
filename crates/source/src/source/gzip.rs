//! Unpacked gzip (RFC 1952): members one after the other, and zeros behind the last as tapes and fixed blocks leave them.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;

use crate::source::pieces::Input;

/// What is packed, read piece by piece.
type Packed = BufReader<Input>;

/// What it holds.
pub(super) fn unpacked(input: Input) -> Input {
    Box::new(Members(Some(GzDecoder::new(BufReader::new(input)))))
}

/// The member that is being read; none at the end.
struct Members(Option<GzDecoder<Packed>>);

impl Read for Members {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.0 {
            let length = member.read(buffer).map_err(damaged)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            let rest = self.0.take().expect("it has ended").into_inner();
            self.0 = next_member(rest)?.map(GzDecoder::new);
        }
        Ok(0)
    }
}

/// What is behind a member, if it may be another one. Zeros up to the end are none: gzip passes over them, too.
fn next_member(mut rest: Packed) -> io::Result<Option<Packed>> {
    if rest.fill_buf()?.first().is_some_and(|&byte| byte != 0) {
        return Ok(Some(rest));
    }
    loop {
        let piece = rest.fill_buf()?;
        let length = piece.len();
        match piece.iter().all(|&byte| byte == 0) {
            true if length == 0 => return Ok(None),
            true => rest.consume(length),
            false => return Err(damaged(io::ErrorKind::InvalidData.into())),
        }
    }
}

/// A fault in words of its own: a copy that broke off is the usual one.
fn damaged(error: io::Error) -> io::Error {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    match error.kind() {
        InvalidData | InvalidInput | UnexpectedEof => io::Error::new(
            error.kind(),
            "the gzip file is cut short or damaged, wanted it whole: copy it again; gzip -t FILE checks it",
        ),
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Written by `printf 'As Kd\n' | gzip -nc | xxd -i`.
    const MEMBER: [u8; 26] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x73, 0x2c, 0x56, 0xf0, 0x4e, 0xe1, 0x02,
        0x00, 0xd7, 0x68, 0x0d, 0xf6, 0x06, 0x00, 0x00, 0x00,
    ];

    fn read(bytes: &[u8]) -> io::Result<String> {
        io::read_to_string(unpacked(Box::new(Cursor::new(bytes.to_vec()))))
    }

    /// What `gzip -dc` writes of them, with exit status 0.
    #[test]
    fn members_follow_one_another_and_zeros_the_last() {
        let twice = MEMBER.repeat(2);
        for (zeros, members, wanted) in [
            (0, &MEMBER[..], "As Kd\n"),
            (1, &MEMBER, "As Kd\n"),
            (512, &MEMBER, "As Kd\n"),
            (0, &twice, "As Kd\nAs Kd\n"),
            (100_000, &twice, "As Kd\nAs Kd\n"),
        ] {
            assert_eq!(read(&[members, &vec![0; zeros]].concat()).expect("whole"), wanted, "{zeros}");
        }
    }

    /// What `gzip -t` refuses or warns of.
    #[test]
    fn what_is_cut_or_followed_by_anything_else_is_reported() {
        let faults = (1..MEMBER.len()).map(|length| MEMBER[..length].to_vec()).chain([
            [&MEMBER[..], b"As"].concat(),
            [&MEMBER[..], &[0; 512], b"As"].concat(),
            [&MEMBER[..], &[0; 512], &MEMBER].concat(),
            [&MEMBER[..], &MEMBER[..20]].concat(),
        ]);
        for bytes in faults {
            let text = read(&bytes).expect_err("damaged").to_string();
            assert!(text.starts_with("the gzip file is cut short or damaged"), "{bytes:?}: {text}");
        }
    }
}
