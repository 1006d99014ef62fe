//! Playing cards: the numbering of the protocol, and cards as text.

use std::fmt;
use std::str::FromStr;

/// Cards in a deck.
pub const DECK_CARDS: usize = 52;

const RANK_LETTERS: &[u8; 13] = b"23456789TJQKA";
const SUIT_LETTERS: &[u8; 4] = b"cdhs";

/// A card, numbered `4·rank + suit` (PROTOCOL.md, section 2): 0 is `2c`, 51 is `As`.
///
/// The numeric order is the bring-in order of seven-card stud.
///
/// ```
/// use deckproof_deck::card::Card;
/// let card: Card = "Th".parse()?;
/// assert_eq!(card.index(), 4 * 8 + 2);
/// assert_eq!(card.to_string(), "Th");
/// # Ok::<(), deckproof_deck::card::CardError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

/// A text that is not a card.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is no card; a card is a rank 2-9, T, J, Q, K, A and a suit c, d, h, s, such as Th or 10h")]
pub struct CardError {
    found: String,
}

/// Some programs put it behind a suit symbol to choose its colour (VARIATION SELECTOR-16 and -15).
const VARIATION_SELECTORS: [char; 2] = ['\u{fe0f}', '\u{fe0e}'];

/// A text in which people may write suits as symbols, with letters in their places. Protocols know letters only.
pub fn without_symbols(text: &str) -> impl Iterator<Item = char> + Clone {
    text.chars().filter(|letter| !VARIATION_SELECTORS.contains(letter)).map(suit_letter)
}

/// The letter of a suit symbol.
fn suit_letter(letter: char) -> char {
    match letter {
        '♠' | '♤' => 's',
        '♥' | '♡' => 'h',
        '♦' | '♢' => 'd',
        '♣' | '♧' => 'c',
        other => other,
    }
}

impl Card {
    /// The card of this index 0..52.
    pub fn from_index(index: u8) -> Option<Card> {
        (usize::from(index) < DECK_CARDS).then_some(Card(index))
    }

    /// The card of this rank 0..13 (two to ace) and suit 0..4 (clubs, diamonds, hearts, spades).
    pub fn new(rank: u8, suit: u8) -> Option<Card> {
        (rank < 13 && suit < 4).then(|| Card(4 * rank + suit))
    }

    /// `4·rank + suit`.
    pub fn index(self) -> u8 {
        self.0
    }

    /// 0 (two) to 12 (ace).
    pub fn rank(self) -> u8 {
        self.0 / 4
    }

    /// 0 clubs, 1 diamonds, 2 hearts, 3 spades.
    pub fn suit(self) -> u8 {
        self.0 % 4
    }

    /// All cards in numeric order.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..DECK_CARDS as u8).map(Card)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = RANK_LETTERS[usize::from(self.rank())] as char;
        let suit = SUIT_LETTERS[usize::from(self.suit())] as char;
        write!(f, "{rank}{suit}")
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Card {
    type Err = CardError;

    /// Reads `As`, `th`, `10h`; upper and lower case alike. The protocol's own texts are stricter
    /// and are compared with [`Card`]'s `Display`.
    fn from_str(text: &str) -> Result<Card, CardError> {
        let refused = || CardError { found: text.chars().take(12).collect() };
        let (rank, suit) = match text.as_bytes() {
            [b'1', b'0', suit] => (8, suit),
            [rank, suit] => {
                let rank = rank.to_ascii_uppercase();
                (RANK_LETTERS.iter().position(|&letter| letter == rank).ok_or_else(refused)?, suit)
            }
            _ => return Err(refused()),
        };
        let suit = suit.to_ascii_lowercase();
        let suit = SUIT_LETTERS.iter().position(|&letter| letter == suit).ok_or_else(refused)?;
        Card::new(rank as u8, suit as u8).ok_or_else(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_prints_and_parses_back() {
        for card in Card::all() {
            assert_eq!(card.to_string().parse(), Ok(card));
        }
    }

    #[test]
    fn ten_is_accepted_in_both_spellings() {
        assert_eq!("10h".parse::<Card>(), "Th".parse::<Card>());
        assert_eq!("tH".parse::<Card>(), "Th".parse::<Card>());
    }

    #[test]
    fn texts_that_are_no_cards_are_refused() {
        for text in ["", "A", "As ", "1h", "11h", "Ax", "A♠", "100h"] {
            assert!(text.parse::<Card>().is_err(), "{text:?}");
        }
    }
}
