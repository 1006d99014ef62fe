//! Who acts first on a street.

use std::cmp::Ordering;

use crate::card::Card;
use crate::stud::betting::action::MaybeCard;
use crate::stud::board::{self, Board};
use crate::stud::card_set::CardSet;
use crate::stud::play::{FirstBoard, Opens, Play};
use crate::stud::readings::{Readings, TieFirst};

/// The first to act, and who else might be where cards are unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Opener {
    /// By the cards that are known.
    pub player: usize,
    /// Players whose unknown cards might make them the first to act.
    pub perhaps: Vec<usize>,
}

/// The visible cards of a live player.
pub(super) struct Visible {
    /// Who.
    pub player: usize,
    /// The up cards, some perhaps unknown.
    pub cards: Vec<MaybeCard>,
}

/// Who brings it in: the lowest door card, or the highest where the rules say so.
pub(super) fn bring_in(play: &Play, doors: &[Visible]) -> Opener {
    let known: Vec<(usize, Card)> =
        doors.iter().filter_map(|door| Some((door.player, (*door.cards.first()?)?))).collect();
    let cards: Vec<Card> = known.iter().map(|&(_, card)| card).collect();
    let place = match play.opens {
        Opens::LowestDoor => board::lowest_card(&cards),
        Opens::HighestDoorAceLow => board::highest_card_ace_low(&cards),
    };
    let player = place.map_or(doors[0].player, |place| known[place].0);
    Opener { player, perhaps: unknown_among(doors) }
}

/// Who acts first from fourth street on: the best board, of equal ones the first left of the dealer
/// or the one with the higher suit.
pub(super) fn best_board(play: &Play, readings: &Readings, boards: &[Visible]) -> Opener {
    let known: Vec<(usize, CardSet)> = boards
        .iter()
        .filter_map(|board| {
            let cards: Option<Vec<Card>> = board.cards.iter().copied().collect();
            cards.filter(|cards| !cards.is_empty()).map(|cards| (board.player, CardSet::of(&cards)))
        })
        .collect();
    let better = |a: CardSet, b: CardSet| {
        let boards = match play.first_board {
            FirstBoard::Highest => Board::of(a).cmp(&Board::of(b)),
            FirstBoard::Lowest => Board::lowness(a).cmp(&Board::lowness(b)),
        };
        match readings.tie_first {
            TieFirst::LeftOfDealer => boards,
            TieFirst::HighCardSuit => boards.then_with(|| board::by_suits(a).cmp(&board::by_suits(b))),
        }
    };
    let mut best = known.first().copied();
    for &(player, cards) in &known {
        // Strictly better only, so that of equal boards the first left of the dealer stays.
        if best.is_some_and(|(_, kept)| better(cards, kept) == Ordering::Greater) {
            best = Some((player, cards));
        }
    }
    let player = best.map_or(boards[0].player, |(player, _)| player);
    Opener { player, perhaps: unknown_among(boards) }
}

fn unknown_among(players: &[Visible]) -> Vec<usize> {
    players.iter().filter(|shown| shown.cards.contains(&None)).map(|shown| shown.player).collect()
}
