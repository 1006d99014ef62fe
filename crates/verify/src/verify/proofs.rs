//! Step 7: the log proofs, and what they show about when the hand was logged and who saw it.

use crate::log::receipt::{Logged, Receipt};
use crate::log::refusal::{Code, Refusal};
use crate::log::trust::Trust;
use crate::log::witnessed::{Witnessed, vkey_refusal};
use crate::verify::ProvenEntry;
use crate::verify::bundle::{Bundle, End};
use deckproof_deck::commitment::digest::{Digest, leaf_hash};

/// What the proofs of a bundle show.
pub(super) struct Proofs {
    /// The entries that are proven, in log order.
    pub logged: Vec<(&'static str, Logged)>,
}

impl Proofs {
    /// How the checkpoints of the proofs are tied.
    pub fn log_view(&self) -> &'static str {
        let Some((_, first)) = self.logged.first() else { return "none" };
        let tree = &first.witnessed.checkpoint.tree;
        if self.logged.iter().all(|(_, logged)| logged.witnessed.checkpoint.tree == *tree) {
            return "one checkpoint";
        }
        // Witnesses cosign consistent logs only, so two notes that a quorum cosigned lie in one log.
        if self.logged.iter().all(|(_, logged)| logged.witnessed.quorum_time.is_some()) {
            "several, witnessed"
        } else {
            "several, not tied"
        }
    }

    /// The entries with their places and checkpoints.
    pub fn proven(&self) -> Vec<ProvenEntry> {
        let proven = |(entry, logged): &(&'static str, Logged)| ProvenEntry {
            entry,
            index: logged.index,
            tree: logged.witnessed.checkpoint.tree,
            quorum_time: logged.witnessed.quorum_time,
        };
        self.logged.iter().map(proven).collect()
    }

    /// When the quorum had cosigned that the hand was open.
    pub fn open_quorum_time(&self) -> Option<u64> {
        let open = self.logged.iter().find(|(kind, _)| *kind == "open");
        open.and_then(|(_, logged)| logged.witnessed.quorum_time)
    }
}

/// Checks the proofs of a bundle; `None` without a trust file, for then no key is known.
pub(super) fn check(bundle: &Bundle, trust: Option<&Trust>) -> Result<Option<Proofs>, Refusal> {
    let Some(trust) = trust else { return Ok(None) };
    trust.keys().map_err(vkey_refusal)?;
    let mut seen: Vec<(&str, Witnessed)> = Vec::new();
    let mut logged: Vec<(&'static str, Logged)> = Vec::new();
    let receipts: Vec<Option<Receipt>> = bundle.proofs.iter().map(|proof| Receipt::parse(&proof.1)).collect();
    for ((kind, _), receipt) in bundle.proofs.iter().zip(&receipts) {
        let place = format!("proof of {kind}");
        let receipt = receipt.as_ref().ok_or_else(|| {
            Refusal::new(Code::Proof, place.as_str(), "found no proof in the format c2sp.org/tlog-proof@v1")
        })?;
        // The proofs of a hand often stand under one checkpoint, whose signatures are checked once.
        let known = seen.iter().find(|(note, _)| *note == receipt.note).map(|(_, known)| known.clone());
        let witnessed = match known {
            Some(witnessed) => witnessed,
            None => Witnessed::parse(&receipt.note, trust, &place)?,
        };
        receipt.check_under(&leaf_of(bundle, kind), &witnessed, &place)?;
        check_one_root(&logged, &witnessed, &place)?;
        seen.push((&receipt.note, witnessed.clone()));
        logged.push((kind, Logged { index: receipt.index, witnessed }));
    }
    let proofs = Proofs { logged };
    check_order(&proofs)?;
    Ok(Some(proofs))
}

fn leaf_of(bundle: &Bundle, kind: &str) -> Digest {
    let text = match (kind, &bundle.end) {
        ("deck", _) => &bundle.deck_entry,
        ("open", _) => &bundle.open_entry,
        ("cut", _) => bundle.cut_entry.as_ref().expect("a proof without its entry was refused"),
        (_, End::Closed(closed)) => &closed.close_entry,
        (_, End::Voided { void_entry }) => void_entry,
    };
    leaf_hash(text)
}

/// Two logs of one size with two roots are a fork.
fn check_one_root(
    earlier: &[(&'static str, Logged)],
    witnessed: &Witnessed,
    place: &str,
) -> Result<(), Refusal> {
    let tree = &witnessed.checkpoint.tree;
    let fork = earlier.iter().find(|(_, logged)| {
        let other = &logged.witnessed.checkpoint.tree;
        other.size == tree.size && other.root != tree.root
    });
    match fork {
        None => Ok(()),
        Some((kind, _)) => {
            let message = format!(
                "its checkpoint of size {} has another root than that of the proof of {kind}: the log is forked",
                tree.size
            );
            Err(Refusal::new(Code::ProofRoot, place, message))
        }
    }
}

/// `deck < open < cut < close or void`.
fn check_order(proofs: &Proofs) -> Result<(), Refusal> {
    for pair in proofs.logged.windows(2) {
        let [(first, before), (second, after)] = pair else { continue };
        if before.index >= after.index {
            let message = format!(
                "{second} is entry {} of the log, {first}, which comes before it, entry {}",
                after.index, before.index
            );
            return Err(Refusal::new(Code::LogOrder, format!("proof of {second}"), message));
        }
    }
    Ok(())
}
