//! Orbits: low bits of the draws of one deck that a small state has gone through, whatever dealt the deck before.
//!
//! Null: where 2^v divides m, the low v bits of a digit of base m are fair coins, 49 in a deck, and independent ones. Parts:
//! `known`, the parities of 21 draws of a deck, of the even bases that are no powers of two, are one of the patterns that
//! bit 16 or 17 of a published generator can give, K of 2^21: Bin(n, K/2^21), the worst of eight generators and
//! directions and eight ways of undoing by Bonferroni, exact; `equal-patterns`, decks of one segment that have the same 21
//! parities, pairs and their proven bound as in [`collisions`](crate::battery::repeats::collisions), the worst way by
//! Bonferroni; `rank`, the rank over GF(2) of the low bits, and of the top bits, of the first 113 decks, one deck in a row, the
//! lowest of both and of the ways by Bonferroni, exact. No part asks for two decks in their order: a generator that is seeded anew for every deck, or
//! serves one table of several, is seen by each deck alone. Of a segment of 65,536 decks the first 64 blocks of 64 and
//! then every 8th are looked at.

use std::sync::OnceLock;

use crate::battery::draws::linear::rank::Rank;
use crate::battery::nulls::throws::{Fallen, Throws};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, SEGMENT_DECKS, Scope, Segment, Statistic, about_and_cells};
use crate::battery::stream::{self, Drawn, Sampling, Undoing, WAYS};
use crate::battery::tier::Tier;
use crate::math::{binomial, bonferroni};
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};

pub(in crate::battery) struct Orbits;

const ABOUT: About = About {
    id: "orbits",
    version: 2,
    tier: Tier::Deep,
    title: "low bits of the draws of a deck",
    null: "The low bits of the numbers that a shuffle must have drawn are fair coins, deck by deck.",
    source: "known: patterns of 21 parities of eight generators and directions, Bin(n, K/2^21), exact; equal-patterns: pairs of \
             equal patterns, Poisson(Σ n(n−1)/2^22), repeats bounded by Hoeffding (1956) and Anderson & Samuels (1967); rank: \
             low and top bits, Marsaglia & Tsay (1985), first 113 decks, exact; Bonferroni (1936) over generators and eight ways to undo a shuffle",
    detects: "Generators used for a deck at a time and reduced modulo the range: java.util.Random, lrand48(), rand() of C; linear ones \
              of few bits, scaled to the range too.",
    decks_min: 10,
    design: Design { parts: 3, family: Some("linear-complexity"), scope: Scope::Segment, ..Design::OF_DECKS },
};

const SAMPLING: Sampling = Sampling { first: 64, every: 8 };

/// Bases whose parities make a pattern.
const PARITIES: usize = 21;

/// Fair low bits of a deck, and as many fair top bits: 2^49 divides 52!.
const FAIR_BITS: usize = 49;

/// Decks whose ranks are looked at.
const RANK_DECKS: u64 = Rank::decks_max(FAIR_BITS, 1);

/// A congruential generator modulo a power of two, of whose state one bit is the lowest that is seen.
struct Generator {
    multiplier: u64,
    increment: u64,
    bit: u32,
}

/// `java.util.Random` and `lrand48()`; `rand()` of Microsoft, of the C standard and of Borland.
const GENERATORS: [Generator; 4] = [
    Generator { multiplier: 0x5_DEEC_E66D, increment: 11, bit: 17 },
    Generator { multiplier: 214_013, increment: 2_531_011, bit: 16 },
    Generator { multiplier: 1_103_515_245, increment: 12_345, bit: 16 },
    Generator { multiplier: 22_695_477, increment: 1, bit: 16 },
];

/// Each of them from base 52 down and from base 2 up.
const SETS: usize = 2 * GENERATORS.len();

/// Decks; those looked at; pairs of them compared; by way those in each set, and pairs and repeats; then the worst rank.
const AT_KNOWN: usize = 3;
const AT_EQUAL: usize = AT_KNOWN + WAYS.len() * SETS;
const AT_RANK: usize = AT_EQUAL + WAYS.len() * 2;
const CELLS: usize = AT_RANK + Rank::CELLS;

const KNOWN: &str = "known";
const EQUAL: &str = "equal-patterns";
const RANK: &str = "rank";

impl Statistic for Orbits {
    about_and_cells!(ABOUT, CELLS);

    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        self.observe_segment(Segment::ONLY, blocks, counts);
    }

    fn observe_segment(&self, segment: Segment, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), CELLS);
        let seen = blocks.iter().enumerate().filter(|(number, _)| SAMPLING.sees(*number));
        let seen: Vec<DeckBlock> = seen.map(|(_, block)| block.clone()).collect();
        let looked_at = stream::decks_of(&seen);
        counts[0] += stream::decks_of(blocks);
        counts[1] += looked_at;
        counts[2] += looked_at * looked_at.saturating_sub(1) / 2;
        for (way, undoing) in WAYS.iter().enumerate() {
            let (known, fallen) = of_way(&seen, undoing);
            counts[AT_KNOWN + SETS * way..].iter_mut().zip(known).for_each(|(count, own)| *count += own);
            counts[AT_EQUAL + 2 * way] += fallen.pairs;
            counts[AT_EQUAL + 2 * way + 1] += fallen.repeats;
        }
        if segment.number == 0 {
            counts[AT_RANK..]
                .iter_mut()
                .zip(worst_rank(blocks).cells())
                .for_each(|(count, own)| *count += own);
        }
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let (decks, looked_at) = (counts[0], counts[1]);
        let is_sampled = looked_at == SAMPLING.decks_of(decks) && counts[2] == compared_in(decks);
        let are_known = counts[AT_KNOWN..AT_EQUAL].iter().all(|&count| count <= looked_at);
        let have_fallen =
            (0..WAYS.len()).all(|way| fallen(counts, way).is_sound(looked_at, u128::from(counts[2])));
        (is_sampled && are_known && have_fallen && rank(counts).is_sound(decks)).then_some(decks)
    }

    fn decks_read(&self, part: &str, counts: &[u64], _decks: u64) -> u64 {
        if part == RANK { counts[0].min(RANK_DECKS) } else { counts[1] }
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let rank = rank(counts);
        vec![
            known(counts),
            equal_patterns(counts),
            Outcome::of_worst(RANK, "rank", rank.score(), 2 * WAYS.len(), rank.p_value()),
        ]
    }
}

/// Pairs of the decks looked at, of one segment each.
fn compared_in(decks: u64) -> u64 {
    let pairs = |decks: u64| {
        let own = SAMPLING.decks_of(decks);
        own * own.saturating_sub(1) / 2
    };
    (decks / SEGMENT_DECKS).saturating_mul(pairs(SEGMENT_DECKS)).saturating_add(pairs(decks % SEGMENT_DECKS))
}

fn fallen(counts: &[u64], way: usize) -> Fallen {
    Fallen { pairs: counts[AT_EQUAL + 2 * way], repeats: counts[AT_EQUAL + 2 * way + 1] }
}

fn rank(counts: &[u64]) -> Rank {
    Rank::from_cells([counts[AT_RANK], counts[AT_RANK + 1], counts[AT_RANK + 2]])
}

/// The way and the set with the least likely number of decks.
fn known(counts: &[u64]) -> Outcome {
    let looked_at = counts[1];
    let judged = counts[AT_KNOWN..AT_EQUAL].iter().enumerate().map(|(place, &count)| {
        let chance = patterns().sizes[place % SETS] as f64 / f64::from(1 << PARITIES);
        (binomial::p_value(looked_at, chance, count.min(looked_at)), count)
    });
    let (p_value, count) = judged.min_by(|a, b| a.0.total_cmp(&b.0)).expect("there are sets");
    Outcome::of_worst(KNOWN, "decks in an orbit", count as f64, WAYS.len() * SETS, p_value)
}

/// The way with the least likely number of equal patterns.
fn equal_patterns(counts: &[u64]) -> Outcome {
    let cells = f64::from(1 << PARITIES);
    let throws = Throws { keys: counts[1] as f64, compared: counts[2] as f64, cells };
    let of_ways = (0..WAYS.len()).map(|way| throws.outcome(EQUAL, fallen(counts, way)));
    let worst = of_ways.min_by(|a, b| a.p_value.total_cmp(&b.p_value)).expect("there are ways");
    let bound = worst.p_value_bound.map(|bound| bonferroni(WAYS.len() as f64, bound));
    Outcome {
        tail: worst.tail,
        p_value_bound: bound,
        ..Outcome::of_worst(EQUAL, "colliding pairs", worst.score, WAYS.len(), worst.p_value)
    }
}

/// Of one way the decks in each set of patterns, and how patterns fell.
fn of_way(blocks: &[DeckBlock], undoing: &Undoing) -> ([u64; SETS], Fallen) {
    let (mut known, mut keys) = ([0; SETS], Vec::new());
    for block in stream::undone(blocks, undoing) {
        let own = &parities(&block)[..block.hands()];
        keys.extend_from_slice(own);
        for &pattern in own {
            let sets = patterns().sets[pattern as usize];
            known.iter_mut().enumerate().for_each(|(set, count)| *count += u64::from(sets >> set & 1));
        }
    }
    (known, Fallen::of_keys(&mut keys))
}

/// The even bases that are no powers of two, from 52 down.
fn parity_bases() -> impl Iterator<Item = usize> {
    (2..=52).rev().filter(|base: &usize| base.is_multiple_of(2) && !base.is_power_of_two())
}

/// Their parities in every lane, that of base 52 lowest.
fn parities(block: &Drawn) -> [u32; BLOCK_HANDS] {
    let mut patterns = [0; BLOCK_HANDS];
    for (place, base) in parity_bases().enumerate() {
        let row = block.of_base(base);
        patterns.iter_mut().zip(row).for_each(|(pattern, digit)| *pattern |= u32::from(digit & 1) << place);
    }
    patterns
}

/// The fair bits in every lane, of base m = 2^v·q: the low v bits of a digit, or its top v, `⌊d/q⌋`.
fn fair_bits(block: &Drawn, are_low: bool) -> [u64; BLOCK_HANDS] {
    let mut keys = [0; BLOCK_HANDS];
    for base in (2..=52u8).filter(|base| base.is_multiple_of(2)) {
        let (bits, row) = (base.trailing_zeros(), block.of_base(usize::from(base)));
        // Lanes without a deck hold what they like.
        let mask = (1u8 << bits) - 1;
        let own = |digit: u8| mask & if are_low { digit } else { digit / (base >> bits) };
        keys.iter_mut().zip(row).for_each(|(key, &digit)| *key = *key << bits | u64::from(own(digit)));
    }
    keys
}

/// The rank of the low and of the top bits of the first decks, one deck in a row, of the way that misses most of it.
fn worst_rank(blocks: &[DeckBlock]) -> Rank {
    let first = stream::first(blocks, (RANK_DECKS as usize).next_multiple_of(BLOCK_HANDS));
    let mut worst = Rank::default();
    for undoing in &WAYS {
        let drawn = stream::undone(first, undoing);
        for are_low in [true, false] {
            let words = |block: &Drawn| -> Vec<u64> {
                let keys = fair_bits(block, are_low);
                let word = |bit: usize| {
                    (0..block.hands()).fold(0, |word, lane| word | (keys[lane] >> bit & 1) << lane)
                };
                (0..FAIR_BITS).map(word).collect()
            };
            worst.deepen(Rank::of(&drawn, &words, FAIR_BITS, 1));
        }
    }
    worst
}

/// Which patterns of parities each generator can give.
struct Patterns {
    /// By pattern, a bit for every set that has it.
    sets: Vec<u8>,
    /// How many patterns each set has.
    sizes: [u64; SETS],
}

fn patterns() -> &'static Patterns {
    static PATTERNS: OnceLock<Patterns> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let (mut sets, mut sizes) = (vec![0u8; 1 << PARITIES], [0; SETS]);
        for (number, generator) in GENERATORS.iter().enumerate() {
            generator.for_each_pattern(|down, up| {
                for (set, pattern) in [(2 * number, down), (2 * number + 1, up)] {
                    let own = &mut sets[pattern as usize];
                    sizes[set] += u64::from(*own >> set & 1 == 0);
                    *own |= 1 << set;
                }
            });
        }
        Patterns { sets, sizes }
    })
}

/// Draws of even bases: every second number.
const EVEN_BASES: u32 = 26;

impl Generator {
    /// The seen bits of every second state of its low bits, which are one cycle (Hull & Dobell 1962): two rings.
    fn rings(&self) -> [Vec<u32>; 2] {
        let modulus = 2u64 << self.bit;
        let mut rings = [(); 2].map(|()| Vec::with_capacity(modulus as usize / 2));
        let mut state = 0u64;
        for place in 0..modulus as usize {
            state = self.multiplier.wrapping_mul(state).wrapping_add(self.increment) % modulus;
            rings[place % 2].push((state >> self.bit) as u32);
        }
        rings
    }

    /// From every state the pattern of a shuffle that begins with base 52, and of one that begins with base 2.
    fn for_each_pattern(&self, mut found: impl FnMut(u32, u32)) {
        let more = EVEN_BASES as usize - 1;
        for mut ring in self.rings() {
            ring.extend_from_within(..more);
            // Each bit the highest, after the one that came before it; and the other way about.
            let (mut down, mut up) = (0u32, 0u32);
            for (place, &bit) in ring.iter().enumerate() {
                down = down >> 1 | bit << more;
                up = (up << 1 | bit) & ((1 << EVEN_BASES) - 1);
                if place >= more {
                    found(without_powers(down), without_powers(up));
                }
            }
        }
    }
}

/// Of parities of bases 52, 50, … 2, lowest first, those of powers of two left out: places 10, 18, 22, 24 and 25.
const fn without_powers(window: u32) -> u32 {
    let (above, between) = (window & 0x3ff, window >> 11 & 0x7f);
    let (below, last) = (window >> 19 & 0x7, window >> 23 & 1);
    above | between << 10 | below << 17 | last << 20
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::{convicting, counts, dealt};

    fn outcomes(name: &str, decks: u64) -> Vec<Outcome> {
        Orbits.finish(&counts(&Orbits, &dealt(name, 0..decks)), decks)
    }

    fn p_value(name: &str, decks: u64, part: &str) -> f64 {
        convicting(&outcomes(name, decks), part)
    }

    /// Every state walked by itself: `fixtures/math/orbits.py`.
    #[test]
    fn sets_have_as_many_patterns_as_states_give_one_by_one() {
        assert_eq!(
            patterns().sizes,
            [248_384, 248_400, 127_460, 127_274, 126_896, 126_954, 127_436, 126_882]
        );
    }

    #[test]
    fn powers_of_two_are_left_out() {
        let even: Vec<u32> = (0..26).map(|place| 52 - 2 * place).collect();
        let kept: Vec<u32> = even.iter().copied().filter(|base| !base.is_power_of_two()).collect();
        assert_eq!(kept.len(), PARITIES);
        for (place, base) in even.iter().enumerate() {
            let wanted = kept.iter().position(|own| own == base).map_or(0, |own| 1 << own);
            assert_eq!(without_powers(1 << place), wanted, "base {base}");
        }
        assert!(parity_bases().eq(kept.iter().map(|&base| base as usize)));
    }

    #[test]
    fn generators_of_one_deck_are_seen_by_few_decks_and_fair_ones_are_not() {
        assert!(p_value("java-each-deck", 12, KNOWN) < 1e-8);
        assert!(p_value("msvc-each-deck", 12, KNOWN) < 1e-10);
        assert!(p_value("java-one-in-eight", 600, KNOWN) < 1e-8);
        assert!(p_value("xorshift32-each-deck", 113, RANK) < 1e-50);
        assert!(p_value("xorshift32-scaled-each-deck", 113, RANK) < 1e-50);
        // Of 2^17 states 34 pairs of 3,000 decks are expected to meet, of 2^21 patterns 2.1.
        assert!(p_value("msvc-each-deck", 3_000, EQUAL) < 1e-12);
        for outcome in outcomes("certified", 1_000) {
            assert!(outcome.p_value > 1e-3, "{outcome:?}");
        }
    }

    #[test]
    fn counts_that_no_decks_give_are_refused() {
        let mut counts = counts(&Orbits, &dealt("certified", 0..70));
        for cell in [1, 2, AT_EQUAL] {
            counts[cell] += 1;
            assert_eq!(Orbits.decks_in(&counts), None, "{cell}");
            counts[cell] -= 1;
        }
        assert_eq!(Orbits.decks_in(&counts), Some(70));
    }
}
