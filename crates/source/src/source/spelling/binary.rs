//! 52 bytes, one card number each, written as text: in hexadecimal or in base64.

use base64ct::{Base64, Base64Unpadded, Base64Url, Base64UrlUnpadded, Encoding};

use crate::source::spelling::{Spelled, bad};
use crate::source::text::{BadField, Fields};

/// What databases write before hexadecimal digits: bytea of PostgreSQL, MySQL.
const PREFIXES: [&str; 4] = ["\\x", "0x", "0X", "\\X"];

/// Reads all of a text as hexadecimal digits, two a byte.
pub(super) fn spell_hexadecimal(text: &str) -> Result<Spelled, BadField> {
    let text = unquoted(text);
    let digits = PREFIXES.iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(text);
    let pairs = digits.as_bytes().chunks(2);
    let byte = |(place, pair): (usize, &[u8])| {
        let digit = |at: usize| char::from(*pair.get(at)?).to_digit(16);
        digit(0)
            .zip(digit(1))
            .map(|(high, low)| (16 * high + low) as u8)
            .ok_or_else(|| bad(place, &String::from_utf8_lossy(pair)))
    };
    let bytes: Vec<u8> = pairs.enumerate().map(byte).collect::<Result<_, _>>()?;
    Ok(numbers(&bytes))
}

/// Reads all of a text as base64, with its padding or without, in either alphabet.
pub(super) fn spell_base64(text: &str) -> Result<Spelled, BadField> {
    let text = unquoted(text);
    let bytes = Base64::decode_vec(text)
        .or_else(|_| Base64Unpadded::decode_vec(text))
        .or_else(|_| Base64Url::decode_vec(text))
        .or_else(|_| Base64UrlUnpadded::decode_vec(text));
    bytes.map(|bytes| numbers(&bytes)).map_err(|_| bad(0, text))
}

/// Without blanks and quotation marks around it.
fn unquoted(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\''))
}

fn numbers(bytes: &[u8]) -> Spelled {
    let mut fields = Fields::none();
    bytes.iter().for_each(|&byte| fields.push(byte));
    Spelled { fields, are_cards: false }
}

#[cfg(test)]
mod tests {
    use crate::source::spelling::Spelling::{Base64, Hexadecimal};
    use crate::source::spelling::tests::read;

    /// Written by `python3 -c 'import base64; b = bytes([51, 45, 34, 0]); print(b.hex(), base64.b64encode(b))'`.
    #[test]
    fn bytes_as_text_are_their_numbers() {
        for text in ["332d2200", "332D2200", "\\x332d2200", "0x332D2200", "\"332d2200\"\n"] {
            assert_eq!(read(Hexadecimal, text), Ok(vec![51, 45, 34, 0]), "{text}");
        }
        for text in ["My0iAA==", "My0iAA", " \"My0iAA==\"\r\n"] {
            assert_eq!(read(Base64, text), Ok(vec![51, 45, 34, 0]), "{text}");
        }
        assert_eq!(read(Hexadecimal, "332d220"), Err(4));
        assert_eq!(read(Hexadecimal, "33xd2200"), Err(2));
        assert_eq!(read(Hexadecimal, "x332d2200"), Err(1));
        assert_eq!(read(Base64, "My0iAA=="), Ok(vec![51, 45, 34, 0]));
        assert_eq!(read(Base64, "My0i!A=="), Err(1));
        // A second spelling of the same byte: its last bits are not zero.
        assert_eq!(read(Base64, "My0iAB=="), Err(1));
        assert_eq!((read(Hexadecimal, ""), read(Base64, "")), (Ok(vec![]), Ok(vec![])));
    }
}
