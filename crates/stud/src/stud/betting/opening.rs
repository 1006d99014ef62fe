//! Who acts first on a street, and who else might where cards are hidden.

use crate::stud::betting::action::MaybeCard;
use crate::stud::betting::hidden::{complete_ranks, unseen};
use crate::stud::board::{self, Board};
use crate::stud::card_set::CardSet;
use crate::stud::readings::{Readings, TieFirst};
use deckproof_deck::card::Card;

/// The visible cards of a live player.
pub(super) struct Visible {
    /// Who.
    pub player: usize,
    /// The up cards, some perhaps hidden.
    pub cards: Vec<MaybeCard>,
}

impl Visible {
    fn known(&self) -> CardSet {
        CardSet::of(&self.cards.iter().copied().flatten().collect::<Vec<_>>())
    }

    fn hidden(&self) -> usize {
        self.cards.iter().filter(|card| card.is_none()).count()
    }
}

/// Everybody who brings it in for some choice of the hidden cards: the lowest door card. Without hidden cards that is one
/// player.
pub(super) fn bring_in(seen: CardSet, doors: &[Visible]) -> Vec<usize> {
    let left = unseen(seen);
    let range = |door: &Visible| match door.cards.first() {
        Some(&Some(card)) => (Some(card), Some(card)),
        // There is always an unseen card for a hidden door.
        _ => (left.iter().copied().min(), left.iter().copied().max()),
    };
    let ranges: Vec<(Option<Card>, Option<Card>)> = doors.iter().map(range).collect();
    let is_possible = |place: &usize| {
        let others = ranges.iter().enumerate().filter(|(other, _)| other != place);
        others.clone().all(|(_, &(_, highest))| ranges[*place].0 < highest)
    };
    (0..doors.len()).filter(is_possible).map(|place| doors[place].player).collect()
}

/// How strong a board may turn out to be.
struct Range {
    least: u32,
    most: u32,
    /// The cards, where all are known.
    known: Option<CardSet>,
}

/// Everybody who acts first from fourth street on for some choice of the hidden cards: the best board, of
/// equal ones the first left of the dealer or the one with the higher suit.
pub(super) fn best_board(readings: &Readings, seen: CardSet, boards: &[Visible]) -> Vec<usize> {
    let strength = |cards: CardSet| Board::of(cards).key();
    let left = unseen(seen);
    let range = |board: &Visible| {
        let mut range = Range { least: u32::MAX, most: 0, known: None };
        complete_ranks(board.known(), board.hidden(), &left, &mut |cards| {
            range.least = range.least.min(strength(cards));
            range.most = range.most.max(strength(cards));
        });
        range.known = (board.hidden() == 0).then(|| board.known());
        range
    };
    let ranges: Vec<Range> = boards.iter().map(range).collect();
    let goes_first = |place: usize, other: usize| {
        let (own, rival) = (&ranges[place], &ranges[other]);
        if own.most != rival.least {
            return own.most > rival.least;
        }
        match (readings.tie_first, own.known, rival.known) {
            (TieFirst::LeftOfDealer, ..) => place < other,
            (TieFirst::HighCardSuit, Some(own), Some(rival)) => board::by_suits(own) > board::by_suits(rival),
            (TieFirst::HighCardSuit, ..) => true,
        }
    };
    let is_possible =
        |place: &usize| (0..boards.len()).all(|other| other == *place || goes_first(*place, other));
    (0..boards.len()).filter(is_possible).map(|place| boards[place].player).collect()
}
