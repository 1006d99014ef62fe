//! How the program ends: 0 passed, 1 refused, 2 could not say.

use std::fmt;
use std::process::ExitCode;

/// The three answers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// The check ran and passed.
    Passed,
    /// The check ran and failed.
    Refused,
    /// Nothing can be said: usage, unreadable input, not enough data.
    CouldNotSay,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Passed => 0,
            Exit::Refused => 1,
            Exit::CouldNotSay => 2,
        })
    }
}

/// Why nothing can be said, in whole sentences with advice.
#[derive(Debug)]
pub struct CouldNotSay(pub String);

impl CouldNotSay {
    /// What went wrong, and what to do about it.
    pub fn new(error: impl fmt::Display, advice: &str) -> CouldNotSay {
        let gap = if advice.is_empty() { "" } else { " " };
        CouldNotSay(format!("{error}.{gap}{advice}"))
    }
}

impl fmt::Display for CouldNotSay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
