//! Dealers without a fault: the battery must pass them.

use crate::dealers::dice::Dice;
use crate::dealers::generators::pcg::Pcg;
use crate::dealers::{CardOrder, Expected, Line, durstenfeld, in_order};
use deckproof_deck::key::AuditKey;
use deckproof_deck::shuffle::shuffle_deck;

dealers! {
    Numbered("certified", certified).expected(Expected::Pass):
        "The certified shuffle under the key that the seed begins.";
    Numbered("relabelled", relabelled).expected(Expected::Pass):
        "The certified shuffle with its cards renamed by a fixed permutation.";
    Numbered("fisher-yates-chacha", |dice, _| dice.fair()).expected(Expected::Pass):
        "Durstenfeld's shuffle with plain rejection on ChaCha20.";
    Numbered("fisher-yates-pcg", fisher_yates_pcg).expected(Expected::Pass):
        "Durstenfeld's shuffle with plain rejection on PCG-XSH-RR 64/32 (O'Neill 2014).";
    Numbered("inside-out", inside_out).expected(Expected::Pass):
        "The upward form of the shuffle, which swaps with any earlier place.";
    Numbered("sort-key-64", sort_key_64).expected(Expected::Pass):
        "Cards sorted by 64-bit random keys: ties are too rare to matter.";
    Sequential("not-reset-fair", not_reset_fair).expected(Expected::Pass):
        "A fair shuffle of the deck as the last hand left it: harmless, for any start is.";
}

fn certified(dice: &mut Dice, _: u32) -> CardOrder {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&dice.seed().to_be_bytes());
    *shuffle_deck(AuditKey::from_bytes(key).hand_key(dice.deck()).bytes()).indices()
}

fn relabelled(dice: &mut Dice, _: u32) -> CardOrder {
    let names = Dice::labelled(dice.seed(), 0, 1).fair();
    certified(dice, 0).map(|card| names[usize::from(card)])
}

fn fisher_yates_pcg(dice: &mut Dice, _: u32) -> CardOrder {
    let mut pcg = Pcg::new(dice.long(), dice.deck());
    durstenfeld(|range| pcg.below(range))
}

fn inside_out(dice: &mut Dice, _: u32) -> CardOrder {
    let mut order = in_order();
    for place in 1..order.len() {
        order.swap(place, dice.below(place as u32 + 1) as usize);
    }
    order
}

fn sort_key_64(dice: &mut Dice, _: u32) -> CardOrder {
    let keys: [u64; 52] = std::array::from_fn(|_| dice.long());
    let mut order = in_order();
    order.sort_by_key(|&card| keys[usize::from(card)]);
    order
}

fn not_reset_fair(seed: u64, _: u32) -> Line {
    let (mut deck, mut number) = (in_order(), 0);
    Box::new(move || {
        let swaps = Dice::new(seed, number).fair();
        number += 1;
        deck = swaps.map(|place| deck[usize::from(place)]);
        deck
    })
}
