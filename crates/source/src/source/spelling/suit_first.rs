//! Cards whose suit is before their rank: `SA`, `H10`, `♠A`, also without anything between them.

use crate::source::spelling::{Spelled, bad, is_between};
use crate::source::text::{BadField, Fields, Letters};
use deckproof_deck::card::without_symbols;

/// Reads all of a text. No letter is both a rank and a suit, so no text can be read both ways.
pub(super) fn spell(text: &str, letters: &Letters) -> Result<Spelled, BadField> {
    let mut fields = Fields::none();
    for token in text.split(is_between).filter(|token| !token.is_empty()) {
        let cards = fields.count;
        push_cards(token, letters, &mut fields).map_err(|pushed| bad(cards + pushed, token))?;
    }
    Ok(Spelled { fields, are_cards: true })
}

/// Cards without anything between them.
///
/// # Errors
/// How many cards stand before what is none.
fn push_cards(token: &str, letters: &Letters, fields: &mut Fields) -> Result<(), usize> {
    let (mut rest, before) = (without_symbols(token), fields.count);
    while let Some(suit) = rest.next() {
        let card = card_at(suit, &mut rest).and_then(|card| letters.card(&card));
        fields.push(card.ok_or(fields.count - before)?);
    }
    Ok(())
}

/// Rank and suit, in this order, of the card that begins with this suit.
fn card_at(suit: char, rest: &mut impl Iterator<Item = char>) -> Option<[u8; 2]> {
    let rank = match rest.next()? {
        '1' => rest.next().filter(|&zero| zero == '0').map(|_| 'T')?,
        other => other,
    };
    Some([u8::try_from(rank).ok()?, u8::try_from(suit).ok()?])
}

#[cfg(test)]
mod tests {
    use crate::source::spelling::{Spelling, tests::read};

    #[test]
    fn suits_before_ranks_are_the_same_cards() {
        for text in
            ["SA DK H10 C2", "SADKHTC2", "sa,dk,h10,c2", "♠A ♦K ♥10 ♣2", "[\"SA\",\"DK\",\"HT\",\"C2\"]"]
        {
            assert_eq!(read(Spelling::SuitFirst, text), Ok(vec![51, 45, 34, 0]), "{text}");
        }
        for (text, field) in [("As", 1), ("SA Kd", 2), ("SA H1", 2), ("SA DKx2", 3), ("SA S", 2), ("51", 1)] {
            assert_eq!(read(Spelling::SuitFirst, text), Err(field), "{text}");
        }
    }
}
