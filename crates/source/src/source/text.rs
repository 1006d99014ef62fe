//! One line of text as card numbers, and what a first line says about its format.

use crate::source::bytes::LINE_BYTES_MAX;
use crate::source::format::Format;
use deckproof_deck::card::{Card, DECK_CARDS};
use deckproof_deck::text::excerpt;

/// The fields of one line, read as card numbers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fields {
    /// The first 52 of them; a number above 255 is kept as 255.
    pub(super) numbers: [u8; DECK_CARDS],
    /// The few that follow them.
    beyond: [u8; BEYOND],
    /// How many fields there were.
    pub(super) count: usize,
    /// The first number above 255, and its place.
    pub(super) oversized: Option<(usize, u64)>,
}

/// So many numbers are kept behind the first 52.
const BEYOND: usize = 4;

/// A field that cannot be read: which one, counted from 1, and its text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BadField {
    pub(super) field: usize,
    pub(super) text: String,
}

/// The numbers that letters mean in `As` or `10h`, taken from [`Card`]'s own reading.
pub(super) struct Letters {
    ranks: [u8; 256],
    suits: [u8; 256],
}

/// A byte that is no rank or suit letter.
const NO_LETTER: u8 = u8::MAX;

impl Letters {
    pub(super) fn new() -> Letters {
        let card = |rank: u8, suit: u8| std::str::from_utf8(&[rank, suit]).ok()?.parse::<Card>().ok();
        Letters {
            ranks: std::array::from_fn(|byte| card(byte as u8, b'c').map_or(NO_LETTER, Card::rank)),
            suits: std::array::from_fn(|byte| card(b'2', byte as u8).map_or(NO_LETTER, Card::suit)),
        }
    }

    pub(super) fn card(&self, token: &[u8]) -> Option<u8> {
        let (rank, suit) = match *token {
            [rank, suit] => (self.ranks[usize::from(rank)], self.suits[usize::from(suit)]),
            [b'1', b'0', suit] => (self.ranks[usize::from(b'T')], self.suits[usize::from(suit)]),
            _ => return None,
        };
        Card::new(rank, suit).map(Card::index)
    }
}

/// Whether a byte separates two fields. Quotation marks are passed over like blanks.
fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b',' | b'\t' | b';' | b'\r' | b'\n' | b'"')
}

/// The fields of a line.
pub(super) fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&byte| is_separator(byte)).filter(|token| !token.is_empty())
}

/// Whether a line has no field.
pub(super) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|&byte| is_separator(byte))
}

impl Fields {
    pub(super) fn none() -> Fields {
        Fields::of([0; DECK_CARDS], 0)
    }

    /// So many of these numbers.
    pub(super) fn of(numbers: [u8; DECK_CARDS], count: usize) -> Fields {
        Fields { numbers, beyond: [0; BEYOND], count, oversized: None }
    }

    /// All numbers, as far as they are kept.
    pub(super) fn all(&self) -> Vec<u8> {
        self.numbers.iter().chain(&self.beyond).copied().take(self.count).collect()
    }

    pub(super) fn push(&mut self, number: u8) {
        if let Some(place) = self.numbers.get_mut(self.count) {
            *place = number;
        } else if let Some(place) = self.beyond.get_mut(self.count - DECK_CARDS) {
            *place = number;
        }
        self.count += 1;
    }

    pub(super) fn push_number(&mut self, number: u64) {
        if number > 255 && self.oversized.is_none() {
            self.oversized = Some((self.count, number));
        }
        self.push(number.min(255) as u8);
    }
}

/// A line of card numbers.
pub(super) fn indices(line: &[u8]) -> Result<Fields, BadField> {
    let mut fields = Fields::none();
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        if is_separator(byte) {
            at += 1;
            continue;
        }
        let (number, length) = number_at(line, at);
        at += length;
        if length == 0 || line.get(at).is_some_and(|&byte| !is_separator(byte)) {
            return Err(bad_field(line, fields.count));
        }
        fields.push_number(number);
    }
    Ok(fields)
}

/// The number whose digits begin here, and how many they are.
///
/// Whether a card has one digit or two is a coin toss that the processor guesses wrong, so these two
/// cases share one path without a branch; it makes a text of indices about twice as fast to read.
fn number_at(line: &[u8], at: usize) -> (u64, usize) {
    let digit = |at: usize| line.get(at).map_or(NO_DIGIT, |&byte| u64::from(byte.wrapping_sub(b'0')));
    let (tens, ones) = (digit(at), digit(at + 1));
    if tens >= 10 {
        return (0, 0);
    }
    let is_pair = ones < 10;
    let (mut number, mut length) = if is_pair { (10 * tens + ones, 2) } else { (tens, 1) };
    while is_pair && digit(at + length) < 10 {
        number = number.saturating_mul(10).saturating_add(digit(at + length));
        length += 1;
    }
    (number, length)
}

/// A whole number, also as data frames write those of a column with gaps: `39.0`.
pub(super) fn whole_number(token: &str) -> Option<u64> {
    let digits = token.strip_suffix(".0").unwrap_or(token);
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_whole.then(|| digits.parse().unwrap_or(u64::MAX))
}

/// What is past the end of a line: no digit.
const NO_DIGIT: u64 = u64::MAX;

/// A line of cards.
pub(super) fn cards(line: &[u8], letters: &Letters) -> Result<Fields, BadField> {
    let mut fields = Fields::none();
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        if is_separator(byte) {
            at += 1;
            continue;
        }
        let rest = &line[at..];
        let length = rest.iter().position(|&byte| is_separator(byte)).unwrap_or(rest.len());
        fields.push(letters.card(&rest[..length]).ok_or_else(|| bad_field(line, fields.count))?);
        at += length;
    }
    Ok(fields)
}

/// The field at a place, from 0, that cannot be read.
pub(super) fn bad_field(line: &[u8], place: usize) -> BadField {
    let token = tokens(line).nth(place).unwrap_or_default();
    let text = String::from_utf8_lossy(token).chars().take(12).collect();
    BadField { field: place + 1, text }
}

/// The beginning of a text for a message, unless it holds what may be a key: 64 hexadecimal digits in a row.
pub(super) fn shown(text: &str, letters_max: usize) -> String {
    let mut runs = text.split(|letter: char| !letter.is_ascii_hexdigit());
    if runs.any(|run| run.len() == KEY_DIGITS) {
        "(not repeated: it may hold a key)".to_owned()
    } else {
        excerpt(text, letters_max)
    }
}

/// Hexadecimal digits of a key; 52 bytes are 104.
const KEY_DIGITS: usize = 64;

/// Whether a line is a comment.
pub(super) fn is_comment(line: &[u8]) -> bool {
    line.first() == Some(&b'#')
}

/// Whether a text of cards or numbers is a whole deck, and with which number its numbers begin: 0 for cards.
pub(super) fn begins_at(fields: &Fields, are_cards: bool) -> Option<u8> {
    if fields.count != DECK_CARDS {
        return None;
    }
    let holds = |first: u8| {
        let mut seen = [false; DECK_CARDS];
        fields.numbers.iter().all(|number| {
            let place = number.checked_sub(first).map(usize::from);
            let free = place.and_then(|place| seen.get_mut(place));
            free.is_some_and(|seen| !std::mem::replace(seen, true))
        })
    };
    match (are_cards, holds(0), holds(1)) {
        (true, true, _) => Some(0),
        (false, true, _) => Some(0),
        (false, _, true) => Some(1),
        _ => None,
    }
}

/// What reads a file that this program wrote, as far as its first lines tell.
pub(super) fn own_file(head: &[u8]) -> Option<&'static str> {
    let has = |word: &[u8]| head.windows(word.len()).any(|window| window == word);
    if has(b"deckproof/certificate/") {
        return Some("a certificate: deckproof verify judges it again");
    }
    has(b"plan_sha256 = ").then_some("a plan: give it with --plan, and the decks with --source")
}

/// What reads a text that is no text of decks, as far as its beginning tells.
pub(super) fn nearest(line: &[u8]) -> Option<&'static str> {
    let begins = |magic: &[u8]| line.starts_with(magic);
    let has = |word: &[u8]| line.windows(word.len()).any(|window| window == word);
    if begins(b"PAR1") {
        return Some("parquet:FILE reads Parquet");
    }
    if begins(b"PK\x03\x04") {
        return Some("a spreadsheet or zip archive: export it as CSV first");
    }
    if begins(b"\x1f\x8b") || begins(b"\x28\xb5\x2f\xfd") {
        return Some(
            "compressed: give the file itself as csv:FILE, or unpack the stream before it comes here",
        );
    }
    if line.get(..5).is_some_and(|head| [&b"<!doc"[..], b"<html"].contains(&&head.to_ascii_lowercase()[..])) {
        return Some("a web page, such as that of a login, and no export");
    }
    if has(b"PokerStars") || begins(b"variant =") || begins(b"[1]") {
        return Some("hand histories: deckproof hands FILE reads them");
    }
    if matches!(line.trim_ascii(), b"[" | b"[{" | b"{") {
        return Some("JSON over several lines: write one object or one list a line, as JSON lines do");
    }
    if line.len() > LINE_BYTES_MAX && (begins(b"{") || begins(b"[")) {
        return Some(
            "JSON: read are a list of records, an object around the only list, and JSON lines; jq -c '.hands[]' writes the list hands as such lines",
        );
    }
    let begins_with_suit = |word: &[u8]| {
        let is_rank = |rank: &[u8]| matches!(rank, b"10" | [b'2'..=b'9' | b'A' | b'K' | b'Q' | b'J' | b'T']);
        word.split_first().is_some_and(|(suit, rank)| b"cdhsCDHS".contains(suit) && is_rank(rank))
    };
    if line.split(|&byte| is_separator(byte)).filter(|word| begins_with_suit(word)).count() > DECK_CARDS / 2 {
        return Some("suits stand before ranks: write 10h, not H10");
    }
    // Every deck has a card 1, which no text has.
    let is_raw = line.contains(&1) && line.iter().all(|&byte| byte < DECK_CARDS as u8);
    is_raw.then_some("raw:FILE reads 52 bytes a deck")
}

/// What the first line of a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FirstLine {
    /// A deck, in this format, as far as its first field tells.
    Deck(Format),
    /// 52 column names: none of them is a number or a card.
    Header,
    /// None of these.
    Unknown,
}

/// Judges a first line: by its first field, or as a header when it has 52 fields and no card in any.
pub(super) fn first_line(line: &[u8], letters: &Letters) -> FirstLine {
    let is_number = |token: &[u8]| token.iter().all(u8::is_ascii_digit);
    let is_card = |token: &[u8]| letters.card(token).is_some();
    match tokens(line).next() {
        Some(token) if is_number(token) => FirstLine::Deck(Format::Indices),
        Some(token) if is_card(token) => FirstLine::Deck(Format::Cards),
        _ if tokens(line).count() != DECK_CARDS => FirstLine::Unknown,
        _ if tokens(line).any(|token| is_number(token) || is_card(token)) => FirstLine::Unknown,
        _ => FirstLine::Header,
    }
}

/// What separates the first two fields, in words.
pub(super) fn separator_name(line: &[u8]) -> &'static str {
    let name = |byte: u8| match byte {
        b',' => Some("commas"),
        b';' => Some("semicolons"),
        b'\t' => Some("tabs"),
        _ => None,
    };
    let line = line.trim_ascii();
    let first = line.iter().position(|&byte| is_separator(byte)).unwrap_or(line.len());
    let between = line[first..].iter().take_while(|&&byte| is_separator(byte));
    between.filter_map(|&byte| name(byte)).next().unwrap_or("spaces")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_cards_read_alike_whatever_separates_them() {
        let letters = Letters::new();
        let expected = indices(b"51 34,0\n").expect("three numbers");
        assert_eq!((expected.count, &expected.numbers[..3]), (3, &[51, 34, 0][..]));
        for line in ["As Th 2c", "as,10h,2C\r\n", "As;\tTH ;  2c", "\"As\",\"10H\",\"2c\""] {
            assert_eq!(cards(line.as_bytes(), &letters).as_ref(), Ok(&expected), "{line:?}");
        }
    }

    #[test]
    fn huge_numbers_keep_their_value_for_the_message() {
        let fields = indices(b"1 99999999999999999999 300").expect("digits only");
        assert_eq!((fields.count, fields.oversized), (3, Some((1, u64::MAX))));
    }

    #[test]
    fn unreadable_fields_are_named() {
        let bad = |field, text: &str| Err(BadField { field, text: text.into() });
        assert_eq!(indices(b"1,2,x3,4"), bad(3, "x3"));
        assert_eq!(indices(b"-1 2"), bad(1, "-1"));
        assert_eq!(indices(b"1 22x 3"), bad(2, "22x"));
        assert_eq!(indices(b"1 2."), bad(2, "2."));
        assert_eq!(cards(b"As Xx", &Letters::new()), bad(2, "Xx"));
        assert_eq!(cards(b"As 10", &Letters::new()), bad(2, "10"));
    }

    #[test]
    fn the_first_line_tells_the_format() {
        let letters = Letters::new();
        let header = (0..52).map(|place| format!("p{place}")).collect::<Vec<_>>().join(",");
        for (line, expected) in [
            ("51 1 2", FirstLine::Deck(Format::Indices)),
            ("10h 2c", FirstLine::Deck(Format::Cards)),
            (&header, FirstLine::Header),
            (&header.replacen("p7", "7", 1), FirstLine::Unknown),
            ("deck one", FirstLine::Unknown),
            ("", FirstLine::Unknown),
        ] {
            assert_eq!(first_line(line.as_bytes(), &letters), expected, "{line:?}");
        }
    }

    #[test]
    fn what_may_be_a_key_is_not_repeated() {
        let key = "0a".repeat(32);
        assert!(!shown(&format!("7,{key}"), 40).contains("0a0a"));
        assert_eq!(shown(&"0a".repeat(52), 4), excerpt(&"0a".repeat(52), 4));
    }

    #[test]
    fn separators_have_names() {
        let cases = [("1,2", "commas"), ("1 2", "spaces"), ("1; 2", "semicolons"), ("1\t2", "tabs")];
        for (line, name) in cases {
            assert_eq!(separator_name(line.as_bytes()), name, "{line:?}");
        }
    }
}
