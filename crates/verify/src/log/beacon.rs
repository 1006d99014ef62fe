//! The beacon: drand quicknet, the one chain the protocol knows (section 7), its times and its signatures.

use std::collections::BTreeMap;

use deckproof_deck::commitment::digest::Digest;

/// The chain's hash.
pub const QUICKNET: &str = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";

/// When round 1 came, in POSIX seconds.
const FIRST_TIME: u64 = 1_692_803_367;

/// Seconds between two rounds.
const PERIOD: u64 = 3;

/// Whether this build checks signatures of the beacon (feature `beacon`). Without it the writer of a log can choose them, and so the
/// cut: a bundle then has the claim `beacon-signed` as not looked at, and the report of a scan says nothing of them.
pub const CHECKS_SIGNATURES: bool = cfg!(feature = "beacon");

/// `time(r) = 1692803367 + 3(r − 1)`: when a round, counted from 1, is due.
pub fn time_of(round: u64) -> u64 {
    FIRST_TIME.saturating_add(PERIOD.saturating_mul(round.saturating_sub(1)))
}

/// The first round that is due at this time or later.
pub fn first_round_at(time: u64) -> u64 {
    time.saturating_sub(FIRST_TIME).div_ceil(PERIOD) + 1
}

/// `randomness = SHA-256(signature)`.
pub fn randomness(signature: &[u8; 48]) -> Digest {
    Digest::of(signature)
}

/// Rounds whose signature was checked and is the network's: a check takes a millisecond, and many hands are cut
/// by one round. What is not the network's is never kept.
#[derive(Clone, Debug, Default)]
pub struct CheckedRounds {
    kept: BTreeMap<u64, [u8; 48]>,
    /// Whether every signature is taken unchecked and none is kept.
    is_trusting: bool,
}

/// Rounds that are kept; one takes some 60 bytes. Cuts follow the beacon, so the highest ones come again.
const ROUNDS_KEPT: usize = 4096;

impl CheckedRounds {
    /// Takes every signature: its holder checked it before.
    pub fn trusting() -> CheckedRounds {
        CheckedRounds { is_trusting: true, ..CheckedRounds::default() }
    }

    /// As [`is_signed`].
    pub fn is_signed(&mut self, round: u64, signature: &[u8; 48]) -> bool {
        if self.is_trusting || self.kept.get(&round) == Some(signature) {
            return true;
        }
        let is_signed = is_signed(round, signature);
        if is_signed {
            self.kept.insert(round, *signature);
            if self.kept.len() > ROUNDS_KEPT {
                self.kept.pop_first();
            }
        }
        is_signed
    }

    /// Takes signatures unchecked from here on, or checks them again: an operator looks for order in his own log.
    pub fn trust(&mut self, is_trusting: bool) {
        self.is_trusting = is_trusting;
    }
}

/// Whether the network signed this round; a build without the feature `beacon` cannot say and takes
/// every signature.
#[cfg(not(feature = "beacon"))]
pub fn is_signed(_round: u64, _signature: &[u8; 48]) -> bool {
    true
}

/// Whether the network signed this round: a canonical point of G1, not infinity, in the subgroup of prime
/// order, that signs `SHA-256(u64be(round))`.
#[cfg(feature = "beacon")]
pub fn is_signed(round: u64, signature: &[u8; 48]) -> bool {
    bls::verify(Digest::of(round.to_be_bytes()).bytes(), signature)
}

#[cfg(feature = "beacon")]
mod bls {
    use std::sync::LazyLock;

    use blst::BLST_ERROR;
    use blst::min_sig::{PublicKey, Signature};

    use deckproof_deck::commitment::digest::parse_hex;

    const PUBLIC_KEY: &str = "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a";

    /// How messages are hashed to G1.
    const DOMAIN: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

    /// A constant: it takes longer to unpack than a signature to check.
    static KEY: LazyLock<PublicKey> = LazyLock::new(|| {
        let bytes: [u8; 96] = parse_hex(PUBLIC_KEY).expect("the constant is hexadecimal");
        PublicKey::key_validate(&bytes).expect("the constant is a point of G2")
    });

    pub(super) fn verify(message: &[u8], signature: &[u8; 48]) -> bool {
        let Ok(point) = Signature::uncompress(signature) else { return false };
        // Outside the subgroup the pairing would still hold for a point of small order added to it.
        let is_valid = point.validate(true).is_ok() && point.to_bytes() == *signature;
        is_valid && point.verify(false, message, DOMAIN, &[], &KEY, false) == BLST_ERROR::BLST_SUCCESS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_and_times_meet_at_both_sides_of_the_border() {
        assert_eq!(time_of(1), 1_692_803_367);
        assert_eq!(time_of(1000), 1_692_803_367 + 2997);
        let rows = [(0, 1), (1_692_803_366, 1), (1_692_803_367, 1), (1_692_803_368, 2), (1_692_803_370, 2)];
        for (time, round) in rows {
            assert_eq!(first_round_at(time), round, "{time}");
        }
    }
}
