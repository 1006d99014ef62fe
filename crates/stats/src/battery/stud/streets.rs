//! The up cards of fourth street, all seats of a block at once.

use multiversion::multiversion;

use crate::battery::stud::table::StudTable;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, Row};

/// Cards of a hand that lie open on fourth street: the door and one more.
const UP: [usize; 2] = [2, 3];

/// What the boards of two cards say; empty lanes have no meaning.
pub(super) struct Boards {
    /// The seat of the best board, of tied ones the nearest to the dealer's left.
    pub(super) first: Row,
    /// How many seats share the best board.
    pub(super) tied: Row,
    /// How many seats show a pair.
    pub(super) pairs: Row,
}

/// The boards of every lane.
pub(super) fn boards_of_two(table: &StudTable, block: &DeckBlock) -> Boards {
    let mut boards = Boards { first: [0; BLOCK_HANDS], tied: [0; BLOCK_HANDS], pairs: [0; BLOCK_HANDS] };
    let mut best = [0; BLOCK_HANDS];
    for seat in 0..table.players() {
        let [door, fourth] = UP.map(|card| block.row(usize::from(table.places(seat)[card])));
        add(seat as u8, door, fourth, &mut best, &mut boards);
    }
    boards
}

/// Pairs come after every two different ranks.
const PAIR: u8 = 13 * 13;

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn add(seat: u8, door: &Row, fourth: &Row, best: &mut Row, boards: &mut Boards) {
    for lane in 0..BLOCK_HANDS {
        let (a, b) = (door[lane] >> 2 & 15, fourth[lane] >> 2 & 15);
        let (high, low) = (a.max(b), a.min(b));
        // 13·high as shifts: there is no product of bytes. One more, so that every board beats none.
        let apart = (high << 3).wrapping_add(high << 2).wrapping_add(high).wrapping_add(low) + 1;
        let strength = if high == low { PAIR + high + 1 } else { apart };
        let held = best[lane];
        boards.first[lane] = if strength > held { seat } else { boards.first[lane] };
        let tied = if strength == held { boards.tied[lane] + 1 } else { boards.tied[lane] };
        boards.tied[lane] = if strength > held { 1 } else { tied };
        boards.pairs[lane] += u8::from(high == low);
        best[lane] = held.max(strength);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::stud::sample;
    use deckproof_deck::card::Card;
    use deckproof_stud::stud::board::{Board, Showing};
    use deckproof_stud::stud::card_set::CardSet;

    #[test]
    fn lanes_agree_with_the_boards_of_the_rules() {
        for (table, block) in StudTable::all().iter().zip(sample::blocks(11, 21)) {
            let found = boards_of_two(table, &block);
            for lane in 0..BLOCK_HANDS {
                let card = |seat: usize, card: usize| {
                    Card::from_index(block.row(usize::from(table.places(seat)[card]))[lane]).expect("a card")
                };
                let board = |seat: usize| Board::of(CardSet::of(&UP.map(|up| card(seat, up))));
                let boards: Vec<Board> = (0..table.players()).map(board).collect();
                let best = boards.iter().max().copied();
                let first = boards.iter().position(|board| Some(*board) == best).expect("seats are there");
                let tied = boards.iter().filter(|board| Some(**board) == best).count();
                let pairs = boards.iter().filter(|board| board.showing() == Showing::Pair).count();
                let seen = [found.first[lane], found.tied[lane], found.pairs[lane]].map(usize::from);
                assert_eq!(seen, [first, tied, pairs]);
            }
        }
    }
}
