//! Texts from outside made harmless: markup, control characters and direction overrides.

use std::fmt::{self, Write};

use askama::filters::Escaper;

/// The escaper of every value in the HTML templates.
#[derive(Clone, Copy)]
pub(super) struct HtmlText;

impl Escaper for HtmlText {
    fn write_escaped_str<W: Write>(&self, mut out: W, text: &str) -> fmt::Result {
        text.chars().try_for_each(|letter| write_html(&mut out, letter))
    }
}

/// A text as HTML or SVG content, also inside a quoted attribute.
pub(super) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    HtmlText.write_escaped_str(&mut out, text).expect("a String takes every text");
    out
}

fn write_html(out: &mut impl Write, letter: char) -> fmt::Result {
    match shown(letter) {
        '&' => out.write_str("&amp;"),
        '<' => out.write_str("&lt;"),
        '>' => out.write_str("&gt;"),
        '"' => out.write_str("&quot;"),
        '\'' => out.write_str("&#39;"),
        other => out.write_char(other),
    }
}

/// A text inside the quotes of a CSS string, and inside a style element: all but letters and digits by their
/// numbers (CSS Syntax Level 3, section 4.3.7).
pub(super) fn css(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars().map(shown) {
        if letter.is_ascii_alphanumeric() {
            out.push(letter)
        } else {
            write!(out, "\\{:x} ", u32::from(letter)).expect("a String takes every text")
        }
    }
    out
}

/// The escaper of every value in the templates of Markdown: it stays on its line, and in its cell of a table.
#[derive(Clone, Copy)]
pub(super) struct MarkdownText;

impl Escaper for MarkdownText {
    fn write_escaped_str<W: Write>(&self, mut out: W, text: &str) -> fmt::Result {
        text.chars().map(shown).try_for_each(|letter| match letter {
            '\n' | '\t' => out.write_char(' '),
            '&' => out.write_str("&amp;"),
            '<' => out.write_str("&lt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => write!(out, "\\{letter}"),
            other => out.write_char(other),
        })
    }
}

/// A text as Markdown.
pub(super) fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    MarkdownText.write_escaped_str(&mut out, text).expect("a String takes every text");
    out
}

/// The letter itself, or � for what could hide or reorder the text around it: control characters (also
/// illegal in XML), and the bidirectional controls of Unicode Standard Annex #9, section 2.
pub(super) fn shown(letter: char) -> char {
    match letter {
        '\n' | '\t' => letter,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        _ if letter.is_control() => '\u{fffd}',
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(html("<a href='x'>\"&"), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;");
    }

    #[test]
    fn nothing_leaves_the_quotes_of_css() {
        assert_eq!(css("a\"; } </style>é"), "a\\22 \\3b \\20 \\7d \\20 \\3c \\2f style\\3e \\e9 ");
    }

    #[test]
    fn controls_and_direction_overrides_become_replacement_characters() {
        assert_eq!(html("a\0b\u{1b}[31m\u{202e}gpj.exe"), "a\u{fffd}b\u{fffd}[31m\u{fffd}gpj.exe");
    }

    #[test]
    fn markdown_stays_on_one_line_and_in_its_cell() {
        assert_eq!(markdown("a|b\n# `c` <b>"), "a\\|b \\# \\`c\\` &lt;b>");
    }
}
