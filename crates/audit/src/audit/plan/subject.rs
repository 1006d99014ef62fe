//! What was examined and by whom, as the client of the audit states: in the plan, so that it is fixed before the data.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use deckproof_deck::text::is_hidden;

/// Most lines of a subject.
pub const LINES_MAX: usize = 16;

/// Most characters of the name of a line, such as `serial number`.
pub const NAME_LETTERS_MAX: usize = 40;

/// Most characters of its text.
pub const TEXT_LETTERS_MAX: usize = 200;

/// Lines such as `customer`, `device`, `serial number`, `taken by`, `taken on`, each once, in the order of their names.
/// They are what somebody says and nothing checks them; the plan's hash shows that they were not changed afterwards.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Subject(BTreeMap<String, String>);

/// Why a line cannot stand in a subject.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SubjectError {
    /// A name or text that is empty, too long, or begins or ends with a space.
    #[error(
        "the subject line {name:?}: found {found} characters, wanted 1 to {wanted} without spaces at the ends"
    )]
    Length {
        /// The line.
        name: String,
        /// How many characters.
        found: usize,
        /// Most of them.
        wanted: usize,
    },
    /// Characters that steer a terminal, break a line or turn the reading order.
    #[error("the subject line {0:?}: found a character that is not shown, wanted plain text on one line")]
    Hidden(String),
    /// A name that is there already.
    #[error("the subject line {0:?}: found it twice, wanted it once")]
    Twice(String),
    /// More lines than fit a page.
    #[error("the subject has more than {LINES_MAX} lines, wanted at most that many")]
    Many,
}

impl Subject {
    /// The same with one more line.
    ///
    /// # Errors
    /// [`SubjectError`].
    pub fn with(mut self, name: &str, text: &str) -> Result<Subject, SubjectError> {
        let own = || name.chars().take(NAME_LETTERS_MAX).collect::<String>();
        for (part, wanted) in [(name, NAME_LETTERS_MAX), (text, TEXT_LETTERS_MAX)] {
            let found = part.chars().count();
            if part.contains(is_hidden) {
                return Err(SubjectError::Hidden(own()));
            }
            if found == 0 || found > wanted || part.trim() != part {
                return Err(SubjectError::Length { name: own(), found, wanted });
            }
        }
        if self.0.len() == LINES_MAX {
            return Err(SubjectError::Many);
        }
        match self.0.insert(name.to_owned(), text.to_owned()) {
            Some(_) => Err(SubjectError::Twice(own())),
            None => Ok(self),
        }
    }

    /// Whether nothing is stated.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Its lines, name and text, in the order of their names.
    pub fn lines(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.lines().map(|(name, text)| format!("{name}: {text}")).collect();
        f.write_str(&lines.join("; "))
    }
}

impl<'de> Deserialize<'de> for Subject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Subject, D::Error> {
        deserializer.deserialize_map(SubjectVisitor)
    }
}

struct SubjectVisitor;

impl<'de> Visitor<'de> for SubjectVisitor {
    type Value = Subject;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the lines of a subject: names and texts")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Subject, M::Error> {
        let mut subject = Subject::default();
        while let Some((name, text)) = map.next_entry::<String, String>()? {
            subject = subject.with(&name, &text).map_err(M::Error::custom)?;
        }
        // One subject has one text: none at all is left out.
        if subject.is_empty() { Err(M::Error::custom("a subject without lines")) } else { Ok(subject) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_from_json_and_toml_in_one_order() {
        let subject = Subject::default().with("taken by", "A. Mäkinen").expect("plain");
        let subject = subject.with("device", "Shuffler 7, SN 0-\"x\"").expect("plain");
        let json = serde_json::to_string(&subject).expect("plain data");
        assert_eq!(json, r#"{"device":"Shuffler 7, SN 0-\"x\"","taken by":"A. Mäkinen"}"#);
        assert_eq!(serde_json::from_str::<Subject>(&json).expect("its own text"), subject);
        let toml = toml::to_string(&subject).expect("plain data");
        assert_eq!(toml::from_str::<Subject>(&toml).expect("its own text"), subject);
        assert_eq!(subject.to_string(), "device: Shuffler 7, SN 0-\"x\"; taken by: A. Mäkinen");
    }

    #[test]
    fn what_is_no_line_of_a_page_is_refused() {
        let long = "y".repeat(TEXT_LETTERS_MAX + 1);
        let own = Subject::default();
        for (name, text) in [
            ("", "x"),
            ("device", ""),
            ("device", " x"),
            ("device", long.as_str()),
            (long.as_str(), "x"),
            ("device", "\u{1b}[2J"),
            ("dev\nice", "x"),
            ("device", "a\u{202e}b"),
        ] {
            assert!(own.clone().with(name, text).is_err(), "{name:?} {text:?}");
        }
        for json in [r#"{"a":"1","a":"1"}"#, r#"{"a":1}"#, "{}", r#"{"a":"\u0007"}"#, "[]"] {
            assert!(serde_json::from_str::<Subject>(json).is_err(), "{json}");
        }
        let many = (0..LINES_MAX).try_fold(own, |subject, line| subject.with(&format!("line {line}"), "x"));
        assert_eq!(many.expect("so many fit").with("one more", "x"), Err(SubjectError::Many));
    }
}
