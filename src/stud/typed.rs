//! Cards as people type them.

use crate::card::Card;
use crate::stud::card_set::CardSet;

/// Reads five to seven distinct cards, with or without blanks or commas between them.
///
/// # Errors
/// A text: which card is none or stands there twice, or how many there are.
pub fn parse(text: &str) -> Result<CardSet, String> {
    let mut set = CardSet::EMPTY;
    for (number, word) in (1..).zip(words(text)) {
        let card: Card = word.parse().map_err(|error| format!("card {number}: {error}"))?;
        if set.contains(card) {
            return Err(format!("card {number}: {card} stands there a second time"));
        }
        set = set.with(card);
    }
    match set.len() {
        5..=7 => Ok(set),
        found => Err(format!("found {found} cards, wanted 5 to 7")),
    }
}

/// The cards as words; `AsKs9h` is cut after every suit letter.
pub fn words(text: &str) -> Vec<&str> {
    let parts = text.split(|letter: char| letter.is_whitespace() || letter == ',');
    let cut = parts.flat_map(|part| part.split_inclusive(['c', 'd', 'h', 's', 'C', 'D', 'H', 'S']));
    cut.filter(|word| !word.is_empty()).collect()
}
