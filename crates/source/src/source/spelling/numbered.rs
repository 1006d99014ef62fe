//! Cards whose ranks are numbers: `14s`, `11h`, 2 to 14; or `1s` for the ace beside `Js`, `Qs` and `Ks`.

use crate::source::spelling::{Spelled, bad, is_between, words};
use crate::source::text::{BadField, Fields};
use deckproof_deck::card::Card;

/// Reads all of a text. Where no letter tells what a rank of 1 is, it is none: it may be an ace or a two.
pub(super) fn spell(text: &str) -> Result<Spelled, BadField> {
    let mut fields = Fields::none();
    let has_faces =
        parts(text).any(|(rank, _)| ["J", "Q", "K"].contains(&rank.to_ascii_uppercase().as_str()));
    for (rank, suit) in parts(text) {
        let number = rank.parse::<u8>().ok().filter(|_| !rank.starts_with(['0', '+']));
        let rank = match number {
            Some(1) if has_faces => Some(12),
            Some(11..=14) if has_faces => None,
            Some(number) => number.checked_sub(2),
            None => words::rank(rank),
        };
        let card = rank.zip(words::suit(suit)).and_then(|(rank, suit)| Card::new(rank, suit));
        fields.push(
            card.ok_or_else(|| bad(fields.count, text.split(is_between).nth(fields.count).unwrap_or(text)))?
                .index(),
        );
    }
    Ok(Spelled { fields, are_cards: true })
}

/// Whether a text is cards whose ranks are numbers that begin with 0 or 1: what the first of them is, nothing tells.
pub(in crate::source) fn begins_elsewhere(text: &str) -> bool {
    let numbers: Option<Vec<u8>> =
        parts(text).map(|(rank, suit)| words::suit(suit).and_then(|_| rank.parse().ok())).collect();
    numbers.is_some_and(|numbers| {
        numbers.iter().all(|number| *number <= 13) && numbers.iter().any(|number| *number < 2)
    })
}

/// The rank and the suit of each card of a text, as they are written.
fn parts(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split(is_between).filter(|token| !token.is_empty()).map(|token| {
        let mut later = token.char_indices().skip(1).filter(|(_, letter)| !letter.is_ascii_digit());
        token.split_at(later.next().map_or(token.len(), |(at, _)| at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::spelling::{Spelling, tests::read};

    #[test]
    fn ranks_as_numbers_are_read_where_they_tell() {
        // 4·rank + suit, from 2c to As.
        for text in ["14s 13d 10h 2c", "14♠,13♦,10♥,2♣", "1s Kd 10h 2c", "1S kd 10H 2C"] {
            assert_eq!(read(Spelling::Numbered, text), Ok(vec![51, 45, 34, 0]), "{text}");
        }
        for (text, field) in
            [("1s 13d", 1), ("2s 0d", 2), ("15s", 1), ("1s Kd 11h", 3), ("14", 1), ("02s", 1), ("14x", 1)]
        {
            assert_eq!(read(Spelling::Numbered, text), Err(field), "{text}");
        }
        assert!(begins_elsewhere("1s 13d") && begins_elsewhere("0s 12d"));
        assert!(!begins_elsewhere("2s 14d") && !begins_elsewhere("1s Kd") && !begins_elsewhere("1 2"));
    }
}
