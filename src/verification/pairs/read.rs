//! A table of words and the decks that they are stated to have given.

use std::collections::HashMap;

use crate::verification::pairs::WordsAndDeck;
use deckproof_deck::card::Card;
use deckproof_deck::text::decimal::counted;
use deckproof_deck::text::excerpt;
use deckproof_predict::deck::{DECK_CARDS, Deck};

/// Why a text holds no words beside decks.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: found {found}, wanted {wanted}")]
pub struct PairsError {
    line: usize,
    found: String,
    wanted: &'static str,
}

/// Reads rows of a table: words and deck, or a name, words and deck, separated by commas, semicolons or tabs; a first line without
/// numbers is a header. Words are decimal, or hexadecimal behind `0x`; a deck is 52 numbers from 0 or from 1, or 52 cards.
///
/// # Errors
/// [`PairsError`] with the line.
pub fn read(text: &str) -> Result<Vec<WordsAndDeck>, PairsError> {
    let (mut records, mut seen) = (Vec::new(), HashMap::new());
    for (line, row) in (1..).zip(text.lines()) {
        let is_header = line == 1 && !row.contains(|letter: char| letter.is_ascii_digit());
        if is_header || row.trim().is_empty() {
            continue;
        }
        let error = |found: String, wanted| PairsError { line, found, wanted };
        let fields: Vec<&str> =
            row.split([',', ';', '\t']).map(|field| field.trim().trim_matches('"')).collect();
        let ([words, deck] | [_, words, deck]) = fields[..] else {
            let found = counted(fields.len() as u64, "field", "fields");
            return Err(error(
                found,
                "words and deck, or a name, words and deck, with commas between and blanks within",
            ));
        };
        let words = words.split_whitespace().enumerate().map(|(place, word)| {
            let number = match word.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16),
                None => word.parse(),
            };
            number.map_err(|_| {
                let word = excerpt(word, 24);
                error(format!("{word:?} as word {}", place + 1), "a whole number below 2^64")
            })
        });
        let words = words.collect::<Result<Vec<u64>, PairsError>>()?;
        let deck = read_deck(deck).map_err(|found| {
            error(found, "52 different cards, or numbers from 0 or from 1, behind the words")
        })?;
        // An export may hold a deck twice by mistake, as one row for each seat does, which would look like numbers that were used twice.
        if let Some(before) = seen.insert((words.clone(), deck), line) {
            return Err(error(
                format!("the words and the deck of line {before} again"),
                "each deck once; if these are two hands, the same numbers were used twice",
            ));
        }
        records.push(WordsAndDeck { line, words, deck });
    }
    Ok(records)
}

fn read_deck(text: &str) -> Result<Deck, String> {
    let cards: Vec<&str> = text.split_whitespace().collect();
    if cards.len() != DECK_CARDS {
        return Err(format!("a deck of {}", counted(cards.len() as u64, "card", "cards")));
    }
    let is_numbers = cards.iter().all(|card| card.parse::<u8>().is_ok());
    let first = u8::from(is_numbers && !cards.contains(&"0"));
    let mut deck = [0; DECK_CARDS];
    let mut seen = 0u64;
    for (place, (own, card)) in deck.iter_mut().zip(cards).enumerate() {
        let index = if is_numbers {
            card.parse::<u8>().ok().and_then(|number| number.checked_sub(first))
        } else {
            card.parse::<Card>().ok().map(Card::index)
        };
        let found = || format!("{:?} as card {}", excerpt(card, 12), place + 1);
        *own = index
            .filter(|index| usize::from(*index) < DECK_CARDS && seen >> index & 1 == 0)
            .ok_or_else(found)?;
        seen |= 1 << *own;
    }
    Ok(deck)
}
