//! Who gets the chips that cannot be split, one chip each.

use std::cmp::Reverse;

use crate::stud::betting::Game;
use crate::stud::betting::winners::PotPart;
use crate::stud::card_set::CardSet;
use crate::stud::low::Low8;
use crate::stud::rank::High;
use crate::stud::readings::{OddChip, OddChipCards};
use deckproof_deck::card::Card;

impl Game {
    /// The winners in the order in which odd chips go to them. Winners come from the dealer's left.
    pub(super) fn odd_chip_order(&self, part: PotPart, winners: &[(usize, CardSet)]) -> Vec<usize> {
        let mut order = winners.to_vec();
        if self.readings().odd_chip == OddChip::CardThenSuit {
            // Of the same card twice, which only a community card makes, the first left of the dealer.
            order.sort_by_key(|&(player, cards)| (Reverse(self.deciding_card(part, cards)), player));
        }
        order.into_iter().map(|(player, _)| player).collect()
    }

    fn deciding_card(&self, part: PotPart, cards: CardSet) -> (i32, u8) {
        // A community card is in every hand and decides nothing between them.
        let own: Vec<Card> = cards.cards().filter(|&card| self.community() != Some(Some(card))).collect();
        let deciding = self.readings().odd_chip_cards;
        match part {
            PotPart::Low => lowest_card(deciding, &own, cards),
            _ => highest_card(deciding, &own, cards),
        }
    }
}

/// The key of the highest card: rank, then spades, hearts, diamonds, clubs.
///
/// With five cards deciding, it is the highest of the five that make the high hand: in a flush the
/// highest of its suit, otherwise the player's best suit of the highest rank in the hand.
fn highest_card(deciding: OddChipCards, own: &[Card], all: CardSet) -> (i32, u8) {
    let key = |card: Card| (i32::from(card.rank()), card.suit());
    let best = High::best(all);
    let in_hand = |card: &&Card| deciding == OddChipCards::Seven || best.uses(**card, all);
    own.iter().filter(in_hand).map(|&card| key(card)).max().unwrap_or((-1, 0))
}

/// The key of the lowest card, greater being lower: rank with the ace low, then spades, hearts,
/// diamonds, clubs.
fn lowest_card(deciding: OddChipCards, own: &[Card], all: CardSet) -> (i32, u8) {
    let low_rank = |card: Card| (card.rank() + 1) % 13;
    let ranks = Low8::best(all).map_or(u32::MAX, Low8::ranks);
    let in_hand = |card: &&Card| deciding == OddChipCards::Seven || ranks >> low_rank(**card) & 1 == 1;
    let key = |card: Card| (-i32::from(low_rank(card)), card.suit());
    own.iter().filter(in_hand).map(|&card| key(card)).max().unwrap_or((i32::MIN, 0))
}
