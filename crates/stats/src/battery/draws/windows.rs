//! Windows: the statistics of draws on a few decks here and there, so that a generator which is weak behind fair decks is read
//! soon after it begins, and in the middle of a run too.
//!
//! Null: that of the statistic it repeats. The first 256 decks, or 64 where those show as much, are read of each of the windows [64·2^k, 64·2^(k+1)), k = 0 to
//! 9, of the first segment; and of each doubling of segments from [1, 2) on four windows of 256 decks that the hash of the plan
//! draws among all lots of 256. Every window is counted apart, and every part takes the worst of them by Bonferroni. Which
//! they are is fixed before any deck, and follows from the plan alone.

use crate::battery::draws::linear::Ranks;
use crate::battery::draws::spectral::{WINDOW, WINDOW_DECKS};
use crate::battery::nulls::histogram;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, SEGMENT_DECKS, Scope, Segment, Statistic};
use crate::battery::stream;
use crate::battery::tier::Tier;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};

/// A statistic of few decks, on windows.
pub(in crate::battery) struct Windows {
    about: &'static About,
    of: &'static dyn Statistic,
}

pub(in crate::battery) static SPECTRAL: Windows = Windows {
    about: &About {
        id: "spectral-windows",
        version: 4,
        tier: Tier::Deep,
        title: "spectral scan of the draws, in windows",
        null: "No wave runs through the numbers that some shuffles in a row must have drawn, wherever they are.",
        source: "waves of published generators and differences as in spectral, on the first 256 decks, of waves 64, of windows \
                 that double from deck 64 to 65,536 and of four windows of each later doubling, drawn by the plan's hash; \
                 Bonferroni (1936) over windows",
        detects: "Congruential, additive and subtractive generators behind fair decks, or for some time only.",
        decks_min: FIRST_DECKS + 10,
        design: Design { family: Some("spectral"), scope: Scope::Segment, ..Design::OF_DECKS },
    },
    of: &WINDOW,
};

pub(in crate::battery) static LINEAR: Windows = Windows {
    about: &About {
        id: "linear-complexity-windows",
        version: 2,
        tier: Tier::Deep,
        title: "ranks of bits, in windows",
        null: "No bit of the numbers that some shuffles in a row must have drawn follows linearly from others, wherever they are.",
        source: "rank over GF(2) as in linear-complexity, on the first 256 decks of windows that double from deck 64 to 65,536 \
                 and of four windows of each later doubling, drawn by the plan's hash; Bonferroni (1936) over windows",
        detects: "Linear generators of few bits behind fair decks, or for some time only.",
        decks_min: FIRST_DECKS + 32,
        design: Design { family: Some("linear-complexity"), scope: Scope::Segment, ..Design::OF_DECKS },
    },
    of: &Ranks,
};

/// Where the first window begins: what lies before it is read by others.
const FIRST_DECKS: u64 = 64;

/// Windows of the first segment, each as long as all before it.
const DOUBLINGS: usize = 10;

/// Windows drawn of each doubling of segments, up to 2^20 segments or 7·10^10 decks.
const DRAWN_EACH: usize = 4;
const OCTAVES: usize = 20;
const SLOTS: usize = DOUBLINGS + DRAWN_EACH * OCTAVES;

/// Windows side by side in a segment.
const LOTS: u64 = SEGMENT_DECKS / WINDOW_DECKS as u64;

/// The windows of a segment: where each is counted, its first block, and its blocks at most.
fn windows(segment: Segment) -> Vec<(usize, usize, usize)> {
    let (blocks, length) = (|decks: u64| decks as usize / BLOCK_HANDS, WINDOW_DECKS / BLOCK_HANDS);
    if segment.number == 0 {
        let of_doubling = |k: usize| {
            let start = FIRST_DECKS << k;
            (k, blocks(start), blocks(start).min(length))
        };
        return (0..DOUBLINGS).map(of_doubling).collect();
    }
    let octave = segment.number.ilog2() as usize;
    if octave >= OCTAVES {
        return Vec::new();
    }
    let first = DOUBLINGS + DRAWN_EACH * octave;
    let lots = LOTS << octave;
    let drawn =
        (first..first + DRAWN_EACH).map(|slot| (slot, lots + mixed(segment.draw, slot as u64) % lots));
    drawn
        .filter(|(_, lot)| lot / LOTS == segment.number)
        .map(|(slot, lot)| (slot, (lot % LOTS) as usize * length, length))
        .collect()
}

/// Numbers that look like chance and follow from the plan: SplitMix64 (Steele, Lea & Flood 2014).
fn mixed(draw: u64, number: u64) -> u64 {
    let mut word = draw.wrapping_add((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

impl Windows {
    fn slots<'a>(&self, counts: &'a [u64]) -> std::slice::Chunks<'a, u64> {
        counts[1..].chunks(self.of.cells())
    }
}

impl Statistic for Windows {
    fn about(&self) -> &'static About {
        self.about
    }

    fn cells(&self) -> usize {
        1 + SLOTS * self.of.cells()
    }

    fn parts(&self, decks: u64) -> u64 {
        self.of.parts(decks)
    }

    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        self.observe_segment(Segment::ONLY, blocks, counts);
    }

    /// Decks; then for every window the counts of the statistic.
    fn observe_segment(&self, segment: Segment, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        counts[0] += stream::decks_of(blocks);
        let cells = self.of.cells();
        for (slot, start, length) in windows(segment) {
            let window = &blocks[blocks.len().min(start)..blocks.len().min(start + length)];
            if !window.is_empty() {
                self.of.observe(window, &mut counts[1 + cells * slot..][..cells]);
            }
        }
    }

    fn keep(&self, counts: &mut [u64]) {
        counts[1..].chunks_mut(self.of.cells()).for_each(|own| self.of.keep(own));
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let (decks, most) = (counts[0], WINDOW_DECKS as u64);
        let mut slots = self.slots(counts);
        slots.all(|own| self.of.decks_in(own).is_some_and(|held| held <= most.min(decks))).then_some(decks)
    }

    /// The sum of what is read of each window.
    fn decks_read(&self, part: &str, counts: &[u64], _decks: u64) -> u64 {
        self.slots(counts).map(|own| self.of.decks_read(part, own, own[0])).sum()
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        histogram::worst_of_each(self.slots(counts).map(|own| self.of.finish(own, own[0])).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::{counts, dealt};

    fn smallest(statistic: &Windows, name: &str, decks: u64) -> f64 {
        let outcomes = statistic.finish(&counts(statistic, &dealt(name, 0..decks)), decks);
        outcomes.iter().map(|own| own.p_value_bound.unwrap_or(own.p_value)).fold(1.0, f64::min)
    }

    #[test]
    fn generators_behind_fair_decks_are_read_before_twice_as_many() {
        for (name, decks) in
            [("wichmann-hill-after-100", 160), ("minstd-after-300", 560), ("dotnet-after-1100", 2_112)]
        {
            let found = smallest(&SPECTRAL, name, decks);
            assert!(found < 1e-9, "{name}: {found:e}");
        }
        for decks in [74, 160, 700] {
            let (waves, ranks) =
                (smallest(&SPECTRAL, "certified", decks), smallest(&LINEAR, "certified", decks.max(96)));
            assert!(waves > 1e-3 && ranks > 1e-3, "{decks}: {waves:e} {ranks:e}");
        }
    }

    #[test]
    fn windows_double_and_later_ones_are_drawn_by_the_plan() {
        let of = |number: u64, draw: u64| windows(Segment { draw, ..Segment::new(number, false) });
        let first: Vec<(usize, usize)> =
            of(0, 7).into_iter().map(|(_, start, length)| (64 * start, 64 * length)).collect();
        assert_eq!(first[..4], [(64, 64), (128, 128), (256, 256), (512, 256)]);
        assert_eq!(first.last(), Some(&(32_768, 256)));
        // Of every doubling four windows, all inside it, each in one segment and in no other place.
        for octave in 0..8u64 {
            let mut slots = Vec::new();
            for number in 1 << octave..2 << octave {
                for (slot, start, length) in of(number, 0x1234_5678_9abc_def0) {
                    assert!(length == 4 && start + length <= 1_024);
                    slots.push(slot);
                }
            }
            slots.sort_unstable();
            let own = DOUBLINGS + 4 * octave as usize;
            assert_eq!(slots, (own..own + 4).collect::<Vec<_>>());
        }
        // Another plan draws others.
        let starts = |draw| (1..64).flat_map(|number| of(number, draw)).collect::<Vec<_>>();
        assert_ne!(starts(1), starts(2));
    }
}
