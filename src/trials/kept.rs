//! Files in which what was measured is kept.

use std::path::Path;

use crate::file::{self, Access};
use crate::text::could_not_say::CouldNotSay;

/// Writes a state, counts or a report, whole or not at all.
///
/// # Errors
/// [`CouldNotSay`] naming the file.
pub fn write(path: &Path, text: &str) -> Result<(), CouldNotSay> {
    file::write_atomic(path, text.as_bytes(), Access::Public)
        .map_err(|error| CouldNotSay::new(format!("{} cannot be written: {error}", path.display()), ""))
}
