//! What a witness is asked: the body of `add-checkpoint` (c2sp.org/tlog-witness), as a text.

use std::fmt;

use crate::log::base64;
use crate::log::number;
use crate::log::tree::PROOF_HASHES_MAX;
use deckproof_deck::commitment::digest::Digest;

/// A new checkpoint, and the proof that it holds the tree the witness saw last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The size of the tree the witness saw last; 0 if it saw none.
    pub old: u64,
    /// The consistency proof from there.
    pub path: Vec<Digest>,
    /// The signed checkpoint.
    pub note: String,
}

impl Request {
    /// Reads `old N`, the hashes, an empty line, the checkpoint; `None` if it is not that.
    pub fn parse(text: &str) -> Option<Request> {
        let (head, note) = text.split_once("\n\n")?;
        let mut lines = head.split('\n');
        let old = number::parse(lines.next()?.strip_prefix("old ")?)?;
        let path: Vec<Digest> = lines.map(base64::decode_digest).collect::<Option<_>>()?;
        (path.len() <= PROOF_HASHES_MAX).then(|| Request { old, path, note: note.to_owned() })
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "old {}", self.old)?;
        self.path.iter().try_for_each(|hash| writeln!(f, "{}", base64::encode(hash.bytes())))?;
        write!(f, "\n{}", self.note)
    }
}

/// The size that a witness tells in its answer 409: decimal, and a line feed.
pub fn parse_size(text: &str) -> Option<u64> {
    number::parse(text.strip_suffix('\n')?)
}
