//! Checkpoints (c2sp.org/tlog-checkpoint): which log, how many entries, which root.

use std::fmt;

use crate::log::base64;
use crate::log::number;
use crate::log::tree::TreeHead;

/// What a log signs: exactly three lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoint {
    /// The log.
    pub origin: String,
    /// Its tree.
    pub tree: TreeHead,
}

impl Checkpoint {
    /// Reads the text of a note; `None` if it is not exactly origin, size and root (`E_CKPT`).
    pub fn parse(text: &str) -> Option<Checkpoint> {
        let mut lines = text.strip_suffix('\n')?.split('\n');
        let (origin, size, root) = (lines.next()?, lines.next()?, lines.next()?);
        if origin.is_empty() || lines.next().is_some() {
            return None;
        }
        let tree = TreeHead { size: number::parse(size)?, root: base64::decode_digest(root)? };
        Some(Checkpoint { origin: origin.to_owned(), tree })
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n{}", self.origin, self.tree.size, base64::encode(self.tree.root.bytes()))
    }
}
