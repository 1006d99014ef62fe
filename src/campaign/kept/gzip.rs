//! Kept decks packed and unpacked, gzip (RFC 1952), by builds that have it.

use std::io;
use std::path::Path;

#[cfg(feature = "packages")]
use crate::campaign::kept::BYTES_MAX;
#[cfg(feature = "packages")]
use crate::card::DECK_CARDS;

/// Packs the decks of a file; the same decks give the same bytes.
///
/// # Errors
/// The operating system's.
#[cfg(feature = "packages")]
pub fn packed(path: &Path) -> io::Result<Vec<u8>> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    io::copy(&mut std::fs::File::open(path)?, &mut packed)?;
    packed.finish()
}

/// The decks of a package, unpacked; more than a package keeps is an error.
///
/// # Errors
/// The operating system's, or the unpacker's.
#[cfg(feature = "packages")]
pub fn unpacked(packed: &[u8]) -> io::Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(packed).take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    let is_whole = bytes.len() as u64 <= BYTES_MAX && bytes.len().is_multiple_of(DECK_CARDS);
    match is_whole {
        true => Ok(bytes),
        false => Err(io::Error::new(io::ErrorKind::InvalidData, "found bytes that are no whole decks")),
    }
}

/// Nothing: this build has no gzip.
///
/// # Errors
/// Always.
#[cfg(not(feature = "packages"))]
pub fn packed(_: &Path) -> io::Result<Vec<u8>> {
    Err(no_gzip())
}

/// Nothing: this build has no gzip.
///
/// # Errors
/// Always.
#[cfg(not(feature = "packages"))]
pub fn unpacked(_: &[u8]) -> io::Result<Vec<u8>> {
    Err(no_gzip())
}

#[cfg(not(feature = "packages"))]
fn no_gzip() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "this build has not the feature packages, which has gzip")
}
