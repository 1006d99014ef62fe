//! Statistics caught at work: each alone sees the dealer it is for, and lets a fair one pass.

use deckproof::battery::{self, Scope, View};
use deckproof::deck::block::DeckBlock;
use deckproof::deck::inverse::inverse;
use deckproof::deck::relative::relative;

use crate::common::decks::dealt;

fn seen_as(view: View, blocks: &[DeckBlock]) -> Vec<DeckBlock> {
    let each = |change: fn(&DeckBlock, &mut DeckBlock)| {
        let of_block = |block: &DeckBlock| {
            let mut out = DeckBlock::default();
            change(block, &mut out);
            out
        };
        blocks.iter().map(of_block).collect::<Vec<_>>()
    };
    match view {
        View::Deck => blocks.to_vec(),
        View::Relative => each(|block, out| relative(block, None, out)),
        View::Inverse => each(inverse),
        View::RelativeCards => each(|block, out| {
            let mut places = DeckBlock::default();
            inverse(block, &mut places);
            relative(&places, None, out);
        }),
    }
}

/// The smallest p-value of one statistic on one view, times their number, and its part.
fn p_value(id: &str, view: View, blocks: &[DeckBlock]) -> (f64, &'static str) {
    let statistic =
        battery::all().iter().find(|statistic| statistic.about().id == id).expect("it is in the battery");
    let blocks = seen_as(view, blocks);
    let decks = blocks.iter().map(|block| block.hands() as u64).sum();
    let mut counts = vec![0; statistic.cells()];
    // One segment at most, shown whole or in batches.
    let at_once = if statistic.scope() == Scope::Batch { 7 } else { blocks.len() };
    blocks.chunks(at_once).for_each(|blocks| statistic.observe(blocks, &mut counts));
    assert_eq!(statistic.decks_in(&counts), Some(decks), "{id}");
    let outcomes = statistic.finish(&counts, decks);
    let worst = outcomes.iter().min_by(|a, b| a.p_value.total_cmp(&b.p_value)).expect("the decks feed it");
    (worst.p_value * outcomes.len() as f64, worst.part)
}

fn check_caught(id: &str, view: View, dealer: &str, decks: u64) {
    for seed in 1..=3 {
        let (p, part) = p_value(id, view, &dealt(&format!("{dealer}:{seed}"), decks));
        assert!(p < 1e-6, "{id} sees {dealer}:{seed} with p = {p:e} by {part}");
        let (p, part) = p_value(id, view, &dealt(&format!("certified:{seed}"), decks));
        assert!(p > 1e-6, "{id} sees fair decks with p = {p:e} by {part}");
    }
}

#[test]
fn names_and_distances_are_seen_by_card() {
    check_caught("rising-sequences", View::RelativeCards, "renamed-last", 1_000);
    check_caught("adjacency", View::Inverse, "pair-apart", 31_623);
}

#[test]
fn footrule_sees_cards_that_stay_near_their_places() {
    check_caught("footrule", View::Deck, "riffle-2", 100);
    check_caught("footrule", View::Relative, "not-reset", 316);
}

#[test]
fn longest_run_sees_packets_in_order() {
    check_caught("longest-run", View::Deck, "riffle-3", 100);
}

#[test]
fn halves_see_a_dealer_who_tires() {
    check_caught("halves", View::Deck, "tired", 10_000);
}

#[test]
fn lags_see_two_packs_in_turn() {
    check_caught("lags", View::Deck, "two-packs", 3_162);
}

#[test]
fn rotation_sees_six_packs_in_turn() {
    check_caught("rotation", View::Deck, "shoe", 128);
}

#[test]
fn seat_suits_see_hands_in_step_with_the_seats() {
    check_caught("seat-suits", View::Deck, "pile", 316);
}

#[test]
fn rare_hands_see_trips_that_are_rationed() {
    check_caught("rare-hands", View::Deck, "rationed-trips", 31_623);
}

#[test]
fn kolmogorov_sees_first_cards_that_lean() {
    check_caught("kolmogorov-smirnov", View::Deck, "riffle-4", 316);
    check_caught("kolmogorov-smirnov", View::Relative, "not-reset", 316);
}

#[test]
fn start_orders_see_riffles_and_draws_behind_a_new_pack() {
    check_caught("start-orders", View::Deck, "new-pack-riffle-7", 100);
    check_caught("spectral-orders", View::Deck, "new-pack-randu", 16);
    check_caught("linear-complexity-orders", View::Deck, "new-pack-xorshift32", 256);
}

#[test]
fn echoes_see_words_that_are_read_twice() {
    check_caught("echoes", View::Deck, "reread-20", 1_000);
    check_caught("echoes", View::Deck, "reread-100", 20_000);
}

#[test]
fn sorted_records_are_called_so() {
    check_caught("sorted-records", View::Deck, "sorted-file", 100);
}

#[test]
fn weak_generators_are_seen_dealt_from_the_end() {
    check_caught("spectral", View::Deck, "popped-wichmann-hill", 64);
    check_caught("spectral", View::Deck, "popped-minstd", 64);
    check_caught("linear-complexity", View::Deck, "popped-xorshift32", 128);
}

#[test]
fn windows_see_a_generator_behind_fair_decks() {
    check_caught("spectral-windows", View::Deck, "wichmann-hill-after-100", 192);
    check_caught("spectral-windows", View::Deck, "minstd-after-300", 576);
}

#[test]
fn orbits_see_a_generator_of_one_deck_or_one_table() {
    check_caught("orbits", View::Deck, "java-each-deck", 32);
    check_caught("orbits", View::Deck, "msvc-each-deck", 32);
    check_caught("orbits", View::Deck, "java-one-in-eight", 1_024);
    check_caught("orbits", View::Deck, "xorshift32-each-deck", 128);
}

#[test]
fn reused_words_are_seen_at_their_lag_and_a_swing_at_its_wave() {
    check_caught("reused-words", View::Deck, "stale-buffer", 6_000);
    check_caught("reused-words", View::Deck, "counter-16", 6_000);
    check_caught("reused-words", View::Deck, "snapshot-modulo-13", 1_040);
    check_caught("reused-words", View::Deck, "hum", 4_000);
}
