//! Names in entries: origins, tables, holders of shares, and why a hand was opened.

/// Whether a text is an origin: `[a-z0-9][a-z0-9.-]{0,62}(/[A-Za-z0-9._~-]{1,62}){0,4}`.
pub fn is_origin(text: &str) -> bool {
    let mut parts = text.split('/');
    let host = parts.next().unwrap_or("").as_bytes();
    let is_low = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_host = (1..=63).contains(&host.len())
        && is_low(&host[0])
        && host.iter().all(|byte| is_low(byte) || b".-".contains(byte));
    let paths: Vec<&str> = parts.collect();
    is_host && paths.len() <= 4 && paths.iter().all(|part| is_word(part, b"._~-", 62))
}

/// Whether a text is a table: `[A-Za-z0-9._-]{1,64}`.
pub fn is_table(text: &str) -> bool {
    is_word(text, b"._-", 64)
}

/// Whether a text is a public key of age: `age1` and 58 letters of Bech32.
pub fn is_holder(text: &str) -> bool {
    let is_letter = |byte: u8| b"qpzry9x8gf2tvdw0s3jn54khce6mua7l".contains(&byte);
    text.strip_prefix("age1").is_some_and(|key| key.len() == 58 && key.bytes().all(is_letter))
}

/// Whether a text may say why a hand was opened: 1 to 200 characters from space to `~`, no space at the ends.
pub fn is_reason(text: &str) -> bool {
    let is_printable = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    (1..=200).contains(&text.len()) && is_printable && text.trim() == text
}

fn is_word(text: &str, marks: &[u8], length_max: usize) -> bool {
    (1..=length_max).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || marks.contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_at_both_sides_of_the_border() {
        let longest = format!("{}/{}/b/c/~D.-_", "a".repeat(63), "e".repeat(62));
        for text in ["a", "0", "stud.example/log1", "a.-", &longest] {
            assert!(is_origin(text), "{text}");
        }
        let (host, part) = ("a".repeat(64), format!("a/{}", "e".repeat(63)));
        for text in ["", ".a", "-a", "A", "a_", "a/", "/a", "a//b", "a/b/c/d/e/f", "a b", "é", &host, &part]
        {
            assert!(!is_origin(text), "{text}");
        }
    }

    #[test]
    fn tables_at_both_sides_of_the_border() {
        for text in ["T", "..", "T-0042", &"t".repeat(64)] {
            assert!(is_table(text), "{text}");
        }
        for text in ["", "a/b", "a b", "~", "é", "a\n", &"t".repeat(65)] {
            assert!(!is_table(text), "{text}");
        }
    }

    #[test]
    fn holders_and_reasons_at_both_sides_of_the_border() {
        let key = |letter: char, length: usize| format!("age1{}", letter.to_string().repeat(length));
        assert!(is_holder(&key('q', 58)) && is_holder(&key('0', 58)));
        for text in ["", "age1", &key('q', 57), &key('q', 59), &key('b', 58), &key('1', 58), &key('Q', 58)] {
            assert!(!is_holder(text), "{text}");
        }
        for text in ["x", "complaint 41", "~", &"r".repeat(200)] {
            assert!(is_reason(text), "{text}");
        }
        for text in ["", " ", " x", "x ", "\u{e9}", "a\tb", "a\u{7f}", &"r".repeat(201)] {
            assert!(!is_reason(text), "{text:?}");
        }
    }
}
