//! Which way of counting decks is quicker on this processor. The same kernels gain on one processor with AVX-512 and lose on
//! another, so it is measured and not read off the instruction set; results never depend on it.

use crate::audit::evidence::{BATCH_BLOCKS, Counter};
use crate::audit::selection::Selection;
use crate::audit::views;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_deck::deck::orders;
use deckproof_deck::key::AuditKey;
use deckproof_deck::shuffle::lanes::{PreparedAuditKey, audit_block};
use deckproof_stats::battery::{Segment, Tier};

/// Times that each way counts the same decks after a first one that warms it up; the quickest counts.
const ROUNDS: usize = 4;

/// What one deck takes with the statistics of the core tier, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CountingSpeed {
    /// Deck by deck, each in a register.
    pub by_order: f64,
    /// 64 decks side by side.
    pub by_lane: f64,
}

/// Measures both ways by a clock that tells seconds, and takes the quicker one from now on. `None` where the processor
/// has only one: a deck in a register takes the byte permutes of AVX-512.
pub fn measure(seconds: &mut dyn FnMut() -> f64) -> Option<CountingSpeed> {
    if !orders::are_possible() {
        return None;
    }
    let key = PreparedAuditKey::new(&AuditKey::from_bytes([0x5d; 32]));
    let mut blocks = vec![DeckBlock::default(); BATCH_BLOCKS];
    for (number, block) in blocks.iter_mut().enumerate() {
        audit_block(&key, (number * BLOCK_HANDS) as u64, BLOCK_HANDS, block);
    }
    let selection = Selection::of_tiers(&[Tier::Core]);
    // Each way keeps its counter: a run of any length uses its memory again and again.
    let mut ways = [false, true].map(|way| {
        views::choose(way);
        let mut counter = Counter::new(&selection);
        counter.count_segment(Segment::ONLY, &blocks);
        (counter, f64::INFINITY)
    });
    for _ in 0..ROUNDS {
        for (counter, shortest) in &mut ways {
            let begun = seconds();
            counter.count_segment(Segment::ONLY, &blocks);
            *shortest = shortest.min(seconds() - begun);
        }
    }
    let shortest = ways.map(|(_, shortest)| shortest);
    let [by_lane, by_order] = shortest.map(|seconds| 1e9 * seconds / (BATCH_BLOCKS * BLOCK_HANDS) as f64);
    views::choose(by_order <= by_lane);
    Some(CountingSpeed { by_order, by_lane })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock by which the ways take so many seconds, in turn.
    fn clock(lanes: f64, orders: f64) -> impl FnMut() -> f64 {
        let (mut reads, mut now) = (0, 0.0);
        move || {
            now += [0.0, lanes, 0.0, orders][reads % 4];
            reads += 1;
            now
        }
    }

    #[test]
    fn the_quicker_way_is_taken() {
        let found = [(1.0, 2.0), (2.0, 1.0)].map(|(lanes, orders)| {
            let speed = measure(&mut clock(lanes, orders));
            speed.map(|speed| (speed.by_lane < speed.by_order, views::is_by_order()))
        });
        if orders::are_possible() {
            assert_eq!(found, [Some((true, false)), Some((false, true))])
        } else {
            assert_eq!(found, [None, None])
        }
    }
}
