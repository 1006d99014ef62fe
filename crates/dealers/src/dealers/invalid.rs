//! Dealers of records that are no decks: fair but for the thousand and first record of every ten thousand.

use crate::dealers::dice::Dice;
use crate::dealers::{CardOrder, Expected};

dealers! {
    Numbered("duplicate-card", duplicate_card).expected(Expected::Invalid):
        "Fair decks, but number 1,000 and every 10,000th after it hold their top card twice.";
    Numbered("joker", joker).expected(Expected::Invalid):
        "Fair decks, but number 1,000 and every 10,000th after it hold a joker, card 52, at place 25.";
}

fn is_spoilt(deck: u64) -> bool {
    deck % 10_000 == 1_000
}

fn duplicate_card(dice: &mut Dice, _: u32) -> CardOrder {
    let mut order = dice.fair();
    if is_spoilt(dice.deck()) {
        order[51] = order[0];
    }
    order
}

fn joker(dice: &mut Dice, _: u32) -> CardOrder {
    let mut order = dice.fair();
    if is_spoilt(dice.deck()) {
        order[25] = 52;
    }
    order
}
