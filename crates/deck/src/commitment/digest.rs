//! Digests: SHA-256 values as lower-case hex, and the tree hash of RFC 6962.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// A SHA-256 value, or another public value of 32 bytes that is written like one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// 32 zero bytes: what the protocol writes for a value that is absent.
    pub const ZERO: Digest = Digest([0; 32]);

    /// Wraps 32 bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Digest {
        Digest(bytes)
    }

    /// `H(bytes)`.
    pub fn of(bytes: impl AsRef<[u8]>) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// The 32 bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Nobody finds another value whose digits differ from those of a hash in so few of 64 places (2^192 tries, or 2^96 for two of one's own choice).
    pub const MISCOPIED_MAX: usize = 8;

    /// In how many of 64 digits it differs from another one, if so near that they were copied wrongly: in a few, or by one digit that was
    /// doubled or left out.
    pub fn miscopied(&self, own: &Digest) -> Option<usize> {
        let (typed, own) = (self.to_string(), own.to_string());
        let (typed, own) = (typed.as_bytes(), own.as_bytes());
        let differing = typed.iter().zip(own).filter(|(a, b)| a != b).count();
        let first = typed.iter().zip(own).position(|(a, b)| a != b)?;
        let last = typed.len() - 1;
        let is_shifted = typed[first + 1..] == own[first..last] || typed[first..last] == own[first + 1..];
        (differing <= Self::MISCOPIED_MAX || is_shifted).then_some(differing)
    }

    /// From so many of 64 digits on two values are alike by no chance. A value like a given one takes 2^133 tries. Of values of one's own choice
    /// two that are alike are among 2^67: somebody might make them on purpose.
    ///
    /// A group of eight of a hash is in place k times with the probability C(8,k)·15^(8−k)/16^8, and is at one of 56 other places with at most
    /// 56/16^8. So 48 or more of the 64 in eight groups have a probability below 2^-133.27; a pair of N values is alike with N²/2 times that.
    pub const ALIKE_MIN: usize = 48;

    /// How many digits of another value are found in this one: in place, or in a group of eight (digits 1 to 8, 9 to 16, …) anywhere
    /// in it.
    pub fn found_of(&self, own: &Digest) -> usize {
        let (typed, own) = (self.to_string(), own.to_string());
        let found = |at: usize| {
            let (group, there) = (&own[at..at + 8], &typed[at..at + 8]);
            let in_place = group.bytes().zip(there.bytes()).filter(|(a, b)| a == b).count();
            if typed.contains(group) { 8 } else { in_place }
        };
        (0..64).step_by(8).map(found).sum()
    }

    /// Reads exactly 64 lower-case hexadecimal digits.
    pub fn from_hex(text: &str) -> Option<Digest> {
        parse_hex(text).map(Digest)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads exactly `2·N` lower-case hexadecimal digits, the only spelling the protocol knows.
pub fn parse_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let length = base16ct::lower::decode(text, &mut bytes).ok()?.len();
    (length == N).then_some(bytes)
}

/// `H(0x00 ‖ text)`: the RFC 6962 leaf hash, by which one log entry names another.
pub fn leaf_hash(text: &str) -> Digest {
    Digest(Sha256::new().chain_update([0x00]).chain_update(text).finalize().into())
}

/// `H(0x01 ‖ left ‖ right)`.
pub fn node_hash(left: &Digest, right: &Digest) -> Digest {
    Digest(Sha256::new().chain_update([0x01]).chain_update(left.0).chain_update(right.0).finalize().into())
}

/// The tree hash of RFC 6962, section 2.1: leaves left of the largest power of two below their number
/// form the left subtree (32 + 20 for a deck). No leaves give `H("")`.
pub fn tree_root(leaves: &[Digest]) -> Digest {
    match leaves {
        [] => Digest::of(b""),
        [leaf] => *leaf,
        _ => {
            let split = leaves.len().next_power_of_two() / 2;
            node_hash(&tree_root(&leaves[..split]), &tree_root(&leaves[split..]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_has_one_spelling() {
        let zeros = "0".repeat(64);
        assert_eq!(Digest::from_hex(&zeros), Some(Digest::ZERO));
        assert_eq!(Digest::ZERO.to_string(), zeros);
        for text in ["", &zeros[1..], &format!("{zeros}0"), &"A".repeat(64), &"g".repeat(64), &"é".repeat(32)]
        {
            assert_eq!(Digest::from_hex(text), None, "{text:?}");
        }
    }

    /// The seven leaves and the roots that Certificate Transparency implementations share
    /// (RFC 6962 reference test data, also in RFC 9162 implementations).
    #[test]
    fn tree_roots_are_those_of_certificate_transparency() {
        let inputs: [&[u8]; 4] = [b"", &[0x00], &[0x10], &[0x20, 0x21]];
        let leaves: Vec<Digest> = inputs.iter().map(|input| Digest::of([&[0x00], *input].concat())).collect();
        let roots = [
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ];
        for (size, root) in roots.iter().enumerate() {
            assert_eq!(tree_root(&leaves[..size]).to_string(), *root, "{size} leaves");
        }
    }
}
