//! What hidden cards might be: every set of them that the cards seen so far leave possible.

use crate::stud::card_set::CardSet;
use deckproof_deck::card::Card;

/// The cards nobody has seen, from the lowest up.
pub(super) fn unseen(seen: CardSet) -> Vec<Card> {
    Card::all().filter(|&card| !seen.contains(card)).collect()
}

/// Calls `visit` with the known cards and every choice of so many unseen ones.
pub(super) fn complete(known: CardSet, hidden: usize, unseen: &[Card], visit: &mut impl FnMut(CardSet)) {
    let Some(left) = hidden.checked_sub(1) else { return visit(known) };
    for (place, &card) in unseen.iter().enumerate() {
        complete(known.with(card), left, &unseen[place + 1..], visit);
    }
}

/// The same, each set of ranks once: boards are compared by ranks alone.
pub(super) fn complete_ranks(
    known: CardSet,
    hidden: usize,
    unseen: &[Card],
    visit: &mut impl FnMut(CardSet),
) {
    let Some(left) = hidden.checked_sub(1) else { return visit(known) };
    let mut tried = None;
    for (place, &card) in unseen.iter().enumerate() {
        if tried.replace(card.rank()) != Some(card.rank()) {
            complete_ranks(known.with(card), left, &unseen[place + 1..], visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_completion_is_visited_once() {
        let mut cards = Card::all();
        let seen = CardSet::of(&cards.by_ref().take(4).collect::<Vec<_>>());
        let left = unseen(seen);
        assert_eq!(left.len(), 48);
        let (mut sets, mut ranks) = (0, 0);
        complete(CardSet::EMPTY, 2, &left, &mut |_| sets += 1);
        complete_ranks(CardSet::EMPTY, 2, &left, &mut |_| ranks += 1);
        // 48·47/2 pairs of cards; 12·11/2 pairs of two ranks and 12 of one.
        assert_eq!((sets, ranks), (1128, 78));
    }
}
