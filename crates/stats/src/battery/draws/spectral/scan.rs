//! The waves that are scanned.

use crate::battery::draws::spectral::circle::Peak;
use crate::battery::draws::spectral::line::{Line, SIGNS};
use crate::battery::draws::spectral::phases::{COEFFICIENT_MAX, Phases, WIDE_DRAWS, phases, vectors_of};
use crate::battery::draws::spectral::places::Places;
use crate::battery::draws::spectral::rounded::{PLACES, Products, Rounded, Scale};
use crate::battery::draws::spectral::shared::{Highest, PlaceSums};
use crate::battery::draws::spectral::vectors::{LANES, Vector, Vectors, vector};
use crate::battery::stream::{DRAWS, Drawn, base_of, first};
use crate::math::greatest_common_divisor;
use deckproof_deck::deck::block::BLOCK_HANDS;

const SHORT_MAX: i32 = COEFFICIENT_MAX as i32;

/// Products that meet all third draws before the next ones are made: all of these stay in the first cache.
const STRETCH: usize = 16 * PLACES;

pub(super) const SHORT_WAVES: usize = 9 * (19 * 19 - 1);

/// `d/2^v` but for whole turns.
fn low_phases(bits: u32) -> Phases {
    std::array::from_fn(|digit| (digit as u16) << (16 - bits))
}

/// Adds the unit vectors of a draw's digits, 0 where there is no deck, up to a multiple of so many places in every block.
fn push_column(
    stream: &[Drawn],
    draw: usize,
    vectors: &[Vector; BLOCK_HANDS],
    places: usize,
    out: &mut Vectors,
) {
    for block in stream {
        let hands = block.hands();
        out.push(&block.of_base(base_of(draw))[..hands], vectors, hands.next_multiple_of(places));
    }
}

/// Places in which a block ends.
fn places_of(stream: &[Drawn], places: usize) -> usize {
    stream.iter().map(|block| block.hands().next_multiple_of(places)).sum()
}

/// Fewest distinct phases that a coefficient leaves a fresh digit of bases 13 to 52.
pub(in crate::battery::draws) fn roots(coefficient: usize) -> u64 {
    let of_base = |base: usize| base / greatest_common_divisor(base, coefficient);
    (13..=52).map(of_base).min().expect("there are bases") as u64
}

/// Three consecutive draws, the last one's coefficient positive: those that may be the highest.
pub(super) fn short(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    // Whole lanes, so that a sum is added up in one order whatever fills the last block.
    let next = places_of(stream, LANES);
    // One draw of all decks after another, so that the next draw lies always equally far.
    let columns: [Vectors; COEFFICIENT_MAX + 1] = std::array::from_fn(|power| {
        let mut columns = Vectors::with_capacity(next * WIDE_DRAWS);
        let draws = vectors_of(power).iter().enumerate();
        draws.for_each(|(draw, vectors)| push_column(stream, draw, vectors, LANES, &mut columns));
        columns
    });
    let length = next * (WIDE_DRAWS - 2);
    let terms = (WIDE_DRAWS - 2) as u64 * stream.iter().map(|block| block.hands() as u64).sum::<u64>();
    let side = 0..=SHORT_MAX;
    let planes = side.clone().flat_map(|first| side.clone().map(move |middle| (first, middle))).skip(1);
    let scale = Scale::of(length);
    let thirds: [Rounded; COEFFICIENT_MAX] =
        std::array::from_fn(|power| Rounded::of(columns[1 + power].from(2 * next, length), length, scale));
    let (mut highest, mut products) = (Highest::new(scale), Products::new(scale));
    for (first, middle) in planes {
        let mut sums: [PlaceSums; COEFFICIENT_MAX] = std::array::from_fn(|_| PlaceSums::default());
        for start in (0..length).step_by(STRETCH) {
            let places = STRETCH.min(length - start);
            let x = columns[first as usize].from(start, places);
            let y = columns[middle as usize].from(next + start, places);
            products.fill(x, y, places);
            for (sums, thirds) in sums.iter_mut().zip(&thirds) {
                sums.add(&products, thirds, start, places);
            }
        }
        for (last, near) in (1..=SHORT_MAX).zip(sums.iter().map(|sums| sums.longest_square(scale))) {
            let wave = |sign: usize, sum: [f64; 2]| {
                // The last vector turned back is the mirror image of the first two turned back.
                let (of_first, of_middle) = [(1, 1), (-1, -1), (1, -1), (-1, 1)][sign];
                let is_another = (first, of_first) != (0, -1) && (middle, of_middle) != (0, -1);
                let wave = short_wave([of_first * first, of_middle * middle, last]);
                let weight = (first + middle + last) as u64;
                is_another.then(|| Peak::of_sum(sum, terms, wave, roots(last as usize), weight))
            };
            if highest.may_be_passed(near, terms) {
                let slice = |draw: usize, power: i32| columns[power as usize].from(draw * next, length);
                highest.sum([slice(0, first), slice(1, middle), slice(2, last)], wave, report);
            }
        }
    }
}

/// The number of a short wave: the last coefficient first, without those that have no other.
fn short_wave([first, middle, last]: [i32; 3]) -> usize {
    let row = 2 * SHORT_MAX + 1;
    let place = row * (middle + SHORT_MAX) + first + SHORT_MAX;
    ((row * row - 1) * (last - 1) + place - i32::from(place > row * row / 2)) as usize
}

/// Longest lag in draws: two decks.
const LAG_MAX: usize = 2 * DRAWS;

pub(super) const LAG_WAVES: usize = SIGNS * (LAG_MAX * (LAG_MAX - 1) / 2);

/// A draw plus or minus two earlier ones.
pub(super) fn lags(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    Line::of(stream, 0..DRAWS).report_highest(LAG_MAX, report);
}

/// Lags 1, 2, 4, … 4,096 decks.
const JUMPS: usize = 13;

/// Highest order of differences: at order 7 a resolution of 1/52 is used up.
const ORDERS: usize = 6;

/// Draws of bases 27 and more.
const FINE_DRAWS: usize = 26;

pub(super) const DIFFERENCE_WAVES: usize = JUMPS * ORDERS;

/// Decks whose differences are summed, and before them those that the longest differences begin with. All decks would tell
/// hardly more: a difference that stays the same is seen in a hundred.
const DIFFERENCES: usize = 2_048;

/// As many as there are.
const ALL: usize = usize::MAX;

/// Differences of order 1 to 6 of the same draw at decks a power of two apart.
pub(super) fn differences(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    let draws = (0..FINE_DRAWS).map(|draw| (draw, phases(base_of(draw))));
    difference_waves((stream, DIFFERENCES), draws, ORDERS, 27, report);
}

/// Powers of two that divide bases: 4, 8, 16, 32.
const LOW_BITS: std::ops::RangeInclusive<u32> = 2..=5;

pub(super) const LOW_DIFFERENCE_WAVES: usize = 4 * JUMPS * ORDERS;

/// The same of `d mod 2^v` on the bases that 2^v divides.
pub(super) fn low_differences(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    LOW_BITS.for_each(|bits| low_waves((stream, DIFFERENCES), bits, ORDERS, report));
}

pub(super) const LOW_BIT_WAVES: usize = JUMPS;

/// `d mod 2` of the even bases against the same draw before.
pub(super) fn low_bit(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    low_waves((stream, ALL), 1, 1, report);
}

/// A stream, and how many of its decks are summed.
type Summed<'a> = (&'a [Drawn], usize);

fn low_waves(stream: Summed, bits: u32, orders: usize, report: &mut dyn FnMut(Peak)) {
    let draws = (0..DRAWS).filter(|&draw| base_of(draw).trailing_zeros() >= bits);
    difference_waves(stream, draws.map(|draw| (draw, low_phases(bits))), orders, 1 << bits, report);
}

fn difference_waves(
    (stream, decks): Summed,
    draws: impl Iterator<Item = (usize, Phases)>,
    orders: usize,
    roots: u64,
    report: &mut dyn FnMut(Peak),
) {
    // The orders share what they are made of.
    let read_of = |jump: u32| first(stream, decks.saturating_add(orders << jump) / BLOCK_HANDS * BLOCK_HANDS);
    let terms_of_jump = |jump: u32| {
        let places = Places::of_words(read_of(jump).iter().map(Drawn::present));
        let differences = (0..orders).scan(places, |places, _| {
            *places = places.and(&places.ahead(1 << jump));
            Some(places.number())
        });
        differences.collect::<Vec<u64>>()
    };
    let terms: Vec<u64> = (0..JUMPS as u32).flat_map(terms_of_jump).collect();
    let (mut sums, mut columns) = (vec![[0.0; 2]; terms.len()], 0);
    let [mut column, mut own, mut next] =
        [(); 3].map(|()| Vectors::with_capacity(places_of(stream, BLOCK_HANDS)));
    for (draw, phases) in draws {
        column.clear();
        push_column(stream, draw, &phases.map(vector), BLOCK_HANDS, &mut column);
        for (jump, sums) in (0..).zip(sums.chunks_mut(orders)) {
            own.take(&column, places_of(read_of(jump), BLOCK_HANDS));
            for sum in sums {
                let differences = own.differences_into(1 << jump, &mut next);
                sum.iter_mut().zip(differences).for_each(|(sum, part)| *sum += part);
                std::mem::swap(&mut own, &mut next);
            }
        }
        columns += 1;
    }
    for (wave, (sum, terms)) in sums.into_iter().zip(terms).enumerate() {
        report(Peak::of_sum(sum, columns * terms, wave, roots, 1 << (1 + wave % orders)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::draws::spectral::vectors::signed_sums;
    use crate::battery::stream::{WAYS, undone};
    use crate::battery::walk::sample::{blocks, dealt};

    /// Fair decks, the same fair deck again and again, and the first of these with the second mixed in.
    fn streams() -> Vec<Vec<Drawn>> {
        let fair = dealt("certified", 0..105);
        let same = vec![fair[7]; 30];
        let mixed = [&fair[..], &[fair[7]; 9]].concat();
        [fair, same, mixed].map(|decks| undone(&blocks(&decks), &WAYS[0])).into()
    }

    fn highest(scan: impl FnOnce(&mut dyn FnMut(Peak))) -> (Peak, usize) {
        let (mut highest, mut reported) = (Peak::default(), 0);
        scan(&mut |peak| {
            highest.raise(peak);
            reported += 1;
        });
        (highest, reported)
    }

    /// Every short wave, one after another.
    fn every_short(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
        let powers = |power: usize| -> Vectors {
            let mut columns = Vectors::default();
            for (draw, vectors) in vectors_of(power).iter().enumerate() {
                push_column(stream, draw, vectors, LANES, &mut columns);
            }
            columns
        };
        let columns: Vec<Vectors> = (0..=COEFFICIENT_MAX).map(powers).collect();
        let next: usize = stream.iter().map(|block| block.hands().next_multiple_of(LANES)).sum();
        let terms = (WIDE_DRAWS - 2) as u64 * stream.iter().map(|block| block.hands() as u64).sum::<u64>();
        for (first, middle) in (0..=9).flat_map(|first| (0..=9).map(move |middle| (first, middle))).skip(1) {
            for last in 1..=9 {
                let [x, y, z] = [(0, first), (1, middle), (2, last)]
                    .map(|(draws, power)| columns[power as usize].from(draws * next, 38 * next));
                let signs = [(1, 1), (-1, -1), (1, -1), (-1, 1)];
                for ((of_first, of_middle), sum) in signs.into_iter().zip(signed_sums(x, y, z)) {
                    if (first, of_first) != (0, -1) && (middle, of_middle) != (0, -1) {
                        let wave = short_wave([of_first * first, of_middle * middle, last]);
                        let weight = (first + middle + last) as u64;
                        report(Peak::of_sum(sum, terms, wave, roots(last as usize), weight));
                    }
                }
            }
        }
    }

    #[test]
    fn the_highest_short_wave_is_that_of_all() {
        for stream in streams() {
            let (all, of_all) = highest(|report| every_short(&stream, report));
            let (found, reported) = highest(|report| short(&stream, report));
            assert_eq!(found, all);
            assert_eq!(of_all, SHORT_WAVES);
            assert!(reported <= of_all);
        }
    }

    #[test]
    fn the_highest_wave_at_lags_is_that_of_all() {
        for stream in streams() {
            for blocks in 1..=stream.len() {
                let line = Line::of(&stream[..blocks], 0..DRAWS);
                let pairs = (2..=LAG_MAX).flat_map(|long| (1..long).map(move |short| (short, long)));
                let (all, of_all) = highest(|report| line.report(pairs, 0, report));
                let (found, reported) = highest(|report| lags(&stream[..blocks], report));
                assert_eq!(found, all);
                assert_eq!(of_all, LAG_WAVES);
                assert!(reported <= of_all);
            }
        }
    }

    #[test]
    fn every_short_wave_has_a_number_of_its_own() {
        let side = -SHORT_MAX..=SHORT_MAX;
        let planes = side.clone().flat_map(|first| side.clone().map(move |middle| (first, middle)));
        let waves = planes.filter(|plane| *plane != (0, 0));
        let mut numbers: Vec<usize> = waves
            .flat_map(|(first, middle)| (1..=SHORT_MAX).map(move |last| short_wave([first, middle, last])))
            .collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..SHORT_WAVES));
    }
}
