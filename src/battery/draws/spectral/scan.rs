//! The waves that are scanned.

use crate::battery::draws::spectral::circle::Peak;
use crate::battery::draws::spectral::line::{Line, SIGNS};
use crate::battery::draws::spectral::phases::{Phases, WIDE_DRAWS, phases};
use crate::battery::draws::spectral::places::Places;
use crate::battery::draws::spectral::vectors::{LANES, Vector, Vectors, signed_sums, vector};
use crate::battery::stream::{DRAWS, Drawn, base_of};
use crate::deck::block::BLOCK_HANDS;

/// Largest coefficient of a short wave: RANDU's planes are `x − 6y + 9z`.
const SHORT_MAX: i32 = 9;

pub(super) const SHORT_WAVES: usize = 9 * (19 * 19 - 1);

/// `d/2^v` but for whole turns.
fn low_phases(bits: u32) -> Phases {
    std::array::from_fn(|digit| (digit as u16) << (16 - bits))
}

/// The unit vectors of a draw, 0 where there is no deck, up to a multiple of so many places in every block.
fn column<'a>(
    stream: &'a [Drawn],
    draw: usize,
    phases: Phases,
    places: usize,
) -> impl Iterator<Item = Vector> + 'a {
    let vectors = phases.map(vector);
    let of_block = move |block: &'a Drawn| {
        let hands = block.hands();
        let there = block.of_base(base_of(draw)).iter().take(hands);
        let vectors = there.map(move |&digit| vectors[usize::from(digit)]);
        vectors.chain(std::iter::repeat_n([0.0; 2], hands.next_multiple_of(places) - hands))
    };
    stream.iter().flat_map(of_block)
}

pub(super) fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Fewest distinct phases that a coefficient leaves a fresh digit of bases 13 to 52.
pub(super) fn roots(coefficient: usize) -> u64 {
    let of_base = |base: usize| base / greatest_common_divisor(base, coefficient);
    (13..=52).map(of_base).min().expect("there are bases") as u64
}

/// Three consecutive draws, the last one's coefficient positive.
pub(super) fn short(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    // One draw of all decks after another, so that the next draw lies always equally far.
    let powers = |power: u16| -> Vectors {
        let times = |draw: usize| phases(base_of(draw)).map(|phase| phase.wrapping_mul(power));
        (0..WIDE_DRAWS).flat_map(|draw| column(stream, draw, times(draw), LANES)).collect()
    };
    let columns: Vec<Vectors> = (0..=SHORT_MAX as u16).map(powers).collect();
    // Whole lanes, so that a sum is added up in one order whatever fills the last block.
    let next: usize = stream.iter().map(|block| block.hands().next_multiple_of(LANES)).sum();
    let length = next * (WIDE_DRAWS - 2);
    let terms = (WIDE_DRAWS - 2) as u64 * stream.iter().map(|block| block.hands() as u64).sum::<u64>();
    let side = 0..=SHORT_MAX;
    let planes = side.clone().flat_map(|first| side.clone().map(move |middle| (first, middle))).skip(1);
    for ((first, middle), last) in planes.flat_map(|plane| (1..=SHORT_MAX).map(move |last| (plane, last))) {
        let [x, y, z] = [(0, first), (1, middle), (2, last)]
            .map(|(draws, power)| columns[power as usize].from(draws * next, length));
        // The last vector turned back is the mirror image of the first two turned back.
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
    let pairs = (2..=LAG_MAX).flat_map(|long| (1..long).map(move |short| (short, long)));
    Line::of(stream, 0..DRAWS).report(pairs, 0, report);
}

/// Lags 1, 2, 4, … 4,096 decks.
const JUMPS: usize = 13;

/// Highest order of differences: at order 7 a resolution of 1/52 is used up.
const ORDERS: usize = 6;

/// Draws of bases 27 and more.
const FINE_DRAWS: usize = 26;

pub(super) const DIFFERENCE_WAVES: usize = JUMPS * ORDERS;

/// Differences of order 1 to 6 of the same draw at decks a power of two apart.
pub(super) fn differences(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    let draws = (0..FINE_DRAWS).map(|draw| (draw, phases(base_of(draw))));
    difference_waves(stream, draws, ORDERS, 27, report);
}

/// Powers of two that divide bases: 4, 8, 16, 32.
const LOW_BITS: std::ops::RangeInclusive<u32> = 2..=5;

pub(super) const LOW_DIFFERENCE_WAVES: usize = 4 * JUMPS * ORDERS;

/// The same of `d mod 2^v` on the bases that 2^v divides.
pub(super) fn low_differences(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    for bits in LOW_BITS {
        low_waves(stream, bits, ORDERS, report);
    }
}

pub(super) const LOW_BIT_WAVES: usize = JUMPS;

/// `d mod 2` of the even bases against the same draw before.
pub(super) fn low_bit(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    low_waves(stream, 1, 1, report);
}

fn low_waves(stream: &[Drawn], bits: u32, orders: usize, report: &mut dyn FnMut(Peak)) {
    let draws = (0..DRAWS).filter(|&draw| base_of(draw).trailing_zeros() >= bits);
    difference_waves(stream, draws.map(|draw| (draw, low_phases(bits))), orders, 1 << bits, report);
}

fn difference_waves(
    stream: &[Drawn],
    draws: impl Iterator<Item = (usize, Phases)>,
    orders: usize,
    roots: u64,
    report: &mut dyn FnMut(Peak),
) {
    let places = Places::of_words(stream.iter().map(Drawn::present));
    let terms_of_jump = |jump: u32| {
        let differences = (0..orders).scan(places.clone(), |places, _| {
            *places = places.and(&places.ahead(1 << jump));
            Some(places.number())
        });
        differences.collect::<Vec<u64>>()
    };
    let terms: Vec<u64> = (0..JUMPS as u32).flat_map(terms_of_jump).collect();
    let (mut sums, mut columns) = (vec![[0.0; 2]; terms.len()], 0);
    let [mut own, mut next] = [Vectors::default(), Vectors::default()];
    for (draw, phases) in draws {
        let column: Vectors = column(stream, draw, phases, BLOCK_HANDS).collect();
        for (jump, sums) in sums.chunks_mut(orders).enumerate() {
            for (order, sum) in sums.iter_mut().enumerate() {
                let before = if order == 0 { &column } else { &own };
                let differences = before.differences_into(1 << jump, &mut next);
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
