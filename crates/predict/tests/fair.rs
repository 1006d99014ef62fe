//! Fair decks: no quick model finds a generator in them. The example `fair` does this for thousands of files.

use deckproof_predict::budget::Budget;
use deckproof_predict::catalogue::MODELS;
use deckproof_predict::deck::{Deck, Observation};
use deckproof_predict::model::Scope;
use deckproof_predict::start::Start;
use deckproof_predict::way::WAYS;

/// Steele, Lea & Flood (2014): every number is a hash of a counter, and no model of the catalogue is.
fn number(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

fn deck(state: &mut u64) -> Deck {
    let draws = WAYS[0].ranges().map(|range| ((u128::from(number(state)) * u128::from(range)) >> 64) as u8);
    WAYS[0].deal(&draws)
}

#[test]
fn nothing_is_recovered_from_fair_decks() {
    let mut state = 20_261_124;
    for decks in [1, 2, 3, 5, 8, 30] {
        let dealt: Vec<Deck> = (0..decks).map(|_| deck(&mut state)).collect();
        let seen = Observation::of_decks(&dealt);
        let scope = Scope { ways: WAYS[..2].to_vec(), starts: vec![Start::BY_RANKS] };
        for model in MODELS.iter().filter(|model| model.is_quick()) {
            let found = model.recover(&seen, &scope, &Budget::unlimited());
            assert!(found.is_none(), "{} decks: {}", decks, model.name());
        }
    }
}
