//! Keys of logs and witnesses: `NAME+hex(key id)+BASE64(type ‖ public key)`, and the secret keys that sign.

use std::fmt;

use ed25519_dalek::{Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use crate::log::base64;
use crate::log::note::{Note, Signature, is_key_name};
use deckproof_deck::commitment::digest::parse_hex;
use deckproof_deck::text::secret::NOTE_KEY;

/// What a key may sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyKind {
    /// Type 0x01: Ed25519 of a note's text; a log's key.
    Log,
    /// Type 0x04: a cosignature with a time; a witness's key.
    Witness,
}

impl KeyKind {
    fn byte(self) -> u8 {
        match self {
            KeyKind::Log => 0x01,
            KeyKind::Witness => 0x04,
        }
    }
}

/// A public key, by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vkey {
    /// Whose it is.
    pub name: String,
    /// What it may sign.
    pub kind: KeyKind,
    /// `H(name ‖ 0x0A ‖ type ‖ public key)[0..4]`.
    pub key_id: [u8; 4],
    key: VerifyingKey,
}

/// Why a key cannot be used (`E_VKEY`).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct VkeyError(pub(crate) String);

fn key_id(name: &str, kind: KeyKind, key: &VerifyingKey) -> [u8; 4] {
    let hash =
        Sha256::new().chain_update(name).chain_update([b'\n', kind.byte()]).chain_update(key.as_bytes());
    let hash = hash.finalize();
    [hash[0], hash[1], hash[2], hash[3]]
}

/// Whether the y of an encoded point is below 2^255 − 19 (RFC 8032, section 5.1.3).
fn is_canonical(bytes: &[u8; 32]) -> bool {
    let is_high = bytes[31] & 0x7f == 0x7f && bytes[1..31].iter().all(|byte| *byte == 0xff);
    !(is_high && bytes[0] >= 0xed)
}

impl Vkey {
    fn new(name: &str, kind: KeyKind, key: VerifyingKey) -> Vkey {
        Vkey { name: name.to_owned(), kind, key_id: key_id(name, kind, &key), key }
    }

    /// Reads a key.
    ///
    /// # Errors
    /// [`VkeyError`].
    pub fn parse(text: &str) -> Result<Vkey, VkeyError> {
        let form = || {
            let found: String = text.chars().take(40).collect();
            VkeyError(format!("found {found:?}, wanted NAME+HEX+BASE64 of an Ed25519 key of type 1 or 4"))
        };
        let (name, written_id, kind, bytes) = split(text).ok_or_else(form)?;
        let key = VerifyingKey::from_bytes(&bytes).map_err(|_| form())?;
        // A point of small order signs everything, and a second encoding of a point is a second key id.
        if key.is_weak() || !is_canonical(&bytes) {
            return Err(form());
        }
        let vkey = Vkey::new(name, kind, key);
        if vkey.key_id == written_id {
            return Ok(vkey);
        }
        Err(VkeyError(format!("the key id of {name:?} is not the hash of its name and key")))
    }

    /// Whether two keys are the same, whatever their names.
    pub fn is_same_key(&self, other: &Vkey) -> bool {
        self.key.as_bytes() == other.key.as_bytes()
    }

    /// Whether a signature line is this key's to answer for.
    pub fn is_named_by(&self, signature: &Signature) -> bool {
        self.key_id == signature.key_id && self.name == signature.name
    }

    /// Whether this key signed the text; for a witness's key, the time it cosigned, below 2^63.
    /// RFC 8032 with the strict checks: canonical, no point of small order.
    pub fn verify(&self, text: &str, signature: &Signature) -> Option<Signed> {
        let strict = |message: &[u8], bytes: &[u8]| {
            let signature = ed25519_dalek::Signature::from_slice(bytes).ok()?;
            self.key.verify_strict(message, &signature).ok()
        };
        match self.kind {
            KeyKind::Log => strict(text.as_bytes(), &signature.bytes).map(|()| Signed::ByLog),
            KeyKind::Witness => {
                let (time, bytes) = signature.bytes.split_first_chunk::<8>()?;
                let time = u64::from_be_bytes(*time);
                strict(cosigned(time, text).as_bytes(), bytes)?;
                (time < 1 << 63).then_some(Signed::ByWitness { time })
            }
        }
    }
}

fn split(text: &str) -> Option<(&str, [u8; 4], KeyKind, [u8; 32])> {
    let (name, rest) = text.split_once('+')?;
    let (id, encoded) = rest.split_once('+')?;
    let bytes = base64::decode(encoded)?;
    let (kind, bytes) = bytes.split_first()?;
    let kind = [KeyKind::Log, KeyKind::Witness].into_iter().find(|known| known.byte() == *kind)?;
    is_key_name(name).then_some((name, parse_hex(id)?, kind, bytes.try_into().ok()?))
}

/// What a verified signature says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signed {
    /// The log vouches for the text.
    ByLog,
    /// A witness saw it.
    ByWitness {
        /// When, in POSIX seconds.
        time: u64,
    },
}

/// The message of a cosignature (c2sp.org/tlog-cosignature).
fn cosigned(time: u64, text: &str) -> String {
    format!("cosignature/v1\ntime {time}\n{text}")
}

impl fmt::Display for Vkey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+", self.name)?;
        self.key_id.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        let bytes = [&[self.kind.byte()][..], self.key.as_bytes()].concat();
        write!(f, "+{}", base64::encode(&bytes))
    }
}

/// A secret key of a log or a witness. No `Debug`, `Display` or `Clone`; wiped when dropped.
pub struct Signer {
    name: String,
    kind: KeyKind,
    key: SigningKey,
}

/// Why there is no secret key. Repeats nothing of what it read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignerError {
    /// The text is none.
    #[error("wanted PRIVATE+KEY+NAME+HEX+BASE64 on one line")]
    Form,
    /// The name cannot stand in a note.
    #[error("found the name {0:?}, wanted printable ASCII without space and +")]
    Name(String),
    /// The operating system gave no random bytes.
    #[cfg(feature = "fresh")]
    #[error("no random bytes from the operating system")]
    Randomness,
}

impl Signer {
    /// A new key from the operating system's generator.
    ///
    /// # Errors
    /// [`SignerError::Name`] or [`SignerError::Randomness`].
    #[cfg(feature = "fresh")]
    pub fn generate(name: &str, kind: KeyKind) -> Result<Signer, SignerError> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(seed.as_mut_slice()).map_err(|_| SignerError::Randomness)?;
        Signer::from_seed(name, kind, &seed)
    }

    /// The key of a known seed (RFC 8032, section 5.1.5).
    ///
    /// # Errors
    /// [`SignerError::Name`].
    pub fn from_seed(name: &str, kind: KeyKind, seed: &[u8; 32]) -> Result<Signer, SignerError> {
        if is_key_name(name) {
            Ok(Signer { name: name.to_owned(), kind, key: SigningKey::from_bytes(seed) })
        } else {
            Err(SignerError::Name(name.chars().take(40).collect()))
        }
    }

    /// Reads `PRIVATE+KEY+NAME+hex(key id)+BASE64(type ‖ seed)`, as other programs for notes write it.
    ///
    /// # Errors
    /// [`SignerError::Form`].
    pub fn parse(text: &str) -> Result<Signer, SignerError> {
        let rest = text.strip_prefix(NOTE_KEY).ok_or(SignerError::Form)?;
        let (name, id, kind, seed) = split(rest).ok_or(SignerError::Form)?;
        let seed = Zeroizing::new(seed);
        let signer = Signer::from_seed(name, kind, &seed)?;
        if signer.vkey().key_id == id { Ok(signer) } else { Err(SignerError::Form) }
    }

    /// The secret key as one line.
    pub fn disclose(&self) -> Zeroizing<String> {
        let seed = Zeroizing::new(self.key.to_bytes());
        let bytes = Zeroizing::new([&[self.kind.byte()][..], seed.as_slice()].concat());
        let encoded = Zeroizing::new(base64::encode(&bytes));
        let id: String = self.vkey().key_id.iter().map(|byte| format!("{byte:02x}")).collect();
        Zeroizing::new(format!("{NOTE_KEY}{}+{id}+{}", self.name, *encoded))
    }

    /// The public key.
    pub fn vkey(&self) -> Vkey {
        Vkey::new(&self.name, self.kind, self.key.verifying_key())
    }

    /// Signs a text as a log.
    ///
    /// # Panics
    /// If this is a witness's key.
    pub fn sign(&self, text: &str) -> Note {
        assert_eq!(self.kind, KeyKind::Log, "witnesses cosign");
        let bytes = self.key.sign(text.as_bytes()).to_bytes().to_vec();
        Note { text: text.to_owned(), signatures: vec![self.line(bytes)] }
    }

    /// Cosigns a text as a witness, at a time in POSIX seconds.
    ///
    /// # Panics
    /// If this is a log's key, or the time is not below 2^63.
    pub fn cosign(&self, text: &str, time: u64) -> Signature {
        assert_eq!(self.kind, KeyKind::Witness, "logs sign");
        assert!(time < 1 << 63, "times end below 2^63");
        let signature = self.key.sign(cosigned(time, text).as_bytes()).to_bytes();
        self.line([&time.to_be_bytes()[..], &signature].concat())
    }

    /// What this key may sign.
    pub fn kind(&self) -> KeyKind {
        self.kind
    }

    /// Whose key it is.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn line(&self, bytes: Vec<u8>) -> Signature {
        Signature { name: self.name.clone(), key_id: self.vkey().key_id, bytes }
    }
}
