//! `--deck-regex`: where the deck stands in a line of a log.

use std::fmt;
use std::str::FromStr;

use regex::bytes::{Captures, Regex};

/// A pattern that says where the deck stands in a line: the group `deck`, the first group, or all that it matches.
#[derive(Clone, Debug)]
pub struct DeckPattern(Regex);

impl DeckPattern {
    /// Where the deck stands in a line, if it matches.
    pub(super) fn deck<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        let found: Captures<'a> = self.0.captures(line)?;
        found.name("deck").or(found.get(1)).or(found.get(0)).map(|deck| deck.as_bytes())
    }
}

impl FromStr for DeckPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<DeckPattern, String> {
        Regex::new(text)
            .map(DeckPattern)
            .map_err(|error| format!("{error}").lines().last().unwrap_or_default().to_owned())
    }
}

impl fmt::Display for DeckPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

impl PartialEq for DeckPattern {
    fn eq(&self, other: &DeckPattern) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for DeckPattern {}
