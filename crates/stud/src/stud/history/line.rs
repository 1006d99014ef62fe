//! One action of a Poker Hand History: `p3 cbr 250000 # a remark`.

use crate::stud::betting::action::{Action, MaybeCard};
use crate::stud::betting::cards_text;
use crate::stud::history::number::{self, Decimal};
use deckproof_deck::card::Card;

/// An action that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LineError(pub(crate) String);

/// The action without its remark, in words.
pub(super) fn words(text: &str) -> Vec<&str> {
    text.split('#').next().unwrap_or_default().split_whitespace().collect()
}

/// Reads an action; amounts are scaled to `decimals`.
///
/// # Errors
/// [`LineError`].
pub fn parse(text: &str, players: usize, decimals: u32) -> Result<Action, LineError> {
    let seat = |text: &str| player(text, players);
    match words(text)[..] {
        [] => Ok(Action::Nothing),
        ["d", "db", found] => Ok(Action::DealBoard { cards: cards(found)? }),
        ["d", "dh", who, found] => Ok(Action::DealHole { player: seat(who)?, cards: cards(found)? }),
        [who, "pb"] => Ok(Action::BringIn { player: seat(who)? }),
        [who, "f"] => Ok(Action::Fold { player: seat(who)? }),
        [who, "cc"] => Ok(Action::CheckOrCall { player: seat(who)? }),
        [who, "cbr", amount] => {
            let scaled = Decimal::parse(amount).and_then(|amount| amount.scaled(decimals));
            let amount =
                scaled.ok_or_else(|| LineError(format!("found the amount {amount:?}, wanted a number")))?;
            Ok(Action::BetTo { player: seat(who)?, amount })
        }
        [who, "sm"] => Ok(Action::Muck { player: seat(who)? }),
        [who, "sm", "-"] => Ok(Action::Show { player: seat(who)?, cards: Vec::new() }),
        [who, "sm", found] => Ok(Action::Show { player: seat(who)?, cards: cards(found)? }),
        _ => Err(LineError(format!(
            "found {text:?}, wanted an action of stud: d dh pN cards, d db card, pN pb, pN cbr amount, pN cc, pN f, pN sm"
        ))),
    }
}

/// Writes an action; a time-out has no notation and gives nothing.
pub fn text(action: &Action, decimals: u32) -> Option<String> {
    let name = |player: usize| format!("p{}", player + 1);
    Some(match action {
        Action::DealHole { player, cards } => format!("d dh {} {}", name(*player), cards_text(cards)),
        Action::DealBoard { cards } => format!("d db {}", cards_text(cards)),
        Action::BringIn { player } => format!("{} pb", name(*player)),
        Action::CheckOrCall { player } => format!("{} cc", name(*player)),
        Action::BetTo { player, amount } => {
            format!("{} cbr {}", name(*player), number::text(*amount, decimals))
        }
        Action::Fold { player } => format!("{} f", name(*player)),
        Action::Show { player, cards } if cards.is_empty() => format!("{} sm -", name(*player)),
        Action::Show { player, cards } => format!("{} sm {}", name(*player), cards_text(cards)),
        Action::Muck { player } => format!("{} sm", name(*player)),
        Action::TimeOut { .. } => return None,
        Action::Nothing => String::new(),
    })
}

fn player(text: &str, players: usize) -> Result<usize, LineError> {
    let number = text.strip_prefix('p').and_then(|number| number.parse::<usize>().ok());
    let found = number.filter(|number| (1..=players).contains(number));
    let wrong = || LineError(format!("found the player {text:?}, wanted p1 to p{players}"));
    found.map(|number| number - 1).ok_or_else(wrong)
}

/// Reads `Ah7c??`.
///
/// # Errors
/// [`LineError`].
pub fn cards(text: &str) -> Result<Vec<MaybeCard>, LineError> {
    let refused = || {
        LineError(format!(
            "found the cards {text:?}, wanted two characters a card such as Ah7c, or ?? for an unknown one"
        ))
    };
    if !text.is_ascii() || !text.len().is_multiple_of(2) || text.is_empty() {
        return Err(refused());
    }
    (0..text.len() / 2)
        .map(|place| match &text[2 * place..2 * place + 2] {
            "??" => Ok(None),
            card => card.parse::<Card>().map(Some).map_err(|_| refused()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_written_as_they_are_read() {
        for text in [
            "d dh p1 ????2c", "d db Th", "p2 pb", "p8 cbr 250000", "p3 cc", "p4 f", "p5 sm", "p6 sm -",
            "p7 sm Ah7c??",
        ] {
            let action = parse(text, 8, 0).expect(text);
            assert_eq!(super::text(&action, 0).as_deref(), Some(text));
        }
        let remark = parse("  p3   cbr 9,000.5 # three bets", 8, 2);
        assert_eq!(remark, Ok(Action::BetTo { player: 2, amount: 900_050 }));
        assert_eq!(parse("# a card was exposed", 2, 0), Ok(Action::Nothing));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "p9 f", "p0 f", "x f", "p1", "p1 sd", "p1 cbr", "p1 cbr -5", "p1 cbr 0.5", "d dh p1",
            "d dh p1 Ahx", "d db 1h", "p1 f f", "d dh p1 A?",
        ] {
            assert!(parse(text, 8, 0).is_err(), "{text}");
        }
    }
}
