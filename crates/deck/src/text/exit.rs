//! How a check ended: 0 passed, 1 refused, 2 could not say, 3 investigate, as the exit code of a program.

use std::process::ExitCode;

/// How a check ended, as an exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// 0: passed, or every bundle accepted.
    Passed,
    /// 1: a check ran and failed.
    Refused,
    /// 2: nothing can be concluded.
    CouldNotSay,
    /// 3: a question, which more evidence answers; not a finding.
    Investigate,
}

impl Exit {
    /// The code of two results together: 1 beats 3 beats 2 beats 0.
    pub fn and(self, other: Exit) -> Exit {
        match (self, other) {
            (Exit::Refused, _) | (_, Exit::Refused) => Exit::Refused,
            (Exit::Investigate, _) | (_, Exit::Investigate) => Exit::Investigate,
            (Exit::CouldNotSay, _) | (_, Exit::CouldNotSay) => Exit::CouldNotSay,
            (Exit::Passed, Exit::Passed) => Exit::Passed,
        }
    }

    /// As a number.
    pub fn code(self) -> u8 {
        match self {
            Exit::Passed => 0,
            Exit::Refused => 1,
            Exit::CouldNotSay => 2,
            Exit::Investigate => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
