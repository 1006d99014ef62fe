//! Who opened which hand, when and why, and what was removed: one JSON object a line, each with the SHA-256 of the line before.
//!
//! It is a file of its own and no entry of the log, whose kinds PROTOCOL.md fixes. The chain shows that no line in the middle
//! was altered or left out; whoever writes the folder can still write all of it again, or take lines from its end.

use std::path::Path;

use serde_json::{Value, json};

use crate::vault::VaultError;
use deckproof_files::file::lock::PathLock;
use deckproof_files::file::{Access, STATE_BYTES_MAX, own, sha256, write_atomic};

/// What the first line names as the line before it.
const NOTHING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// What is written down.
pub enum VaultEvent<'a> {
    /// A hand was opened.
    Opened {
        /// The table.
        table: &'a str,
        /// The hand.
        hand: u64,
        /// The public keys of those who opened it.
        holders: &'a [String; 2],
        /// Why, in their words.
        reason: &'a str,
        /// How many entries the log had.
        log_size: u64,
        /// Its root then.
        log_root: String,
    },
    /// The shares of segments were removed.
    Pruned {
        /// Which.
        segments: &'a [u64],
    },
}

/// Adds a line; it is durable when this returns. The number of the line is returned.
///
/// # Errors
/// [`VaultError`], also if the lines that are there do not follow each other.
pub fn append(path: &Path, time: &str, event: &VaultEvent<'_>) -> Result<u64, VaultError> {
    let failed = VaultError::file(path);
    let locked = PathLock::take(path).map_err(|error| failed(std::io::Error::other(error.to_string())))?;
    let mut text = match own::read_text_limited(path, STATE_BYTES_MAX) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(failed(error)),
    };
    let (number, before) = check(&text).map_err(|line| VaultError::Unfit {
        path: path.to_owned(),
        found: format!("a line {line} that does not follow from the one before it"),
        wanted: "the lines as they were written",
    })?;
    let line = match event {
        VaultEvent::Opened { table, hand, holders, reason, log_size, log_root } => json!({
            "line": number + 1, "time": time, "what": "opened", "table": table, "hand": hand, "holders": holders,
            "reason": reason, "log_size": log_size, "log_root": log_root, "before": before,
        }),
        VaultEvent::Pruned { segments } => json!({
            "line": number + 1, "time": time, "what": "pruned", "segments": segments, "before": before,
        }),
    };
    text.push_str(&line.to_string());
    text.push('\n');
    write_atomic(path, text.as_bytes(), Access::OwnerOnly).map_err(&failed)?;
    drop(locked);
    Ok(number + 1)
}

/// How many lines there are, and the hash of the last one; else the number of the first line that does not follow.
///
/// # Errors
/// That number.
pub fn check(text: &str) -> Result<(u64, String), u64> {
    let (mut number, mut before) = (0, NOTHING.to_owned());
    for line in text.split_inclusive('\n') {
        number += 1;
        let read: Option<Value> = line.strip_suffix('\n').and_then(|line| serde_json::from_str(line).ok());
        let follows = read.is_some_and(|read| read["line"] == number && read["before"] == before.as_str());
        if !follows {
            return Err(number);
        }
        before = sha256(line.as_bytes());
    }
    Ok((number, before))
}
