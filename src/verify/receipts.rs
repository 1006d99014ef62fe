//! Receipts a player saved before the hand, compared with a bundle and with each other.

use crate::commitment::digest::leaf_hash;
use crate::ledger::receipt::Receipt;
use crate::ledger::refusal::{Code, Refusal};
use crate::ledger::tree::TreeHead;
use crate::ledger::trust::Trust;
use crate::ledger::witnessed::Witnessed;
use crate::verify::Accepted;

/// Whether a receipt proves the deck entry or the open entry of the bundle. `is_alone` says that all bundles are of one hand, so
/// that a receipt of another hand is a contradiction: a receipt does not say of which hand it is.
///
/// # Errors
/// The [`Refusal`] of the first receipt that is none under the trust file, contradicts the bundle, or forks the log.
pub fn compare(
    accepted: &Accepted,
    receipts: &[(String, Receipt)],
    trust: &Trust,
    is_alone: bool,
) -> Result<bool, Refusal> {
    let leaves = [&accepted.texts.deck, &accepted.texts.open].map(|text| leaf_hash(text));
    // Every tree that the log signed for this player, with where it stands.
    let proof = |entry: &str| format!("the proof of {entry} in the bundle");
    let mut trees: Vec<(String, TreeHead)> =
        accepted.proven.iter().map(|proven| (proof(proven.entry), proven.tree)).collect();
    let mut is_fixed = false;
    for (name, receipt) in receipts {
        let place = format!("receipt {name}");
        let witnessed = Witnessed::parse(&receipt.note, trust, &place)?;
        check_fork(&trees, &witnessed.checkpoint.tree, &place)?;
        let [deck, open] = leaves.map(|leaf| receipt.check_under(&leaf, &witnessed, &place).is_ok());
        // The open entry names its deck entry by hash, so that either fixes the deck.
        is_fixed |= deck || open;
        if !deck && !open && is_alone {
            let message = "it proves neither the deck entry nor the open entry of this hand: another one was logged, or it is of another hand".to_owned();
            return Err(Refusal::new(Code::ProofRoot, &place, message));
        }
        trees.push((place, witnessed.checkpoint.tree));
    }
    Ok(is_fixed)
}

/// Two trees of one size with two roots are a fork.
fn check_fork(trees: &[(String, TreeHead)], tree: &TreeHead, place: &str) -> Result<(), Refusal> {
    match trees.iter().find(|(_, other)| other.size == tree.size && other.root != tree.root) {
        None => Ok(()),
        Some((other, _)) => {
            let message = format!(
                "its checkpoint of size {} has another root than that of {other}: the log signed both, so it is forked",
                tree.size
            );
            Err(Refusal::new(Code::ProofRoot, place, message))
        }
    }
}
