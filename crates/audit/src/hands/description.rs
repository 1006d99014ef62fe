//! What hands show that depends on betting: described, never judged.

use std::collections::BTreeMap;

use deckproof_stud::stud::card_set::CardSet;
use deckproof_stud::stud::deal::Street;
use deckproof_stud::stud::rank::High;
use deckproof_stud::stud::record::Record;

/// Why nothing of this is judged.
pub const WHY_NOT_JUDGED: &str = "Later cards are dealt only to players who chose to stay, and cards are shown at \
    the end only by players who had a reason to, so that these counts depend on how people bet: they are described \
    and never judged.";

/// Counts that follow from how people bet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Description {
    /// Up cards dealt on third to sixth street.
    pub up_cards: [u64; 4],
    /// Seats that folded on third to seventh street.
    pub folds: [u64; 5],
    /// Hands of seven cards seen at the end, mucked ones too, by category.
    pub shown: BTreeMap<&'static str, u64>,
    /// Hands thrown away at the end whose cards the record names all the same.
    pub mucked: u64,
}

/// Describes records.
pub fn describe(records: &[Record]) -> Description {
    let mut description = Description::default();
    for seat in records.iter().flat_map(|record| &record.seats) {
        for (street, count) in description.up_cards.iter_mut().enumerate() {
            *count += u64::from(seat.up.len() > street);
        }
        if let Some(street) = seat.folded {
            description.folds[usize::from(street.number() - Street::Third.number())] += 1;
        }
        let Some(shown) = &seat.shown else { continue };
        description.mucked += u64::from(shown.is_mucked);
        let cards = CardSet::of(&shown.cards);
        if cards.len() == 7 {
            *description.shown.entry(High::best(cards).category().id()).or_default() += 1;
        }
    }
    description
}
