//! Base64 of RFC 4648, section 4, in its one spelling: padded, pad bits zero.

use base64ct::{Base64, Encoding};

use deckproof_deck::commitment::digest::Digest;

/// Bytes as base64.
pub fn encode(bytes: &[u8]) -> String {
    Base64::encode_string(bytes)
}

/// The bytes of a text, if it is their one spelling.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    Base64::decode_vec(text).ok()
}

/// The 32 bytes of a text, if it is their one spelling.
pub fn decode_digest(text: &str) -> Option<Digest> {
    Some(Digest::from_bytes(decode(text)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4648, section 10.
    #[test]
    fn test_vectors_of_the_rfc_and_no_other_spelling() {
        let rows = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (bytes, text) in rows {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        for text in [
            "Zg", "Zg=", "Zh==", "Zm9=", "Zg==\n", " Zg==", "Zm9v====", "Z-9v", "Z_9v", "=", "Zm=v",
            "Zg==Zg==", "é",
        ] {
            assert_eq!(decode(text), None, "{text:?}");
        }
    }
}
