//! A witness: cosigns checkpoints that hold every tree it cosigned before, and no others.

use crate::log::checkpoint::Checkpoint;
use crate::log::refusal::{Code, Refusal};
use crate::log::request::Request;
use crate::log::tree::{TreeHead, is_consistent};
use crate::log::trust::Trust;
use crate::log::witnessed::Witnessed;

/// What a witness says to a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Keep this checkpoint durably, and then cosign its text.
    Cosign(Checkpoint),
    /// The request starts at another tree than the one cosigned last; nothing follows about the log.
    StartsElsewhere {
        /// The size the proof must start from.
        last: u64,
    },
    /// The proof does not lead from the tree cosigned last to the new one. Nobody signs a proof, so that nothing follows about the log.
    Unproven {
        /// The two sizes, and what that can be.
        message: String,
    },
}

/// Judges a request by the checkpoint that was cosigned last.
///
/// # Errors
/// The codes of a checkpoint, and `E_LOG_CONSISTENCY` for a tree that is smaller, or as large with another root: then the log signed both,
/// so it is forked.
pub fn answer(request: &Request, trust: &Trust, last: Option<&Checkpoint>) -> Result<Answer, Refusal> {
    let new = Witnessed::parse(&request.note, trust, "checkpoint")?.checkpoint;
    let last_tree = last.map(|last| last.tree);
    let refuse = |message: String| Err(Refusal::new(Code::LogConsistency, "checkpoint", message));
    if let Some(last) = last_tree
        && new.tree.size < last.size
    {
        let message = format!("size {} after size {}: the log was rolled back", new.tree.size, last.size);
        return refuse(message);
    }
    let last_size = last_tree.map_or(0, |last| last.size);
    // Two trees of one size need no proof to be distinguished.
    if last_tree.is_some_and(|last| last.size == new.tree.size && last != new.tree) {
        let size = new.tree.size;
        return refuse(format!(
            "another tree of size {size} was cosigned: the log signed both, so it is forked"
        ));
    }
    if request.old != last_size {
        return Ok(Answer::StartsElsewhere { last: last_size });
    }
    let old = last_tree.unwrap_or_else(TreeHead::empty);
    if !is_consistent(&old, &new.tree, &request.path) {
        let message = format!(
            "the proof does not show that the tree of size {} holds the tree of size {} that was cosigned: it is damaged, or the log is forked",
            new.tree.size, old.size
        );
        return Ok(Answer::Unproven { message });
    }
    Ok(Answer::Cosign(new))
}
