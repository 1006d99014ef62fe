//! Receipts (c2sp.org/tlog-proof): that an entry is in the log, under a signed checkpoint.

use std::fmt;

use crate::log::base64;
use crate::log::number;
use crate::log::refusal::{Code, Refusal};
use crate::log::tree::{PROOF_HASHES_MAX, TreeHead, root_of_path};
use crate::log::trust::Trust;
use crate::log::witnessed::Witnessed;
use deckproof_deck::commitment::digest::Digest;

/// The first line of each.
pub const FIRST_LINE: &str = "c2sp.org/tlog-proof@v1";

/// A receipt whose form is right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    /// The index of the entry, from 0.
    pub index: u64,
    /// The hashes from the leaf's sibling to the child of the root.
    pub path: Vec<Digest>,
    /// The signed checkpoint as it is there.
    pub note: String,
}

/// What a checked receipt proves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Logged {
    /// The index of the entry.
    pub index: u64,
    /// Under which checkpoint.
    pub witnessed: Witnessed,
}

impl Receipt {
    /// Reads a receipt; an `extra` line is left out. `None` if it is no tlog-proof (`E_PROOF`).
    pub fn parse(text: &str) -> Option<Receipt> {
        let (head, note) = text.split_once("\n\n")?;
        let mut lines = head.split('\n').peekable();
        if lines.next() != Some(FIRST_LINE) {
            return None;
        }
        if let Some(extra) = lines.peek().and_then(|line| line.strip_prefix("extra ")) {
            base64::decode(extra)?;
            lines.next();
        }
        let index = number::parse(lines.next()?.strip_prefix("index ")?)?;
        let path: Vec<Digest> = lines.map(base64::decode_digest).collect::<Option<_>>()?;
        (path.len() <= PROOF_HASHES_MAX).then(|| Receipt { index, path, note: note.to_owned() })
    }

    /// Checks that the entry of this leaf hash is in the trusted log; `place` names the receipt in a
    /// refusal.
    ///
    /// # Errors
    /// `E_VKEY`, `E_NOTE`, `E_NOTE_SIG`, `E_NOTE_UNSIGNED`, `E_CKPT`, `E_CKPT_ORIGIN`, `E_PROOF_ROOT`.
    pub fn check(&self, leaf: &Digest, trust: &Trust, place: &str) -> Result<Logged, Refusal> {
        let witnessed = Witnessed::parse(&self.note, trust, place)?;
        self.check_under(leaf, &witnessed, place)?;
        Ok(Logged { index: self.index, witnessed })
    }

    /// Checks the path under a checkpoint that was checked before.
    ///
    /// # Errors
    /// `E_PROOF_ROOT`.
    pub fn check_under(&self, leaf: &Digest, witnessed: &Witnessed, place: &str) -> Result<(), Refusal> {
        let tree = &witnessed.checkpoint.tree;
        if self.leads_to(leaf, tree) {
            Ok(())
        } else {
            let message = format!(
                "the path from entry {} does not lead to the root of the checkpoint of size {}",
                self.index, tree.size
            );
            Err(Refusal::new(Code::ProofRoot, place, message))
        }
    }
}

impl Receipt {
    /// Whether the path leads from this leaf to the root of a tree.
    pub fn leads_to(&self, leaf: &Digest, tree: &TreeHead) -> bool {
        root_of_path(leaf, self.index, tree.size, &self.path) == Some(tree.root)
    }
}

impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_LINE}\nindex {}", self.index)?;
        self.path.iter().try_for_each(|hash| writeln!(f, "{}", base64::encode(hash.bytes())))?;
        write!(f, "\n{}", self.note)
    }
}
