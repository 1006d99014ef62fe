//! Base 85: four bytes as five digits, with the alphabet of RFC 1924; nothing of it is escaped in JSON.
//!
//! A last group of n bytes is filled up with zeros and only its first n + 1 digits are kept, as in Ascii85 (Adobe,
//! PostScript language reference, 3.13.3). Python has it as `base64.b85encode`.

/// The digits 0 to 84.
pub(super) const ALPHABET: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// The digits of some bytes.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(4) * 5);
    for group in bytes.chunks(4) {
        let mut four = [0; 4];
        four[..group.len()].copy_from_slice(group);
        let number = u32::from_be_bytes(four);
        let digit = |place: u32| ALPHABET[(number / 85u32.pow(4 - place) % 85) as usize];
        text.extend((0..=group.len() as u32).map(|place| char::from(digit(place))));
    }
    text
}

/// The bytes of some digits; `None` for other letters, and for groups that no bytes have.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len().div_ceil(5) * 4);
    for group in text.as_bytes().chunks(5) {
        if group.len() == 1 {
            return None;
        }
        let mut number = 0u64;
        for place in 0..5 {
            // What was left out counts as the highest digit, so that the bytes before it come out whole.
            let digit = group.get(place).map_or(Some(84), |letter| DIGITS[usize::from(*letter)]);
            number = 85 * number + u64::from(digit?);
        }
        let four = u32::try_from(number).ok()?.to_be_bytes();
        bytes.extend(&four[..group.len() - 1]);
    }
    Some(bytes)
}

/// The digit that each letter is.
static DIGITS: [Option<u8>; 256] = {
    let (mut digits, mut digit) = ([None; 256], 0);
    while digit < ALPHABET.len() {
        digits[ALPHABET[digit] as usize] = Some(digit as u8);
        digit += 1;
    }
    digits
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert_eq, proptest};

    /// What `base64.b85encode` of Python 3 says.
    #[test]
    fn rows_of_another_program() {
        let rows: [(&[u8], &str); 7] = [
            (&[], ""),
            (&[0], "00"),
            (&[97], "VE"),
            (&[97, 98], "VPX"),
            (&[100, 101, 99, 107, 112, 114, 111, 111, 102], "WMyM(aB^>NW&"),
            (&[255, 255, 255, 255], "|NsC0"),
            (
                &[
                    0, 9, 18, 27, 36, 45, 54, 63, 72, 81, 90, 99, 108, 117, 126, 135, 144, 153, 162, 171,
                    180, 189, 198, 207, 216, 225, 234, 243,
                ],
                "00|NsBrP^SNKsm2Y;}HzkeQ;Zw7tg9*x~B)",
            ),
        ];
        for (bytes, text) in rows {
            assert_eq!((encode(bytes).as_str(), decode(text).as_deref()), (text, Some(bytes)));
        }
    }

    #[test]
    fn other_letters_and_groups_are_refused() {
        for text in ["0", "000000", "0000\"", "0000\\", "00 0", "~~~~~", "é000", "0000,"] {
            assert_eq!(decode(text), None, "{text}");
        }
        // The largest group there is, and one more.
        assert_eq!(decode("|NsC0").as_deref(), Some(&[255; 4][..]));
        assert_eq!(decode("|NsC1"), None);
    }

    proptest! {
        #[test]
        fn bytes_come_back(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }
    }
}
