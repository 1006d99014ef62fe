//! What is known of every record: `decks`, `dealt:K` or `seat:N/P`.

use std::fmt;

use deckproof_predict::deck::Record;

/// Rounds of seven-card stud of which one seat sees its own card alone: two cards down before the first up, and the seventh.
const DOWN: [usize; 3] = [0, 1, 6];

/// Rounds.
const ROUNDS: usize = 7;

/// Seats of which all get seven cards of one deck.
const SEATS_MAX: usize = 7;

/// Cards known of every record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Know {
    /// The first ones.
    First(usize),
    /// What the player in a seat sees of seven-card stud where nobody folds and no card is burned: the seat, from 1, and the seats.
    Seat(usize, usize),
}

impl Know {
    pub(super) fn parse(text: &str) -> Result<Know, String> {
        let dealt = text.strip_prefix("dealt:").and_then(|cards| cards.parse().ok());
        let seat = text.strip_prefix("seat:").and_then(|seat| seat.split_once('/'));
        let seat = seat.and_then(|(seat, seats)| Some((seat.parse().ok()?, seats.parse().ok()?)));
        match (text, dealt, seat) {
            ("decks", ..) => Ok(Know::First(52)),
            (_, Some(cards), _) if (4..=52).contains(&cards) => Ok(Know::First(cards)),
            (_, _, Some((seat, seats)))
                if (2..=SEATS_MAX).contains(&seats) && (1..=seats).contains(&seat) =>
            {
                Ok(Know::Seat(seat, seats))
            }
            _ => {
                Err("write decks, dealt:K with 4 to 52 cards, or seat:N/P, seat N of P seats, 2 to 7"
                    .to_owned())
            }
        }
    }

    /// The record of a deck, its cards as numbers.
    pub(super) fn record(self, deck: &[u8; 52]) -> Option<Record> {
        let cards = deck.iter().zip(0..).map(|(card, place)| self.has(place).then_some(*card));
        Record::of_first_cards(&cards.take(self.places()).collect::<Vec<_>>())
    }

    /// How many cards of a record are known.
    pub(super) fn cards(self) -> usize {
        (0..self.places()).filter(|place| self.has(*place)).count()
    }

    fn places(self) -> usize {
        match self {
            Know::First(cards) => cards,
            Know::Seat(_, seats) => ROUNDS * seats,
        }
    }

    fn has(self, place: usize) -> bool {
        match self {
            Know::First(cards) => place < cards,
            Know::Seat(seat, seats) => place % seats == seat - 1 || !DOWN.contains(&(place / seats)),
        }
    }
}

impl fmt::Display for Know {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Know::First(52) => f.write_str("decks"),
            Know::First(cards) => write!(f, "dealt:{cards}"),
            Know::Seat(seat, seats) => write!(f, "seat:{seat}/{seats}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: the second of three seats has places 1, 4 and 19 of its own and sees places 6 to 17.
    #[test]
    fn a_seat_sees_its_own_cards_and_those_that_lie_open() {
        let know = Know::parse("seat:2/3").expect("a seat");
        let record = know.record(&std::array::from_fn(|card| card as u8)).expect("cards of one deck");
        let seen: Vec<u8> = record.cards().iter().copied().flatten().collect();
        assert_eq!(seen, [1, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19]);
        assert_eq!((record.cards().len(), know.cards()), (21, 15));
        for text in ["seat:0/3", "seat:4/3", "seat:1/8", "seat:2", "dealt:3", "deck"] {
            assert!(Know::parse(text).is_err(), "{text}");
        }
    }
}
