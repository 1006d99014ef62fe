//! Digits as the stream a dealer drew them, for statistics that look from one draw to another.

use crate::battery::kernel::digits::Way;
use crate::battery::kernel::undo::{self, Digits};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, EMPTY_LANE, Row};
use deckproof_deck::deck::inverse::inverse;

/// A way to undo a shuffle, of the decks or of their inverses.
pub(super) struct Undoing {
    way: Way,
    is_of_inverse: bool,
}

const fn undoing(way: Way, is_of_inverse: bool) -> Undoing {
    Undoing { way, is_of_inverse }
}

/// The six ways to undo a shuffle. Each draws the digit of base 52 first and that of base 2 last.
pub(super) static WAYS: [Undoing; 6] = [
    undoing(undo::down, false),
    undoing(undo::down, true),
    undoing(undo::up, false),
    undoing(undo::up, true),
    undoing(undo::lehmer, false),
    undoing(undo::lehmer, true),
];

/// Digits a deck is drawn with.
pub(super) const DRAWS: usize = DECK_CARDS - 1;

/// The base of a draw, counted from 0.
pub(super) const fn base_of(draw: usize) -> usize {
    DECK_CARDS - draw
}

/// The digits of 64 decks numbered in a row, so that lane l of block b is deck 64b + l.
pub(super) struct Drawn {
    hands: usize,
    digits: Digits,
}

impl Drawn {
    /// How many lanes, from lane 0, hold digits of a deck.
    pub(super) fn hands(&self) -> usize {
        self.hands
    }

    /// The same as bits.
    pub(super) fn present(&self) -> u64 {
        if self.hands == BLOCK_HANDS { u64::MAX } else { (1 << self.hands) - 1 }
    }

    /// The digit of a base in every lane. Empty lanes hold anything below 64.
    pub(super) fn of_base(&self, base: usize) -> &Row {
        &self.digits[base - 1]
    }
}

/// The decks of the blocks, undone one way.
pub(super) fn undone(blocks: &[DeckBlock], undoing: &Undoing) -> Vec<Drawn> {
    let mut turned = DeckBlock::default();
    let mut drawn = |block: &DeckBlock| {
        let mut digits = [[EMPTY_LANE; BLOCK_HANDS]; DECK_CARDS];
        let block = if undoing.is_of_inverse {
            inverse(block, &mut turned);
            &turned
        } else {
            block
        };
        (undoing.way)(block.rows(), &mut digits);
        Drawn { hands: block.hands(), digits }
    };
    blocks.iter().map(&mut drawn).collect()
}

/// The blocks that hold the first `decks` decks, a multiple of 64, or all if there are fewer.
pub(super) fn first<Block>(blocks: &[Block], decks: usize) -> &[Block] {
    &blocks[..blocks.len().min(decks / BLOCK_HANDS)]
}

/// How many decks the blocks hold.
pub(super) fn decks_of(blocks: &[DeckBlock]) -> u64 {
    blocks.iter().map(|block| block.hands() as u64).sum()
}
