//! Files in which what was measured is kept.

use std::path::Path;

use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::{self, Access};

/// Writes a state, counts or a report, whole or not at all.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn write(path: &Path, text: &str) -> Result<(), CouldNotSay> {
    file::write_atomic(path, text.as_bytes(), Access::Public)
        .map_err(|error| CouldNotSay::new(format!("{} cannot be written: {error}", path.display()), ""))
}

/// How statistics that do not look are typed, with a space before them.
pub fn without_typed(ids: &[String]) -> String {
    if ids.is_empty() { String::new() } else { format!(" --without {}", ids.join(",")) }
}
