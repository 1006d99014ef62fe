//! Certificates of earlier days: kept, compressed by gzip, and removed only by a retention that a row states.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::monitoring::day::DayLine;
use deckproof_audit::certificate::LIMITS;
use deckproof_files::file::{Access, if_there, own, read_stream_limited, write_atomic};

/// What is added to the name of a compressed file.
const SUFFIX: &str = ".gz";

/// What the name of a day's folder begins with until its row is added. A crash may leave the row and this name.
pub const BEGUN: &str = ".begun-";

/// The bytes of a certificate, compressed or not; nothing if it is not there.
///
/// # Errors
/// If a file that is there cannot be read.
pub fn read(folder: &Path, path: &str) -> io::Result<Option<Vec<u8>>> {
    for path in [folder.join(path), folder.join(format!("{BEGUN}{path}"))] {
        if let Some(bytes) = if_there(own::read_limited(&path, LIMITS.bytes_max as u64))? {
            return Ok(Some(bytes));
        }
    }
    let Some(file) = if_there(own::open_to_read(&compressed(folder, path)))? else { return Ok(None) };
    // What unpacks to more than a certificate is none.
    let unpacked = flate2::read::GzDecoder::new(io::BufReader::new(file));
    read_stream_limited(unpacked, LIMITS.bytes_max as u64).map(Some)
}

/// Whether a certificate is there in any form.
pub fn is_there(folder: &Path, path: &str) -> bool {
    folder.join(path).exists() || compressed(folder, path).exists()
}

fn compressed(folder: &Path, path: &str) -> PathBuf {
    folder.join(format!("{path}{SUFFIX}"))
}

/// Whether the retention that some row states allows that this day's certificate is gone.
pub fn may_be_gone(line: &DayLine, days: &[DayLine]) -> bool {
    days.iter().filter_map(|day| day.kept_from.as_ref()).max().is_some_and(|from| line.day < *from)
}

/// Compresses the certificates of all days but the last, and removes those that the stated retention lets go. A crash
/// leaves both forms, or one: each is the certificate.
///
/// # Errors
/// The first file that cannot be written or removed.
pub fn tidy(folder: &Path, days: &[DayLine]) -> io::Result<()> {
    let earlier = days.split_last().map_or(days, |(_, earlier)| earlier);
    for line in earlier {
        let Some(path) = &line.certificate else { continue };
        let fresh = path.replace("certificate.json", "fresh/certificate.json");
        for path in [path, &fresh] {
            if may_be_gone(line, days) { remove(folder, path)? } else { compress(folder, path)? }
        }
    }
    Ok(())
}

fn remove(folder: &Path, path: &str) -> io::Result<()> {
    for file in [folder.join(path), compressed(folder, path)] {
        if_there(fs::remove_file(&file))?;
    }
    Ok(())
}

fn compress(folder: &Path, path: &str) -> io::Result<()> {
    use std::io::Write;
    let plain = folder.join(path);
    let Some(bytes) = if_there(own::read_limited(&plain, LIMITS.bytes_max as u64))? else { return Ok(()) };
    // Without a time or a name in its header, so that the same certificate gives the same bytes.
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(&bytes)?;
    write_atomic(&compressed(folder, path), &packed.finish()?, Access::Public)?;
    fs::remove_file(&plain)
}
