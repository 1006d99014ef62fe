//! Statistics caught at work: each alone sees the dealer it is for, and lets a fair one pass.

use deckproof::battery::{self, Scope, View};
use deckproof::deck::block::DeckBlock;
use deckproof::deck::inverse::inverse;
use deckproof::deck::relative::relative;
use rayon::prelude::*;

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

/// Each statistic with the view, the dealer and the number of decks by which it sees him.
const CAUGHT: [(&str, View, &str, u64); 34] = [
    ("rising-sequences", View::RelativeCards, "renamed-last", 1_000),
    ("adjacency", View::Inverse, "pair-apart", 31_623),
    ("footrule", View::Deck, "riffle-2", 100),
    ("footrule", View::Relative, "not-reset", 316),
    ("longest-run", View::Deck, "riffle-3", 100),
    ("halves", View::Deck, "tired", 10_000),
    ("lags", View::Deck, "two-packs", 3_162),
    ("packets", View::Deck, "packet-again", 1_000),
    ("rotation", View::Deck, "shoe", 128),
    ("seat-suits", View::Deck, "pile", 316),
    ("rare-hands", View::Deck, "rationed-trips", 31_623),
    ("kolmogorov-smirnov", View::Deck, "riffle-4", 316),
    ("kolmogorov-smirnov", View::Relative, "not-reset", 316),
    ("start-orders", View::Deck, "new-pack-riffle-7", 100),
    ("spectral-orders", View::Deck, "new-pack-randu", 16),
    ("linear-complexity-orders", View::Deck, "new-pack-xorshift32", 256),
    ("spectral-cuts", View::Deck, "minstd-cut", 16),
    ("linear-complexity-cuts", View::Deck, "xorshift32-cut", 128),
    ("echoes", View::Deck, "reread-20", 1_000),
    ("echoes", View::Deck, "reread-100", 20_000),
    ("sorted-records", View::Deck, "sorted-file", 100),
    ("spectral", View::Deck, "popped-wichmann-hill", 64),
    ("spectral", View::Deck, "popped-minstd", 64),
    ("linear-complexity", View::Deck, "popped-xorshift32", 128),
    ("spectral-windows", View::Deck, "wichmann-hill-after-100", 192),
    ("spectral-windows", View::Deck, "minstd-after-300", 576),
    ("orbits", View::Deck, "java-each-deck", 32),
    ("orbits", View::Deck, "msvc-each-deck", 32),
    ("orbits", View::Deck, "java-one-in-eight", 1_024),
    ("orbits", View::Deck, "xorshift32-each-deck", 128),
    ("reused-words", View::Deck, "stale-buffer", 6_000),
    ("reused-words", View::Deck, "counter-16", 6_000),
    ("reused-words", View::Deck, "snapshot-modulo-13", 1_040),
    ("reused-words", View::Deck, "hum", 4_000),
];

#[test]
fn each_statistic_alone_sees_its_dealer_and_no_fault_in_fair_decks() {
    CAUGHT.par_iter().for_each(|&(id, view, dealer, decks)| {
        for seed in 1..=3 {
            let (p, part) = p_value(id, view, &dealt(&format!("{dealer}:{seed}"), decks));
            assert!(p < 1e-6, "{id} sees {dealer}:{seed} with p = {p:e} by {part}");
            let (p, part) = p_value(id, view, &dealt(&format!("certified:{seed}"), decks));
            assert!(p > 1e-6, "{id} sees fair decks with p = {p:e} by {part}");
        }
    });
}
