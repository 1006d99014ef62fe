//! Makes the tables of `crates/stats/src/battery/stud`: `stud_reference DECKS` prints the reference sample, `stud_reference census CARDS`
//! the sets of six or seven cards by low strength and high category.

use std::process::ExitCode;

use deckproof::battery::stud::reference::{KEY, Reference};
use deckproof::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof::key::AuditKey;
use deckproof::shuffle::lanes::{PreparedAuditKey, audit_block};
use deckproof::stud::rank::census::census;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Decks that one thread deals at a time.
const PART_DECKS: u64 = 1 << 16;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let text = match arguments[..] {
        ["census", cards] => cards.parse().ok().filter(|cards| (6..=7).contains(cards)).map(census_csv),
        [decks] => decks.parse().ok().map(|decks| reference(decks).to_csv()),
        _ => None,
    };
    match text {
        Some(text) => print!("{text}"),
        None => {
            eprintln!("wanted a number of decks, or census 6, or census 7");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn census_csv(cards: usize) -> String {
    let census = census(cards);
    let line = |low: usize| {
        let counts: Vec<String> = census.joint.iter().map(|lows| lows[low].to_string()).collect();
        counts.join(",") + "\n"
    };
    (0..census.joint[0].len()).map(line).collect()
}

fn reference(decks: u64) -> Reference {
    let part = |part: u64| {
        let key = PreparedAuditKey::new(&AuditKey::from_bytes(KEY));
        let mut reference = Reference::empty();
        let mut block = DeckBlock::default();
        let last = decks.min((part + 1) * PART_DECKS);
        for first in (part * PART_DECKS..last).step_by(BLOCK_HANDS) {
            audit_block(&key, first, BLOCK_HANDS.min((last - first) as usize), &mut block);
            reference.observe(std::slice::from_ref(&block));
        }
        reference
    };
    let add = |mut sum: Reference, part: Reference| {
        sum.merge(&part);
        sum
    };
    (0..decks.div_ceil(PART_DECKS)).into_par_iter().map(part).reduce(Reference::empty, add)
}
