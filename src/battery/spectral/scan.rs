//! The waves that are scanned.

use crate::battery::spectral::circle::{Peak, Sum};
use crate::battery::spectral::vectors::{Vectors, signed_sums, together};
use crate::battery::stream::{DRAWS, Stream, base_of};
use crate::battery::undone::Digits;

/// Largest coefficient of a short wave: RANDU's planes are `x − 6y + 9z`.
const SHORT_MAX: i32 = 9;

/// Draws of bases 13 and more: phases of smaller ones are coarse, and a coefficient might be a multiple.
const WIDE_DRAWS: usize = 40;

pub(super) const SHORT_WAVES: usize = 9 * (19 * 19 - 1);

/// `(d + 1/2)/m` as a 16-bit fraction.
fn phase(digits: &Digits, draw: usize) -> u16 {
    let base = base_of(draw);
    (((2 * usize::from(digits[base]) + 1) << 15) / base) as u16
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Fewest distinct phases that a coefficient leaves a fresh digit of bases 13 to 52.
fn roots(coefficient: usize) -> u64 {
    let of_base = |base: usize| base / greatest_common_divisor(base, coefficient);
    (13..=52).map(of_base).min().expect("there are bases") as u64
}

/// Three consecutive draws, the last one's coefficient positive.
pub(super) fn short(stream: &Stream, report: &mut dyn FnMut(Peak)) {
    let powers = |draw: usize| -> Vec<Vectors> {
        let phases = || stream.present().map(|digits| Some(phase(digits, draw)));
        (0..=SHORT_MAX as u16)
            .map(|power| Vectors::of_phases(phases().map(|p| p.map(|p| p.wrapping_mul(power)))))
            .collect()
    };
    let columns: Vec<Vec<Vectors>> = (0..WIDE_DRAWS).map(powers).collect();
    let terms = ((WIDE_DRAWS - 2) * stream.present().count()) as u64;
    let side = 0..=SHORT_MAX;
    let planes = side.clone().flat_map(|first| side.clone().map(move |middle| (first, middle))).skip(1);
    for ((first, middle), last) in planes.flat_map(|plane| (1..=SHORT_MAX).map(move |last| (plane, last))) {
        let mut sums = [[0.0; 2]; 4];
        for window in columns.windows(3) {
            let [x, y, z] = [(0, first), (1, middle), (2, last)].map(|(k, power)| &window[k][power as usize]);
            let own = signed_sums(x.from(0), y.from(0), z.from(0));
            sums.as_flattened_mut().iter_mut().zip(own.as_flattened()).for_each(|(sum, own)| *sum += own);
        }
        // The last vector turned back is the mirror image of the first two turned back.
        let signs = [(1, 1), (-1, -1), (1, -1), (-1, 1)];
        for ((of_first, of_middle), sum) in signs.into_iter().zip(sums) {
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

pub(super) const LAG_WAVES: usize = 4 * (LAG_MAX * (LAG_MAX - 1) / 2);

/// A draw plus or minus two earlier ones.
pub(super) fn lags(stream: &Stream, report: &mut dyn FnMut(Peak)) {
    let draw = |deck: usize, draw: usize| {
        let digits = stream.digits(deck).filter(|_| draw < WIDE_DRAWS);
        digits.map(|digits| phase(digits, draw))
    };
    let draws: Vec<Option<u16>> =
        (0..stream.len()).flat_map(|deck| (0..DRAWS).map(move |k| draw(deck, k))).collect();
    let vectors = Vectors::of_phases(draws.iter().copied());
    let is_there: Vec<u8> = draws.iter().map(|draw| u8::from(draw.is_some())).collect();
    let mut wave = 0;
    for long in 2..=LAG_MAX {
        for short in 1..long {
            let terms = match draws.len().checked_sub(long) {
                Some(_) => together(&is_there[long..], &is_there[long - short..], &is_there),
                None => 0,
            };
            let sums = match terms {
                0 => [[0.0; 2]; 4],
                _ => signed_sums(vectors.from(long), vectors.from(long - short), vectors.from(0)),
            };
            for sum in sums {
                report(Peak::of_sum(sum, terms, wave, 13, 3));
                wave += 1;
            }
        }
    }
}

/// Lags 1, 2, 4, … 4,096 decks.
const JUMPS: usize = 13;

/// Highest order of differences: at order 7 a resolution of 1/52 is used up.
const ORDERS: usize = 6;

/// Draws of bases 27 and more.
const FINE_DRAWS: usize = 26;

pub(super) const DIFFERENCE_WAVES: usize = JUMPS * ORDERS;

/// Differences of order 1 to 6 of the same draw at decks a power of two apart.
pub(super) fn differences(stream: &Stream, report: &mut dyn FnMut(Peak)) {
    difference_waves(stream, 0..FINE_DRAWS, ORDERS, phase, 27, report);
}

/// Powers of two that divide bases: 4, 8, 16, 32.
const LOW_BITS: std::ops::RangeInclusive<u32> = 2..=5;

pub(super) const LOW_DIFFERENCE_WAVES: usize = 4 * JUMPS * ORDERS;

/// The same of `d mod 2^v` on the bases that 2^v divides.
pub(super) fn low_differences(stream: &Stream, report: &mut dyn FnMut(Peak)) {
    for bits in LOW_BITS {
        low_waves(stream, bits, ORDERS, report);
    }
}

pub(super) const LOW_BIT_WAVES: usize = JUMPS;

/// `d mod 2` of the even bases against the same draw before.
pub(super) fn low_bit(stream: &Stream, report: &mut dyn FnMut(Peak)) {
    low_waves(stream, 1, 1, report);
}

fn low_waves(stream: &Stream, bits: u32, orders: usize, report: &mut dyn FnMut(Peak)) {
    let draws = (0..DRAWS).filter(|&draw| base_of(draw).trailing_zeros() >= bits);
    let low = |digits: &Digits, draw: usize| u16::from(digits[base_of(draw)]) << (16 - bits);
    difference_waves(stream, draws, orders, low, 1 << bits, report);
}

fn difference_waves(
    stream: &Stream,
    draws: impl Iterator<Item = usize>,
    orders: usize,
    phase: impl Fn(&Digits, usize) -> u16,
    roots: u64,
    report: &mut dyn FnMut(Peak),
) {
    let mut sums: Vec<Sum> = (0..JUMPS * orders).map(|_| Sum::new()).collect();
    let is_there: Vec<bool> = (0..stream.len()).map(|deck| stream.digits(deck).is_some()).collect();
    for draw in draws {
        let column: Vec<u16> =
            (0..stream.len()).map(|deck| stream.digits(deck).map_or(0, |own| phase(own, draw))).collect();
        for (jump, sums) in sums.chunks_mut(orders).enumerate() {
            let (mut column, mut is_there) = (column.clone(), is_there.clone());
            for sum in sums {
                difference(&mut column, &mut is_there, 1 << jump);
                let terms = column.iter().zip(&is_there).filter(|(_, is_there)| **is_there);
                terms.for_each(|(&phase, _)| sum.add(phase));
                sum.settle();
            }
        }
    }
    for (wave, sum) in sums.iter_mut().enumerate() {
        report(sum.peak(wave, roots, 1 << (1 + wave % orders)));
    }
}

/// Each entry less the one `jump` before it; those without one are there no longer.
fn difference(column: &mut Vec<u16>, is_there: &mut Vec<bool>, jump: usize) {
    let length = column.len().saturating_sub(jump);
    for i in 0..length {
        column[i] = column[i + jump].wrapping_sub(column[i]);
        is_there[i] &= is_there[i + jump];
    }
    column.truncate(length);
    is_there.truncate(length);
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
