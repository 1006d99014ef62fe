//! The first line of a hand: its number, its game and its stakes.

use crate::stud::history::number::Decimal;
use crate::stud::history::pokerstars::Fault;
use crate::stud::record::StudGame;

/// The games of the room that are not read, so that a new one is not mistaken for a fault.
const OTHER_GAMES: [&str; 11] = [
    "Razz", "Hold'em", "Omaha", "Courchevel", "5 Card Draw", "5 Card Stud", "Triple Draw", "Single Draw",
    "Badugi", "Badeucey", "Badacey",
];

/// The longer name first: it holds the shorter one.
const STUD_GAMES: [(&str, StudGame); 2] =
    [("7 Card Stud Hi/Lo Limit", StudGame::EightOrBetter), ("7 Card Stud Limit", StudGame::High)];

/// A first line that was parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Header {
    /// Seven-card stud with fixed limits.
    Stud(StudHeader),
    /// Another game.
    Other {
        /// The room's number of the hand.
        number: String,
        /// Its name.
        game: String,
    },
}

/// The first line of a stud hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StudHeader {
    pub number: String,
    pub game: StudGame,
    pub small: u64,
    pub big: u64,
    pub decimals: u32,
}

impl Header {
    /// `PokerStars Game #1:  7 Card Stud Limit ($0.04/$0.08 USD) - 2009/11/26 10:08:43 ET`, and the forms of
    /// tournaments (`… Level XXXI (250/500) - …`) and of mixed games (`HORSE (Razz Limit, $1/$2) - …`).
    pub fn parse(line: usize, text: &str) -> Result<Header, Fault> {
        let number =
            number(text).ok_or_else(|| Fault::new(line, "a first line", "the number of the hand"))?;
        let stud = STUD_GAMES.into_iter().find(|(name, _)| text.contains(name));
        let Some((_, game)) = stud else {
            let other = OTHER_GAMES.into_iter().find(|name| text.contains(name));
            let other =
                other.ok_or_else(|| Fault::new(line, "no game that is known", "the name of a game"))?;
            return Ok(Header::Other { number, game: other.to_owned() });
        };
        let (small, big) = limits(text).ok_or_else(|| {
            Fault::new(line, "no limits", "two limits in brackets such as ($0.04/$0.08 USD)")
        })?;
        let decimals = small.decimals.max(big.decimals).max(if is_money(text) { 2 } else { 0 });
        let scaled = small.scaled(decimals).zip(big.scaled(decimals));
        let (small, big) = scaled.ok_or_else(|| Fault::new(line, "limits too large", "smaller limits"))?;
        Ok(Header::Stud(StudHeader { number, game, small, big, decimals }))
    }
}

/// The digits behind the first `#`.
pub(super) fn number(text: &str) -> Option<String> {
    let (_, rest) = text.split_once('#')?;
    let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    (end > 0).then(|| rest[..end].to_owned())
}

/// Two amounts with a stroke between them, inside brackets.
fn limits(text: &str) -> Option<(Decimal, Decimal)> {
    let brackets = text.split('(').skip(1).filter_map(|part| part.split_once(')').map(|(inside, _)| inside));
    let pieces = brackets.flat_map(|inside| inside.split(", "));
    pieces
        .filter_map(|piece| piece.split_once('/'))
        .find_map(|(small, big)| Some((amount(small)?, amount(big.split(' ').next()?)?)))
}

fn is_money(text: &str) -> bool {
    !text.contains("Tournament #") && text.contains(['$', '€', '£'])
}

/// An amount with or without the sign of a currency before it.
pub(super) fn amount(text: &str) -> Option<Decimal> {
    Decimal::parse(text.trim_start_matches(['$', '€', '£']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, wanted: &str) {
        let found = match Header::parse(1, text) {
            Ok(Header::Stud(StudHeader { number, game, small, big, decimals })) => {
                format!("{number} {game:?} {small} {big} {decimals}")
            }
            Ok(Header::Other { number, game }) => format!("{number} {game}"),
            Err(fault) => fault.wanted,
        };
        assert_eq!(found, wanted, "{text}");
    }

    #[test]
    fn first_lines_name_number_game_and_limits() {
        check(
            "PokerStars Game #35:  7 Card Stud Limit ($0.04/$0.08 USD) - 2009/11/26 10:08:43 ET",
            "35 High 4 8 2",
        );
        check(
            "PokerStars Game #36:  7 Card Stud Hi/Lo Limit ($2/$4) - 2009/11/26 ET",
            "36 EightOrBetter 200 400 2",
        );
        check(
            "PokerStars Hand #91: Tournament #66, $2.00+$0.20 USD Triple Stud (7 Card Stud Limit) - Level XXXI (250/500) - 2013",
            "91 High 250 500 0",
        );
        check(
            "PokerStars Game #20:  HORSE (7 Card Stud Hi/Lo Limit, $0.04/$0.08) - 2008/09/12",
            "20 EightOrBetter 4 8 2",
        );
        check("PokerStars Game #21:  HORSE (Razz Limit, $0.04/$0.08) - 2008/09/12", "21 Razz");
        check("PokerStars Zoom Hand #22:  Hold'em No Limit ($1/$2) - 2013", "22 Hold'em");
        check("PokerStars Hand #23:  Snap Limit ($1/$2) - 2013", "the name of a game");
        check(
            "PokerStars Hand #24:  7 Card Stud Limit - 2013",
            "two limits in brackets such as ($0.04/$0.08 USD)",
        );
        check("PokerStars Hand", "the number of the hand");
    }
}
