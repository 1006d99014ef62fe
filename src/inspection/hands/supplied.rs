//! Hands that are supplied to be judged: the plan, and tables of every dealt card.

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use crate::inspection::hands::FILE_BYTES_MAX;
use deckproof_audit::hands::dealt::read::DealtHands;
use deckproof_audit::hands::plan::HandsPlan;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::input::{FileError, read_input};
use deckproof_files::file::{self, own};
use deckproof_table::table::book::{ENTRIES, HANDS, TRANSCRIPTS, history_file};
use deckproof_table::table::ended::WrittenHands;

/// Most bytes of one hand's history.
const HISTORY_BYTES_MAX: u64 = 1 << 20;

/// Most bytes of a plan.
const PLAN_BYTES_MAX: u64 = 1 << 20;

/// The plan in a file.
///
/// # Errors
/// [`CouldNotSay`]: it cannot be read, or is none.
pub fn read_plan(path: &Path) -> Result<HandsPlan, CouldNotSay> {
    let bytes = file::read_limited(path, PLAN_BYTES_MAX).map_err(|error| FileError::new(path, error))?;
    let refused = |error: &dyn std::fmt::Display| {
        CouldNotSay::new(
            format!("{}: {error}", path.display()),
            "Nothing was judged; a plan comes from deckproof hands --write-plan.",
        )
    };
    let text = String::from_utf8(bytes).map_err(|error| refused(&error))?;
    HandsPlan::from_toml(&text).map_err(|error| refused(&error))
}

/// The cards that were really dealt, of files and of the folders of tables.
///
/// # Errors
/// [`FileError`] naming the file or folder.
pub fn read_dealt(paths: &[PathBuf]) -> Result<DealtHands, FileError> {
    let mut hands = DealtHands::default();
    for path in paths {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        match path.is_dir() {
            true => add_table(&mut hands, &name, path).map_err(|error| FileError::new(path, error))?,
            false => hands.add(&name, &String::from_utf8_lossy(&read_input(path, FILE_BYTES_MAX)?)),
        }
    }
    Ok(hands)
}

/// The hands of a table that `deckproof deal` wrote.
fn add_table(hands: &mut DealtHands, name: &str, folder: &Path) -> io::Result<()> {
    let open = |file: &str| own::open_to_read(&folder.join(file)).map(BufReader::new);
    let written = WrittenHands::new(open(ENTRIES)?, open(TRANSCRIPTS)?, open(HANDS)?);
    let history = |hand| {
        let bytes = own::read_limited(&folder.join(history_file(hand)), HISTORY_BYTES_MAX).ok()?;
        String::from_utf8(bytes).ok()
    };
    hands.add_hands_of_table(name, written, history)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_that_was_edited_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("plan.toml");
        let text = HandsPlan::usual().to_toml();
        std::fs::write(&path, &text).expect("a file");
        assert_eq!(read_plan(&path).expect("a plan"), HandsPlan::usual());
        std::fs::write(&path, text.replacen('1', "2", 1)).expect("a file");
        let error = read_plan(&path).expect_err("edited").to_string();
        assert!(
            error.ends_with("Nothing was judged; a plan comes from deckproof hands --write-plan."),
            "{error}"
        );
        let error = read_dealt(&[folder.path().to_owned()]).expect_err("no table").to_string();
        assert!(error.starts_with(&folder.path().display().to_string()), "{error}");
    }
}
