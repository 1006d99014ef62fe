//! Why a package is not accepted.

use std::fmt;

/// What kind of fault it is, for readers of every language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// Its checksum is another.
    Checksum,
    /// It is listed, and no package of this project holds it.
    Foreign,
    /// It is missing.
    Missing,
    /// It is listed, or the list itself, and cannot be read: it may have been lost when the package was copied.
    Lost,
    /// The list ends within a line, or holds none.
    Cut,
    /// It has its checksum with other line ends.
    LineEnds,
    /// It does not follow from the others.
    Derived,
    /// It contradicts itself or another file.
    Unsound,
}

/// Why a package is not accepted: the first file that does not match, and why.
#[derive(Debug)]
pub struct Fault {
    /// Which file.
    pub file: String,
    /// What kind of fault it is.
    pub kind: FaultKind,
    /// What is wrong.
    pub what: String,
    /// Whether nothing contradicts itself, but another version of this program is needed to say more.
    pub is_of_another_version: bool,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.what)
    }
}

impl Fault {
    pub(in crate::project) fn new(file: &str, kind: FaultKind, what: impl ToString) -> Fault {
        Fault { file: file.to_owned(), kind, what: what.to_string(), is_of_another_version: false }
    }
}
