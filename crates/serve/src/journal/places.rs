//! Where the last step of each hand lies: 16 bytes a hand, so that the millionth is found as quickly as the first.
//!
//! Made from the journal, and written again from its last segment at every start; from all of it where hands of earlier segments are missing.

use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use deckproof_files::file::{if_there, own, sync_names};

const PLACE_BYTES: u64 = 16;

/// Where a line lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinePlace {
    /// The segment, from 1.
    pub segment: u64,
    /// The byte in it.
    pub offset: u64,
}

/// The files of places, one a table.
#[derive(Clone)]
pub struct Places {
    folder: PathBuf,
}

impl Places {
    /// The places in a folder.
    pub fn of(folder: &Path) -> Places {
        Places { folder: folder.to_owned() }
    }

    /// A name of a table may be `..`; none begins like this.
    fn path(&self, table: &str) -> PathBuf {
        self.folder.join(format!("table-{table}"))
    }

    /// Writes where the last step of a hand lies.
    pub fn put(&self, table: &str, hand: u64, place: LinePlace) -> io::Result<()> {
        let mut options = OpenOptions::new();
        own::for_owner(options.write(true).create(true).truncate(false));
        let mut file = own::open(&self.path(table), &options)?;
        file.seek(SeekFrom::Start((hand - 1) * PLACE_BYTES))?;
        let mut bytes = [0; PLACE_BYTES as usize];
        bytes[..8].copy_from_slice(&place.segment.to_be_bytes());
        bytes[8..].copy_from_slice(&place.offset.to_be_bytes());
        file.write_all(&bytes)
    }

    /// Where the last step of a hand that has ended lies; nothing of any other hand.
    pub fn get(&self, table: &str, hand: u64) -> io::Result<Option<LinePlace>> {
        let Some(mut file) = if_there(own::open_to_read(&self.path(table)))? else { return Ok(None) };
        if hand == 0 || file.metadata()?.len() < hand.saturating_mul(PLACE_BYTES) {
            return Ok(None);
        }
        file.seek(SeekFrom::Start((hand - 1) * PLACE_BYTES))?;
        let mut bytes = [0; PLACE_BYTES as usize];
        file.read_exact(&mut bytes)?;
        let number = |bytes: &[u8]| bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let place = LinePlace { segment: number(&bytes[..8]), offset: number(&bytes[8..]) };
        // The hands of a table are numbered without a gap.
        match place.segment {
            0 => {
                Err(io::Error::new(io::ErrorKind::InvalidData, format!("no place is written of hand {hand}")))
            }
            _ => Ok(Some(place)),
        }
    }

    /// Makes the places of these tables durable.
    pub fn sync(&self, tables: &[String]) -> io::Result<()> {
        tables.iter().try_for_each(|table| own::open_to_read(&self.path(table))?.sync_all())?;
        sync_names(&self.folder)
    }
}
