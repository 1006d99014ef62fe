//! Text from outside made visible: what would steer a terminal or turn the reading order is spelled out.

pub mod carried;
pub mod could_not_say;
pub mod date;
pub mod decimal;
pub mod exit;
pub mod named;
pub mod secret;
pub mod toml_problem;
pub mod wrap;

use std::borrow::Cow;
use std::fmt::Write;

/// The characters of a line that nobody sees and that change what is seen around them: control characters
/// (C0, DEL, C1), the line and paragraph separators, and the format characters of Unicode 16 that
/// reorder, hide or join: a bundle could paint its own verdict with them.
pub fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// One line: every hidden character, a line break too, as `\u001b`. The same spelling means the same
/// character inside a JSON string (RFC 8259, section 7).
pub fn visible(text: &str) -> Cow<'_, str> {
    spelled(text, is_hidden)
}

/// Several lines: line breaks and tabs stay, everything else is as in [`visible`].
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    spelled(text, |letter| is_hidden(letter) && !matches!(letter, '\n' | '\t'))
}

/// At most so many characters of a text, visible; `…` marks what is left out.
pub fn excerpt(text: &str, letters_max: usize) -> String {
    match text.char_indices().nth(letters_max) {
        None => visible(text).into_owned(),
        Some((end, _)) => format!("{}…", visible(&text[..end])),
    }
}

fn spelled(text: &str, is_spelled: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_spelled) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_spelled(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                write!(shown, "\\u{unit:04x}").expect("a string takes every text");
            }
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_spelled_and_words_stay() {
        assert_eq!(visible("\u{1b}[2J\raccepted\n"), "\\u001b[2J\\u000daccepted\\u000a");
        assert_eq!(visible("7h\u{202e}sA\u{2066}\u{feff}"), "7h\\u202esA\\u2066\\ufeff");
        assert_eq!(visible("\u{9b}31m\u{7f}\u{e0041}"), "\\u009b31m\\u007f\\udb40\\udc41");
        assert_eq!(visible_lines("a\tb\r\n\u{1b}c"), "a\tb\\u000d\n\\u001bc");
        for plain in ["Zoë ♠♥ 表 🂡 1,000 decks … ·", "", "a b"] {
            assert!(matches!(visible(plain), Cow::Borrowed(text) if text == plain), "{plain}");
        }
    }

    #[test]
    fn spelled_characters_mean_themselves_in_json() {
        let hostile: String = (0..0x11_0000).filter_map(char::from_u32).filter(|&c| is_hidden(c)).collect();
        let json = serde_json::to_string(&hostile).expect("text is plain data");
        let shown = visible(&json);
        assert!(!shown.contains(is_hidden));
        assert_eq!(serde_json::from_str::<String>(&shown).expect("it is still JSON"), hostile);
    }

    #[test]
    fn an_excerpt_says_that_it_is_one() {
        assert_eq!(excerpt("abc", 3), "abc");
        assert_eq!(excerpt("äbcd", 3), "äbc…");
        assert_eq!(excerpt("\u{1b}bcd", 1), "\\u001b…");
    }
}
