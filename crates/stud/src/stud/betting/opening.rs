//! Who acts first on a street, and who else might where cards are hidden.

use crate::stud::betting::action::MaybeCard;
use crate::stud::betting::hidden::{complete_ranks, unseen};
use crate::stud::board::{self, Board};
use crate::stud::card_set::CardSet;
use crate::stud::play::{FirstBoard, Opens, Play};
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

/// Everybody who brings it in for some choice of the hidden cards: the lowest door card, or the highest
/// where the rules say so. Without hidden cards that is one player.
pub(super) fn bring_in(play: &Play, seen: CardSet, doors: &[Visible]) -> Vec<usize> {
    let key = |card: Card| match play.opens {
        Opens::LowestDoor => i32::from(card.rank()) * 4 + i32::from(card.suit()),
        Opens::HighestDoorAceLow => -(i32::from((card.rank() + 1) % 13) * 4 + i32::from(card.suit())),
    };
    let keys: Vec<i32> = unseen(seen).into_iter().map(key).collect();
    let range = |door: &Visible| match door.cards.first() {
        Some(&Some(card)) => (key(card), key(card)),
        // There is always an unseen card for a hidden door.
        _ => (keys.iter().copied().min().unwrap_or(0), keys.iter().copied().max().unwrap_or(0)),
    };
    let ranges: Vec<(i32, i32)> = doors.iter().map(range).collect();
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
pub(super) fn best_board(play: &Play, readings: &Readings, seen: CardSet, boards: &[Visible]) -> Vec<usize> {
    let strength = |cards: CardSet| match play.first_board {
        FirstBoard::Highest => Board::of(cards).key(),
        FirstBoard::Lowest => u32::MAX - Board::lowness(cards).0.key(),
    };
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
