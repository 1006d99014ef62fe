//! Reading the output of a noise source: a file, a program, or else the operating system.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use deckproof_files::file::read_stream_limited;

/// Bytes that are tested: a million samples.
const BYTES: u64 = 1 << 20;

/// A program that gives nothing for so long is given up.
const PATIENCE: Duration = Duration::from_secs(60);

/// The first megabyte of a source: a file, or `cmd:` with a program and its words.
///
/// # Errors
/// What happened, in one clause.
pub fn read(source: &str) -> Result<Vec<u8>, String> {
    match source.strip_prefix("cmd:") {
        Some(words) => read_command(words),
        None => {
            let failed = |error: std::io::Error| format!("{source}: {error}");
            let file = std::fs::File::open(Path::new(source)).map_err(failed)?;
            read_stream_limited(file.take(BYTES), BYTES).map_err(failed)
        }
    }
}

fn read_command(words: &str) -> Result<Vec<u8>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("the noise source {words:?}: {error}");
    let words_split = shell_words::split(words).map_err(|error| failed(&error))?;
    let (program, rest) = words_split.split_first().ok_or_else(|| failed(&"no program"))?;
    let mut child = Command::new(program)
        .args(rest)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| failed(&error))?;
    let output = child.stdout.take().expect("it is piped").take(BYTES);
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        // Nobody receives where patience ended first.
        let _ = sender.send(read_stream_limited(output, BYTES));
    });
    let read = receiver.recv_timeout(PATIENCE);
    // A source that never ends is stopped when it has given enough.
    let _ = child.kill();
    let _ = child.wait();
    match read {
        Ok(bytes) => bytes.map_err(|error| failed(&error)),
        Err(_) => Err(failed(&format!("nothing came for {} s", PATIENCE.as_secs()))),
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
