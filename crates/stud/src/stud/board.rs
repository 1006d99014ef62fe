//! The visible cards: who brings it in, and whose board acts first.

use std::cmp::Reverse;
use std::fmt;

use crate::stud::card_set::CardSet;
use crate::stud::rank::masks::{multiples, without_lowest};
use crate::stud::rank::name;
use deckproof_deck::card::Card;

/// The strength of one to four visible cards (five with a community card): greater is better, equal ties. Straights and flushes
/// do not count on a board; only boards of as many cards compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board(u32);

/// What a board shows, from the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Showing {
    HighCard,
    Pair,
    TwoPair,
    Trips,
    Quads,
}

const KINDS: [Showing; 5] =
    [Showing::HighCard, Showing::Pair, Showing::TwoPair, Showing::Trips, Showing::Quads];

impl Board {
    /// The strength of the visible cards.
    ///
    /// # Panics
    /// If there are no cards.
    pub fn of(cards: CardSet) -> Board {
        let of = multiples(cards.suits());
        assert!(of.any != 0, "a board shows a card");
        let kind = if of.quads != 0 {
            4
        } else if of.trips != 0 {
            3
        } else if without_lowest(of.pairs) != 0 {
            2
        } else {
            u32::from(of.pairs != 0)
        };
        let leading = of.quads | of.trips | of.pairs;
        Board(kind << 26 | leading << 13 | (of.any ^ leading))
    }

    /// The strength as a number, to compare boards that are not complete.
    pub fn key(self) -> u32 {
        self.0
    }

    /// What the board shows.
    pub fn showing(self) -> Showing {
        KINDS[(self.0 >> 26) as usize]
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let leading = name::descending(self.0 >> 13 & 0x1fff);
        let kickers = name::letters(&name::descending(self.0 & 0x1fff));
        match self.showing() {
            Showing::HighCard => return write!(f, "{kickers} high"),
            Showing::Pair => write!(f, "pair of {}", name::plural(leading[0]))?,
            Showing::TwoPair => {
                write!(f, "two pair, {} and {}", name::plural(leading[0]), name::plural(leading[1]))?;
            }
            Showing::Trips => write!(f, "three {}", name::plural(leading[0]))?,
            Showing::Quads => write!(f, "four {}", name::plural(leading[0]))?,
        }
        if kickers.is_empty() { Ok(()) } else { write!(f, " with {kickers}") }
    }
}

/// The index of the lowest card: rank first, then clubs, diamonds, hearts, spades; the ace is high.
pub fn lowest_card(doors: &[Card]) -> Option<usize> {
    (0..doors.len()).min_by_key(|&seat| doors[seat])
}

/// The cards of a board from the highest down, a number each: ties of equal boards go to the greater.
pub fn by_suits(cards: CardSet) -> Vec<Card> {
    let mut sorted: Vec<Card> = cards.cards().collect();
    sorted.sort_unstable_by_key(|&card| Reverse(card));
    sorted
}
