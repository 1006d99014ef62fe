//! What is bet on, each kind with a part of the stake of its own.

use deckproof_deck::text::named::named;
use serde::{Deserialize, Serialize};

named! {
    /// A kind of table.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Bets {
        /// Which seat wins high, of the decks that one seat wins.
        SeatWins = "seats that win",
        /// Which seat wins low, of the decks whose low one seat wins.
        LowWins = "seats that win low",
        /// Which seat brings it in.
        BringIn = "seats that bring it in",
        /// Which card lies at each of the 52 places.
        Places = "cards at each place",
        /// Where the card of each place lies in the next deck.
        NextPlaces = "places in the next deck",
        /// How small the p-values are of places 2, 4, 8 and 16 decks on.
        Lags = "places 2 to 16 decks on",
        /// The numbers that a swapping shuffle must have drawn.
        Draws = "numbers drawn by a swapping shuffle",
        /// How small the p-values are of the moves of these numbers to the next deck.
        Moves = "moves of drawn numbers to the next deck",
        /// How small the p-values are of equal spacings between the numbers that begin a shuffle.
        Spacings = "spacings of the first numbers drawn",
        /// How small the family p-value of each day is that may convict.
        Days = "p-values of the days",
    }
    /// In words of a mail.
    pub fn words;
}

impl Bets {
    /// Whether the counts of some decks are those of a part of them and those of the others: no p-values, and no steps from deck to
    /// deck, which are others where decks come in between.
    pub(super) fn adds_deck_by_deck(self) -> bool {
        !self.is_p_value() && self != Bets::NextPlaces
    }

    /// Whether a day has one p-value of it: that of a repeat is asked for only after a small one, and is no fair bet.
    pub(super) fn is_p_value(self) -> bool {
        matches!(self, Bets::Lags | Bets::Moves | Bets::Spacings | Bets::Days)
    }
}

/// Why a day cannot be added.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: found tables of {found} cells, earlier days had {wanted}", family.words())]
pub struct OtherTable {
    family: Bets,
    found: usize,
    wanted: usize,
}

impl OtherTable {
    /// Tables of so many cells where earlier days had so many.
    pub(super) fn new(family: Bets, found: usize, wanted: usize) -> OtherTable {
        OtherTable { family, found, wanted }
    }
}
