//! Start orders: how the cards of a new deck lie before the shuffle.

use crate::deck::{DECK_CARDS, Deck};

/// Suits as cards are numbered here.
const SUITS: &[u8; 4] = b"cdhs";

/// An order of a new deck.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// Sorted.
    Sorted(Sorted),
    /// As makers in the United States print it: spades and diamonds from the ace up, clubs and hearts from the king down.
    NewPack,
    /// The same from the bottom.
    NewPackTurned,
    /// The deck of the record before, shuffled on.
    Previous,
}

/// A sorted deck.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sorted {
    /// All cards of a suit together, else all of a rank.
    pub by_suits: bool,
    /// Aces below deuces.
    pub ace_low: bool,
    /// From the last card to the first.
    pub from_end: bool,
    /// Suits in their order.
    pub suits: [u8; 4],
}

const CDHS: [u8; 4] = [0, 1, 2, 3];

impl Start {
    /// 4·rank + suit, the cards as they are numbered here.
    pub const BY_RANKS: Start =
        Start::Sorted(Sorted { by_suits: false, ace_low: false, from_end: false, suits: CDHS });

    /// The usual ones, likeliest first.
    pub fn usual() -> Vec<Start> {
        let sorted =
            |by_suits, ace_low, suits| Start::Sorted(Sorted { by_suits, ace_low, from_end: false, suits });
        let mut starts = vec![
            sorted(false, false, CDHS),
            sorted(true, false, CDHS),
            Start::Previous,
            sorted(true, true, CDHS),
            sorted(false, true, CDHS),
            Start::NewPack,
            Start::NewPackTurned,
        ];
        // Hearts first, spades first in the order of bridge, and as new packs have it.
        for suits in [[2, 1, 0, 3], [3, 2, 1, 0], [3, 2, 0, 1], [2, 3, 1, 0], [3, 1, 0, 2]] {
            for (by_suits, ace_low) in [(true, false), (true, true), (false, false), (false, true)] {
                starts.push(sorted(by_suits, ace_low, suits));
            }
        }
        starts
    }

    /// Every order of suits, aces high and low, by suits and by ranks, from both ends; the usual ones first.
    pub fn all() -> Vec<Start> {
        let mut starts = Start::usual();
        for suits in permutations() {
            for code in 0..8u8 {
                let (by_suits, ace_low, from_end) = (code & 1 == 1, code & 2 == 2, code & 4 == 4);
                let start = Start::Sorted(Sorted { by_suits, ace_low, from_end, suits });
                if !starts.contains(&start) {
                    starts.push(start);
                }
            }
        }
        starts
    }

    /// `numbers[card]` is the place of the card in the new deck; of the record before, in that.
    pub fn numbers(self, previous: Option<&Deck>) -> Option<Deck> {
        let mut numbers = [0; DECK_CARDS];
        if self == Start::Previous {
            previous?.iter().zip(0u8..).for_each(|(&card, place)| numbers[usize::from(card)] = place);
            return Some(numbers);
        }
        for (card, number) in numbers.iter_mut().enumerate() {
            *number = self.number(card / 4, card % 4) as u8;
        }
        Some(numbers)
    }

    fn number(self, rank: usize, suit: usize) -> usize {
        match self {
            Start::Sorted(sorted) => sorted.number(rank, suit),
            Start::NewPack => new_pack(rank, suit),
            Start::NewPackTurned => 51 - new_pack(rank, suit),
            Start::Previous => 0,
        }
    }

    /// What it is called: `ranks-cdhs`, `suits-shdc-ace-low`, `new-pack`, `previous`, …
    pub fn name(self) -> String {
        match self {
            Start::Sorted(sorted) => sorted.name(),
            Start::NewPack => "new-pack".to_owned(),
            Start::NewPackTurned => "new-pack-turned".to_owned(),
            Start::Previous => "previous".to_owned(),
        }
    }

    /// The order of that name.
    pub fn named(name: &str) -> Option<Start> {
        Start::all().into_iter().find(|start| start.name() == name)
    }
}

impl Sorted {
    fn number(self, rank: usize, suit: usize) -> usize {
        let rank = if self.ace_low { (rank + 1) % 13 } else { rank };
        let suit = self.suits.iter().position(|&own| usize::from(own) == suit).unwrap_or(0);
        let number = if self.by_suits { 13 * suit + rank } else { 4 * rank + suit };
        if self.from_end { 51 - number } else { number }
    }

    fn name(self) -> String {
        let suits: String = self.suits.iter().map(|&suit| char::from(SUITS[usize::from(suit)])).collect();
        let kind = if self.by_suits { "suits" } else { "ranks" };
        let ace = if self.ace_low { "-ace-low" } else { "" };
        let end = if self.from_end { "-from-end" } else { "" };
        format!("{kind}-{suits}{ace}{end}")
    }
}

/// Ace first.
const fn ace_low(rank: usize) -> usize {
    (rank + 1) % 13
}

const fn new_pack(rank: usize, suit: usize) -> usize {
    match suit {
        3 => ace_low(rank),
        1 => 13 + ace_low(rank),
        2 => 51 - ace_low(rank),
        _ => 38 - ace_low(rank),
    }
}

fn permutations() -> Vec<[u8; 4]> {
    let is_permutation = |suits: &[u8; 4]| suits.iter().fold(0, |set, suit| set | 1 << suit) == 15;
    let all = (0..256u32).map(|code| [6, 4, 2, 0].map(|shift| (code >> shift & 3) as u8));
    all.filter(is_permutation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_numbers_every_card_once_and_has_its_name() {
        let all = Start::all();
        assert_eq!(all.len(), 24 * 8 + 3);
        for start in all {
            let previous = std::array::from_fn(|place| (place * 5 % 52) as u8);
            let mut numbers = start.numbers(Some(&previous)).expect("a deck before is given");
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..52), "{}", start.name());
            assert_eq!(Start::named(&start.name()), Some(start));
        }
        assert_eq!(Start::BY_RANKS.numbers(None), Some(std::array::from_fn(|card| card as u8)));
        assert_eq!(Start::Previous.numbers(None), None);
    }
}
