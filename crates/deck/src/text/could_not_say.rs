//! Why there is no answer, in whole sentences with advice: what every room that reads files tells its caller.

use std::fmt;

/// Why nothing can be concluded about a shuffler, in whole sentences with advice. Holds nothing secret.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct CouldNotSay(pub String);

impl CouldNotSay {
    /// What went wrong, and what to do about it.
    pub fn new(error: impl fmt::Display, advice: &str) -> CouldNotSay {
        let gap = if advice.is_empty() { "" } else { " " };
        CouldNotSay(format!("{error}.{gap}{advice}"))
    }
}
