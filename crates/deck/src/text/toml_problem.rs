//! What a reader of TOML complains of, without the lines of the file: they may hold a key.

use std::ops::Range;

/// The line and the complaint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct TomlProblem {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, on one line.
    pub problem: String,
}

impl TomlProblem {
    /// Of this text: where in it the reader stopped, and what it complained of.
    pub fn of(text: &str, span: Option<Range<usize>>, message: &str) -> TomlProblem {
        let start = span.map_or(0, |span| span.start.min(text.len()));
        let line = text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count() + 1;
        TomlProblem { line, problem: message.replace('\n', ", ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_named_and_not_repeated() {
        let text = "a = 1\nsecret of somebody\n";
        let error = toml::from_str::<toml::Table>(text).expect_err("no TOML");
        let problem = TomlProblem::of(text, error.span(), error.message()).to_string();
        assert!(problem.starts_with("line 2: ") && !problem.contains("somebody"), "{problem}");
        assert_eq!(problem.lines().count(), 1);
    }
}
