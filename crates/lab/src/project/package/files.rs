//! Files of a package: their names, bytes and hashes.

use std::collections::BTreeMap;

/// Names and bytes of files.
pub type PackageFiles = BTreeMap<String, Vec<u8>>;
