//! Dealt blocks: every seat's hand ranked once, for all statistics to share.

use multiversion::multiversion;

use crate::battery::stud::table::{HAND_CARDS, SEATS_MAX, StudTable};
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, EMPTY_LANE, Row};
use deckproof_stud::stud::rank::Category;
use deckproof_stud::stud::rank::lanes::{Strengths, rank, rank_of_six};

/// A statistic that counts hands dealt at a table: the engine deals and ranks once for all of them.
pub trait Seated {
    /// Who plays what.
    fn table(&self) -> &'static StudTable;

    /// Adds blocks that are dealt already, at the same table.
    fn observe_dealt(&self, deals: &Deals, counts: &mut [u64]);
}

/// What a row of small numbers holds in a lane without a deck, or without an answer: no table has a cell for it.
pub const NOTHING: u8 = 255;

/// The hands of all seats in the decks of one block.
///
/// Rows of small numbers hold [`NOTHING`] in empty lanes; `high` has no meaning there.
#[derive(Clone)]
pub struct Hands {
    /// High strength of every seat.
    pub high: [[u32; BLOCK_HANDS]; SEATS_MAX],
    /// Its category, the weakest 0.
    pub category: [Row; SEATS_MAX],
    /// 8-or-better strength: 56 is the best low, 0 none.
    pub low: [Row; SEATS_MAX],
    /// The seat with the best high hand; [`NOTHING`] where it is not alone.
    pub winner: Row,
    /// The strength of the second-best high hand, that of the best where two share it.
    pub second: [u32; BLOCK_HANDS],
    /// The cards of the seat whose turn it is, see [`StudTable::turn`]; an unknown river is 63.
    pub turn: [Row; HAND_CARDS],
}

/// Consecutive blocks and the hands in them.
#[derive(Clone, Copy)]
pub struct Deals<'a> {
    /// Who plays what.
    pub table: &'static StudTable,
    /// The decks.
    pub blocks: &'a [DeckBlock],
    /// The hands, one entry a block.
    pub hands: &'a [Hands],
}

impl Deals<'_> {
    /// Blocks with their hands.
    pub fn iter(&self) -> impl Iterator<Item = (&DeckBlock, &Hands)> {
        self.blocks.iter().zip(self.hands)
    }

    /// How many decks there are.
    pub fn decks(&self) -> u64 {
        self.blocks.iter().map(|block| block.hands() as u64).sum()
    }
}

impl Hands {
    /// Deals and ranks the decks of a block.
    pub fn of_block(table: &StudTable, block: &DeckBlock) -> Hands {
        let mut hands = Hands {
            high: [[0; BLOCK_HANDS]; SEATS_MAX],
            category: [[NOTHING; BLOCK_HANDS]; SEATS_MAX],
            low: [[NOTHING; BLOCK_HANDS]; SEATS_MAX],
            winner: [NOTHING; BLOCK_HANDS],
            second: [0; BLOCK_HANDS],
            turn: turn_cards(table, block),
        };
        for seat in 0..table.players() {
            let found = rank_seat(table.places(seat), block);
            hands.high[seat] = found.high;
            hands.low[seat] = found.low;
            categories(&hands.high[seat], &mut hands.category[seat]);
        }
        contest(&hands.high[..table.players()], &mut hands.winner, &mut hands.second);
        if block.hands() < BLOCK_HANDS {
            hands.empty_from(block.hands());
        }
        hands
    }

    fn empty_from(&mut self, lane: usize) {
        let rows = self.category.iter_mut().chain(&mut self.low).chain([&mut self.winner]);
        rows.for_each(|row| row[lane..].fill(NOTHING));
    }

    /// Category and low of the seat whose turn it is in a lane.
    pub fn of_turn(&self, table: &StudTable, lane: usize) -> (usize, usize) {
        let seat = table.turn(lane);
        (usize::from(self.category[seat][lane]), usize::from(self.low[seat][lane]))
    }
}

fn rank_seat(places: &[u8], block: &DeckBlock) -> Strengths {
    let row = |card: usize| block.row(usize::from(places[card]));
    match places.len() {
        HAND_CARDS => rank(std::array::from_fn(row)),
        _ => rank_of_six(std::array::from_fn(row)),
    }
}

fn turn_cards(table: &StudTable, block: &DeckBlock) -> [Row; HAND_CARDS] {
    let mut turn = [[EMPTY_LANE; BLOCK_HANDS]; HAND_CARDS];
    for lane in 0..BLOCK_HANDS {
        for (row, &place) in turn.iter_mut().zip(table.places(table.turn(lane))) {
            row[lane] = block.row(usize::from(place))[lane];
        }
    }
    turn
}

/// [`Category`] of strengths, as its number.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn categories(high: &[u32; BLOCK_HANDS], category: &mut Row) {
    const ROYAL: u32 = (Category::StraightFlush as u32) << 26 | 1 << 12 << 13;
    for (category, &high) in category.iter_mut().zip(high) {
        *category = (high >> 26) as u8 + u8::from(high == ROYAL);
    }
}

/// Who is best alone, and the second-best strength.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn contest(high: &[[u32; BLOCK_HANDS]], winner: &mut Row, second: &mut [u32; BLOCK_HANDS]) {
    let (mut best, mut who) = (high[0], [0u32; BLOCK_HANDS]);
    for (seat, strengths) in (1u32..).zip(&high[1..]) {
        for lane in 0..BLOCK_HANDS {
            let (leading, own) = (best[lane], strengths[lane]);
            second[lane] = second[lane].max(own.min(leading));
            who[lane] = if own > leading { seat } else { who[lane] };
            best[lane] = leading.max(own);
        }
    }
    for lane in 0..BLOCK_HANDS {
        let is_alone = best[lane] != second[lane];
        winner[lane] = if is_alone { who[lane] as u8 } else { NOTHING };
    }
}

/// Adds to `counts[v]` how many lanes of a row hold `v`, for every `v` below their number.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
pub fn count_row(row: &Row, counts: &mut [u64]) {
    for (value, count) in (0u8..NOTHING).zip(counts) {
        let lanes: u8 = row.iter().map(|&held| u8::from(held == value)).sum();
        *count += u64::from(lanes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::stud::sample;
    use deckproof_deck::card::Card;
    use deckproof_stud::stud::card_set::CardSet;
    use deckproof_stud::stud::low::Low8;
    use deckproof_stud::stud::rank::High;

    #[test]
    fn hands_are_those_of_one_seat_at_a_time() {
        let mut blocks = sample::blocks(5, 4);
        blocks[3].truncate(17);
        for table in StudTable::all() {
            for block in &blocks {
                let hands = Hands::of_block(table, block);
                for lane in 0..block.hands() {
                    let cards = |seat: usize| -> Vec<Card> {
                        let own = table.places(seat).iter();
                        own.map(|&place| {
                            Card::from_index(block.row(usize::from(place))[lane]).expect("a card")
                        })
                        .collect()
                    };
                    let sets: Vec<CardSet> =
                        (0..table.players()).map(|seat| CardSet::of(&cards(seat))).collect();
                    let mut highs: Vec<High> = sets.iter().map(|&set| High::best(set)).collect();
                    for (seat, &set) in sets.iter().enumerate() {
                        assert_eq!(usize::from(hands.category[seat][lane]), highs[seat].category() as usize);
                        assert_eq!(hands.low[seat][lane], Low8::best(set).map_or(0, Low8::strength));
                    }
                    let best = highs.iter().max().copied();
                    let first = highs.iter().position(|high| Some(*high) == best).expect("somebody is best");
                    let is_alone = highs.iter().filter(|high| Some(**high) == best).count() == 1;
                    assert_eq!(hands.winner[lane], if is_alone { first as u8 } else { NOTHING });
                    highs.sort();
                    let second = highs[highs.len() - 2];
                    assert!(hands.high.iter().any(|high| high[lane] == hands.second[lane]));
                    let seat =
                        hands.high.iter().position(|high| high[lane] == hands.second[lane]).expect("a seat");
                    assert_eq!(High::best(sets[seat]), second);
                    let turn: Vec<u8> = cards(table.turn(lane)).iter().map(|card| card.index()).collect();
                    let seen: Vec<u8> = hands.turn.iter().map(|row| row[lane]).take(turn.len()).collect();
                    assert_eq!(seen, turn);
                }
                assert!(hands.winner[block.hands()..].iter().all(|&seat| seat == NOTHING));
            }
        }
    }
}
