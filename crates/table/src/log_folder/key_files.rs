//! What is kept of a log in files of their own: secret keys, trust files, checkpoints that were saved, entries to be added.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use zeroize::Zeroizing;

use crate::log_folder::reader::LogReader;
use crate::log_folder::{CHECKPOINT, Log, LogError};
use deckproof_deck::text::carried::plain;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::{counted, thousands};
use deckproof_files::file::input::{FileError, read_input};
use deckproof_files::file::{Access, above, own, read_limited, write_atomic};
use deckproof_verify::log::checkpoint::Checkpoint;
use deckproof_verify::log::entry::several::{SeveralError, split};
use deckproof_verify::log::note::{NOTE_BYTES_MAX, Note, Signature};
use deckproof_verify::log::receipt::Receipt;
use deckproof_verify::log::refusal::Refusal;
use deckproof_verify::log::tree::TreeHead;
use deckproof_verify::log::trust::{Keys, Trust};
use deckproof_verify::log::vkey::{Signer, Vkey};
use deckproof_verify::log::witnessed::{Witnessed, add_cosignatures};

/// Entries that are added together are at most this long in one file, in bytes.
const ENTRIES_BYTES_MAX: u64 = 1 << 30;

/// A receipt holds a note and up to 64 lines more; an `extra` line may be long.
const RECEIPT_BYTES_MAX: u64 = 2 * NOTE_BYTES_MAX as u64;

const TRUST_BYTES_MAX: u64 = 1 << 20;

const KEY_BYTES_MAX: u64 = 1024;

/// A text of at most so many bytes; `-` is standard input.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub(super) fn read_text(path: &Path, bytes_max: u64) -> Result<String, CouldNotSay> {
    let bytes = read_input(path, bytes_max)?;
    String::from_utf8(bytes).map_err(|_| CouldNotSay(format!("{}: not UTF-8", path.display())))
}

/// The trust file, all of whose keys must be usable.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn read_trust(path: &Path) -> Result<Trust, CouldNotSay> {
    let bytes = read_limited(path, TRUST_BYTES_MAX).map_err(|error| FileError::new(path, error))?;
    let trust =
        Trust::parse(&bytes).map_err(|error| CouldNotSay(format!("--trust {}: {error}", path.display())))?;
    keys(&trust, path)?;
    Ok(trust)
}

/// Writes a trust file with the key of a log and no witness, where there is none.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn write_trust(path: &Path, log: &Vkey, origin: &str) -> Result<(), CouldNotSay> {
    let trust = json!({ "origin": origin, "log": [log.to_string()], "witness": [], "quorum": 1 });
    write_new(path, &mut OpenOptions::new(), format!("{trust:#}\n").as_bytes())
}

/// That a trust file has no key of this witness yet: a quorum counts keys, so that with two of them one witness could be two.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn check_new_witness(path: &Path, name: &str) -> Result<(), CouldNotSay> {
    if keys(&read_trust(path)?, path)?.witness.iter().all(|key| key.name != name) {
        return Ok(());
    }
    let found =
        format!("--trust {}: it has a key of {name} already, and a quorum counts keys", path.display());
    Err(CouldNotSay::new(found, "Take the old key out, or choose another name."))
}

/// Adds the key of a witness to a trust file in JSON.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn add_witness(path: &Path, witness: &Vkey) -> Result<(), CouldNotSay> {
    read_trust(path)?;
    let usage = |problem: &str| CouldNotSay(format!("--trust {}: {problem}", path.display()));
    let text = read_text(path, TRUST_BYTES_MAX)?;
    let mut trust: Value =
        serde_json::from_str(&text).map_err(|_| usage("not JSON; add the key to the policy by hand"))?;
    let keys = trust["witness"].as_array_mut().ok_or_else(|| usage("no list of witnesses"))?;
    keys.push(json!(witness.to_string()));
    let text = format!("{trust:#}\n");
    let with_it = Trust::parse(text.as_bytes()).map_err(|error| usage(&error.to_string()))?;
    self::keys(&with_it, path)?;
    Ok(write_atomic(path, text.as_bytes(), Access::Public).map_err(|error| FileError::new(path, error))?)
}

/// The keys of a trust file.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn keys<'a>(trust: &'a Trust, path: &Path) -> Result<&'a Keys, CouldNotSay> {
    trust.keys().map_err(|error| CouldNotSay(format!("--trust {}: E_VKEY: {error}", path.display())))
}

/// A signed checkpoint, alone or at the end of a receipt.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn read_note(path: &Path) -> Result<String, CouldNotSay> {
    let text = plain(&read_text(path, RECEIPT_BYTES_MAX)?);
    Ok(Receipt::parse(&text).map(|receipt| receipt.note).unwrap_or(text))
}

/// A receipt or a request as it is in a file.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn read_small(path: &Path) -> Result<String, CouldNotSay> {
    read_text(path, RECEIPT_BYTES_MAX)
}

/// The signed note that a text is; `path` names it where it is none.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn parse_note(path: &Path, text: &str) -> Result<Note, CouldNotSay> {
    Note::parse(text).map_err(|error| CouldNotSay(format!("{}: no signed note: {error}", path.display())))
}

/// Reads a secret key.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn read_key(path: &Path) -> Result<Signer, CouldNotSay> {
    let file = std::fs::File::open(path).map_err(|error| FileError::new(path, error))?;
    let mut text = Zeroizing::new(String::new());
    let read = file.take(KEY_BYTES_MAX).read_to_string(&mut text);
    read.map_err(|error| FileError::new(path, error))?;
    Signer::parse(text.trim())
        .map_err(|error| CouldNotSay(format!("{}: no secret key: {error}", path.display())))
}

/// The file beside the key of a log from which a service deals.
pub fn serving_file(key: &Path) -> PathBuf {
    let mut name = key.file_name().unwrap_or_default().to_os_string();
    name.push(".serving");
    key.with_file_name(name)
}

/// Reads the secret key of the log in a folder that no service writes: entries that a service has signed may be in its journal alone, so that
/// another writer would fork its log.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn read_own_key(path: &Path, log: &Path) -> Result<Signer, CouldNotSay> {
    let journal = above(log).join("secret").join("journal");
    if journal.symlink_metadata().is_ok() {
        return Err(CouldNotSay(format!(
            "{}: a service writes this log, as {} beside it shows, and only that service adds entries to it",
            log.display(),
            journal.display()
        )));
    }
    let serving = serving_file(path);
    if serving.symlink_metadata().is_ok() {
        return Err(CouldNotSay(format!(
            "{}: a service deals with this key, as {} beside it shows, and only that service writes with it: begin another log, with a key \
             of its own",
            path.display(),
            serving.display()
        )));
    }
    read_key(path)
}

/// Writes a new secret key where there is none, for its owner alone.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn write_key(path: &Path, signer: &Signer) -> Result<(), CouldNotSay> {
    let text = Zeroizing::new(format!("{}\n", *signer.disclose()));
    write_new(path, own::for_owner(&mut OpenOptions::new()), text.as_bytes())
}

/// Writes a file where there is none, durably.
fn write_new(path: &Path, options: &mut OpenOptions, bytes: &[u8]) -> Result<(), CouldNotSay> {
    let written = options.write(true).create_new(true).open(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    Ok(written.map_err(|error| FileError::new(path, error))?)
}

/// The entries of files that hold one or more each, in their order.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn read_entries(paths: &[PathBuf]) -> Result<Vec<String>, CouldNotSay> {
    let mut entries: Vec<String> = Vec::new();
    for path in paths {
        let text = read_text(path, ENTRIES_BYTES_MAX)?;
        let usage = |error: SeveralError| {
            let end = if error == SeveralError::Start { "" } else { "; nothing was added" };
            CouldNotSay(format!("{}: {error}{end}", path.display()))
        };
        entries.extend(split(&text).map_err(usage)?.into_iter().map(str::to_owned));
    }
    Ok(entries)
}

/// Puts the lines that known witnesses gave on the checkpoint of a log; `left_out` hears of each line that is not theirs.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn put_cosignatures(
    folder: &Path,
    files: &[PathBuf],
    trust_path: &Path,
    left_out: &dyn Fn(&Path),
) -> Result<(), CouldNotSay> {
    let trust = read_trust(trust_path)?;
    let witnesses = &keys(&trust, trust_path)?.witness;
    let mut log = Log::open(folder)?;
    let mut note = parse_note(folder, log.reader().note())?;
    for path in files {
        let text = read_text(path, NOTE_BYTES_MAX as u64)?;
        for _ in 0..add_cosignatures(&mut note, &text, witnesses) {
            left_out(path);
        }
    }
    Ok(log.replace_checkpoint(&note.to_string())?)
}

/// Puts lines of witnesses, which were verified, on the checkpoint that they were given for, and returns it. Of a key that has
/// cosigned it before, the earlier line stays: it says since when the log had been seen.
///
/// # Errors
/// [`LogError`]: another writer, or another checkpoint by now.
pub fn put_lines(folder: &Path, of: &LogReader, lines: Vec<Signature>) -> Result<String, LogError> {
    let mut log = Log::open(folder)?;
    let mut note = of.parsed_note();
    if log.reader().checkpoint() == of.checkpoint() {
        note = log.reader().parsed_note();
    }
    for line in lines {
        let is_same = |other: &Signature| other.name == line.name && other.key_id == line.key_id;
        if !note.signatures.iter().any(is_same) {
            note.signatures.push(line);
        }
    }
    let text = note.to_string();
    if text != log.reader().note() {
        log.replace_checkpoint(&text)?;
    }
    Ok(text)
}

/// The checkpoint of a log, and when a quorum had cosigned it.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn check_note(
    path: &Path,
    note: &str,
    trust: Option<&Trust>,
) -> Result<Result<Witnessed, Refusal>, CouldNotSay> {
    if let Some(trust) = trust {
        return Ok(Witnessed::parse(note, trust, &path.display().to_string()));
    }
    let checkpoint = Checkpoint::parse(&parse_note(path, note)?.text)
        .ok_or_else(|| CouldNotSay(format!("{}: wanted a checkpoint of three lines", path.display())))?;
    Ok(Ok(Witnessed { checkpoint, quorum_time: None }))
}

/// The checkpoint that a log is published under, as [`check_note`] does.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn check_log(
    folder: &Path,
    reader: &LogReader,
    trust: Option<&Trust>,
) -> Result<Result<Witnessed, Refusal>, CouldNotSay> {
    check_note(&folder.join(CHECKPOINT), reader.note(), trust)
}

/// The trees of checkpoints of this log that were saved earlier. A file that no key of the log has signed as it is says nothing
/// against the log: its keeper may have altered it, or typed it wrong. Nor does one of a larger tree: this log may be an
/// older copy.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn earlier_trees(
    paths: &[PathBuf],
    log: &Checkpoint,
    trust: Option<&Trust>,
) -> Result<Vec<TreeHead>, CouldNotSay> {
    let mut earlier = Vec::new();
    for path in paths {
        let old = match check_note(path, &read_note(path)?, trust)? {
            Ok(old) => old.checkpoint,
            Err(refusal) => {
                let found = format!("--old {}: {}", refusal.place, refusal.message);
                return Err(CouldNotSay::new(
                    found,
                    "This is no checkpoint that the log signed: it was altered, cut off or typed wrong, or is of another key. This says nothing \
                     against the log.",
                ));
            }
        };
        if old.origin != log.origin {
            let message = format!("--old {}: the checkpoint of another log, {}", path.display(), old.origin);
            return Err(CouldNotSay(message));
        }
        if old.tree.size > log.tree.size {
            let found = format!(
                "--old {}: it is of {}, and the log has {}",
                path.display(),
                counted(old.tree.size, "entry", "entries"),
                thousands(log.tree.size)
            );
            let advice = "This is an older copy of the log, or its end was taken off: take the newest copy. If the log has no newer one, it lost what \
                          it had signed.";
            return Err(CouldNotSay::new(found, advice));
        }
        earlier.push(old.tree);
    }
    Ok(earlier)
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_verify::log::vkey::KeyKind;

    fn signer(name: &str, kind: KeyKind) -> Signer {
        Signer::generate(name, kind).expect("random bytes")
    }

    #[test]
    fn keys_and_trust_files_read_back_and_nothing_is_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let (key, trust) = (folder.path().join("log.key"), folder.path().join("trust.json"));
        let log = signer("stud.example/log1", KeyKind::Log);
        write_key(&key, &log).expect("nothing stands there");
        assert_eq!(read_key(&key).expect("a key").vkey(), log.vkey());
        let other = signer("stud.example/log2", KeyKind::Log);
        let refused = write_key(&key, &other).expect_err("a key stands there").to_string();
        assert!(refused.starts_with(&key.display().to_string()), "{refused}");
        assert_eq!(read_key(&key).expect("a key").vkey(), log.vkey());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&key).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        write_trust(&trust, &log.vkey(), log.name()).expect("nothing stands there");
        let witness = signer("witness.example/w1", KeyKind::Witness);
        add_witness(&trust, &witness.vkey()).expect("the trust file is JSON");
        let read = read_trust(&trust).expect("a trust file");
        assert_eq!(keys(&read, &trust).expect("usable").witness, [witness.vkey()]);
        // The same key twice would count a witness twice.
        add_witness(&trust, &witness.vkey()).expect_err("it is there");
        assert_eq!(read_trust(&trust).expect("a trust file"), read);
    }

    #[test]
    fn checkpoints_that_were_saved_are_those_of_the_log() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join(name);
        let (log, other) =
            (signer("stud.example/log1", KeyKind::Log), signer("stud.example/log2", KeyKind::Log));
        for (name, signer) in [("log", &log), ("other", &other)] {
            Log::init(&place(name), signer).expect("a new folder");
        }
        let saved = [place("log/checkpoint")];
        let now = |name: &str, size| Checkpoint {
            origin: name.to_owned(),
            tree: TreeHead { size, ..TreeHead::empty() },
        };
        let trees = earlier_trees(&saved, &now("stud.example/log1", 0), None).expect("readable");
        assert_eq!(trees, [TreeHead::empty()]);
        let error = earlier_trees(&[place("other/checkpoint")], &now("stud.example/log1", 0), None)
            .expect_err("another log");
        assert!(error.to_string().ends_with("the checkpoint of another log, stud.example/log2"), "{error}");
        // Under a trust file the signature counts.
        let trust = place("trust.json");
        write_trust(&trust, &other.vkey(), "stud.example/log2").expect("nothing stands there");
        let trust = read_trust(&trust).expect("a trust file");
        let open =
            earlier_trees(&saved, &now("stud.example/log1", 0), Some(&trust)).expect_err("of another key");
        assert!(open.to_string().contains("no checkpoint that the log signed"), "{open}");
    }

    #[test]
    fn only_lines_of_known_witnesses_come_onto_a_checkpoint() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join(name);
        let log = signer("stud.example/log1", KeyKind::Log);
        let known = signer("witness.example/w1", KeyKind::Witness);
        let unknown = signer("witness.example/w2", KeyKind::Witness);
        Log::init(&place("log"), &log).expect("a new folder");
        write_trust(&place("trust"), &log.vkey(), log.name()).expect("nothing stands there");
        add_witness(&place("trust"), &known.vkey()).expect("the trust file is JSON");
        let text = LogReader::open(&place("log")).expect("a log").checkpoint().to_string();
        for (name, witness) in [("w1", &known), ("w2", &unknown)] {
            std::fs::write(place(name), format!("{}\n", witness.cosign(&text, 1_800_000_000)))
                .expect("a file");
        }
        let left_out = std::cell::RefCell::new(Vec::new());
        let hear = |path: &Path| left_out.borrow_mut().push(path.to_owned());
        put_cosignatures(&place("log"), &[place("w1"), place("w2")], &place("trust"), &hear)
            .expect("it is written");
        assert_eq!(left_out.into_inner(), [place("w2")]);
        let trust = read_trust(&place("trust")).expect("a trust file");
        let reader = LogReader::open(&place("log")).expect("a log");
        let witnessed = check_log(&place("log"), &reader, Some(&trust)).expect("readable").expect("sound");
        assert_eq!(witnessed.quorum_time, Some(1_800_000_000));
    }
}
