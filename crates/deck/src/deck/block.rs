//! The block of 64 hands: 64 consecutive decks side by side, place by place, for the lanes.

use crate::card::DECK_CARDS;
use crate::deck::Deck;

/// Hands per block; fixed, so that a result never depends on threads.
pub const BLOCK_HANDS: usize = 64;

/// What an empty lane holds at every place: no table has a cell for it, so no kernel needs a mask.
pub const EMPTY_LANE: u8 = 63;

/// One place of 64 hands.
pub type Row = [u8; BLOCK_HANDS];

/// Up to 64 consecutive decks, place-major: `row(p)[lane]` is the card at place `p` of deck `lane`.
///
/// The first `hands()` lanes are permutations of 0..52, the others hold [`EMPTY_LANE`] throughout.
#[derive(Clone)]
#[repr(align(64))]
pub struct DeckBlock {
    rows: [Row; DECK_CARDS],
    hands: usize,
}

impl Default for DeckBlock {
    fn default() -> DeckBlock {
        DeckBlock { rows: [[EMPTY_LANE; BLOCK_HANDS]; DECK_CARDS], hands: 0 }
    }
}

impl DeckBlock {
    /// How many lanes, from lane 0, hold a deck.
    pub fn hands(&self) -> usize {
        self.hands
    }

    /// Whether no lane holds a deck.
    pub fn is_empty(&self) -> bool {
        self.hands == 0
    }

    /// All 52 rows.
    pub fn rows(&self) -> &[Row; DECK_CARDS] {
        &self.rows
    }

    /// The card at one place in all lanes.
    pub fn row(&self, place: usize) -> &Row {
        &self.rows[place]
    }

    /// The deck of one lane.
    ///
    /// # Panics
    /// If the lane is empty.
    pub fn deck(&self, lane: usize) -> Deck {
        assert!(lane < self.hands, "lane {lane} of {} is empty", self.hands);
        let numbers: [u8; DECK_CARDS] = std::array::from_fn(|place| self.rows[place][lane]);
        Deck::try_from(&numbers[..]).expect("lanes below `hands` hold permutations")
    }

    /// Empties every lane.
    pub fn clear(&mut self) {
        *self = DeckBlock::default();
    }

    /// Puts a deck into the next free lane.
    ///
    /// # Panics
    /// If the block is full.
    pub fn push(&mut self, deck: &Deck) {
        assert!(self.hands < BLOCK_HANDS, "a block holds {BLOCK_HANDS} decks");
        for (row, &card) in self.rows.iter_mut().zip(deck.indices()) {
            row[self.hands] = card;
        }
        self.hands += 1;
    }

    /// Replaces the deck of a lane that holds one.
    pub fn replace(&mut self, lane: usize, deck: &Deck) {
        assert!(lane < self.hands, "lane {lane} of {} is empty", self.hands);
        for (row, &card) in self.rows.iter_mut().zip(deck.indices()) {
            row[lane] = card;
        }
    }

    /// Keeps the first `hands` lanes and empties the rest.
    pub fn truncate(&mut self, hands: usize) {
        empty_lanes(&mut self.rows, hands);
        self.hands = self.hands.min(hands);
    }

    /// For lane kernels: they must leave permutations in the first `hands` lanes, which a debug build
    /// looks at; the rest is emptied here.
    pub fn fill(&mut self, hands: usize, kernel: impl FnOnce(&mut [Row; DECK_CARDS])) {
        kernel(&mut self.rows);
        empty_lanes(&mut self.rows, hands);
        self.hands = hands;
        debug_assert!(self.is_sound(), "a kernel left a lane that is no deck");
    }

    /// The decks with every card called what the table says; an empty lane stays empty.
    pub fn renamed(&self, names: &Row) -> DeckBlock {
        let mut out = DeckBlock::default();
        out.fill(self.hands, |rows| {
            for (row, cards) in rows.iter_mut().zip(&self.rows) {
                *row = cards.map(|card| names[usize::from(card & EMPTY_LANE)]);
            }
        });
        out
    }

    fn is_sound(&self) -> bool {
        (0..BLOCK_HANDS).all(|lane| {
            let seen = self.rows.iter().fold(0u64, |seen, row| seen | 1 << row[lane]);
            seen == if lane < self.hands { (1 << DECK_CARDS) - 1 } else { 1 << EMPTY_LANE }
        })
    }
}

/// Writes [`EMPTY_LANE`] into the lanes from `hands` on.
pub fn empty_lanes(rows: &mut [Row; DECK_CARDS], hands: usize) {
    match BLOCK_HANDS.saturating_sub(hands) {
        0 => {}
        // Relative decks and moves come in 63: a call of memset for each byte would show.
        1 => rows.iter_mut().for_each(|row| row[BLOCK_HANDS - 1] = EMPTY_LANE),
        _ => rows.iter_mut().for_each(|row| row[hands..].fill(EMPTY_LANE)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decks_come_out_of_their_lanes_and_empty_lanes_hold_63() {
        let mut block = DeckBlock::default();
        let mut deck = Deck::in_order();
        block.push(&deck);
        deck.swap(0, 51);
        block.push(&deck);
        assert_eq!((block.deck(0), block.deck(1)), (Deck::in_order(), deck));
        assert_eq!(block.row(51)[..3], [51, 0, EMPTY_LANE]);
        block.truncate(1);
        assert_eq!(block.row(51)[..2], [51, EMPTY_LANE]);
    }
}
