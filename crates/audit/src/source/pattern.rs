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

    /// The words beside all that the pattern matches, before and after it.
    pub(super) fn beside<'a>(&self, line: &'a [u8]) -> [&'a [u8]; 2] {
        let Some(found) = self.0.find(line) else { return [&[]; 2] };
        let words = |text: &'a [u8]| {
            text.split(|byte| byte.is_ascii_whitespace() || b",;".contains(byte))
                .filter(|word| !word.is_empty())
        };
        let before = words(&line[..found.start()]).next_back();
        let after = words(&line[found.end()..]).next();
        [before, after].map(Option::unwrap_or_default)
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
