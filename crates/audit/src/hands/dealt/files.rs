//! Files of dealt cards, and the folders of tables that `deckproof deal` wrote.

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use crate::hands::dealt::read::DealtHands;
use crate::hands::dealt::sorted::sorted;
use deckproof_files::file::input::{FileError, read_input};
use deckproof_files::file::own;
use deckproof_table::table::ended_hands::WrittenHands;
use deckproof_table::table::files::{ENTRIES, HANDS, TRANSCRIPTS, history_file};

/// Most bytes of a file.
const FILE_BYTES_MAX: u64 = 256 << 20;

/// Most bytes of one hand's history.
const HISTORY_BYTES_MAX: u64 = 1 << 20;

/// The cards that were really dealt, of files and of the folders of tables.
///
/// # Errors
/// [`FileError`] naming the file or folder.
pub fn read_dealt(paths: &[PathBuf]) -> Result<DealtHands, FileError> {
    let mut hands = DealtHands::default();
    for path in paths {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        if path.is_dir() {
            add_table(&mut hands, &name, path).map_err(|error| FileError::new(path, error))?
        } else {
            hands.add(&name, &String::from_utf8_lossy(&read_input(path, FILE_BYTES_MAX)?))
        }
        let own = hands.begun.last().map_or(&[][..], |&begun| &hands.hands[begun..]);
        // A card that is twice in a hand is so in every order.
        if let Some(reason) = sorted(own).filter(|_| hands.impossible.is_empty()) {
            return Err(FileError::new(path, io::Error::other(reason)));
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
    fn a_folder_that_is_no_table_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = read_dealt(&[folder.path().to_owned()]).expect_err("no table").to_string();
        assert!(error.starts_with(&folder.path().display().to_string()), "{error}");
    }
}
