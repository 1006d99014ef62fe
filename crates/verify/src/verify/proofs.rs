//! Step 7: the log proofs, and what they show about when the hand was logged and who saw it.

use crate::log::receipt::{self, Receipt};
use crate::log::refusal::{Code, Refusal};
use crate::log::tree::TreeHead;
use crate::log::trust::Trust;
use crate::log::witnessed::{Witnessed, vkey_refusal};
use crate::verify::ProvenEntry;
use crate::verify::bundle::{self, Bundle, End};
use deckproof_deck::commitment::digest::{Digest, leaf_hash};

/// How the checkpoints of the proofs are tied.
pub(super) fn log_view(proven: &[ProvenEntry], overlap: bool) -> &'static str {
    let Some(first) = proven.first() else { return "none" };
    if proven.iter().all(|entry| entry.tree == first.tree) {
        return "one checkpoint";
    }
    // A witness cosigns consistent logs only, so two notes that one of them cosigned lie in one log.
    if overlap && proven.iter().all(|entry| entry.quorum_time.is_some()) {
        "several, witnessed"
    } else {
        "several, not tied"
    }
}

/// Checks the proofs of a bundle: the entries that are proven, in log order; `None` without a trust file, for then no key is
/// known.
pub(super) fn check(bundle: &Bundle, trust: Option<&Trust>) -> Result<Option<Vec<ProvenEntry>>, Refusal> {
    let Some(trust) = trust else { return Ok(None) };
    trust.keys().map_err(vkey_refusal)?;
    let mut seen: Vec<(&str, Witnessed)> = Vec::new();
    let mut proven: Vec<ProvenEntry> = Vec::new();
    let receipts: Vec<Option<Receipt>> = bundle.proofs.iter().map(|proof| Receipt::parse(&proof.1)).collect();
    for ((entry, text), receipt) in bundle.proofs.iter().zip(&receipts) {
        let place = format!("proof of {entry}");
        let receipt = receipt.as_ref().ok_or_else(|| {
            Refusal::new(Code::Proof, place.as_str(), "found no proof in the format c2sp.org/tlog-proof@v1")
                .of_line(text.split('\n').next().unwrap_or(""), receipt::FIRST_LINE)
        })?;
        // The proofs of a hand often stand under one checkpoint, whose signatures are checked once.
        let known = seen.iter().find(|(note, _)| *note == receipt.note).map(|(_, known)| known.clone());
        let witnessed = match known {
            Some(witnessed) => witnessed,
            None => Witnessed::parse(&receipt.note, trust, &place)?,
        };
        receipt.check_under(&leaf_of(bundle, entry), &witnessed, &place)?;
        let (tree, quorum_time) = (witnessed.checkpoint.tree, witnessed.quorum_time);
        check_one_root(&proven, &tree, &place)?;
        seen.push((&receipt.note, witnessed));
        proven.push(ProvenEntry { entry, index: receipt.index, tree, quorum_time });
    }
    check_order(&proven)?;
    Ok(Some(proven))
}

/// The log proofs that a refused bundle holds, and what they show by themselves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HeldProofs {
    /// The entries of which it holds one.
    pub held: Vec<&'static str>,
    /// Those that are proven to be in the trusted log: none where a proof does not hold, and `None` without a trust file.
    pub in_log: Option<Vec<&'static str>>,
}

impl HeldProofs {
    /// Of the bytes of a bundle, whatever its entries say.
    pub fn of(bytes: &[u8], trust: Option<&Trust>) -> HeldProofs {
        let Ok(bundle) = bundle::read(bytes) else { return HeldProofs::default() };
        let proven = check(&bundle, trust).unwrap_or(Some(Vec::new()));
        HeldProofs {
            held: bundle.proofs.iter().map(|(entry, _)| *entry).collect(),
            in_log: proven.map(|proven| proven.iter().map(|proven| proven.entry).collect()),
        }
    }
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
fn check_one_root(earlier: &[ProvenEntry], tree: &TreeHead, place: &str) -> Result<(), Refusal> {
    match earlier.iter().find(|other| other.tree.size == tree.size && other.tree.root != tree.root) {
        None => Ok(()),
        Some(ProvenEntry { entry, .. }) => {
            let message = format!(
                "its checkpoint of size {} has another root than that of the proof of {entry}: the log is forked",
                tree.size
            );
            Err(Refusal { is_signed: true, ..Refusal::new(Code::ProofRoot, place, message) })
        }
    }
}

/// `deck < open < cut < close or void`.
fn check_order(proven: &[ProvenEntry]) -> Result<(), Refusal> {
    for pair in proven.windows(2) {
        let [before, after] = pair else { continue };
        if before.index >= after.index {
            let message = format!(
                "{} is entry {} of the log, {}, which comes before it, entry {}",
                after.entry, after.index, before.entry, before.index
            );
            return Err(Refusal::new(Code::LogOrder, format!("proof of {}", after.entry), message));
        }
    }
    Ok(())
}
