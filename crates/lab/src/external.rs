//! Results of other programs, as their texts tell them: read, listed, never judged anew.

pub mod listing;
pub mod run;

pub mod dieharder;
mod nist_sts;
mod practrand;
mod testu01;

use std::fmt::Display;

use serde::{Deserialize, Serialize};

use deckproof_deck::text;
use deckproof_deck::text::named::named;

/// The most that is read of one text: a full run of any of these programs prints less than a hundredth of it.
pub const BYTES_MAX: usize = 16 << 20;
/// The longest line; the programs write tables of a terminal's width.
const LINE_LETTERS_MAX: usize = 4_096;
/// The most results of one text.
const RESULTS_MAX: usize = 100_000;
/// Letters of a name of a test that are kept.
const NAME_LETTERS_MAX: usize = 80;

named! {
    /// A program whose results can be attached.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum ExternalTool {
        /// R. G. Brown's dieharder: its table with the columns `test_name … p-value Assessment`.
        Dieharder = "dieharder",
        /// C. Doty-Humphrey's PractRand: what `RNG_test` prints.
        PractRand = "practrand",
        /// P. L'Ecuyer's and R. Simard's TestU01: the summary of a battery, with or without the reports before it.
        TestU01 = "testu01",
        /// The statistical test suite of NIST SP 800-22: its `finalAnalysisReport.txt`.
        #[serde(rename = "nist-sts")]
        NistSts = "nist-sts",
    }
    /// Its name in project files.
    pub fn name;
}

impl ExternalTool {
    /// Its name as its authors write it.
    pub fn title(self) -> &'static str {
        match self {
            ExternalTool::Dieharder => "dieharder",
            ExternalTool::PractRand => "PractRand",
            ExternalTool::TestU01 => "TestU01",
            ExternalTool::NistSts => "NIST STS",
        }
    }
}

/// What a text of another program tells.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExternalResults {
    /// The program.
    pub tool: ExternalTool,
    /// Its version, where the text tells it.
    pub version: Option<String>,
    /// What it was run on, in its own words, where the text tells it.
    pub about: Option<String>,
    /// The results it lists, in order.
    pub results: Vec<ExternalResult>,
    /// Results it counts without listing them: programs that print only what is unusual.
    pub unlisted: u64,
}

/// One result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExternalResult {
    /// The test, as the program names it.
    pub test: String,
    /// Its p-value; the bound where the program prints only one, none where it prints none.
    pub p_value: Option<f64>,
    /// The p-value as printed.
    pub printed: String,
    /// What the program says of it.
    pub says: ExternalSays,
}

/// What a program says of one result, or of all: from nothing unusual up to a failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExternalSays {
    /// Nothing unusual.
    Passed,
    /// Unusual, and no failure: to be run again with more data.
    Suspicious,
    /// Failed.
    Failed,
}

impl ExternalResults {
    /// The worst that the program says of any result.
    pub fn says(&self) -> ExternalSays {
        self.results.iter().map(|result| result.says).max().unwrap_or(ExternalSays::Passed)
    }

    /// All results, listed or not.
    pub fn count(&self) -> u64 {
        self.results.len() as u64 + self.unlisted
    }

    /// How many results a whole run of this program has, where it is one number: a text that stops earlier is no whole run.
    pub fn whole(&self) -> Option<u64> {
        let battery = |name: &str| self.about.as_deref().is_some_and(|about| about.starts_with(name));
        match self.tool {
            // dieharder 3.31.1 -a: 114 lines.
            ExternalTool::Dieharder => Some(114),
            // All 15 tests of SP 800-22 with their usual templates and states: 188 lines.
            ExternalTool::NistSts => Some(188),
            // User's guide of TestU01 1.2.3, the three batteries for generators of numbers.
            ExternalTool::TestU01 if battery("SmallCrush") => Some(15),
            ExternalTool::TestU01 if battery("BigCrush") => Some(160),
            ExternalTool::TestU01 if battery("Crush") => Some(144),
            ExternalTool::TestU01 | ExternalTool::PractRand => None,
        }
    }

    /// Whether it tells of fewer results than a whole run has.
    pub fn is_incomplete(&self) -> bool {
        self.whole().is_some_and(|whole| self.count() < whole)
    }

    /// Results of which the program says so.
    pub fn count_of(&self, says: ExternalSays) -> u64 {
        let listed = self.results.iter().filter(|result| result.says == says).count() as u64;
        if says == ExternalSays::Passed { listed + self.unlisted } else { listed }
    }
}

/// Reads a text of results.
///
/// ```
/// use deckproof_lab::external::{ExternalSays, ExternalTool, read};
///
/// let text = "   test_name   |ntup| tsamples |psamples|  p-value |Assessment\n\
///             diehard_birthdays|   0|       100|      20|0.27645361|  PASSED  \n\
///             diehard_operm5|   0|   1000000|      20|0.00000000|  FAILED  \n";
/// let results = read(ExternalTool::Dieharder, text.as_bytes())?;
/// assert_eq!((results.count(), results.says()), (2, ExternalSays::Failed));
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// What was found and wanted: a text that is not one whole text of this program.
pub fn read(tool: ExternalTool, bytes: &[u8]) -> Result<ExternalResults, String> {
    if bytes.len() > BYTES_MAX {
        return Err(format!("found more than {BYTES_MAX} bytes, wanted the results of {}", tool.title()));
    }
    let text = std::str::from_utf8(bytes).map_err(|fault| {
        let at = fault.valid_up_to();
        format!("found bytes that are not UTF-8 at {at}, wanted the results of {}", tool.title())
    })?;
    let long = text.lines().position(|line| line.len() > LINE_LETTERS_MAX);
    if let Some(at) = long {
        return Err(wrong_line(at, text.lines().nth(at).unwrap_or(""), "a line of a table"));
    }
    let results = match tool {
        ExternalTool::Dieharder => dieharder::read(text),
        ExternalTool::PractRand => practrand::read(text),
        ExternalTool::TestU01 => testu01::read(text),
        ExternalTool::NistSts => nist_sts::read(text),
    }?;
    match results.results.len() {
        count if count > RESULTS_MAX => Err(incomplete(format!("{count} results"), "100000 at most")),
        _ => Ok(results),
    }
}

/// A p-value of the text: from 0 to 1.
fn p_value(text: &str) -> Option<f64> {
    // Rust reads also "inf", "nan" and "+1", which no program prints.
    let is_plain =
        text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'-' | b'+'));
    let p: f64 =
        text.parse().ok().filter(|_| is_plain && text.starts_with(|first: char| first.is_ascii_digit()))?;
    (0.0..=1.0).contains(&p).then_some(p)
}

/// What a program calls a test or itself, as one line of visible letters.
fn named(text: &str) -> String {
    let one_spaced: Vec<&str> = text.split_whitespace().collect();
    text::excerpt(&one_spaced.join(" "), NAME_LETTERS_MAX)
}

fn wrong_line(at: usize, line: &str, wanted: &str) -> String {
    format!("line {}: found {:?}, wanted {wanted}", at + 1, text::excerpt(line.trim(), 60))
}

fn incomplete(found: impl Display, wanted: &str) -> String {
    format!("found {found}, wanted {wanted}")
}
