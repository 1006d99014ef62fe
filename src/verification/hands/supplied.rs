//! Hands that are supplied to be judged: the plan.

use std::path::Path;

use deckproof_audit::hands::plan::HandsPlan;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file;
use deckproof_files::file::input::FileError;

/// Most bytes of a plan.
const PLAN_BYTES_MAX: u64 = 1 << 20;

/// The plan in a file.
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
    }
}
