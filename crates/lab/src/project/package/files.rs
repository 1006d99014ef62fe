//! Files of a package: their names, bytes and hashes, and how this program writes plain data into one.

use std::collections::BTreeMap;

use serde::Serialize;

/// Names and bytes of files.
pub type PackageFiles = BTreeMap<String, Vec<u8>>;

/// Plain data as a file has it: the same data have one text.
pub fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("it is plain data") + "\n"
}
