//! A deck spelled in one piece of text: `As Kd`, `AsKd`, `A♠ K♦`, `[1, 2, …]`, `["As", "Kd", …]`, and otherwise.

mod binary;
pub(super) mod numbered;
pub(super) mod objects;
pub(super) mod search;
mod suit_first;
mod symbols;
mod words;

pub(super) use crate::source::spelling::search::cards_in;
use crate::source::text::{BadField, Fields, Letters, whole_number};
use deckproof_deck::card::without_symbols;
use deckproof_deck::text::named::named;

named! {
    /// In which of several ways the decks of a source are spelled: all of them in that of the first.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Spelling {
        /// `As Kd`, or numbers.
        Plain = "",
        /// `SA DK`, `H10`, `♠A`.
        SuitFirst = ", suits written before ranks",
        /// `14s`, `11h`.
        Numbered = ", ranks written as numbers",
        /// `Ace of Spades`.
        Words = ", cards written as words",
        /// `🂡`, one character a card.
        Symbols = ", one playing-card character a card",
        /// 104 hexadecimal digits, two a number; perhaps behind `\x` or `0x`.
        Hexadecimal = ", 52 bytes in hexadecimal",
        /// 52 bytes in base64.
        Base64 = ", 52 bytes in base64",
        /// A list in JSON of objects with a rank and a suit.
        Objects = ", a list of objects with rank and suit",
    }
    /// As part of a sentence, behind the layout.
    pub fn words;
}

impl Spelling {
    /// Reads all of a text in this way.
    pub(super) fn read(self, text: &str, letters: &Letters) -> Result<Spelled, BadField> {
        match self {
            Spelling::Plain => spell(text, letters),
            Spelling::SuitFirst => suit_first::spell(text, letters),
            Spelling::Numbered => numbered::spell(text),
            Spelling::Words => words::spell(text),
            Spelling::Symbols => symbols::spell(text),
            Spelling::Hexadecimal => binary::spell_hexadecimal(text),
            Spelling::Base64 => binary::spell_base64(text),
            Spelling::Objects => objects::spell(text, letters),
        }
    }
}

/// So many cards in a line that is passed over, and it may have been meant for a deck.
pub(super) const CARDS_MAX: usize = 20;

/// That something other than a card is where this card should be.
fn bad(cards: usize, text: &str) -> BadField {
    BadField { field: cards + 1, text: text.chars().take(12).collect() }
}

/// What a piece of text spells.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Spelled {
    /// The cards or numbers.
    pub(super) fields: Fields,
    /// Whether they are cards; numbers otherwise.
    pub(super) are_cards: bool,
}

/// Reads all of a text, as cards or as numbers.
pub(super) fn spell(text: &str, letters: &Letters) -> Result<Spelled, BadField> {
    let mut spelled = Spelled { fields: Fields::none(), are_cards: false };
    for token in text.split(is_between).filter(|token| !token.is_empty()) {
        let bad = |count: usize| BadField { field: count + 1, text: token.chars().take(12).collect() };
        let is_first = spelled.fields.count == 0;
        if let Some(number) = whole_number(token) {
            if spelled.are_cards {
                return Err(bad(spelled.fields.count));
            }
            spelled.fields.push_number(number);
        } else if is_first || spelled.are_cards {
            spelled.are_cards = true;
            push_cards(token, letters, &mut spelled.fields)
                .map_err(|text| BadField { field: spelled.fields.count + 1, text })?;
        } else {
            return Err(bad(spelled.fields.count));
        }
    }
    Ok(spelled)
}

/// Whether a character separates cards.
fn is_between(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(letter, ',' | ';' | '|' | '"' | '\'' | '[' | ']' | '(' | ')' | '{' | '}')
}

/// Cards without anything between them.
///
/// # Errors
/// What is where no card begins.
fn push_cards(token: &str, letters: &Letters, fields: &mut Fields) -> Result<(), String> {
    let mut rest = without_symbols(token);
    loop {
        let here = rest.clone();
        let Some(rank) = rest.next() else { return Ok(()) };
        let card = card_at(rank, &mut rest).and_then(|card| letters.card(&card));
        fields.push(card.ok_or_else(|| here.take(12).collect::<String>())?);
    }
}

/// The two letters of the card that begins with this rank.
fn card_at(rank: char, rest: &mut impl Iterator<Item = char>) -> Option<[u8; 2]> {
    let rank = match rank {
        '1' => rest.next().filter(|&zero| zero == '0').map(|_| 'T')?,
        other => other,
    };
    Some([u8::try_from(rank).ok()?, u8::try_from(rest.next()?).ok()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cards as numbers, or which of them is none.
    pub fn read(spelling: Spelling, text: &str) -> Result<Vec<u8>, usize> {
        let fields = spelling.read(text, &Letters::new()).map_err(|bad| bad.field)?.fields;
        Ok(fields.numbers[..fields.count].to_vec())
    }

    fn numbers(text: &str) -> Result<(Vec<u8>, bool), BadField> {
        let spelled = spell(text, &Letters::new())?;
        Ok((spelled.fields.numbers[..spelled.fields.count].to_vec(), spelled.are_cards))
    }

    #[test]
    fn every_spelling_of_four_cards_is_the_same() {
        for text in [
            "As Kd 10h 2c",
            "AsKdTh2c",
            "AsKd10h2c",
            "A♠ K♦ 10♥ 2♣",
            "A♤K♢T♡2♧",
            "A♠\u{fe0f},K♦\u{fe0f},T♥\u{fe0f},2♣\u{fe0f}",
            "[\"As\", \"Kd\", \"Th\", \"2c\"]",
            "as|kd|th|2C",
        ] {
            assert_eq!(numbers(text), Ok((vec![51, 45, 34, 0], true)), "{text}");
        }
        for text in ["[51, 45, 34, 0]", "51;45;34;0", "(51 45 34 0)", "51.0,45.0,34.0,0.0"] {
            assert_eq!(numbers(text), Ok((vec![51, 45, 34, 0], false)), "{text}");
        }
    }

    #[test]
    fn what_is_neither_is_named_with_its_place() {
        let bad = |field, text: &str| Err(BadField { field, text: text.into() });
        assert_eq!(numbers("As 51"), bad(2, "51"));
        assert_eq!(numbers("51 As"), bad(2, "As"));
        assert_eq!(numbers("As Kx"), bad(2, "Kx"));
        assert_eq!(numbers("AsK"), bad(2, "K"));
        assert_eq!(numbers("AsKd?h2c"), bad(3, "?h2c"));
        assert_eq!(numbers("1s"), bad(1, "1s"));
        assert_eq!(numbers("-1"), bad(1, "-1"));
        assert_eq!(numbers("39.5"), bad(1, "39.5"));
        assert_eq!(numbers(".0"), bad(1, ".0"));
    }
}
