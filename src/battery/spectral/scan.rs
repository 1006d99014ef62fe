//! The waves that are scanned.

use crate::battery::spectral::circle::{Peak, Sum};
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
    let column = |draw: usize| stream.present().map(|digits| phase(digits, draw)).collect();
    let columns: Vec<Vec<u16>> = (0..WIDE_DRAWS).map(column).collect();
    let mut wave = 0;
    for last in 1..=SHORT_MAX {
        for middle in -SHORT_MAX..=SHORT_MAX {
            for first in -SHORT_MAX..=SHORT_MAX {
                if (middle, first) == (0, 0) {
                    continue;
                }
                let mut sum = Sum::new();
                let coefficients = [first as u16, middle as u16, last as u16];
                columns.windows(3).for_each(|window| add_weighted(&mut sum, window, coefficients));
                let weight = last + middle.abs() + first.abs();
                report(sum.peak(wave, roots(last as usize), weight as u64));
                wave += 1;
            }
        }
    }
}

#[inline(always)]
fn add_weighted(sum: &mut Sum, columns: &[Vec<u16>], [a, b, c]: [u16; 3]) {
    for ((x, y), z) in columns[0].iter().zip(&columns[1]).zip(&columns[2]) {
        sum.add(x.wrapping_mul(a).wrapping_add(y.wrapping_mul(b)).wrapping_add(z.wrapping_mul(c)));
    }
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
    let mut wave = 0;
    for long in 2..=LAG_MAX {
        for short in 1..long {
            let mut sums: [Sum; 4] = std::array::from_fn(|_| Sum::new());
            for last in long..draws.len() {
                if let (Some(x), Some(y), Some(z)) = (draws[last], draws[last - short], draws[last - long]) {
                    sums[0].add(x.wrapping_add(y).wrapping_add(z));
                    sums[1].add(x.wrapping_add(y).wrapping_sub(z));
                    sums[2].add(x.wrapping_sub(y).wrapping_add(z));
                    sums[3].add(x.wrapping_sub(y).wrapping_sub(z));
                }
            }
            for sum in &mut sums {
                report(sum.peak(wave, 13, 3));
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
