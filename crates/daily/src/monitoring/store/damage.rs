//! Files of a record that are cut, empty or gone: a disk, a power cut or a restored backup explains them as well as a hand does,
//! so that nobody is accused.

use std::path::Path;

use serde::de::IgnoredAny;

use crate::monitoring::database::DATABASE_FILE;
use crate::monitoring::store::fault::StoreError;
use crate::monitoring::store::folders::day_folders;
use deckproof_files::file::own;

/// Whether bytes are no whole JSON, as those of a file that was cut or partly lost.
pub(super) fn is_torn(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).map_or(true, |text| serde_json::from_str::<IgnoredAny>(text).is_err())
}

/// Whether a folder has a record. One whose database is gone or empty has lost it, and none is begun in its place.
///
/// # Errors
/// [`StoreError::Damaged`], or [`StoreError::File`].
pub fn is_there(folder: &Path) -> Result<bool, StoreError> {
    let length = own::length(&folder.join(DATABASE_FILE)).map_err(StoreError::File)?;
    let lost = match length {
        Some(0) => "has 0 bytes",
        Some(_) => return Ok(true),
        None => "is gone",
    };
    match day_folders(folder).last() {
        Some(day) => {
            Err(StoreError::Damaged(format!("{DATABASE_FILE} {lost}, and there is the folder of {day}")))
        }
        None => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_is_torn_and_what_is_edited_is_not() {
        let whole = br#"{"a": [1, "b"]}"#;
        assert!(!is_torn(whole) && !is_torn(b"{}\n"));
        assert!((0..whole.len()).all(|length| is_torn(&whole[..length])));
        assert!(is_torn(&[0; 64]) && is_torn(b"{\"a\": \"\xff\"}"));
    }
}
