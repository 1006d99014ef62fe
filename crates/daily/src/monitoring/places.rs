//! Which places of the deck hold cards that depart: where only those that are dealt do, hands may be left out of the export.

use deckproof_audit::certificate::look::Look;
use deckproof_deck::card::DECK_CARDS;
use deckproof_stats::battery::View;
use deckproof_stats::math::chi_squared;

/// Chance makes one of the 52 places depart so far more rarely.
const LEVEL: f64 = 1e-6;

/// Which places depart, and what beside the shuffler would explain it; nothing where none does, or all do.
pub fn explanation(look: &Look) -> Option<String> {
    let tally = look.tallies.iter().find(|tally| tally.view == View::Deck && tally.id == "card-place")?;
    let expected = look.decks as f64 / DECK_CARDS as f64;
    let departs = |place: &usize| {
        let counts = tally.counts.iter().skip(*place).step_by(DECK_CARDS).take(DECK_CARDS);
        let score: f64 = counts.map(|&count| (count as f64 - expected).powi(2) / expected).sum();
        chi_squared::upper((DECK_CARDS - 1) as f64, score) * DECK_CARDS as f64 <= LEVEL
    };
    let places: Vec<usize> = (0..DECK_CARDS).filter(departs).collect();
    let (&first, &last) = places.first().zip(places.last())?;
    // Of a deck that was shuffled badly the end departs as well as the beginning; what happens in play knows the dealt cards.
    (places.len() > 2 && last < DECK_CARDS - 1).then(|| {
        format!(
            "the cards of {} places depart, the first {}, the last {}, counted from 1, and those at the end of the deck do not: are \
             hands left out of the export, such as all that ended before the showdown?",
            places.len(),
            first + 1,
            last + 1
        )
    })
}
