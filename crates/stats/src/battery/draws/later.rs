//! Generators that turn weak later: the statistics of the first segment on later ones, declared before any data.
//!
//! Null: that of the statistic it repeats. The segments it reads are those whose number is a power of two and the
//! last one, each counted apart; every part takes the worst of them by Bonferroni. A generator that is
//! good for the first T decks and weak from there on is read again before 2T + 65,536 decks, and at the end in any
//! case. Of a stream whose number of decks is not known, a last segment that is full is not known to be the last.

use crate::battery::draws::birthday_spacings::BirthdaySpacings;
use crate::battery::draws::linear::LINEAR as OF_LINEAR;
use crate::battery::draws::spectral::SPECTRAL as OF_SPECTRAL;
use crate::battery::nulls::histogram;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, SEGMENT_DECKS, Scope, Segment, Statistic};
use crate::battery::stream;
use crate::battery::tier::Tier;
use deckproof_deck::deck::block::DeckBlock;

/// A statistic of a prefix, on the beginnings of later segments.
pub(in crate::battery) struct Later {
    about: &'static About,
    of: &'static dyn Statistic,
    /// Decks read of each segment, a multiple of 64.
    decks_each: u64,
}

const LINEAR_ABOUT: About = About {
    id: "linear-complexity-later",
    version: 2,
    tier: Tier::Deep,
    title: "linear complexity, ranks and relations of bits, later",
    null: "No bit of the numbers that later shuffles must have drawn follows linearly from others.",
    source: "linear-complexity on the first 512 decks of segments 1, 2, 4, 8, … of 65,536 decks and of the last one, \
             Bonferroni (1936) over segments",
    detects: "Linear generators that are used only after a while: after a reseeding, a failure, a fall-back.",
    decks_min: SEGMENT_DECKS + 32,
    design: Design { family: Some("linear-complexity"), scope: Scope::Declared, ..Design::OF_DECKS },
};

pub(in crate::battery) static LINEAR: Later = Later { about: &LINEAR_ABOUT, of: &OF_LINEAR, decks_each: 512 };

const SPECTRAL_ABOUT: About = About {
    id: "spectral-later",
    version: 5,
    tier: Tier::Deep,
    title: "spectral scan of the draws, later",
    null: "No wave runs through the numbers that later shuffles must have drawn.",
    source: "spectral on the first 256 decks of segments 1, 2, 4, 8, … of 65,536 decks and of the last one, Bonferroni \
             (1936) over segments",
    detects: "Congruential, additive and subtractive generators that are used only after a while.",
    decks_min: SEGMENT_DECKS + 10,
    design: Design { family: Some("spectral"), scope: Scope::Declared, ..Design::OF_DECKS },
};

pub(in crate::battery) static SPECTRAL: Later =
    Later { about: &SPECTRAL_ABOUT, of: &OF_SPECTRAL, decks_each: 256 };

const SPACINGS_ABOUT: About = About {
    id: "birthday-spacings-later",
    version: 2,
    tier: Tier::Deep,
    title: "birthday spacings of the first draws, later",
    null: "Distances between the numbers that begin later shuffles come again as rarely as between random days of a year.",
    source: "birthday-spacings on the first 8,192 decks of segments 1, 2, 4, 8, … of 65,536 decks and of the last one, \
             Bonferroni (1936) over segments",
    detects: "Generators whose numbers lie on lattices and that are used only after a while.",
    decks_min: SEGMENT_DECKS + 1_024,
    design: Design { family: Some("birthday-spacings"), scope: Scope::Declared, ..Design::OF_DECKS },
};

pub(in crate::battery) static SPACINGS: Later =
    Later { about: &SPACINGS_ABOUT, of: &BirthdaySpacings, decks_each: 8_192 };

/// Segments 1, 2, 4, … 2^19, and the last one: 3·10^10 decks.
const POWERS: usize = 20;
const SLOTS: usize = POWERS + 1;

/// Where a segment is counted: one whose number is a power of two at that power, though it be the last.
fn slot(segment: Segment) -> usize {
    if segment.number.is_power_of_two() {
        (segment.number.trailing_zeros() as usize).min(POWERS)
    } else {
        POWERS
    }
}

impl Later {
    /// Decks that are read of segment `number` of so many decks.
    fn decks_of(&self, number: u64, decks: u64) -> u64 {
        decks.saturating_sub(number.saturating_mul(SEGMENT_DECKS)).min(self.decks_each)
    }
}

impl Statistic for Later {
    fn about(&self) -> &'static About {
        self.about
    }

    fn cells(&self) -> usize {
        SLOTS * self.of.cells()
    }

    fn parts(&self, decks: u64) -> u64 {
        self.of.parts(decks)
    }

    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        self.observe_segment(Segment::ONLY, blocks, counts);
    }

    /// The sum of what is read of each segment.
    fn decks_read(&self, part: &str, counts: &[u64], _decks: u64) -> u64 {
        let of_slots = counts.chunks(self.of.cells());
        of_slots.map(|own| self.of.decks_read(part, own, own[0])).sum()
    }

    /// For segments 1, 2, 4, … and for the last one the counts of the statistic.
    fn observe_segment(&self, segment: Segment, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        if segment.is_declared() {
            let cells = self.of.cells();
            let own = &mut counts[cells * slot(segment)..][..cells];
            self.of.observe(stream::first(blocks, self.decks_each as usize), own);
        }
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let of_slot = |own: &[u64]| self.of.decks_in(own).filter(|&decks| decks <= self.decks_each);
        counts.chunks(self.of.cells()).try_fold(0, |sum, own| Some(sum + of_slot(own)?))
    }

    fn can_hold(&self, held: u64, decks: u64) -> bool {
        let segments = decks.div_ceil(SEGMENT_DECKS);
        let powers = (0..POWERS).map(|power| 1 << power).filter(|&number| number < segments);
        let of_powers: u64 = powers.map(|number| self.decks_of(number, decks)).sum();
        let last = segments.saturating_sub(1);
        let of_last = if last == 0 || last.is_power_of_two() { 0 } else { self.decks_of(last, decks) };
        held == of_powers + of_last || held == of_powers && decks.is_multiple_of(SEGMENT_DECKS)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        // The first count of each is how many decks it was shown.
        let of_slot = |own: &[u64]| self.of.finish(own, own[0]);
        histogram::worst_of_each(counts.chunks(self.of.cells()).map(of_slot).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::deck::Deck;
    use deckproof_deck::keystream::Keystream;

    /// Decks drawn with words, as most programs do.
    fn block(mut word: impl FnMut() -> u32) -> DeckBlock {
        let mut block = DeckBlock::default();
        for _ in 0..64 {
            let mut cards: [u8; 52] = std::array::from_fn(|place| place as u8);
            for last in (1..52).rev() {
                let wide = u64::from(word()) * (last as u64 + 1);
                cards.swap(last, (wide >> 32) as usize);
            }
            block.push(&Deck::try_from(&cards[..]).expect("a permutation"));
        }
        block
    }

    #[test]
    fn a_generator_that_turns_weak_is_read_again() {
        let mut keystream = Keystream::new(&[8; 32], 0);
        let fair = vec![block(|| keystream.word()); 1];
        let mut state = 0x1234_5678u32;
        let mut xorshift = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        let weak: Vec<DeckBlock> = (0..3).map(|_| block(&mut xorshift)).collect();
        // Of eleven segments 1, 2, 4, 8 and the last are read, 10 here; a weak segment 3, 5 or 0 is not.
        for (number, is_seen) in [(0, false), (1, true), (3, false), (5, false), (8, true), (10, true)] {
            let mut counts = vec![0; LINEAR.cells()];
            for other in 0..11 {
                let segment = Segment::new(other, other == 10);
                let blocks = if other == number { &weak } else { &fair };
                LINEAR.observe_segment(segment, blocks, &mut counts);
            }
            let outcomes = LINEAR.finish(&counts, 11 * SEGMENT_DECKS);
            let smallest = outcomes.iter().map(|outcome| outcome.p_value).fold(1.0, f64::min);
            assert_eq!(smallest < 1e-9, is_seen, "segment {number}: {smallest:e}");
        }
    }

    #[test]
    fn counts_hold_the_decks_of_declared_segments_and_no_others() {
        let can = |held, decks| SPECTRAL.can_hold(held, decks);
        assert!(can(0, 65_536) && !can(256, 65_536));
        assert!(can(50, 65_586) && !can(0, 65_586));
        // Segments 1, 2 and 3, the last of which a stream does not know for the last when it is full.
        assert!(can(3 * 256, 4 * 65_536) && can(2 * 256, 4 * 65_536) && !can(256, 4 * 65_536));
        assert!(can(2 * 256 + 7, 3 * 65_536 + 7) && !can(2 * 256, 3 * 65_536 + 7));
        assert!(can(3 * 256 + 256, 6 * 65_536) && can(3 * 256, 5 * 65_536) && !can(4 * 256, 5 * 65_536));
    }

    #[test]
    fn two_segments_in_one_place_are_no_sound_counts() {
        let mut counts = vec![0; SPACINGS.cells()];
        counts[0] = 8_192;
        assert_eq!(SPACINGS.decks_in(&counts), Some(8_192));
        counts[0] = 2 * 8_192;
        assert_eq!(SPACINGS.decks_in(&counts), None);
    }
}
