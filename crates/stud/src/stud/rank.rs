//! The best high hand of five to seven cards, as one number: greater wins, equal ties.

#[doc(hidden)]
#[cfg(feature = "census")]
pub mod census;
#[doc(hidden)]
#[cfg(feature = "lanes")]
pub mod lanes;
pub(in crate::stud) mod masks;
pub(in crate::stud) mod name;
mod ordinal;

use crate::stud::card_set::CardSet;
use crate::stud::rank::masks::{high_value, multiple_value, multiples, straight_bottoms};
use deckproof_deck::card::Card;
use deckproof_deck::text::named::named;

/// Distinct high hands of five cards.
pub const CLASSES_FIVE: usize = 7_462;

named! {
    /// What a high hand is called, from the weakest to the strongest.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[allow(missing_docs)]
    pub enum Category {
        HighCard = "high_card",
        OnePair = "one_pair",
        TwoPair = "two_pair",
        ThreeOfAKind = "three_of_a_kind",
        Straight = "straight",
        Flush = "flush",
        FullHouse = "full_house",
        FourOfAKind = "four_of_a_kind",
        StraightFlush = "straight_flush",
        RoyalFlush = "royal_flush",
    }
    /// The name in records: `two_pair`.
    pub fn id;
}

/// The best five cards of a set of five to seven, suits apart: `kind·2²⁶ + leading·2¹³ + kickers`,
/// where `leading` and `kickers` are sets of ranks. The order of the numbers is the order of the hands.
///
/// ```
/// use deckproof_deck::card::Card;
/// use deckproof_stud::stud::card_set::CardSet;
/// use deckproof_stud::stud::rank::{Category, High};
/// let cards: Vec<Card> = "As Ks 9h 9d 4c 3c 2s".split(' ').map(str::parse).collect::<Result<_, _>>()?;
/// let high = High::best(CardSet::of(&cards));
/// assert_eq!(high.category(), Category::OnePair);
/// assert_eq!(high.to_string(), "pair of nines, ace, king and four kickers");
/// # Ok::<(), deckproof_deck::card::CardError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct High(u32);

impl High {
    /// The best five cards of the set.
    ///
    /// # Panics
    /// If the set holds fewer than five cards or more than seven.
    #[inline]
    pub fn best(cards: CardSet) -> High {
        let count = cards.len();
        assert!((5..=7).contains(&count), "{count} cards have no best five: five to seven do");
        let of = multiples(cards.suits());
        let flush = cards.flush_ranks();
        // One hand in thirteen: the two branches are predicted well.
        if flush != 0 || straight_bottoms(of.any) != 0 {
            return High(high_value(&of, flush, count - 5));
        }
        High(multiple_value(&of, count - 5))
    }

    /// What the hand is called.
    #[inline]
    pub fn category(self) -> Category {
        let kind = self.kind();
        // A straight flush to the ace is the royal one.
        Category::ALL[kind + usize::from(kind == 8 && self.leading() == 1 << 12)]
    }

    /// 1 (7-5-4-3-2) to 7,462 (royal flush) among the distinct hands of five cards.
    pub fn ordinal(self) -> u16 {
        ordinal::of(self)
    }

    /// Whether the hand can be made with this card of the set it is the best five of.
    pub fn uses(self, card: Card, of: CardSet) -> bool {
        let ranks = match self.category() {
            Category::Straight | Category::StraightFlush | Category::RoyalFlush => {
                let top = self.leading().trailing_zeros();
                // The five-high straight goes down to the ace.
                if top == 3 { 1 << 12 | 0xf } else { 0x1f << (top - 4) }
            }
            _ => self.leading() | self.kickers(),
        };
        let suited =
            matches!(self.category(), Category::Flush | Category::StraightFlush | Category::RoyalFlush);
        let in_suit = !suited || of.suits()[usize::from(card.suit())] == of.flush_ranks();
        ranks >> card.rank() & 1 == 1 && in_suit
    }

    /// The category without the distinction of the royal flush, 0 to 8.
    #[inline]
    fn kind(self) -> usize {
        (self.0 >> 26) as usize
    }

    /// Ranks of the quads, trips and pairs, or the top of a straight.
    #[inline]
    fn leading(self) -> u32 {
        self.0 >> 13 & 0x1fff
    }

    /// Ranks of the other cards of the five.
    #[inline]
    fn kickers(self) -> u32 {
        self.0 & 0x1fff
    }
}
