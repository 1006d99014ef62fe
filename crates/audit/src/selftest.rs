//! The selftest: a small trial of the tool itself, which ends in a certificate.

mod distributions;
mod known_answers;
mod trial;

use serde::{Deserialize, Serialize};

use crate::certificate::Tool;
use crate::source::SourceError;

pub use crate::selftest::trial::{are_caught, is_calibrated};

/// The version of the record.
pub const SELFTEST_FORMAT: &str = "deckproof/selftest/v1";

/// What the selftest claims of the draws: requirement R3 rests on it.
pub const DRAWS_CLAIM: &str = "Every tuple of draws of the certified shuffle owns the same number of words.";

/// What the tool found out about itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelftestCertificate {
    /// [`SELFTEST_FORMAT`].
    pub format: String,
    /// Which program.
    pub tool: Tool,
    /// Whether every check passed.
    pub has_passed: bool,
    /// The checks.
    pub checks: Vec<Check>,
}

/// One check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// What was checked, as a statement that holds if it passed.
    pub claim: String,
    /// Whether it holds.
    pub has_passed: bool,
    /// What was found, in one clause with its numbers.
    pub found: String,
}

impl Check {
    fn new(claim: &str, faults: Vec<String>, found: String) -> Check {
        let has_passed = faults.is_empty();
        let found = if has_passed { found } else { format!("{found}; {}", faults.join("; ")) };
        Check { claim: claim.to_owned(), has_passed, found }
    }
}

/// The checks that take no second: known answers of shuffle, audit path and lanes, exact distributions and tails.
pub fn known_answers() -> Vec<Check> {
    vec![
        known_answers::shuffle(),
        known_answers::audit_path(),
        known_answers::lanes(),
        distributions::moments(),
        distributions::tails(),
    ]
}

/// Every draw of the certified shuffle is exactly uniform if its words are: all of them are counted out.
pub fn draws() -> Check {
    known_answers::draws()
}

/// Runs every check with so many threads; the result does not depend on them.
///
/// # Errors
/// [`SourceError`] if a built-in dealer fails.
pub fn run(tool: Tool, threads: usize) -> Result<SelftestCertificate, SourceError> {
    let mut checks = known_answers();
    checks.extend(trial::checks(threads)?);
    checks.push(draws());
    let has_passed = checks.iter().all(|check| check.has_passed);
    Ok(SelftestCertificate { format: SELFTEST_FORMAT.to_owned(), tool, has_passed, checks })
}
