//! High hands as a player would name them.

use std::fmt;

use crate::stud::rank::{Category, High};

const SINGULAR: [&str; 13] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
const PLURAL: [&str; 13] = [
    "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens",
    "kings", "aces",
];

/// `nine`, from the rank 0..13.
pub(in crate::stud) fn singular(rank: u32) -> &'static str {
    SINGULAR[rank as usize]
}

/// `nines`, from the rank 0..13.
pub(in crate::stud) fn plural(rank: u32) -> &'static str {
    PLURAL[rank as usize]
}

/// The ranks of a mask from the highest down.
pub(in crate::stud) fn descending(ranks: u32) -> Vec<u32> {
    (0..13).rev().filter(|rank| ranks >> rank & 1 == 1).collect()
}

impl fmt::Display for High {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let leading = descending(self.leading());
        let kickers = descending(self.kickers());
        match self.category() {
            Category::RoyalFlush => write!(f, "royal flush"),
            Category::StraightFlush => write!(f, "straight flush, {} high", singular(leading[0])),
            Category::FourOfAKind => {
                write!(f, "four of a kind, {}, {}", plural(leading[0]), kicker_words(&kickers))
            }
            Category::FullHouse => {
                write!(f, "full house, {} full of {}", plural(leading[0]), plural(kickers[0]))
            }
            Category::Flush => write!(f, "flush, {} high", letters(&kickers)),
            Category::Straight => write!(f, "straight, {} high", singular(leading[0])),
            Category::ThreeOfAKind => {
                write!(f, "three of a kind, {}, {}", plural(leading[0]), kicker_words(&kickers))
            }
            Category::TwoPair => {
                let [upper, lower] = [leading[0], leading[1]].map(plural);
                write!(f, "two pair, {upper} and {lower}, {}", kicker_words(&kickers))
            }
            Category::OnePair => write!(f, "pair of {}, {}", plural(leading[0]), kicker_words(&kickers)),
            Category::HighCard => write!(f, "{} high", letters(&kickers)),
        }
    }
}

/// `nine kicker`, `ace and nine kickers`, `ace, nine and four kickers`.
fn kicker_words(ranks: &[u32]) -> String {
    let names: Vec<&str> = ranks.iter().map(|&rank| singular(rank)).collect();
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => format!("{only} kicker"),
        Some((last, others)) => format!("{} and {last} kickers", others.join(", ")),
    }
}

/// `A-K-9-4-2`.
pub(in crate::stud) fn letters(ranks: &[u32]) -> String {
    let letters: Vec<&str> = ranks
        .iter()
        .map(|&rank| ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"][rank as usize])
        .collect();
    letters.join("-")
}
