//! Sizes, indices and times of the log: decimal, without leading zeros, below 2^63.

/// Reads such a number.
pub fn parse(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    is_plain.then(|| text.parse().ok()).flatten().filter(|number| *number < 1 << 63)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn numbers_have_one_spelling_and_end_below_two_to_the_63() {
        assert_eq!(parse("0"), Some(0));
        assert_eq!(parse("9223372036854775807"), Some(i64::MAX as u64));
        for text in ["", "00", "01", "+1", "-1", " 1", "1 ", "1_0", "0x1", "9223372036854775808", "\u{661}"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
