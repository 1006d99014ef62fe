//! A deck: a permutation of the 52 cards, because nothing else can build one.

#[cfg(feature = "lanes")]
pub mod block;
#[doc(hidden)]
#[cfg(feature = "lanes")]
pub mod inverse;
#[doc(hidden)]
#[cfg(feature = "lanes")]
pub mod orders;
#[doc(hidden)]
#[cfg(feature = "lanes")]
pub mod relative;

use std::fmt;

use crate::card::{Card, DECK_CARDS};

/// 52 distinct cards in order; place 0 is the top of the deck and is dealt first.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Deck([u8; DECK_CARDS]);

/// Why 52 numbers are not a deck. Places and values count from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeckError {
    /// A number that is no card.
    #[error("place {place} holds {found}, wanted a card 0 to 51")]
    NoCard {
        /// Where it is.
        place: usize,
        /// What is there.
        found: u64,
    },
    /// A card that is there twice.
    #[error("card {card} ({}) is at place {first} and again at place {place}", .card.index())]
    Repeated {
        /// The second place.
        place: usize,
        /// The first place.
        first: usize,
        /// The card.
        card: Card,
    },
    /// Too few or too many cards.
    #[error("found {found} {}, wanted {DECK_CARDS}", if *found == 1 { "card" } else { "cards" })]
    Count {
        /// How many there were.
        found: usize,
    },
}

impl Deck {
    /// 2c, 2d, 2h, … As.
    pub fn in_order() -> Deck {
        Deck(std::array::from_fn(|place| place as u8))
    }

    /// The card at a place 0..52.
    pub fn card(&self, place: usize) -> Card {
        Card::from_index(self.0[place]).expect("a deck holds cards only")
    }

    /// The 52 cards from the top.
    pub fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        (0..DECK_CARDS).map(|place| self.card(place))
    }

    /// The card numbers from the top.
    pub fn indices(&self) -> &[u8; DECK_CARDS] {
        &self.0
    }

    /// Exchanges the cards at two places.
    pub fn swap(&mut self, a: usize, b: usize) {
        self.0.swap(a, b);
    }

    /// The place of every card: `places()[card] = place`, itself a permutation.
    pub fn places(&self) -> [u8; DECK_CARDS] {
        inverse_of(&self.0)
    }

    /// The inverse permutation `v`, as a deck: `v[c[p]] = p`.
    pub fn inverse(&self) -> Deck {
        Deck(inverse_of(&self.0))
    }

    /// This permutation after another: `(self ∘ first)[p] = self[first[p]]`.
    ///
    /// ```
    /// use deckproof_deck::deck::Deck;
    /// let deck = deckproof_deck::shuffle::shuffle_deck(&[7; 32]);
    /// assert_eq!(deck.compose(&deck.inverse()), Deck::in_order());
    /// ```
    pub fn compose(&self, first: &Deck) -> Deck {
        Deck(compose(&self.0, &first.0))
    }
}

/// The inverse of a permutation of 0..52: `inverse[order[p]] = p`.
pub fn inverse_of(order: &[u8; DECK_CARDS]) -> [u8; DECK_CARDS] {
    let mut places = [0; DECK_CARDS];
    for (place, &card) in order.iter().enumerate() {
        places[usize::from(card)] = place as u8;
    }
    places
}

/// One permutation of 0..52 after another: `outer[inner[p]]`.
pub fn compose(outer: &[u8; DECK_CARDS], inner: &[u8; DECK_CARDS]) -> [u8; DECK_CARDS] {
    inner.map(|element| outer[usize::from(element)])
}

impl TryFrom<&[u8]> for Deck {
    type Error = DeckError;

    /// # Errors
    /// [`DeckError`] names the first place that is wrong.
    fn try_from(numbers: &[u8]) -> Result<Deck, DeckError> {
        let found = numbers.len();
        let numbers: [u8; DECK_CARDS] = numbers.try_into().map_err(|_| DeckError::Count { found })?;
        let mut seen = 0u64;
        for (place, &number) in numbers.iter().enumerate() {
            let card =
                Card::from_index(number).ok_or(DeckError::NoCard { place, found: u64::from(number) })?;
            if seen >> number & 1 == 1 {
                let first = numbers.iter().position(|&n| n == number).expect("it was seen before");
                return Err(DeckError::Repeated { place, first, card });
            }
            seen |= 1 << number;
        }
        Ok(Deck(numbers))
    }
}

impl fmt::Display for Deck {
    /// `Kd4c6s…`: 52 two-letter cards in one word.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cards().try_for_each(|card| write!(f, "{card}"))
    }
}

impl fmt::Debug for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_card_is_refused_with_both_places() {
        let mut numbers: Vec<u8> = (0..52).collect();
        numbers[40] = 3;
        let card = Card::from_index(3).expect("3 is a card");
        assert_eq!(Deck::try_from(&numbers[..]), Err(DeckError::Repeated { place: 40, first: 3, card }));
    }

    /// Worked by hand: a cut by one sends place p to card p + 1; a cut after a swap of the first two cards.
    #[test]
    fn inverse_and_composition_are_those_of_permutations() {
        let cut = Deck(std::array::from_fn(|place| ((place + 1) % DECK_CARDS) as u8));
        let mut swapped = Deck::in_order();
        swapped.swap(0, 1);
        assert_eq!(cut.inverse().indices()[..3], [51, 0, 1]);
        assert_eq!(cut.compose(&swapped).indices()[..3], [2, 1, 3]);
        assert_eq!(swapped.compose(&cut).indices()[..3], [0, 2, 3]);
        assert_eq!(swapped.compose(&cut).indices()[51], 1);
        assert_eq!(cut.compose(&cut.inverse()), Deck::in_order());
        assert_eq!(cut.places(), *cut.inverse().indices());
    }

    #[test]
    fn card_52_and_51_cards_are_refused() {
        let mut numbers: Vec<u8> = (0..52).collect();
        assert_eq!(Deck::try_from(&numbers[1..]), Err(DeckError::Count { found: 51 }));
        numbers[51] = 52;
        assert_eq!(Deck::try_from(&numbers[..]), Err(DeckError::NoCard { place: 51, found: 52 }));
    }
}
