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
    /// How many begin as one of an earlier file does: files that overlap, or a deck that was dealt again.
    pub across: u64,
    /// The first of them.
    pub named_across: Option<[String; 2]>,
    /// Hands with too few cards to be compared.
    pub short: u64,
}

/// Compares every hand with those before it.
pub(super) fn repeated(dealt: &DealtHands) -> RepeatedHands {
    let (mut found, mut seen) = (RepeatedHands::default(), HashMap::new());
    for (place, hand) in dealt.hands.iter().enumerate() {
        let Some(first) = hand.cards.first_chunk::<CARDS>() else {
            found.short += 1;
            continue;
        };
        let file = dealt.begun.partition_point(|&begun| begun <= place);
        let Some((of, earlier)) = seen.insert(first.map(|dealt| dealt.card.index()), (file, hand)) else {
            continue;
        };
        let pair = [earlier.number.clone(), hand.number.clone()];
        if of == file {
            found.hands += 1;
            found.named.extend((found.named.len() < NAMED_MAX).then_some(pair));
        } else {
            found.across += 1;
            found.named_across.get_or_insert(pair);
        }
    }
    found
}
