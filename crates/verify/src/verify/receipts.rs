//! Receipts a player saved, compared with a bundle and with each other.

use crate::log::receipt::Receipt;
use crate::log::refusal::{Code, Refusal};
use crate::log::tree::TreeHead;
use crate::log::trust::Trust;
use crate::log::witnessed::Witnessed;
use crate::verify::{Accepted, ProvenEntry};
use deckproof_deck::commitment::digest::{Digest, leaf_hash};

/// An entry of the bundle that a receipt proves, and the name of the receipt.
pub type Receipted = (String, ProvenEntry);

/// A receipt that does not go with a bundle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReceiptFault {
    /// It is damaged or of another log than the trusted one, and says nothing of the hand.
    Unusable(Refusal),
    /// The log signed two trees that cannot both be.
    Forked(Refusal),
}

/// Which entries of the bundle the receipts prove. One that proves none of them contradicts nothing: a receipt does not say of which
/// hand it is.
///
/// # Errors
/// [`ReceiptFault`] of the first receipt that is none under the trust file, or forks the log.
pub fn compare(
    accepted: &Accepted,
    receipts: &[(String, Receipt)],
    trust: &Trust,
) -> Result<Vec<Receipted>, ReceiptFault> {
    let texts = &accepted.texts;
    let entries = [("deck", Some(&texts.deck)), ("open", Some(&texts.open)), ("cut", texts.cut.as_ref())];
    let end = if accepted.is_closed { "close" } else { "void" };
    let entries = entries.into_iter().chain([(end, Some(&texts.end))]);
    let leaves: Vec<_> = entries.filter_map(|(kind, text)| Some((kind, leaf_hash(text?)))).collect();
    // Every tree that the log signed for this player, with where it is from.
    let proof = |entry: &str| format!("the proof of {entry} in the bundle");
    let mut trees: Vec<(String, TreeHead)> =
        accepted.proven.iter().map(|proven| (proof(proven.entry), proven.tree)).collect();
    let mut receipted = Vec::new();
    for (name, receipt) in receipts {
        let place = format!("receipt {name}");
        let witnessed = Witnessed::parse(&receipt.note, trust, &place).map_err(ReceiptFault::Unusable)?;
        let tree = witnessed.checkpoint.tree;
        check_fork(&trees, &tree, &place).map_err(ReceiptFault::Forked)?;
        let proves = leaves.iter().find(|(_, leaf)| receipt.check_under(leaf, &witnessed, &place).is_ok());
        if let Some(&(entry, _)) = proves {
            let quorum_time = witnessed.quorum_time;
            receipted.push((name.clone(), ProvenEntry { entry, index: receipt.index, tree, quorum_time }));
        }
        trees.push((place, tree));
    }
    Ok(receipted)
}

/// The first receipt that proves an entry of this leaf hash to be in the trusted log.
pub fn proving<'a>(
    leaf: &Digest,
    receipts: &'a [(String, Receipt)],
    trust: &Trust,
) -> Option<&'a (String, Receipt)> {
    receipts.iter().find(|(name, receipt)| receipt.check(leaf, trust, name).is_ok())
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
