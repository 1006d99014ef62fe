//! JSON whose records are the elements of one array, alone or in an object around it, as JSON lines: one element a line, in constant memory.

use std::io::{self, Read};

use crate::source::bytes::LINE_BYTES_MAX;
use crate::source::pieces::{self, Input, begins, begins_or_is};
use crate::source::spelling::objects;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::json::Json;

/// No deck is written shorter, in bytes: 52 cards of two letters. What begins with shorter elements is a deck as a list of
/// cards, not a list of decks.
const ELEMENT_BYTES_MIN: usize = 104;

/// Bytes within which the first element shows itself; white space may stand between.
const HEAD_BYTES_MAX: usize = 1 << 12;

/// Deeper than any export nests its records.
const DEPTH_MAX: u32 = 32;

/// Bytes read at once.
const CHUNK_BYTES: usize = 1 << 16;

/// Most bytes of an object around its array: it says what the array holds, and of when.
const AROUND_BYTES_MAX: usize = 1 << 12;

/// Some programs begin a text with it.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The same input; and if it is an array of records, alone or in an object, in words that, and its elements come one a line.
///
/// # Errors
/// The input's.
pub(super) fn elements(input: Input) -> io::Result<(Input, Option<&'static str>)> {
    let (is_alone, input) = begins(input, is_array)?;
    let (is_inside, input) =
        if is_alone { (false, input) } else { begins_or_is(input, is_document, is_short_document)? };
    if !is_alone && !is_inside {
        return Ok((input, None));
    }
    let mut elements = Elements::new(input, is_inside.then(Vec::new));
    let words = if is_inside {
        "the only list of a JSON object, one element a line"
    } else {
        "a JSON array, one element a line"
    };
    Ok((pieces::input(move || elements.next_lines()), Some(words)))
}

/// Whether a text that begins so is an array of lists or objects, each as long as a deck; `None` while that is open.
fn is_array(head: &[u8]) -> Option<bool> {
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    if BYTE_ORDER_MARK.starts_with(text) {
        return None;
    }
    let mut letters = text.iter().filter(|letter| !letter.is_ascii_whitespace());
    let is_over = (head.len() > HEAD_BYTES_MAX).then_some(false);
    let first = letters.next();
    let mut element = letters.clone();
    match (first, letters.next()) {
        (None, _) | (Some(b'['), None) => return is_over,
        (Some(b'['), Some(b'[' | b'{')) => {}
        _ => return Some(false),
    }
    if closes(element.clone().take(ELEMENT_BYTES_MIN - 1)) {
        return Some(false);
    }
    element.nth(ELEMENT_BYTES_MIN - 1).map(|_| true).or(is_over)
}

/// Whether a text that begins so is one object around such an array; `None` while that is open. An object that ends within the
/// length of a line, and is not all of the text, is a record.
fn is_document(head: &[u8]) -> Option<bool> {
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    if BYTE_ORDER_MARK.starts_with(text) {
        return (head.len() > HEAD_BYTES_MAX).then_some(false);
    }
    let is_over = head.len() > LINE_BYTES_MAX;
    let before = match text {
        [before @ .., last] if before.ends_with(b"\n") && !last.is_ascii_whitespace() => before,
        _ if is_over => text,
        _ => &[],
    };
    if text[0] != b'{' || closes(before.iter()) {
        return Some(false);
    }
    let list = text.iter().position(|&letter| letter == b'[').map_or(&[][..], |at| &text[at..]);
    is_over.then(|| is_array(list) == Some(true))
}

/// Whether a whole text, shorter than a line may be, is such an object, and nothing else in it can be a deck: one that has two lists, or
/// something as long as a deck beside the one, or cards in it, is a record.
fn is_short_document(text: &[u8]) -> bool {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let Some(object @ Json::Object(_)) = objects::json(text) else { return false };
    let list = text.iter().position(|&letter| letter == b'[').map_or(&[][..], |at| &text[at..]);
    let has_no_card = |list: &[Json]| list.iter().all(|element| objects::card(element).is_none());
    matches!(lists_in(&object)[..], [own] if has_no_card(own))
        && is_short(&object)
        && is_array(list) == Some(true)
}

/// The lists of a value, those within a list left out.
fn lists_in(value: &Json) -> Vec<&[Json]> {
    match value {
        Json::List(own) => vec![own],
        Json::Object(members) => members.iter().flat_map(|(_, value)| lists_in(value)).collect(),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) => Vec::new(),
    }
}

/// Whether the value that begins here with a bracket is closed.
fn closes<'a>(mut letters: impl Iterator<Item = &'a u8>) -> bool {
    let (mut depth, mut is_text, mut is_escaped) = (0, false, false);
    letters.any(|letter| {
        match letter {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b'[' | b'{' if !is_text => depth += 1,
            b']' | b'}' if !is_text => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// Whether a value beside the records is shorter than any deck.
fn is_short(value: &Json) -> bool {
    match value {
        Json::Text(text) | Json::Number(text) => text.len() < DECK_CARDS,
        Json::Object(members) => members.iter().all(|(_, value)| is_short(value)),
        Json::Null | Json::Bool(_) | Json::List(_) => true,
    }
}

/// What may come next at the depth of the records.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// An element, or the end of an empty array.
    First,
    /// An element.
    Element,
    /// A comma or the end.
    Comma,
}

struct Elements {
    input: Input,
    /// The object around the array without its elements, where there is one.
    around: Option<Vec<u8>>,
    raw: Vec<u8>,
    /// Lines that are not given away yet.
    lines: Vec<u8>,
    /// How many bytes were read.
    at: u64,
    depth: u32,
    /// Whether each open bracket is a square one, the innermost lowest.
    squares: u64,
    next: Next,
    is_text: bool,
    is_escaped: bool,
    has_gap: bool,
    /// What stood last in a record, white space left out.
    last: u8,
}

impl Elements {
    fn new(input: Input, around: Option<Vec<u8>>) -> Elements {
        Elements {
            input,
            around,
            raw: vec![0; CHUNK_BYTES],
            lines: Vec::new(),
            at: 0,
            depth: 0,
            squares: 0,
            next: Next::First,
            is_text: false,
            is_escaped: false,
            has_gap: false,
            last: b'[',
        }
    }

    /// Some lines, none at the end.
    fn next_lines(&mut self) -> io::Result<Vec<u8>> {
        while self.lines.is_empty() {
            let length = self.input.read(&mut self.raw)?;
            for place in 0..length {
                self.take(self.raw[place])?;
                self.at += 1;
            }
            if length == 0 && self.depth > 0 {
                return Err(self.fault("the end of the text", "the end of its JSON array: it was cut off"));
            }
            if length == 0 {
                self.check_around()?;
                break;
            }
        }
        Ok(std::mem::take(&mut self.lines))
    }

    fn take(&mut self, byte: u8) -> io::Result<()> {
        match self.depth {
            _ if self.is_text => self.take_letter(byte),
            0 => self.take_outside(byte),
            1 => self.take_between(byte),
            _ => self.take_inside(byte),
        }
    }

    fn take_letter(&mut self, byte: u8) -> io::Result<()> {
        match byte {
            _ if byte < b' ' => return Err(self.found(byte, "the end of a JSON string")),
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' => self.is_escaped = true,
            b'"' => self.is_text = false,
            _ => {}
        }
        match &mut self.around {
            Some(around) if self.depth == 0 => around.push(byte),
            _ => self.lines.push(byte),
        }
        Ok(())
    }

    /// Before the array and after it: another array may follow, but within an object.
    fn take_outside(&mut self, byte: u8) -> io::Result<()> {
        match (byte, &mut self.around) {
            (b'[', Some(around)) if around.contains(&b'[') => {
                return Err(
                    self.fault("a second list in the JSON object", "one alone, which holds the records")
                );
            }
            (b'[', around) => {
                (self.depth, self.next) = (1, Next::First);
                around.iter_mut().for_each(|around| around.extend_from_slice(b"[]"));
            }
            _ if byte.is_ascii_whitespace() => {}
            _ if self.at < 3 && BYTE_ORDER_MARK.contains(&byte) => {}
            (_, Some(around)) if around.len() < AROUND_BYTES_MAX => {
                around.push(byte);
                self.is_text = byte == b'"';
            }
            (_, Some(_)) => {
                return Err(self.found(byte, &format!("at most {AROUND_BYTES_MAX} bytes around the list")));
            }
            _ => return Err(self.found(byte, "nothing after the JSON array, or another one")),
        }
        Ok(())
    }

    /// That the object is whole, and that nothing in it beside the list can be a deck.
    fn check_around(&self) -> io::Result<()> {
        match self.around.as_deref().map(objects::json) {
            None => Ok(()),
            Some(Some(object)) if is_short(&object) => Ok(()),
            Some(Some(_)) => {
                let found = format!("a member of {DECK_CARDS} bytes or more beside the list");
                Err(self.fault(&found, "the records in the list, and nothing as long as a deck beside it"))
            }
            Some(None) => {
                Err(self.fault("the end of the text", "the end of one JSON object around its list"))
            }
        }
    }

    /// Between two records.
    fn take_between(&mut self, byte: u8) -> io::Result<()> {
        match (byte, self.next) {
            _ if byte.is_ascii_whitespace() => {}
            (b'[' | b'{', Next::First | Next::Element) => self.open(byte)?,
            (b',', Next::Comma) => {
                self.next = Next::Element;
                self.lines.push(b'\n');
            }
            (b']', Next::Comma) => {
                self.depth = 0;
                self.lines.push(b'\n');
            }
            (b']', Next::First) => self.depth = 0,
            (_, Next::Comma) => return Err(self.found(byte, "a comma or the end of the JSON array")),
            _ => return Err(self.found(byte, "a list or an object as the next element of the JSON array")),
        }
        Ok(())
    }

    /// Within a record: line breaks go, and of other white space what keeps two values apart.
    fn take_inside(&mut self, byte: u8) -> io::Result<()> {
        if byte.is_ascii_whitespace() {
            self.has_gap = true;
            return Ok(());
        }
        // Whatever pieces the text comes in, its lines are the same.
        let is_mark = |byte: u8| b"[]{},:".contains(&byte);
        if std::mem::take(&mut self.has_gap) && !is_mark(byte) && !is_mark(self.last) {
            self.lines.push(b' ');
        }
        self.last = byte;
        match byte {
            b'[' | b'{' => return self.open(byte),
            b']' | b'}' if (byte == b']') != (self.squares & 1 == 1) => {
                return Err(self.found(byte, "the bracket that closes the one before"));
            }
            b']' | b'}' => {
                self.depth -= 1;
                self.squares >>= 1;
                if self.depth == 1 {
                    self.next = Next::Comma;
                }
            }
            b'"' => self.is_text = true,
            _ => {}
        }
        self.lines.push(byte);
        Ok(())
    }

    fn open(&mut self, byte: u8) -> io::Result<()> {
        if self.depth == DEPTH_MAX {
            return Err(self.found(byte, &format!("values nested at most {DEPTH_MAX} deep")));
        }
        self.depth += 1;
        self.last = byte;
        self.squares = self.squares << 1 | u64::from(byte == b'[');
        self.lines.push(byte);
        Ok(())
    }

    fn found(&self, byte: u8, wanted: &str) -> io::Error {
        self.fault(&format!("{:?}", char::from(byte)), wanted)
    }

    fn fault(&self, found: &str, wanted: &str) -> io::Error {
        pieces::invalid(format!("found {found} at byte {}, wanted {wanted}", self.at + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte a call.
    struct Drip(Vec<u8>);

    impl Read for Drip {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.0.len().min(buffer.len()).min(1);
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0.drain(..length);
            Ok(length)
        }
    }

    fn read(text: &str) -> io::Result<(String, bool)> {
        let (mut input, is_array) = elements(Box::new(Drip(text.as_bytes().to_vec())))?;
        let mut lines = String::new();
        input.read_to_string(&mut lines)?;
        Ok((lines, is_array.is_some()))
    }

    fn deck() -> String {
        (0..52).map(|card| card.to_string()).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn elements_come_one_a_line_however_they_are_broken() {
        let deck = deck();
        let wanted = format!("[{deck}]\n[{deck}]\n");
        let spaced = deck.replace(',', " ,\r\n\t");
        for text in [
            format!("[[{deck}],[{deck}]]"),
            format!("\u{feff}[\r\n [{spaced} ] ,\n [\n{spaced}]\n]\n\n"),
            format!("[[{deck}]]\n[[{deck}]]"),
        ] {
            assert_eq!(read(&text).expect("an array"), (wanted.clone(), true), "{text}");
        }
        let objects = format!("[{{\"a\": \"x\\\"] \\\\\",\n \"deck\": [{spaced}]}}]");
        let wanted = format!("{{\"a\":\"x\\\"] \\\\\",\"deck\":[{deck}]}}\n");
        assert_eq!(read(&objects).expect("an array"), (wanted, true));
        // Two values that nothing parts stay two.
        let torn = read(&format!("[[{deck} 7]]")).expect("an array").0;
        assert!(torn.ends_with("51 7]\n"), "{torn}");
    }

    #[test]
    fn the_only_list_of_an_object_is_read_and_what_else_may_hold_decks_is_refused() {
        let deck = deck();
        let all = vec![format!("{{\"deck\":[{deck}]}}"); 120];
        let (list, wanted) = (all.join(",\n "), all.join("\n") + "\n");
        let site = "\"site\": \"a ] \\\" [\"";
        for text in [
            format!("{{\"hands\":[{list}]}}"),
            format!("\u{feff}{{\r\n \"n\": 100, \"data\": {{\"hands\": [\n{list}\n]\n}},\n {site}}}\n"),
        ] {
            assert_eq!(read(&text).expect("an object"), (wanted.clone(), true), "{text:.60}");
        }
        for (rest, expected) in [
            (",\"old\":[]}", "found a second list in the JSON object at byte "),
            ("", "wanted the end of one JSON object around its list"),
            ("}\n{}", "wanted the end of one JSON object around its list"),
            (&format!(",\"last\":\"{deck}\"}}"), "found a member of 52 bytes or more beside the list"),
            (
                &format!(",\"about\":{{{}}}}}", " \"x\":1,".repeat(1_000)),
                "wanted at most 4096 bytes around the list",
            ),
        ] {
            let error = read(&format!("{{\"hands\":[{list}]{rest}")).expect_err(rest).to_string();
            assert!(error.contains(expected), "{rest:.40}: {error}");
        }
        // All of a text that is shorter than a line, on one line or several; cards are no records.
        let two = format!("{{\"hands\":[{{\"id\":1,\"deck\":[{deck}]}},\n{{\"id\":2,\"deck\":[{deck}]}}]}}");
        let wanted = format!("{{\"id\":1,\"deck\":[{deck}]}}\n{{\"id\":2,\"deck\":[{deck}]}}\n");
        for text in [two.clone(), two.replace('\n', "") + "\n", two.replace(':', ": \n") + "\r\n\n"] {
            assert_eq!(read(&text).expect("an object"), (wanted.clone(), true), "{text:.60}");
        }
        let card = format!("{{\"rank\":\"A\",\"suit\":\"h\",\"image\":\"{}\"}}", "x".repeat(104));
        let two_lists = two.replacen('[', "[],\"more\":[", 1);
        let beside = two.replacen('{', &format!("{{\"deck\":\"{deck}\","), 1);
        for text in
            [format!("{{\"cards\":[{card},{card}]}}\n"), two_lists, beside, two.clone() + "\n{\"id\":3}\n"]
        {
            assert_eq!(read(&text).expect("a record"), (text.clone(), false), "{text:.60}");
        }
        // Objects that are records, one a line, however many lists they have.
        let line = format!("{{\"seats\":[{{\"name\":\"{}\"}}],\"deck\":[{deck}]}}\n", "x".repeat(200));
        let lines = line.repeat(100);
        assert_eq!(read(&lines).expect("lines"), (lines.clone(), false));
    }

    #[test]
    fn what_is_no_array_of_records_is_left_as_it_is() {
        let deck = deck();
        let of_cards = format!("[{}]\n", ["{\"rank\": \"A\", \"suit\": \"h\"}"; 52].join(", "));
        let of_lists = format!("[{}]\n", ["[\"A\", \"h\"]"; 52].join(", "));
        let lines = format!("[{deck}]\n[{deck}]\n");
        for text in
            [&*of_cards, &of_lists, &lines, "", "[", "[[", "[]", "\u{feff}", "[[1]]", " \n", "5 6", "[\"a\"]"]
        {
            assert_eq!(read(text).expect("a text"), (text.to_owned(), false), "{text}");
        }
        let blank = " ".repeat(2 * HEAD_BYTES_MAX);
        assert_eq!(read(&blank).expect("a text"), (blank.clone(), false));
    }

    /// With any byte of it another one, an array is read as records or refused: no line is empty, and none comes twice.
    #[test]
    fn a_damaged_array_is_read_or_refused() {
        let deck = deck();
        let text = format!("[{{\"a\": \"b\\n\", \"d\": [{deck}]}},\n {{\"d\": [{deck}]}}]\n").into_bytes();
        let mut refused = 0;
        for place in 0..text.len() {
            for byte in *b"[]{}\",: \n\\7\0" {
                let mut damaged = text.clone();
                damaged[place] = byte;
                let damaged = String::from_utf8(damaged).expect("ASCII");
                match read(&damaged) {
                    Err(_) => refused += 1,
                    Ok((lines, true)) => {
                        assert!(
                            lines.lines().count() <= 2 && lines.lines().all(|line| !line.is_empty()),
                            "{lines}"
                        );
                    }
                    Ok((lines, false)) => assert_eq!(lines, damaged),
                }
            }
        }
        assert!(refused > 500, "{refused}");
    }

    #[test]
    fn a_broken_array_is_refused_where_it_breaks() {
        let deck = deck();
        let fault = |text: &str| read(text).expect_err(text).to_string();
        let one = format!("[[{deck}]");
        for (rest, expected) in [
            ("", "found the end of the text at byte 149, wanted the end of its JSON array: it was cut off"),
            (",]", "found ']' at byte 150, wanted a list or an object"),
            (",7]", "found '7' at byte 150, wanted a list or an object"),
            ("[1]]", "found '[' at byte 149, wanted a comma or the end"),
            (",[1}]", "found '}' at byte 152, wanted the bracket that closes"),
            ("] x", "found 'x' at byte 151, wanted nothing after the JSON array"),
            (",[\"a\nb\"]]", "found '\\n' at byte 153, wanted the end of a JSON string"),
        ] {
            let found = fault(&format!("{one}{rest}"));
            assert!(found.starts_with(expected), "{rest}: {found}");
        }
        assert!(fault(&format!("{one},{}", "[".repeat(99))).contains("nested at most 32 deep"));
    }
}
