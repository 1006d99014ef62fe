//! Cards as the characters of the Unicode block Playing Cards, U+1F0A0 to U+1F0FF.

use crate::source::spelling::{Spelled, bad, is_between};
use crate::source::text::{BadField, Fields};
use deckproof_deck::card::Card;

/// Reads all of a text. Knights, jokers, trumps and backs are no card of 52.
pub(super) fn spell(text: &str) -> Result<Spelled, BadField> {
    let mut fields = Fields::none();
    for letter in
        text.chars().filter(|&letter| !is_between(letter) && !matches!(letter, '\u{fe0e}' | '\u{fe0f}'))
    {
        let card = card(letter).ok_or_else(|| bad(fields.count, letter.encode_utf8(&mut [0; 4])))?;
        fields.push(card.index());
    }
    Ok(Spelled { fields, are_cards: true })
}

/// The card of a character: rows of sixteen for spades, hearts, diamonds and clubs; in each the ace, two to ten,
/// jack, knight, queen, king (The Unicode Standard, chart U1F0A0).
fn card(letter: char) -> Option<Card> {
    let offset = u32::from(letter).checked_sub(0x1_f0a0)?;
    let suit = 3u8.checked_sub(u8::try_from(offset / 16).ok()?)?;
    let rank = match offset % 16 {
        1 => 12,
        number @ 2..=11 => number as u8 - 2,
        13 => 10,
        14 => 11,
        _ => return None,
    };
    Card::new(rank, suit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::spelling::{Spelling, tests::read};

    /// The characters beside the cards they show, by their names in the Unicode character database.
    #[test]
    fn every_suit_skips_its_knight() {
        let cards = |text: &str| {
            let numbers = read(Spelling::Symbols, text)?.into_iter();
            Ok(numbers.filter_map(Card::from_index).map(|card| card.to_string()).collect())
        };
        for (text, expected) in [
            ("🂡🂢🂣🂤🂥🂦🂧🂨🂩🂪🂫🂭🂮", "As2s3s4s5s6s7s8s9sTsJsQsKs"),
            ("🂱 🂲 🂺 🂻 🂽 🂾", "Ah2hThJhQhKh"),
            ("🃁🃂🃊🃋🃍🃎", "Ad2dTdJdQdKd"),
            ("🃑🃒🃚🃛🃝🃞", "Ac2cTcJcQcKc"),
        ] {
            assert_eq!(cards(text), Ok(expected.to_owned()), "{text}");
        }
        // Knights, backs, jokers, the first trump, and a plain letter.
        for other in ["🂬", "🂼", "🃌", "🃜", "🂠", "🃏", "🃟", "🃡", "🂿", "A"] {
            assert_eq!(cards(&format!("🂡{other}")), Err(2), "{other}");
        }
    }
}
