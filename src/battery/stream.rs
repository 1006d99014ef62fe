//! Digits as the stream a dealer drew them, for statistics that look from one draw to another.

use std::borrow::Cow;

use crate::battery::undone::{self, Digits};
use crate::battery::walk::Order;
use crate::card::DECK_CARDS;
use crate::deck::block::{BLOCK_HANDS, DeckBlock};

/// The six ways to undo a shuffle. Each draws the digit of base 52 first and that of base 2 last.
pub(super) const WAYS: [fn(&Order) -> Digits; 6] = [
    undone::down,
    undone::down_inverse,
    undone::up,
    undone::up_inverse,
    undone::lehmer,
    undone::lehmer_inverse,
];

/// Digits a deck is drawn with.
pub(super) const DRAWS: usize = DECK_CARDS - 1;

/// The base of a draw, counted from 0.
pub(super) const fn base_of(draw: usize) -> usize {
    DECK_CARDS - draw
}

/// The digits of the first decks, numbered so that lane l of block b is deck 64b + l: the relative decks
/// of a block are 63, and the link across the border stays open.
pub(super) struct Stream<'a> {
    decks: Cow<'a, [Option<Digits>]>,
}

impl Stream<'_> {
    /// The first `decks_max` decks, undone one way.
    pub(super) fn new(blocks: &[DeckBlock], decks_max: usize, undo: fn(&Order) -> Digits) -> Stream<'static> {
        let deck = |number: usize| {
            let (block, lane) = (&blocks[number / BLOCK_HANDS], number % BLOCK_HANDS);
            let order = || std::array::from_fn(|place| block.row(place)[lane]);
            (lane < block.hands()).then(|| undo(&order()))
        };
        Stream { decks: (0..decks_max.min(BLOCK_HANDS * blocks.len())).map(deck).collect() }
    }

    /// Its first decks.
    pub(super) fn first(&self, decks_max: usize) -> Stream<'_> {
        Stream { decks: Cow::Borrowed(&self.decks[..decks_max.min(self.decks.len())]) }
    }

    /// The numbers that decks could have.
    pub(super) fn len(&self) -> usize {
        self.decks.len()
    }

    /// The digits of a deck, `None` past the end and where a link is open.
    pub(super) fn digits(&self, deck: usize) -> Option<&Digits> {
        self.decks.get(deck)?.as_ref()
    }

    /// All digits there are.
    pub(super) fn present(&self) -> impl Iterator<Item = &Digits> + '_ {
        self.decks.iter().flatten()
    }
}

/// How many decks the blocks hold.
pub(super) fn decks_of(blocks: &[DeckBlock]) -> u64 {
    blocks.iter().map(|block| block.hands() as u64).sum()
}
