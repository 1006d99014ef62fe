//! The record of days asked before hands are dealt: fail closed.

use std::path::Path;

use crate::monitoring::database::DATABASE_FILE;
use crate::monitoring::permission::refusal;
use crate::monitoring::store::{Store, StoreError};
use deckproof_deck::text::could_not_say::CouldNotSay;

/// Why no hand may be dealt by the record in a folder, whose last result may be so many hours old; `now` gives the time in
/// POSIX seconds. Nothing if one may be dealt.
///
/// # Errors
/// [`CouldNotSay`]: the record cannot be read, and no hand is dealt then either.
pub fn stop(folder: &Path, now: fn() -> i64, hours: u32) -> Result<Option<String>, CouldNotSay> {
    let place = folder.display();
    if !folder.join(DATABASE_FILE).exists() {
        let advice = "Run deckproof daily first; no hand is dealt before its first result.";
        return Err(CouldNotSay::new(format!("--daily {place}: there is no record of days"), advice));
    }
    let store = match Store::read(folder) {
        Ok(store) => store,
        Err(StoreError::Changed(fault)) => {
            return Ok(Some(format!("--daily {place}: the record was changed: {fault}")));
        }
        Err(error) => {
            return Err(CouldNotSay::new(format!("--daily {place}: {error}"), "No hand was dealt."));
        }
    };
    let refusal = refusal(store.days(), now(), i64::from(hours) * 3_600);
    Ok(refusal.map(|why| format!("--daily {place}: {why}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_hand_is_dealt_by_a_record_that_is_absent_or_broken() {
        let folder = tempfile::tempdir().expect("a folder");
        let absent = stop(folder.path(), || 0, 36).expect_err("there is none").to_string();
        assert!(
            absent.ends_with("Run deckproof daily first; no hand is dealt before its first result."),
            "{absent}"
        );
        std::fs::write(folder.path().join(DATABASE_FILE), "no database").expect("a file");
        match stop(folder.path(), || 0, 36) {
            Ok(why) => assert!(why.expect("not dealt").contains("the record was changed")),
            Err(error) => assert!(error.to_string().ends_with("No hand was dealt."), "{error}"),
        }
    }

    #[test]
    fn no_hand_is_dealt_before_a_day_had_a_result() {
        let folder = tempfile::tempdir().expect("a folder");
        drop(Store::read(folder.path()).expect("a new record"));
        let why = stop(folder.path(), || 0, 36).expect("a record").expect("no day");
        assert!(why.starts_with("--daily ") && why.ends_with(": no day has had a result"), "{why}");
    }
}
