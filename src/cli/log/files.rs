//! What the commands of the log read and write: keys, trust files, checkpoints, refusals.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::path::Path;

use serde_json::{Value, json};
use zeroize::Zeroizing;

use crate::cli::CliError;
use crate::cli::screen;
use crate::file::{Access, read_limited, read_stream_limited, write_atomic};
use crate::ledger::log::LogError;
use crate::ledger::note::{NOTE_BYTES_MAX, Note};
use crate::ledger::receipt::Receipt;
use crate::ledger::refusal::Refusal;
use crate::ledger::trust::{Keys, Trust};
use crate::ledger::vkey::{Signer, Vkey};
use crate::text::exit::Exit;
use crate::text::visible;

/// A receipt holds a note and up to 64 lines more; an `extra` line may be long.
const RECEIPT_BYTES_MAX: u64 = 2 * NOTE_BYTES_MAX as u64;

const TRUST_BYTES_MAX: u64 = 1 << 20;

const KEY_BYTES_MAX: u64 = 1024;

/// A text of at most so many bytes; `-` is standard input.
pub(super) fn read_text(path: &Path, bytes_max: u64) -> Result<String, CliError> {
    let bytes = match path == Path::new("-") {
        true => read_stream_limited(io::stdin(), bytes_max),
        false => read_limited(path, bytes_max),
    };
    let bytes = bytes.map_err(|error| CliError::file(path, error))?;
    String::from_utf8(bytes).map_err(|_| CliError::Usage(format!("{}: not UTF-8", path.display())))
}

/// The trust file, all of whose keys must be usable.
pub(in crate::cli) fn read_trust(path: &Path) -> Result<Trust, CliError> {
    let bytes = read_limited(path, TRUST_BYTES_MAX).map_err(|error| CliError::file(path, error))?;
    let trust = Trust::parse(&bytes)
        .map_err(|error| CliError::Usage(format!("--trust {}: {error}", path.display())))?;
    keys(&trust, path)?;
    Ok(trust)
}

/// Writes a trust file with the key of a log and no witness, where none stands.
pub(super) fn write_trust(path: &Path, log: &Vkey, origin: &str) -> Result<(), CliError> {
    let trust = json!({ "origin": origin, "log": [log.to_string()], "witness": [], "quorum": 1 });
    let mut options = OpenOptions::new();
    let written = options.write(true).create_new(true).open(path).and_then(|mut file| {
        file.write_all(format!("{trust:#}\n").as_bytes())?;
        file.sync_all()
    });
    written.map_err(|error| CliError::file(path, error))
}

/// Adds the key of a witness to a trust file in JSON.
pub(super) fn add_witness(path: &Path, witness: &Vkey) -> Result<(), CliError> {
    read_trust(path)?;
    let usage = |problem: &str| CliError::Usage(format!("--trust {}: {problem}", path.display()));
    let text = read_text(path, TRUST_BYTES_MAX)?;
    let mut trust: Value =
        serde_json::from_str(&text).map_err(|_| usage("not JSON; add the key to the policy by hand"))?;
    let keys = trust["witness"].as_array_mut().ok_or_else(|| usage("no list of witnesses"))?;
    keys.push(json!(witness.to_string()));
    let text = format!("{trust:#}\n");
    Trust::parse(text.as_bytes()).map_err(|error| usage(&error.to_string()))?;
    write_atomic(path, text.as_bytes(), Access::Public).map_err(|error| CliError::file(path, error))
}

/// The keys of a trust file.
pub(in crate::cli) fn keys<'a>(trust: &'a Trust, path: &Path) -> Result<&'a Keys, CliError> {
    trust.keys().map_err(|error| CliError::Usage(format!("--trust {}: E_VKEY: {error}", path.display())))
}

/// A signed checkpoint, alone or at the end of a receipt.
pub(super) fn read_note(path: &Path) -> Result<String, CliError> {
    let text = read_text(path, RECEIPT_BYTES_MAX)?;
    Ok(Receipt::parse(&text).map(|receipt| receipt.note).unwrap_or(text))
}

/// A receipt or a request as it stands in a file.
pub(super) fn read_small(path: &Path) -> Result<String, CliError> {
    read_text(path, RECEIPT_BYTES_MAX)
}

pub(in crate::cli) fn parse_note(path: &Path, text: &str) -> Result<Note, CliError> {
    Note::parse(text).map_err(|error| CliError::Usage(format!("{}: no signed note: {error}", path.display())))
}

/// Reads a secret key.
pub(in crate::cli) fn read_key(path: &Path) -> Result<Signer, CliError> {
    let file = std::fs::File::open(path).map_err(|error| CliError::file(path, error))?;
    let mut text = Zeroizing::new(String::new());
    let read = file.take(KEY_BYTES_MAX).read_to_string(&mut text);
    read.map_err(|error| CliError::file(path, error))?;
    Signer::parse(text.trim())
        .map_err(|error| CliError::Usage(format!("{}: no secret key: {error}", path.display())))
}

/// Writes a new secret key where nothing stands, for its owner alone.
pub(super) fn write_key(path: &Path, signer: &Signer) -> Result<(), CliError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let text = Zeroizing::new(format!("{}\n", *signer.disclose()));
    let written = options.open(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|error| CliError::file(path, error))
}

/// What keeps the log from being read or written: exit code 2.
pub(in crate::cli) fn log_error(error: LogError) -> CliError {
    CliError::Usage(visible(&error.to_string()).into_owned())
}

pub(super) fn print(text: &str) -> Result<(), CliError> {
    screen::say(text).map_err(CliError::Output)
}

/// Says that the log is refused.
pub(super) fn refused(refusal: &Refusal, is_json: bool) -> Result<Exit, CliError> {
    let text = match is_json {
        true => {
            let (code, place, message) = (refusal.code.name(), &refusal.place, &refusal.message);
            format!("{}\n", json!({ "verdict": "refused", "code": code, "place": place, "message": message }))
        }
        false => format!(
            "refused, {}.\n  {}: {}.\n  The first failure stops; nothing after it was checked.\n",
            refusal.code, refusal.place, refusal.message
        ),
    };
    print(&text)?;
    Ok(Exit::Refused)
}
