//! Low hands of eight or better.

use std::fmt;

use crate::stud::card_set::CardSet;
use crate::stud::rank::name;

/// Distinct 8-or-better hands.
pub const LOW_CLASSES: usize = 56;

/// An 8-or-better low: 1 (8-7-6-5-4) to 56 (5-4-3-2-A); greater wins, equal ties.
///
/// Five different ranks from ace to eight, the ace low; straights and flushes do not count.
/// The highest card is compared first, so 8-6-4-3-2 beats 8-7-4-2-A.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Low8(u8);

/// Strength of the lowest five of a set of low ranks (bit 0 the ace, bit 7 the eight), 0 if fewer.
pub(in crate::stud) static LOW_OF_RANKS: [u8; 256] = low_of_ranks();

const fn low_of_ranks() -> [u8; 256] {
    let mut table = [0; 256];
    // Among sets of five ranks the smaller number is the better low.
    let mut strength = LOW_CLASSES as u8;
    let mut ranks = 0usize;
    while ranks < 256 {
        if ranks.count_ones() == 5 {
            table[ranks] = strength;
            strength -= 1;
        }
        ranks += 1;
    }
    let mut ranks = 0usize;
    while ranks < 256 {
        let mut kept = ranks;
        while kept.count_ones() > 5 {
            kept ^= 1 << kept.ilog2();
        }
        table[ranks] = table[kept];
        ranks += 1;
    }
    table
}

impl Low8 {
    /// The best low of the set, if five different ranks from ace to eight are there.
    #[inline]
    pub fn best(cards: CardSet) -> Option<Low8> {
        let strength = LOW_OF_RANKS[usize::from(low_ranks(cards) as u8)];
        (strength > 0).then_some(Low8(strength))
    }

    /// 1 to 56.
    #[inline]
    pub fn strength(self) -> u8 {
        self.0
    }

    /// The name in records, by the highest card: `eight_low`.
    pub fn category_id(self) -> &'static str {
        match self.highest() {
            4 => "five_low",
            5 => "six_low",
            6 => "seven_low",
            _ => "eight_low",
        }
    }

    /// The five ranks, bit 0 the ace.
    pub(in crate::stud) fn ranks(self) -> u32 {
        let found = LOW_OF_RANKS
            .iter()
            .enumerate()
            .position(|(ranks, &strength)| ranks.count_ones() == 5 && strength == self.0);
        found.expect("every strength has its five ranks") as u32
    }

    fn highest(self) -> u32 {
        self.ranks().ilog2()
    }
}

impl fmt::Display for Low8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&low_letters(&name::descending(self.ranks())))
    }
}

/// The ranks of a set with the ace at bit 0 and the king at bit 12.
fn low_ranks(cards: CardSet) -> u32 {
    let ranks = cards.ranks();
    (ranks << 1 | ranks >> 12) & 0x1fff
}

/// `8-6-4-3-2`, with the ace at 0.
fn low_letters(ranks: &[u32]) -> String {
    let deck_ranks: Vec<u32> = ranks.iter().map(|&rank| (rank + 12) % 13).collect();
    name::letters(&deck_ranks)
}
