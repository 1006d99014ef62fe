//! What the row of a day says of its export and of its dealt hands.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::monitoring::growth::FileSeen;

/// What the export of a day was, judged or not.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExportSeen {
    /// Records that were read.
    pub records: u64,
    /// In which column or member the decks are, where they have one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub deck_place: Option<String>,
    /// Whether reading ended at a record that is no deck: how many follow it nobody knows. Rows of before this field have it in the
    /// proofs alone.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_cut: bool,
    /// Their ids, where they are numbers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ids: Option<IdsSeen>,
    /// Hands outside the gaming day, where times are known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub outside: Option<u64>,
    /// The times of its first hands in POSIX seconds, where their ids count on by one from 0 or 1: by their pace a later day knows
    /// whether hands under the same ids are these, written anew with another date.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub first_times: Vec<u64>,
    /// The file, where it only grows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<FileSeen>,
    /// The id of its last record, after which a source that only grows goes on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub last_id: Option<String>,
    /// The fingerprint of its last deck as hexadecimal digits: by it a source that only grows without ids goes on, and a day is
    /// known that begins with the end of this one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub last_deck: Option<String>,
}

/// Ids that are numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdsSeen {
    /// The lowest; where they begin again behind the highest one, the lowest of before.
    pub first: u64,
    /// The highest; where they begin again, that of after.
    pub last: u64,
    /// Numbers between them that no record has.
    pub missing: u64,
}

/// What a row says of the hands, so that another day can see whether its own are new.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DealtSeen {
    /// How many hands were judged.
    pub hands: u64,
    /// SHA-256 of their cards in the order dealt.
    pub sha256: String,
    /// Some of them, by a fingerprint of their first cards and one of their number.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub sample: BTreeMap<String, String>,
}
