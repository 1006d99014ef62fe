//! What the row of a day says of the decks that are remembered.

use serde::{Deserialize, Serialize};

/// Decks that are remembered where nobody says how many: 1.6 GB.
pub const DECKS_MAX: u64 = 100_000_000;

/// What a row says of the files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownLine {
    /// Decks that this day added.
    pub decks: u64,
    /// The files, the longest first.
    pub files: Vec<KnownFile>,
}

/// One file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFile {
    /// The first row whose decks it has.
    pub first_row: u32,
    /// The last one.
    pub last_row: u32,
    /// How many decks.
    pub decks: u64,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Whether its records hold 4 bytes of the hand's id too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ids: bool,
}

impl KnownFile {
    /// Its name; the hash makes it another one than a file of the same rows that a crash left.
    pub fn name(&self) -> String {
        format!("rows-{}-{}-{}.decks", self.first_row, self.last_row, self.sha256.get(..12).unwrap_or(""))
    }
}

/// Which of some decks are those of earlier days.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Among {
    /// How many are not.
    pub others: u64,
    /// The first of these, as a person finds them.
    pub named: Vec<String>,
    /// Whether of each day but the first one all decks are among them.
    pub is_end: bool,
}
