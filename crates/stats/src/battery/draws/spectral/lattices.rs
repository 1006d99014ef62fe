//! The waves of published generators, in one deck and from deck to deck.

use std::sync::OnceLock;

use multiversion::multiversion;

use crate::battery::draws::spectral::circle::Peak;
use crate::battery::draws::spectral::known::{LAGS, M31, REDUCED, REJECTED, SCALED, SHORT_LAGS};
use crate::battery::draws::spectral::line::{Line, SIGNS};
use crate::battery::draws::spectral::phases::{WIDE_DRAWS, phases};
use crate::battery::draws::spectral::scan::roots;
use crate::battery::draws::spectral::vectors::{Both, UNIT, circle, parts};
use crate::battery::stream::{DRAWS, Drawn, base_of};
use crate::math::greatest_common_divisor;
use deckproof_deck::deck::block::BLOCK_HANDS;

/// Every vector as it is, and from its end: dealers count up or down.
pub(super) const SCALED_WAVES: usize = 2 * SCALED.len();

/// Numbers of a congruential generator, scaled to the ranges: consecutive draws of one deck.
pub(super) fn scaled(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    let columns: Vec<Vec<Row16>> =
        (0..WIDE_DRAWS).map(|draw| phases_of(stream, draw, base_of(draw))).collect();
    let of_last = |parts: &[i32]| roots(parts[parts.len() - 1].unsigned_abs() as usize);
    in_one_deck(&hands_of(stream), &columns, &SCALED, |parts| WIDE_DRAWS + 1 - parts.len(), of_last, report);
}

pub(super) const REJECTED_WAVES: usize = 2 * REJECTED.len();

/// The draw of base 32, and its values.
const EVEN_DRAW: usize = 20;
const EVEN: usize = base_of(EVEN_DRAW);

/// Five bits of a congruential generator's numbers, drawn again while they are as large as the range: draws of one deck from
/// base 32 down. The digit of base 32 is uniform on 32 phases, so that no other has to be.
pub(super) fn rejected(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    let length = REJECTED.iter().map(|parts| parts.len()).fold(0, usize::max);
    let columns: Vec<Vec<Row16>> =
        (0..length).map(|draw| phases_of(stream, EVEN_DRAW + draw, EVEN)).collect();
    in_one_deck(&hands_of(stream), &columns, &REJECTED, |_| 1, |parts| even_roots(parts[0]), report);
}

/// Distinct phases that a coefficient leaves the digit of base 32.
fn even_roots(coefficient: i32) -> u64 {
    (EVEN / greatest_common_divisor(EVEN, coefficient.unsigned_abs() as usize)) as u64
}

/// Both directions of some vectors, from each of so many columns on; and the phases that the fresh digit has.
pub(super) fn in_one_deck(
    hands: &[usize],
    columns: &[Vec<Row16>],
    vectors: &[&[i32]],
    windows: impl Fn(&[i32]) -> usize,
    roots: impl Fn(&[i32]) -> u64,
    report: &mut dyn FnMut(Peak),
) {
    let circle = circle();
    let turned = vectors.iter().flat_map(|known| [(known, false), (known, true)]);
    for (wave, (known, is_turned)) in turned.enumerate() {
        let mut parts = known.to_vec();
        if is_turned {
            parts.reverse();
        }
        let (mut sum, mut terms) = ([0.0; 2], 0);
        for first in 0..windows(&parts) {
            for (number, &hands) in hands.iter().enumerate() {
                let turns = turns_of(&columns[first..], number, &parts);
                add(&mut sum, circle, &turns[..hands]);
                terms += hands as u64;
            }
        }
        report(Peak::of_sum(sum, terms, wave, roots(&parts), weight(&parts)));
    }
}

/// The decks of each block.
pub(super) fn hands_of(stream: &[Drawn]) -> Vec<usize> {
    stream.iter().map(Drawn::hands).collect()
}

/// 16-bit fractions of a turn in 64 lanes.
pub(super) type Row16 = [u16; BLOCK_HANDS];

/// The phase of a draw in every deck, its digit one of so many.
fn phases_of(stream: &[Drawn], draw: usize, digits: usize) -> Vec<Row16> {
    let phases = phases(digits);
    let of_block =
        |block: &Drawn| block.of_base(base_of(draw)).map(|digit| phases[usize::from(digit) % BLOCK_HANDS]);
    stream.iter().map(of_block).collect()
}

/// The turns that one block's phases in as many columns as there are parts make, each taken so many times.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn turns_of(columns: &[Vec<Row16>], block: usize, parts: &[i32]) -> Row16 {
    let mut turns = [0u16; BLOCK_HANDS];
    for (column, &part) in columns.iter().zip(parts).filter(|(_, part)| **part != 0) {
        for (turn, &phase) in turns.iter_mut().zip(&column[block]) {
            *turn = turn.wrapping_add(phase.wrapping_mul(part as u16));
        }
    }
    turns
}

pub(super) const REDUCED_WAVES: usize = REDUCED.len();

/// Numbers of a congruential generator modulo the ranges: one draw of consecutive decks. With `Σ v_t·x_t = j·M` the
/// digits `d = x mod m` give `Σ v_t·M⁻¹·d_t ≡ j mod m`, where j is near `Σ v_t/2`.
pub(super) fn reduced(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    let circle = circle();
    let decks: usize = stream.iter().map(Drawn::hands).sum();
    let windows_of = |parts: &[i32]| (decks + 1).saturating_sub(parts.len());
    let mut sums = [[0.0; 2]; REDUCED_WAVES];
    let mut turns = Vec::new();
    for (draw, phases) in reduced_phases().iter().enumerate() {
        // Decks as they follow one another, and as dense as they lie: only the last block is short.
        let of_block = |block: &Drawn| block.of_base(base_of(draw))[..block.hands()].to_vec();
        let digits: Vec<u8> = stream.iter().flat_map(of_block).collect();
        // Of every part once: the waves share them.
        let of_part = |phases: &Row16| -> Vec<u16> {
            digits.iter().map(|&digit| phases[usize::from(digit) % BLOCK_HANDS]).collect()
        };
        let columns: [Vec<u16>; PARTS] = phases.each_ref().map(of_part);
        for (parts, sum) in REDUCED.iter().zip(&mut sums) {
            turns.clear();
            turns.resize(windows_of(parts), 0u16);
            for (deck, &part) in parts.iter().enumerate().filter(|(_, part)| **part != 0) {
                let column = &columns[place_of(part)][deck.min(decks)..];
                for (turn, &phase) in turns.iter_mut().zip(column) {
                    *turn = turn.wrapping_add(phase);
                }
            }
            add(sum, circle, &turns);
        }
    }
    for (wave, (parts, sum)) in REDUCED.iter().zip(sums).enumerate() {
        let last = *parts.last().expect("vectors have parts");
        let terms = (windows_of(parts) * WIDE_DRAWS) as u64;
        report(Peak::of_sum(sum, terms, wave, roots(last.unsigned_abs() as usize), weight(parts)));
    }
}

/// Parts of the vectors of [`REDUCED`]: −4 to 4.
const PART_MAX: i32 = 4;
const PARTS: usize = 2 * PART_MAX as usize + 1;

fn place_of(part: i32) -> usize {
    (part + PART_MAX) as usize
}

/// For every draw the phases of its digits, by each part.
fn reduced_phases() -> &'static [[Row16; PARTS]] {
    static PHASES: OnceLock<Vec<[Row16; PARTS]>> = OnceLock::new();
    PHASES.get_or_init(|| {
        let of_draw = |draw: usize| -> [Row16; PARTS] {
            std::array::from_fn(|place| phases_modulo(base_of(draw), place as i32 - PART_MAX))
        };
        (0..WIDE_DRAWS).map(of_draw).collect()
    })
}

/// `v·(M⁻¹·d − 1/2)/m` as 16-bit fractions of a turn.
fn phases_modulo(base: usize, part: i32) -> Row16 {
    let (base, modulus) = (base as i32, (M31 as usize % base) as i32);
    let inverse = (1..base).find(|inverse| inverse * modulus % base == 1).expect("the modulus is a prime");
    let mut phases = [0; BLOCK_HANDS];
    // No draw has a digit from its base on.
    for (phase, digit) in phases.iter_mut().zip(0..base) {
        let fraction = part * (2 * (inverse * digit % base) - 1);
        *phase = (fraction * 32_768).div_euclid(base) as u16;
    }
    phases
}

/// Draws of a deck: 51, or 52 with one that has no choice; in the order of the digits, or from base 2 up.
const ORDERS: [(usize, bool); 4] = [(DRAWS, false), (DRAWS, true), (DRAWS + 1, false), (DRAWS + 1, true)];

/// Waves of one order.
const FAR_WAVES_EACH: usize = SIGNS * LAGS.len();

pub(super) const FAR_WAVES: usize = FAR_WAVES_EACH * ORDERS.len();

/// Waves of one order at short lags.
const NEAR_WAVES_EACH: usize = SIGNS * SHORT_LAGS.len();

pub(super) const NEAR_WAVES: usize = NEAR_WAVES_EACH * ORDERS.len();

/// The same at the short lags of published generators.
pub(super) fn near(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    for (order, (length, is_upward)) in ORDERS.into_iter().enumerate() {
        let draws = (0..length).map(|place| if is_upward { length - 1 - place } else { place });
        Line::of(stream, draws).report(SHORT_LAGS, NEAR_WAVES_EACH * order, report);
    }
}

/// A draw plus or minus two earlier ones at the lags of published generators.
pub(super) fn far(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    for (order, (length, is_upward)) in ORDERS.into_iter().enumerate() {
        let draws = (0..length).map(|place| if is_upward { length - 1 - place } else { place });
        Line::of(stream, draws).report(LAGS, FAR_WAVES_EACH * order, report);
    }
}

/// Terms whose sum of either part stays within 32 bits with its sign.
const TERMS_MAX: usize = 1 << 16;

/// Adds the vectors of some turns. Whole numbers of 16,384th parts: the order of adding does not show.
fn add(sum: &mut [f64; 2], circle: &[Both; 1 << 16], turns: &[u16]) {
    for turns in turns.chunks(TERMS_MAX) {
        let both: Both = turns.iter().map(|&turn| circle[usize::from(turn)]).sum();
        sum.iter_mut().zip(parts(both)).for_each(|(sum, part)| *sum += part as f64 / UNIT);
    }
}

/// How often a rounded phase is taken.
fn weight(parts: &[i32]) -> u64 {
    parts.iter().map(|part| u64::from(part.unsigned_abs())).sum()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::battery::stream::{WAYS, undone};
    use crate::battery::walk::sample::{blocks, dealt};
    use deckproof_deck::deck::Deck;

    const DECKS: usize = 70;

    /// The digit of a base in one deck.
    fn digit(stream: &[Drawn], deck: usize, base: usize) -> f64 {
        f64::from(stream[deck / 64].of_base(base)[deck % 64])
    }

    /// Every wave that is reported, against its turns one by one.
    fn check(
        scan: fn(&[Drawn], &mut dyn FnMut(Peak)),
        waves: usize,
        turns_of: impl Fn(&[Drawn], usize) -> Vec<f64>,
    ) {
        let stream = undone(&blocks(&dealt("certified", 0..DECKS as u64)), &WAYS[0]);
        let mut reported = 0;
        scan(&stream, &mut |peak| {
            let (wave, [re, im], terms) = peak.parts();
            assert_eq!(wave, reported);
            reported += 1;
            let turns = turns_of(&stream, wave);
            assert_eq!(terms, turns.len() as u64, "wave {wave}");
            let sum = |part: fn(f64) -> f64| turns.iter().map(|turn| part(2.0 * PI * turn)).sum::<f64>();
            let off = libm::hypot(re - sum(libm::cos), im - sum(libm::sin));
            assert!(off <= 3e-3 * turns.len() as f64, "wave {wave}: {off} in {terms} terms");
        });
        assert_eq!(reported, waves);
    }

    #[test]
    fn waves_in_a_deck_are_the_sums_of_their_turns() {
        check(scaled, SCALED_WAVES, |stream, wave| {
            let mut parts = SCALED[wave / 2].to_vec();
            if wave % 2 == 1 {
                parts.reverse();
            }
            // Windows of bases 52 down to 13.
            let windows = (0..DECKS).flat_map(|deck| (12 + parts.len()..=52).map(move |top| (deck, top)));
            let turn = |(deck, top): (usize, usize)| {
                let of_base = |(i, &part): (usize, &i32)| {
                    let base = top - i;
                    f64::from(part) * (digit(stream, deck, base) + 0.5) / base as f64
                };
                parts.iter().enumerate().map(of_base).sum()
            };
            windows.map(turn).collect()
        });
    }

    #[test]
    fn waves_of_rejected_numbers_are_the_sums_of_their_turns() {
        check(rejected, REJECTED_WAVES, |stream, wave| {
            let mut parts = REJECTED[wave / 2].to_vec();
            if wave % 2 == 1 {
                parts.reverse();
            }
            let of_base = |deck: usize| {
                let turn =
                    |(i, &part): (usize, &i32)| f64::from(part) * (digit(stream, deck, 32 - i) + 0.5) / 32.0;
                parts.iter().enumerate().map(turn).sum()
            };
            (0..DECKS).map(of_base).collect()
        });
    }

    /// Numerical Recipes' generator, its highest bits drawn again while they are as large as the range, in a loop down and
    /// in one up; and bits 16 to 30 of ISO C's. The waves have 0.084 and 0.269 of |Z|²/n a deck.
    #[test]
    fn numbers_that_are_drawn_again_show_their_wave() {
        let rejected_draws = |multiplier: u64, increment: u64, bits: u32, from: fn(u64, u32) -> u64| {
            let mut state = 20_261_130u64;
            move |range: u64| {
                let wanted = (range - 1).max(1).ilog2() + 1;
                loop {
                    state = state.wrapping_mul(multiplier).wrapping_add(increment) & ((1 << bits) - 1);
                    let drawn = from(state, wanted);
                    if drawn < range {
                        return drawn as usize;
                    }
                }
            }
        };
        let highest = |state: u64, bits: u32| state >> (32 - bits);
        let middle = |state: u64, bits: u32| state >> 16 & ((1 << bits) - 1);
        let mut recipes = rejected_draws(1_664_525, 1_013_904_223, 32, highest);
        let mut iso = rejected_draws(1_103_515_245, 12_345, 31, middle);
        let down = |draw: &mut dyn FnMut(u64) -> usize| {
            let mut order: [u8; 52] = std::array::from_fn(|card| card as u8);
            (1..52).rev().for_each(|place| order.swap(place, draw(place as u64 + 1)));
            order
        };
        let up = |draw: &mut dyn FnMut(u64) -> usize| {
            let mut order: [u8; 52] = std::array::from_fn(|card| card as u8);
            (1..52).for_each(|place| order.swap(place, draw(place as u64 + 1)));
            order
        };
        let highest_of = |orders: Vec<[u8; 52]>, way: usize| {
            let decks: Vec<Deck> =
                orders.iter().map(|order| Deck::try_from(&order[..]).expect("a permutation")).collect();
            let mut highest = Peak::default();
            rejected(&undone(&blocks(&decks), &WAYS[way]), &mut |peak| highest.raise(peak));
            highest.height()
        };
        let of_recipes = highest_of((0..640).map(|_| down(&mut recipes)).collect(), 0);
        assert!((35.0..80.0).contains(&of_recipes), "{of_recipes} for 54");
        let of_recipes = highest_of((0..640).map(|_| up(&mut recipes)).collect(), 1);
        assert!(of_recipes > 35.0, "{of_recipes}");
        let of_iso = highest_of((0..256).map(|_| down(&mut iso)).collect(), 0);
        assert!((45.0..95.0).contains(&of_iso), "{of_iso} for 69");
        let fair = highest_of(dealt("certified", 0..640).iter().map(|deck| *deck.indices()).collect(), 0);
        assert!(fair < 14.0, "{fair}");
    }

    #[test]
    fn the_digit_of_base_32_has_phases_enough_for_every_vector() {
        assert_eq!([1, -8, 12, 10].map(even_roots), [32, 4, 8, 16]);
        for parts in REJECTED {
            let ends = [parts[0], parts[parts.len() - 1]];
            assert!(ends.into_iter().all(|end| even_roots(end) >= 4), "no wave stands still: {parts:?}");
        }
    }

    #[test]
    fn waves_from_deck_to_deck_are_the_sums_of_their_turns() {
        check(reduced, REDUCED_WAVES, |stream, wave| {
            let parts = REDUCED[wave];
            let windows =
                (13..=52).flat_map(|base| (0..=DECKS - parts.len()).map(move |first| (base, first)));
            let turn = |(base, first): (usize, usize)| {
                let modulus = M31 as usize % base;
                let inverse = (1..base).find(|i| i * modulus % base == 1).expect("a prime has one") as f64;
                let of_deck = |(i, &part): (usize, &i32)| {
                    f64::from(part) * (inverse * digit(stream, first + i, base) - 0.5) / base as f64
                };
                parts.iter().enumerate().map(of_deck).sum()
            };
            windows.map(turn).collect()
        });
    }

    #[test]
    fn waves_at_long_lags_are_the_sums_of_their_turns() {
        check(far, FAR_WAVES, |stream, wave| {
            let (order, rest) = (wave / (4 * LAGS.len()), wave % (4 * LAGS.len()));
            let ((short, long), signs) = (LAGS[rest / 4], rest % 4);
            // 51 or 52 draws a deck, from base 52 down or up to it.
            let bases: Vec<usize> = match order {
                0 => (2..=52).rev().collect(),
                1 => (2..=52).collect(),
                2 => (1..=52).rev().collect(),
                _ => (1..=52).collect(),
            };
            let turn_of = |(deck, base): (usize, usize)| {
                (base >= 13).then(|| (digit(stream, deck, base) + 0.5) / base as f64)
            };
            let drawn: Vec<Option<f64>> = (0..DECKS)
                .flat_map(|deck| bases.iter().map(move |&base| (deck, base)))
                .map(turn_of)
                .collect();
            let [of_short, of_long] = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]][signs];
            let turn = |n: usize| Some(drawn[n]? + of_short * drawn[n - short]? + of_long * drawn[n - long]?);
            (long..drawn.len()).filter_map(turn).collect()
        });
    }
}
