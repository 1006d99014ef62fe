//! Hands that are dealt a second time: their first cards, in the order dealt, are those of an earlier hand.
//!
//! Whoever folds, the next card is the next of the deck, so that two hands of one deck begin with the same cards. Two fair decks
//! do so with probability 36!/52! = 4.6e-27 for 16 cards: among a billion hands once in 400 million such files.

use std::collections::HashMap;

use crate::hands::dealt::read::OrderedHand;

/// Cards that are compared; a hand with fewer is not.
pub const CARDS: usize = 16;

/// Pairs that are named.
const NAMED_MAX: usize = 5;

/// Hands that came again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RepeatedHands {
    /// How many begin as an earlier one does.
    pub hands: u64,
    /// The first of them: what the file calls the earlier hand and this one.
    pub named: Vec<[String; 2]>,
    /// Hands with too few cards to be compared.
    pub short: u64,
}

/// Compares every hand with those before it.
pub(super) fn repeated(hands: &[OrderedHand]) -> RepeatedHands {
    let (mut found, mut seen) = (RepeatedHands::default(), HashMap::new());
    for hand in hands {
        let Some(first) = hand.cards.first_chunk::<CARDS>() else {
            found.short += 1;
            continue;
        };
        let earlier: &mut Option<&OrderedHand> =
            seen.entry(first.map(|dealt| dealt.card.index())).or_default();
        match earlier {
            Some(earlier) => {
                found.hands += 1;
                if found.named.len() < NAMED_MAX {
                    found.named.push([earlier.number.clone(), hand.number.clone()]);
                }
            }
            None => *earlier = Some(hand),
        }
    }
    found
}
