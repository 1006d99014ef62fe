//! Files of a package: their names, bytes and hashes.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

/// Names and bytes of files.
pub type PackageFiles = BTreeMap<String, Vec<u8>>;

/// SHA-256 of some bytes.
pub fn sha256(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(&Sha256::digest(bytes))
}
