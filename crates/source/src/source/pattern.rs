//! `--deck-regex`: where the deck is in a line of a log.

use std::fmt;
use std::str::FromStr;

use regex::bytes::Regex;

/// A pattern that says where the deck is in a line: the group `deck`, the first group without a name, the first group, or all that
/// it matches.
#[derive(Clone, Debug)]
pub struct DeckPattern(Regex);

/// A deck in a line.
pub(super) struct FoundDeck<'a> {
    pub(super) deck: &'a [u8],
    /// The words before and after it, where the pattern names nothing between.
    pub(super) beside: [&'a [u8]; 2],
    /// What else of the line the pattern matches.
    pub(super) again: Option<&'a [u8]>,
    /// What the groups match that were asked for.
    pub(super) named: Vec<&'a [u8]>,
}

impl DeckPattern {
    /// Whether it has a group of this name.
    pub(super) fn has_group(&self, name: &str) -> bool {
        self.0.capture_names().flatten().any(|own| own == name)
    }

    /// Where the deck is in a line, if it matches, and what these groups of it match.
    pub(super) fn find<'a>(&self, line: &'a [u8], groups: &[String]) -> Option<FoundDeck<'a>> {
        let found = self.0.captures(line)?;
        let all = found.get(0)?;
        let unnamed = self.0.capture_names().skip(1).position(|name| name.is_none()).map_or(1, |at| at + 1);
        let deck = found.name("deck").or(found.get(unnamed)).unwrap_or(all);
        let named = groups.iter().map(|name| found.name(name).map_or(&b""[..], |own| own.as_bytes()));
        let words = |text: &'a [u8]| {
            text.split(|byte| byte.is_ascii_whitespace() || b",;".contains(byte))
                .filter(|word| !word.is_empty())
        };
        let before = words(&line[..deck.start()]).next_back().filter(|_| deck.start() == all.start());
        let after = words(&line[deck.end()..]).next().filter(|_| deck.end() == all.end());
        let again = self.0.find_at(line, all.end()).map(|again| again.as_bytes());
        Some(FoundDeck {
            deck: deck.as_bytes(),
            beside: [before, after].map(Option::unwrap_or_default),
            again,
            named: named.collect(),
        })
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
