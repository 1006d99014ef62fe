//! The trust file: which log a verifier believes, and under which keys of whom.

use crate::log::entry::names::is_origin;
use crate::log::policy;
use crate::log::quorum::Quorum;
use crate::log::vkey::{KeyKind, Vkey, VkeyError};
use deckproof_deck::json::{Json, Limits};
use deckproof_deck::text::excerpt;

/// A vkey takes 150 bytes; the object has four keys, and a few wrong ones are named.
const LIMITS: Limits = Limits { bytes_max: 1 << 20, members_max: 8 };

/// What a verifier trusts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trust {
    /// The only log whose hands are accepted.
    pub origin: String,
    // The keys are judged when the file is read, but a bundle is refused for them in the order of the
    // protocol: step 7, after everything that needs no key.
    keys: Result<Keys, VkeyError>,
}

/// The keys of a trust file, all of them usable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Keys {
    /// Those of the log.
    pub log: Vec<Vkey>,
    /// Those of its witnesses.
    pub witness: Vec<Vkey>,
    /// Which of them must have cosigned.
    pub quorum: Quorum,
}

/// Why a text is no trust file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TrustError(pub(crate) String);

impl Trust {
    /// Reads `{origin, log: [vkey], witness: [vkey], quorum}` (PROTOCOL.md, section 9), or a
    /// policy in the format c2sp.org/tlog-policy whose logs bear one name.
    ///
    /// # Errors
    /// [`TrustError`]. A key that cannot be used is not among them, see [`Trust::keys`].
    pub fn parse(bytes: &[u8]) -> Result<Trust, TrustError> {
        if bytes.trim_ascii_start().first() != Some(&b'{') {
            let policy = policy::parse(bytes)
                .map_err(|problem| TrustError(format!("neither JSON nor a tlog-policy: {problem}")))?;
            let keys = judge(&policy.origin, &policy.log, &policy.witness, policy.quorum);
            return Ok(Trust { origin: policy.origin, keys });
        }
        let json =
            Json::parse(bytes, LIMITS).map_err(|error| TrustError(format!("no strict JSON: {error}")))?;
        let keys: Vec<&str> = match &json {
            Json::Object(members) => members.iter().map(|member| member.0.as_str()).collect(),
            _ => Vec::new(),
        };
        let mut sorted = keys.clone();
        sorted.sort_unstable();
        if sorted != ["log", "origin", "quorum", "witness"] {
            let found: Vec<String> = keys.into_iter().map(|key| excerpt(key, 40)).collect();
            return Err(TrustError(format!(
                "found the keys {found:?}, wanted exactly origin, log, witness, quorum"
            )));
        }
        let origin = value(&json, "origin", "an origin such as stud.example/log1", |json| {
            json.text().filter(|text| is_origin(text)).map(str::to_owned)
        })?;
        let log = value(&json, "log", "a list of keys", texts)?;
        let witness = value(&json, "witness", "a list of keys", texts)?;
        let quorum = value(&json, "quorum", "a number of witnesses", whole_number)?;
        let keys = judge(&origin, &log, &witness, Quorum::of(quorum, witness.len()));
        Ok(Trust { origin, keys })
    }

    /// The keys.
    ///
    /// # Errors
    /// The first key that cannot be used (`E_VKEY`).
    pub fn keys(&self) -> Result<&Keys, &VkeyError> {
        self.keys.as_ref()
    }
}

/// Reads the keys and checks that each is of the right type, has the right name and is there once.
fn judge(origin: &str, log: &[String], witness: &[String], quorum: Quorum) -> Result<Keys, VkeyError> {
    let read = |texts: &[String]| texts.iter().map(|text| Vkey::parse(text)).collect::<Result<Vec<_>, _>>();
    let (log, witness) = (read(log)?, read(witness)?);
    let of_kind =
        |keys: &[Vkey], kind: KeyKind, wanted: &'static str| match keys.iter().find(|key| key.kind != kind) {
            Some(key) => Err(VkeyError(format!("the key of {:?} has another type than {wanted}", key.name))),
            None => Ok(()),
        };
    of_kind(&log, KeyKind::Log, "1 (a log)")?;
    of_kind(&witness, KeyKind::Witness, "4 (a witness)")?;
    if let Some(key) = log.iter().find(|key| key.name != origin) {
        return Err(VkeyError(format!("found a log key of {:?}, wanted the origin {origin:?}", key.name)));
    }
    let all: Vec<&Vkey> = log.iter().chain(&witness).collect();
    for (place, first) in all.iter().enumerate() {
        if let Some(second) = all[place + 1..].iter().find(|second| first.is_same_key(second)) {
            let (first, second) = (&first.name, &second.name);
            return Err(VkeyError(format!("{first:?} and {second:?} have the same public key")));
        }
    }
    Ok(Keys { log, witness, quorum })
}

fn value<T>(
    json: &Json,
    key: &str,
    wanted: &str,
    read: impl FnOnce(&Json) -> Option<T>,
) -> Result<T, TrustError> {
    json.member(key).and_then(read).ok_or_else(|| TrustError(format!("the value of {key:?} is not {wanted}")))
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
