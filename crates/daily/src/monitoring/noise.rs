//! Reading the output of a noise source: a file, a program, or else the operating system.

use std::io::Read;
use std::path::Path;

use crate::monitoring::restart::first_outputs;
use deckproof_files::file::read_stream_limited;

/// Bytes that are tested: a million samples.
const BYTES: u64 = 1 << 20;

/// The first megabyte of a source: a file, or `cmd:` with a program and its words.
///
/// # Errors
/// What happened, in one clause.
pub fn read(source: &str) -> Result<Vec<u8>, String> {
    match source.strip_prefix("cmd:") {
        Some(words) => Ok(first_outputs("the noise source", words, 1, BYTES)?.concat()),
        None => {
            let failed = |error: std::io::Error| format!("{source}: {error}");
            let file = std::fs::File::open(Path::new(source)).map_err(failed)?;
            read_stream_limited(file.take(BYTES), BYTES).map_err(failed)
        }
    }
}

/// As much of the operating system's output.
///
/// # Errors
/// What happened, in one clause.
pub fn operating_system() -> Result<Vec<u8>, String> {
    let mut bytes = vec![0; BYTES as usize];
    getrandom::fill(&mut bytes)
        .map_err(|error| format!("the operating system gave no random bytes: {error}"))?;
    Ok(bytes)
}
