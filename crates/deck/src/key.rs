//! Keys: secrets that are wiped when dropped, and the KBKDF chain that leads from one to the next.

pub mod secret;

use std::str::FromStr;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// `KDF(K, label, ctx) = HMAC-SHA-256(K, u32be(1) ‖ label ‖ 0x00 ‖ ctx ‖ u32be(256))`
/// (NIST SP 800-108r1, KBKDF in counter mode).
fn kdf(key: &[u8; 32], label: &str, context: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(&1u32.to_be_bytes());
    mac.update(label.as_bytes());
    mac.update(&[0]);
    mac.update(context);
    mac.update(&256u32.to_be_bytes());
    mac.finalize().into_bytes().into()
}

/// A text that is not a key. The text itself is not kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Not 64 characters.
    #[error("found {found} characters, wanted 64 hexadecimal digits")]
    Length {
        /// How many there were.
        found: usize,
    },
    /// A character that is no hexadecimal digit.
    #[error("character {place} is no hexadecimal digit, wanted 64 of them")]
    Digit {
        /// Which one, counted from 1.
        place: usize,
    },
    /// The operating system gave no random bytes.
    #[cfg(feature = "fresh")]
    #[error("the operating system gave no random bytes: {0}")]
    OperatingSystem(getrandom::Error),
}

fn parse_hex(text: &str) -> Result<[u8; 32], KeyError> {
    if let Some(place) = text.bytes().position(|byte| !byte.is_ascii_hexdigit()) {
        return Err(KeyError::Digit { place: place + 1 });
    }
    if text.len() != 64 {
        return Err(KeyError::Length { found: text.len() });
    }
    let digit = |byte: u8| (byte as char).to_digit(16).expect("checked above") as u8;
    let bytes = text.as_bytes();
    Ok(std::array::from_fn(|i| digit(bytes[2 * i]) << 4 | digit(bytes[2 * i + 1])))
}

macro_rules! secret_key {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        ///
        /// No `Debug`, `Display` or `Clone`; wiped when dropped.
        pub struct $name([u8; 32]);

        impl Drop for $name {
            fn drop(&mut self) {
                self.0.zeroize();
            }
        }

        impl ZeroizeOnDrop for $name {}

        impl $name {
            /// Wraps 32 bytes.
            pub fn from_bytes(bytes: [u8; 32]) -> $name {
                $name(bytes)
            }

            /// 32 bytes from the operating system.
            ///
            /// # Errors
            /// [`KeyError::OperatingSystem`].
            #[cfg(feature = "fresh")]
            pub fn fresh() -> Result<$name, KeyError> {
                let mut bytes = [0; 32];
                getrandom::fill(&mut bytes).map_err(KeyError::OperatingSystem)?;
                Ok($name(bytes))
            }

            /// The key as 64 hexadecimal digits, for the one place that must write it down.
            pub fn disclose(&self) -> Zeroizing<String> {
                Zeroizing::new(base16ct::lower::encode_string(&self.0))
            }
        }

        impl FromStr for $name {
            type Err = KeyError;

            fn from_str(text: &str) -> Result<$name, KeyError> {
                parse_hex(text).map($name)
            }
        }
    };
}

secret_key! {
    /// `day_key`: where a table's chain of a day begins.
    DayKey
}
secret_key! {
    /// `audit_key`: reaches any deck of an audit directly.
    AuditKey
}
secret_key! {
    /// `CK_n`: opens hand n and all later ones, no past one.
    ChainKey
}
secret_key! {
    /// `HK_n`: opens one hand.
    HandKey
}

impl DayKey {
    /// `H("deckproof/v1 day-key" ‖ os32 ‖ other32)`: a day key from two sources.
    pub fn from_two_sources(os: &[u8; 32], other: &[u8; 32]) -> DayKey {
        let digest = Sha256::new().chain_update("deckproof/v1 day-key").chain_update(os).chain_update(other);
        DayKey(digest.finalize().into())
    }

    /// `CK_first = KDF(day_key, "deckproof/v1 chain", origin "\n" table "\n" first_hand "\n")`.
    pub fn chain(&self, origin: &str, table: &str, first_hand: u64) -> ChainKey {
        let context = format!("{origin}\n{table}\n{first_hand}\n");
        ChainKey(kdf(&self.0, "deckproof/v1 chain", context.as_bytes()))
    }
}

impl ChainKey {
    /// `HK_n = KDF(CK_n, "deckproof/v1 hand", ctx(n))`.
    pub fn hand_key(&self, context: &HandContext) -> HandKey {
        HandKey(kdf(&self.0, "deckproof/v1 hand", &context.0))
    }

    /// `CK_{n+1} = KDF(CK_n, "deckproof/v1 next", "")`; this key is wiped.
    pub fn next(self) -> ChainKey {
        ChainKey(kdf(&self.0, "deckproof/v1 next", b""))
    }
}

impl AuditKey {
    /// The label of the audit path; the lanes build the same message.
    pub(crate) const LABEL: &'static str = "deckproof/v1 audit-hand";

    /// `HK_i = KDF(audit_key, "deckproof/v1 audit-hand", u64be(i))`.
    pub fn hand_key(&self, index: u64) -> HandKey {
        HandKey(kdf(&self.0, AuditKey::LABEL, &index.to_be_bytes()))
    }

    /// The bytes, for the lanes that keep the HMAC midstates.
    #[cfg(feature = "lanes")]
    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl HandKey {
    /// The bytes, as the key of the keystream.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// `ctx(hand) = H("deckproof/v1 hand-id\n" origin "\n" table "\n" hand "\n" mix "\n")`: names one hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HandContext([u8; 32]);

impl HandContext {
    /// The context of a hand.
    pub fn new(origin: &str, table: &str, hand: u64, mix: &str) -> HandContext {
        let text = format!("deckproof/v1 hand-id\n{origin}\n{table}\n{hand}\n{mix}\n");
        HandContext(Sha256::digest(text).into())
    }

    /// The 32 bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_keys_are_refused_without_repeating_them() {
        assert_eq!("ab".parse::<DayKey>().err(), Some(KeyError::Length { found: 2 }));
        let text = format!("{}g", "0".repeat(63));
        let refused = text.parse::<DayKey>().err().expect("g is no digit");
        assert_eq!(refused, KeyError::Digit { place: 64 });
        assert!(!refused.to_string().contains("0000"));
    }
}
