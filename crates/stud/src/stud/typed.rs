//! Cards as people type them.

use crate::stud::card_set::CardSet;
use deckproof_deck::card::{Card, without_symbols};

/// Reads five to seven distinct cards, with or without blanks or commas between them.
///
/// # Errors
/// A text: which card is none or is there twice, or how many there are.
pub fn parse(text: &str) -> Result<CardSet, String> {
    let mut set = CardSet::EMPTY;
    for (number, word) in (1..).zip(words(text)) {
        let card: Card = word.parse().map_err(|error| format!("card {number}: {error}"))?;
        if set.contains(card) {
            return Err(format!("card {number}: {card} is there a second time"));
        }
        set = set.with(card);
    }
    match set.len() {
        5..=7 => Ok(set),
        found => Err(format!("found {found} cards, wanted 5 to 7")),
    }
}

/// The cards as words with letters for suits; `AsKs9h` and `A♠K♠9♥` are cut after every suit.
pub fn words(text: &str) -> Vec<String> {
    let text: String = without_symbols(text).collect();
    let parts = text.split(|letter: char| letter.is_whitespace() || letter == ',');
    let cut = parts.flat_map(|part| part.split_inclusive(['c', 'd', 'h', 's', 'C', 'D', 'H', 'S']));
    cut.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suits_are_read_as_letters_and_as_symbols() {
        let hand = parse("As Ks 9h 9d 4c").expect("five cards");
        for text in ["A♠ K♠ 9♥ 9♦ 4♣", "A♤K♤9♡9♢4♧", "A♠\u{fe0f},K♠\u{fe0f},9♥\u{fe0e},9♦,4♣"]
        {
            assert_eq!(parse(text), Ok(hand), "{text}");
        }
        assert_eq!(words("A♠K♠").len(), 2);
        assert!(parse("A♠ A♤ 9h 9d 4c").is_err_and(|error| error.contains("As is there a second time")));
        assert!(parse("A☆ Ks 9h 9d 4c").is_err());
    }
}
