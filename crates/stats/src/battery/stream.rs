//! Digits as the stream a dealer drew them, for statistics that look from one draw to another.

use crate::battery::kernel::digits::Way;
use crate::battery::kernel::undo::{self, Digits};
use crate::battery::statistic::SEGMENT_DECKS;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, EMPTY_LANE, Row};
use deckproof_deck::deck::inverse::inverse;

/// What of a deck is undone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turned {
    /// Its cards as they are dealt.
    Not,
    /// The places of its cards.
    Inverse,
    /// Its cards from the last to the first: dealers that take the last card of the array first, as `deck.pop()` does.
    FromTheEnd,
}

/// A way to undo a shuffle, of the decks, of their inverses, or of the decks from the end.
pub(super) struct Undoing {
    way: Way,
    turned: Turned,
}

impl Undoing {
    /// The blocks that hold the first `decks` decks, from the end `from_the_end`: both are multiples of 64.
    pub(super) fn first<'a>(
        &self,
        blocks: &'a [DeckBlock],
        decks: usize,
        from_the_end: usize,
    ) -> &'a [DeckBlock] {
        first(blocks, if self.turned == Turned::FromTheEnd { from_the_end } else { decks })
    }

    /// The decks of a block, undone.
    pub(super) fn drawn(&self, block: &DeckBlock) -> Drawn {
        let mut digits = [[EMPTY_LANE; BLOCK_HANDS]; DECK_CARDS];
        match self.turned {
            Turned::Not => (self.way)(block.rows(), &mut digits),
            Turned::Inverse => {
                let mut turned = DeckBlock::default();
                inverse(block, &mut turned);
                (self.way)(turned.rows(), &mut digits);
            }
            Turned::FromTheEnd => (self.way)(&from_the_end(block.rows()), &mut digits),
        }
        Drawn { hands: block.hands(), digits }
    }
}

const fn undoing(way: Way, turned: Turned) -> Undoing {
    Undoing { way, turned }
}

/// The eight ways to undo a shuffle. Each draws the digit of base 52 first and that of base 2 last.
pub(super) static WAYS: [Undoing; 8] = [
    undoing(undo::down, Turned::Not),
    undoing(undo::down, Turned::Inverse),
    undoing(undo::up, Turned::Not),
    undoing(undo::up, Turned::Inverse),
    undoing(undo::lehmer, Turned::Not),
    undoing(undo::lehmer, Turned::Inverse),
    undoing(undo::down, Turned::FromTheEnd),
    undoing(undo::up, Turned::FromTheEnd),
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
    blocks.iter().map(|block| undoing.drawn(block)).collect()
}

/// Which blocks of a segment are looked at: the first ones, and from there on one of so many.
pub(super) struct Sampling {
    pub(super) first: usize,
    pub(super) every: usize,
}

impl Sampling {
    pub(super) const fn sees(&self, block: usize) -> bool {
        block < self.first || block.is_multiple_of(self.every)
    }

    /// How many decks are looked at of so many, in segments.
    pub(super) fn decks_of(&self, decks: u64) -> u64 {
        let of_segment = |decks: u64| -> u64 {
            let block = BLOCK_HANDS as u64;
            let seen = (0..decks.div_ceil(block)).filter(|&number| self.sees(number as usize));
            seen.map(|number| block.min(decks - number * block)).sum()
        };
        decks / SEGMENT_DECKS * of_segment(SEGMENT_DECKS) + of_segment(decks % SEGMENT_DECKS)
    }
}

/// The rows of a block from the last place to the first.
pub(super) fn from_the_end(rows: &[Row; DECK_CARDS]) -> [Row; DECK_CARDS] {
    let mut rows = *rows;
    rows.reverse();
    rows
}

/// The blocks that hold the first `decks` decks, a multiple of 64, or all if there are fewer.
pub(super) fn first<Block>(blocks: &[Block], decks: usize) -> &[Block] {
    &blocks[..blocks.len().min(decks / BLOCK_HANDS)]
}

/// How many decks the blocks hold.
pub(super) fn decks_of(blocks: &[DeckBlock]) -> u64 {
    blocks.iter().map(|block| block.hands() as u64).sum()
}
