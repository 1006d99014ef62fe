//! A set of distinct cards as four rank masks, one a suit: what every ranking reads.

use deckproof_deck::card::Card;

/// Distinct cards, at most 52, in no order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct CardSet(u64);

/// Bits of one suit; 13 of them are used.
const SUIT_BITS: u32 = 16;
/// The thirteen ranks of one suit.
const RANKS: u64 = 0x1fff;

/// The bit of every card number; from a table, because a loop of shifts is turned into slow lanes.
static BITS: [u64; 64] = {
    let mut bits = [0; 64];
    let mut index = 0;
    while index < 52 {
        bits[index] = 1 << (SUIT_BITS as usize * (index % 4) + index / 4);
        index += 1;
    }
    bits
};

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);

    /// The set of these cards; a card given twice counts once.
    #[inline]
    pub fn of(cards: &[Card]) -> CardSet {
        cards.iter().fold(CardSet::EMPTY, |set, &card| set.with(card))
    }

    /// This set and one card more.
    #[inline]
    #[must_use]
    pub fn with(self, card: Card) -> CardSet {
        CardSet(self.0 | BITS[usize::from(card.index() & 63)])
    }

    /// Whether the card is in the set.
    pub fn contains(self, card: Card) -> bool {
        self == self.with(card)
    }

    /// How many cards.
    #[inline]
    pub fn len(self) -> u32 {
        let four = self.suit_counts();
        (four.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
    }

    /// How many cards of each suit, in four fields of sixteen bits.
    ///
    /// All four are counted at once (Warren 2012, "Hacker's Delight", figure 5-2): the smallest
    /// processor this is compiled for has no instruction that counts bits.
    #[inline]
    fn suit_counts(self) -> u64 {
        let twos = self.0 - (self.0 >> 1 & 0x5555_5555_5555_5555);
        let fours = (twos & 0x3333_3333_3333_3333) + (twos >> 2 & 0x3333_3333_3333_3333);
        let eights = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        (eights + (eights >> 8)) & 0x001f_001f_001f_001f
    }

    /// Whether there is no card.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The ranks present, bit 0 the two and bit 12 the ace.
    #[inline]
    pub fn ranks(self) -> u32 {
        let halves = self.0 | self.0 >> (2 * SUIT_BITS);
        ((halves | halves >> SUIT_BITS) & RANKS) as u32
    }

    /// The ranks of clubs, diamonds, hearts and spades.
    #[inline]
    pub fn suits(self) -> [u32; 4] {
        [0, 1, 2, 3].map(|suit| (self.0 >> (SUIT_BITS * suit) & RANKS) as u32)
    }

    /// The ranks of the suit that has five to seven cards, or 0.
    #[inline]
    pub(in crate::stud) fn flush_ranks(self) -> u32 {
        // Bit 3 of a field says "five or more" once three is added.
        let flushes = (self.suit_counts() + 0x0003_0003_0003_0003) & 0x0008_0008_0008_0008;
        if flushes == 0 { 0 } else { (self.0 >> (flushes.trailing_zeros() - 3) & RANKS) as u32 }
    }

    /// The cards from the lowest to the highest, in the order of their numbers.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        Card::all().filter(move |&card| self.contains(card))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_exactly_its_cards() {
        let cards: Vec<Card> = Card::all().step_by(5).collect();
        let set = CardSet::of(&cards);
        assert_eq!(set.len() as usize, cards.len());
        assert_eq!(set.cards().collect::<Vec<_>>(), cards);
        assert!(!set.contains(Card::from_index(1).expect("a card")));
    }

    #[test]
    fn ranks_are_gathered_over_all_suits() {
        let set = CardSet::of(&["2c", "3d", "4h", "As"].map(|text| text.parse().expect("a card")));
        assert_eq!(set.ranks(), 0b1_0000_0000_0111);
        assert_eq!(set.suits(), [1, 2, 4, 1 << 12]);
    }
}
