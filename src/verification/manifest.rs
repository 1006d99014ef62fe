//! The files of a shuffler compared with their list, and who signed it.

use std::path::Path;

use deckproof_audit::manifest::signature::{self, Signers, Signing};
use deckproof_audit::manifest::{BYTES_MAX, Manifest};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::{self, thousands};
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::input::FileError;
use deckproof_files::file::{read_limited, sha256};

/// How many files a list has, and of how many bytes.
pub fn counted(manifest: &Manifest) -> String {
    let bytes: u64 = manifest.files().values().map(|identity| identity.bytes).sum();
    let files = decimal::counted(manifest.files().len() as u64, "file", "files");
    format!("{files}, {} bytes", thousands(bytes))
}

/// A list and the bytes of its file.
pub fn read(path: &Path) -> Result<(Manifest, Vec<u8>), CouldNotSay> {
    let bytes = read_limited(path, BYTES_MAX).map_err(|error| FileError::new(path, error))?;
    let in_file = |error: String| CouldNotSay(format!("{}: {error}", path.display()));
    let text = std::str::from_utf8(&bytes).map_err(|error| in_file(error.to_string()))?;
    let manifest = text.parse::<Manifest>().map_err(|error| in_file(error.to_string()))?;
    Ok((manifest, bytes))
}

/// Compares files below `base` with the list in a file; `say` gets a line at a time, for it takes as long as the files are.
///
/// # Errors
/// [`CouldNotSay`]: the list or a file cannot be read, or a line cannot be printed.
pub fn check(
    path: &Path,
    base: &Path,
    signers: Option<&Signers>,
    say: &dyn Fn(&str) -> Result<(), CouldNotSay>,
) -> Result<Exit, CouldNotSay> {
    let (manifest, bytes) = read(path)?;
    if !base.is_dir() {
        return Err(CouldNotSay(format!(
            "{}: found no folder, wanted the one that the list is of",
            base.display()
        )));
    }
    say(&format!(
        "{} lists {}; SHA-256 of the list: {}.",
        path.display(),
        counted(&manifest),
        sha256(&bytes)
    ))?;
    let signed = check_signature(path, &bytes, signers, say)?;
    if let Some(first) = manifest.is_elsewhere(base) {
        say(&format!(
            "could not say: none of the listed files is below {}, such as {first}: all of them are gone, or the list was made for another \
             folder (--base FOLDER).",
            base.display()
        ))?;
        return Ok(signed.and(Exit::CouldNotSay));
    }
    let differences = manifest.differences(base).map_err(unchecked)?;
    for difference in &differences {
        say(&difference.to_string())?;
    }
    let files = match differences.len() {
        0 => {
            say("Every file is the listed one, and no listed folder holds another.")?;
            Exit::Passed
        }
        count => {
            let differ = decimal::counted(count as u64, "file differs", "files differ");
            say(&format!("refused: {differ} from the list."))?;
            Exit::Refused
        }
    };
    say(
        "Not checked: whether these files are the ones that run, and where the list was kept since it was made.",
    )?;
    Ok(signed.and(files))
}

fn unchecked(error: impl std::fmt::Display) -> CouldNotSay {
    CouldNotSay(error.to_string())
}

/// Asks ssh-keygen, and says what it found.
fn check_signature(
    path: &Path,
    bytes: &[u8],
    signers: Option<&Signers>,
    say: &dyn Fn(&str) -> Result<(), CouldNotSay>,
) -> Result<Exit, CouldNotSay> {
    let Some(wanted) = signers else {
        say("Not checked: who made the list (--signers FILE --identity NAME).")?;
        return Ok(Exit::Passed);
    };
    let Signers { file: signers, identity, .. } = wanted;
    match signature::judge_file(path, bytes, wanted).map_err(unchecked)? {
        Signing::ByNamed => {
            say(&format!("The list is signed by {identity}, as {} allows.", signers.display()))?;
            Ok(Exit::Passed)
        }
        Signing::OnOtherBytes(answer) => {
            say(&format!("refused: the signature is not one on this list; {answer}"))?;
            Ok(Exit::Refused)
        }
        Signing::ByKey(key) => {
            say(&format!("could not say who made the list: {}.", wanted.other_key(&key)))?;
            Ok(Exit::CouldNotSay)
        }
        Signing::Unread(answer) => {
            say(&format!("could not say who made the list: its signature cannot be read; {answer}."))?;
            Ok(Exit::CouldNotSay)
        }
    }
}
