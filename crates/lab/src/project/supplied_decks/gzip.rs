//! Kept decks packed and unpacked, gzip (RFC 1952).

use std::io::{self, Read};
use std::path::Path;

use crate::project::supplied_decks::BYTES_MAX;
use deckproof_deck::card::DECK_CARDS;
use deckproof_files::file::own;

/// Packs the decks of a file; the same decks give the same bytes.
///
/// # Errors
/// The operating system's.
pub fn packed(path: &Path) -> io::Result<Vec<u8>> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    io::copy(&mut own::open_to_read(path)?, &mut packed)?;
    packed.finish()
}

/// The decks of a package, unpacked; more than a package keeps is an error.
///
/// # Errors
/// The operating system's, or the unpacker's.
pub fn unpacked(packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(packed).take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    let is_whole = bytes.len() as u64 <= BYTES_MAX && bytes.len().is_multiple_of(DECK_CARDS);
    if is_whole {
        Ok(bytes)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidData, "found bytes that are no whole decks"))
    }
}
