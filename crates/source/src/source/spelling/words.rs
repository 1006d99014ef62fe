//! Cards in English words: `Ace of Spades`, `10 of hearts`, `TWO_OF_CLUBS`.

use crate::source::spelling::{Spelled, bad, is_between};
use crate::source::text::{BadField, Fields};
use deckproof_deck::card::Card;

/// The words of each rank from two to ace, as a word alone and as letters and digits.
const RANKS: [&[&str]; 13] = [
    &["two", "deuce", "2"],
    &["three", "trey", "3"],
    &["four", "4"],
    &["five", "5"],
    &["six", "6"],
    &["seven", "7"],
    &["eight", "8"],
    &["nine", "9"],
    &["ten", "10", "t"],
    &["jack", "j"],
    &["queen", "q"],
    &["king", "k"],
    &["ace", "a"],
];

const SUITS: [&[&str]; 4] = [
    &["clubs", "club", "c", "♣", "♧"],
    &["diamonds", "diamond", "d", "♦", "♢"],
    &["hearts", "heart", "h", "♥", "♡"],
    &["spades", "spade", "s", "♠", "♤"],
];

/// The rank that a word means. A number above ten means none: it depends on where somebody's numbers begin.
pub(super) fn rank(word: &str) -> Option<u8> {
    place(&RANKS, word)
}

/// The suit that a word, a letter or a symbol means.
pub(super) fn suit(word: &str) -> Option<u8> {
    place(&SUITS, word.trim_end_matches(['\u{fe0f}', '\u{fe0e}']))
}

fn place(words: &[&[&str]], word: &str) -> Option<u8> {
    let word = word.to_lowercase();
    words.iter().position(|words| words.contains(&word.as_str())).map(|place| place as u8)
}

/// Reads all of a text: rank, the word `of`, and suit, card after card.
pub(super) fn spell(text: &str) -> Result<Spelled, BadField> {
    let mut fields = Fields::none();
    let mut words = text.split(|letter| is_between(letter) || letter == '_').filter(|word| !word.is_empty());
    while let Some(first) = words.next() {
        let is_of = |word: &str| word.eq_ignore_ascii_case("of");
        let card = rank(first)
            .filter(|_| words.next().is_some_and(is_of))
            .zip(words.next().and_then(suit))
            .and_then(|(rank, suit)| Card::new(rank, suit));
        fields.push(card.ok_or_else(|| bad(fields.count, first))?.index());
    }
    Ok(Spelled { fields, are_cards: true })
}

#[cfg(test)]
mod tests {
    use crate::source::spelling::{Spelling, tests::read};

    #[test]
    fn cards_in_words_are_the_same_cards() {
        for text in [
            "Ace of Spades, King of Diamonds, Ten of Hearts, Two of Clubs",
            "[\"ACE_OF_SPADES\", \"KING_OF_DIAMONDS\", \"TEN_OF_HEARTS\", \"DEUCE_OF_CLUBS\"]",
            "a of spades k of diamonds 10 of hearts 2 of clubs",
        ] {
            assert_eq!(read(Spelling::Words, text), Ok(vec![51, 45, 34, 0]), "{text}");
        }
        for (text, field) in [
            ("Ace of Spades, Joker", 2),
            ("Ace Spades", 1),
            ("Ace of", 1),
            ("11 of Spades", 1),
            ("1 of Spades", 1),
            ("Ace of Swords", 1),
        ] {
            assert_eq!(read(Spelling::Words, text), Err(field), "{text}");
        }
    }
}
