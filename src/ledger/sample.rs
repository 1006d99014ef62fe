//! The lab's sample (cut and choose, PROTOCOL.md, section 10): which opened hands are revealed in full.

use sha2::{Digest as _, Sha256};

use crate::commitment::digest::Digest;
use crate::ledger::beacon;

/// Seconds between the quorum time of a checkpoint and the round that draws, so that nobody knows the
/// round when the checkpoint becomes final.
const DELAY: u64 = 30;

/// The quicknet round that draws: the first that is due 30 s after the quorum time, or later.
pub fn round(quorum_time: u64) -> u64 {
    beacon::first_round_at(quorum_time.saturating_add(DELAY))
}

/// `u64be(H("deckproof/v1 audit-sample" ‖ R ‖ B ‖ h)[0..8]) mod m = 0`: whether the hand whose deck entry
/// has the leaf hash h is drawn, one in m.
///
/// # Panics
/// If m is 0.
pub fn is_drawn(root: &Digest, beacon: &Digest, deck: &Digest, one_in: u64) -> bool {
    assert!(one_in > 0, "one in 0 is no sample");
    let hash = Sha256::new_with_prefix("deckproof/v1 audit-sample")
        .chain_update(root.bytes())
        .chain_update(beacon.bytes())
        .chain_update(deck.bytes())
        .finalize();
    let (first, _) = hash.split_first_chunk::<8>().expect("a hash has 32 bytes");
    u64::from_be_bytes(*first) % one_in == 0
}
