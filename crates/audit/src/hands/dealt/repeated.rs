//! Hands that are dealt a second time: their first cards, in the order dealt, are those of an earlier hand.
//!
//! Whoever folds, the next card is the next of the deck, so that two hands of one deck begin with the same cards. Two fair decks
//! do so with probability 36!/52! = 4.6e-27 for 16 cards: among a billion hands once in 400 million such files.

use std::collections::HashMap;

use crate::hands::dealt::read::DealtHands;

/// Cards that are compared; a hand with fewer is not.
pub const CARDS: usize = 16;

/// Pairs that are named.
const NAMED_MAX: usize = 5;

/// Hands that came again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RepeatedHands {
    /// How many begin as an earlier one of their file does.
    pub hands: u64,
    /// The first of them: what the file calls the earlier hand and this one.
    pub named: Vec<[String; 2]>,
    /// Those that begin as one of an earlier file does, by their places: files that overlap, or a deck that was dealt again.
    pub across: Vec<usize>,
    /// The first of them.
    pub named_across: Option<[String; 2]>,
    /// Hands with too few cards to be compared with those of their file.
    pub short: u64,
}

/// Of hands with fewer cards all are compared with those of other files, from so many on: of a billion pairs of fair hands
/// three in 100,000 have eight cards alike.
const ALL_CARDS_MIN: usize = 8;

/// Compares every hand with those before it.
pub(super) fn repeated(dealt: &DealtHands) -> RepeatedHands {
    let (mut found, mut seen) = (RepeatedHands::default(), HashMap::new());
    for (place, hand) in dealt.hands.iter().enumerate() {
        let is_short = hand.cards.len() < CARDS;
        found.short += u64::from(is_short);
        if hand.cards.len() < ALL_CARDS_MIN {
            continue;
        }
        let cards: Vec<u8> = hand.cards.iter().take(CARDS).map(|dealt| dealt.card.index()).collect();
        let file = dealt.begun.partition_point(|&begun| begun <= place);
        let Some((of, earlier)) = seen.insert(cards, (file, hand)) else {
            continue;
        };
        let pair = [earlier.number.clone(), hand.number.clone()];
        if of != file {
            found.across.push(place);
            found.named_across.get_or_insert(pair);
        } else if !is_short {
            found.hands += 1;
            found.named.extend((found.named.len() < NAMED_MAX).then_some(pair));
        }
    }
    found
}
