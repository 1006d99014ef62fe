//! The trust file: which log a verifier believes, under which keys.

use crate::json::{Json, JsonError, Limits};
use crate::ledger::entry::names::is_origin;
use crate::text::excerpt;

/// A vkey takes 150 bytes; the object has four keys, and a few wrong ones are named.
const LIMITS: Limits = Limits { bytes_max: 1 << 20, members_max: 8 };

/// What a verifier trusts. The keys are kept as they were written; proofs that use them are not checked yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trust {
    /// The only log whose hands are accepted.
    pub origin: String,
    /// Verification keys of the log.
    pub log: Vec<String>,
    /// Verification keys of its witnesses.
    pub witness: Vec<String>,
    /// How many witnesses must have signed.
    pub quorum: u64,
}

/// Why a text is no trust file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrustError {
    /// Not JSON.
    #[error("no strict JSON: {0}")]
    Json(#[from] JsonError),
    /// Another key than the four, or one of them is absent.
    #[error("found the keys {found:?}, wanted exactly origin, log, witness, quorum")]
    Keys {
        /// The keys that stood there.
        found: Vec<String>,
    },
    /// A value of another type or spelling.
    #[error("the value of {key:?} is not {wanted}")]
    Value {
        /// Whose.
        key: &'static str,
        /// What it should be.
        wanted: &'static str,
    },
}

impl Trust {
    /// Reads `{origin, log: [vkey], witness: [vkey], quorum}` (PROTOCOL.md, section 9).
    ///
    /// # Errors
    /// [`TrustError`].
    pub fn parse(bytes: &[u8]) -> Result<Trust, TrustError> {
        let json = Json::parse(bytes, LIMITS)?;
        let keys: Vec<&str> = match &json {
            Json::Object(members) => members.iter().map(|member| member.0.as_str()).collect(),
            _ => Vec::new(),
        };
        let mut sorted = keys.clone();
        sorted.sort_unstable();
        if sorted != ["log", "origin", "quorum", "witness"] {
            return Err(TrustError::Keys { found: keys.into_iter().map(|key| excerpt(key, 40)).collect() });
        }
        Ok(Trust {
            origin: value(&json, "origin", "an origin such as stud.example/log1", |json| {
                json.text().filter(|text| is_origin(text)).map(str::to_owned)
            })?,
            log: value(&json, "log", "a list of keys", texts)?,
            witness: value(&json, "witness", "a list of keys", texts)?,
            quorum: value(&json, "quorum", "a number of witnesses", whole_number)?,
        })
    }
}

fn value<T>(
    json: &Json,
    key: &'static str,
    wanted: &'static str,
    read: impl FnOnce(&Json) -> Option<T>,
) -> Result<T, TrustError> {
    json.member(key).and_then(read).ok_or(TrustError::Value { key, wanted })
}

fn texts(json: &Json) -> Option<Vec<String>> {
    match json {
        Json::List(values) => values.iter().map(|value| value.text().map(str::to_owned)).collect(),
        _ => None,
    }
}

fn whole_number(json: &Json) -> Option<u64> {
    match json {
        Json::Number(text) => text.parse().ok(),
        _ => None,
    }
}
