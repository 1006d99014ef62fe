//! How good a hand may be that is known in part.

use crate::stud::betting::hidden::complete;
use crate::stud::card_set::CardSet;
use deckproof_deck::card::Card;

/// More hidden cards than this leave everything possible: their completions are not looked through.
const HIDDEN_MAX: usize = 3;

/// A hand at the showdown: the cards that are known, and how many are not.
#[derive(Debug, Clone, Copy)]
pub(super) struct Holding {
    /// Whose hand.
    pub player: usize,
    /// Its known cards, the community card with them.
    pub known: CardSet,
    /// How many of its cards nobody knows.
    pub hidden: usize,
}

impl Holding {
    /// The greatest value the hand may have; nothing where there are too many hidden cards to say.
    fn greatest<T: Ord + Copy>(self, unseen: &[Card], value: impl Fn(CardSet) -> T) -> Option<T> {
        if self.hidden > HIDDEN_MAX {
            return None;
        }
        let mut greatest: Option<T> = None;
        complete(self.known, self.hidden, unseen, &mut |cards| {
            let found = value(cards);
            greatest = Some(greatest.map_or(found, |kept| kept.max(found)));
        });
        greatest
    }
}

/// The holdings with the greatest value; none where a hidden card may change who has it. A hand of which
/// less than five cards are known has no value yet.
pub(super) fn winners<T: Ord + Copy>(
    holdings: &[Holding],
    unseen: &[Card],
    value: impl Fn(CardSet) -> T,
) -> Result<(T, Vec<Holding>), usize> {
    let known = |holding: &&Holding| holding.known.len() >= 5;
    let best = holdings.iter().filter(known).map(|holding| value(holding.known)).max();
    let in_doubt = |holding: &&Holding| holding.hidden > 0;
    let Some(best) = best else {
        return Err(holdings.iter().find(in_doubt).map_or(holdings[0].player, |holding| holding.player));
    };
    let wins = |holding: &&Holding| known(holding) && value(holding.known) == best;
    let winners: Vec<Holding> = holdings.iter().filter(wins).copied().collect();
    let may_rival = |holding: &&Holding| {
        let is_sole_winner = winners.len() == 1 && winners[0].player == holding.player;
        !is_sole_winner && holding.greatest(unseen, &value).is_none_or(|greatest| greatest >= best)
    };
    match holdings.iter().filter(in_doubt).find(may_rival) {
        Some(holding) => Err(holding.player),
        None => Ok((best, winners)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stud::rank::High;

    fn holding(player: usize, cards: &str, hidden: usize) -> Holding {
        let cards: Vec<Card> = cards.split(' ').map(|card| card.parse().expect("a card")).collect();
        Holding { player, known: CardSet::of(&cards), hidden }
    }

    fn decided(holdings: &[Holding]) -> Result<Vec<usize>, usize> {
        let seen = holdings.iter().flat_map(|holding| holding.known.cards()).collect::<Vec<_>>();
        let unseen = crate::stud::betting::hidden::unseen(CardSet::of(&seen));
        winners(holdings, &unseen, High::best)
            .map(|(_, winners)| winners.into_iter().map(|holding| holding.player).collect())
    }

    #[test]
    fn a_hidden_card_leaves_the_winner_open_only_where_it_can_change_it() {
        let aces = holding(0, "Ah Ad As 7c 8d 2h 3s", 0);
        // Two pair may fill up, a lone pair and three other cards may not catch three aces with one card.
        assert_eq!(decided(&[aces, holding(1, "Kh Kd Qs Qc 4d 5h", 1)]), Err(1));
        assert_eq!(decided(&[aces, holding(1, "Kh Kd 9s Tc 4d 5h", 1)]), Ok(vec![0]));
        assert_eq!(decided(&[aces, holding(1, "Kh Kd Qs Qc", 3)]), Err(1));
        // The best hand that is known may only get better.
        assert_eq!(
            decided(&[holding(0, "Ah Ad As 7c 8d", 2), holding(1, "Kh Kd Qs 9c 4d 5h 2c", 0)]),
            Ok(vec![0])
        );
    }
}
