//! Which decks a statistic is shown: the four views.

use serde::{Deserialize, Serialize};

use crate::battery::tier::Tier;
use deckproof_deck::text::named::named;

/// What a statistic takes a card for, where the dealer's numbers of the cards are not those they are written with here.
/// Cards renamed by any fixed order are as uniform as before, so that no null asks which of the two it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// Its rank and suit.
    Card,
    /// Its place in the dealer's start order.
    Number,
}

named! {
    /// Which decks a statistic is shown: each view is independent and uniform if the decks are. In the order of certificates.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum View {
        /// The decks c_t themselves: the card at every place.
        Deck = "deck",
        /// The relative decks r_t = v_{t+1}∘c_t of neighbours inside a segment: for every place of a deck, where its
        /// card lies in the next one. Every statistic of one deck is an exact serial test.
        Relative = "relative",
        /// The inverse decks v_t: the place of every card.
        Inverse = "inverse",
        /// The relative decks by card, r'_t = c_{t+1}∘v_t: for every card, which one lies at its place in the next deck.
        RelativeCards = "relative-cards",
    }
    /// The name in ids and tables.
    pub fn name;
}

impl View {
    /// For what an inverse or a renaming of the cards does not change, such as cycles.
    pub(super) const PLAIN: &[View] = &[View::Deck, View::Relative];

    /// For what an inverse does not change, or where that of the deck would tell little more.
    pub(super) const OF_STEPS: &[View] = &[View::Deck, View::Relative, View::RelativeCards];

    /// For pairs and seats of one rank or suit, which places do not have.
    pub(super) const OF_CARDS: &[View] = &[View::Deck, View::RelativeCards];

    /// Whether it holds pairs of neighbouring decks.
    pub fn is_of_pairs(self) -> bool {
        match self {
            View::Deck | View::Inverse => false,
            View::Relative | View::RelativeCards => true,
        }
    }

    /// Which tier shows it: core, that is any, or one that takes longer to make.
    fn tier(self) -> Tier {
        match self {
            View::Deck | View::Relative => Tier::Core,
            View::Inverse | View::RelativeCards => Tier::Deep,
        }
    }

    /// The views of some tiers, in the order of certificates.
    pub fn of_tiers(tiers: &[Tier]) -> Vec<View> {
        let is_wanted = |view: &View| view.tier() == Tier::Core || tiers.contains(&view.tier());
        View::ALL.into_iter().filter(is_wanted).collect()
    }
}
