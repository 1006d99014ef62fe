//! The waves of published generators, in one deck and from deck to deck.

use std::sync::OnceLock;

use crate::battery::spectral::circle::Peak;
use crate::battery::spectral::known::{LAGS, M31, REDUCED, SCALED};
use crate::battery::spectral::places::Places;
use crate::battery::spectral::scan::{WIDE_DRAWS, phases, roots};
use crate::battery::spectral::vectors::{Vector, Vectors, signed_sums, vector};
use crate::battery::stream::{DRAWS, Drawn, base_of};
use crate::deck::block::BLOCK_HANDS;

/// Every vector as it is, and from its end: dealers count up or down.
pub(super) const SCALED_WAVES: usize = 2 * SCALED.len();

/// Numbers of a congruential generator, scaled to the ranges: consecutive draws of one deck.
pub(super) fn scaled(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    let circle = circle();
    for (wave, (known, is_turned)) in
        SCALED.iter().flat_map(|known| [(known, false), (known, true)]).enumerate()
    {
        let mut parts = known.to_vec();
        if is_turned {
            parts.reverse();
        }
        let of_draw = |draw: usize, part: i32| phases(base_of(draw)).map(|phase| times(phase, part));
        let (mut sum, mut terms) = ([0.0; 2], 0);
        for first in 0..=WIDE_DRAWS - parts.len() {
            let draws: Vec<_> = parts
                .iter()
                .zip(first..)
                .filter(|(part, _)| **part != 0)
                .map(|(&part, draw)| (base_of(draw), of_draw(draw, part)))
                .collect();
            for block in stream {
                let mut turns = [0u16; BLOCK_HANDS];
                for (base, phases) in &draws {
                    for (turn, &digit) in turns.iter_mut().zip(block.of_base(*base)) {
                        *turn = turn.wrapping_add(phases[usize::from(digit) % BLOCK_HANDS]);
                    }
                }
                add(&mut sum, circle, &turns[..block.hands()]);
                terms += block.hands() as u64;
            }
        }
        let last = *parts.last().expect("vectors have parts");
        report(Peak::of_sum(sum, terms, wave, roots(last.unsigned_abs() as usize), weight(&parts)));
    }
}

pub(super) const REDUCED_WAVES: usize = REDUCED.len();

/// Numbers of a congruential generator modulo the ranges: one draw of consecutive decks. With `Σ v_t·x_t = j·M` the
/// digits `d = x mod m` give `Σ v_t·M⁻¹·d_t ≡ j mod m`, where j is near `Σ v_t/2`.
pub(super) fn reduced(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    let circle = circle();
    let decks: usize = stream.iter().map(Drawn::hands).sum();
    // Decks as they follow one another, and as dense as they lie: only the last block is short.
    let column = |draw: usize| -> Vec<u8> {
        let of_block = |block: &Drawn| block.of_base(base_of(draw))[..block.hands()].to_vec();
        stream.iter().flat_map(of_block).collect()
    };
    let columns: Vec<Vec<u8>> = (0..WIDE_DRAWS).map(column).collect();
    for (wave, parts) in REDUCED.iter().enumerate() {
        let windows = (decks + 1).saturating_sub(parts.len());
        let mut sum = [0.0; 2];
        for (draw, column) in columns.iter().enumerate() {
            let mut turns = vec![0u16; windows];
            for (deck, &part) in parts.iter().enumerate().filter(|(_, part)| **part != 0) {
                let phases = reduced_phases(base_of(draw), part);
                for (turn, &digit) in turns.iter_mut().zip(&column[deck.min(decks)..]) {
                    *turn = turn.wrapping_add(phases[usize::from(digit)]);
                }
            }
            add(&mut sum, circle, &turns);
        }
        let last = *parts.last().expect("vectors have parts");
        let terms = (windows * WIDE_DRAWS) as u64;
        report(Peak::of_sum(sum, terms, wave, roots(last.unsigned_abs() as usize), weight(parts)));
    }
}

/// `v·(M⁻¹·d − 1/2)/m` as 16-bit fractions of a turn.
fn reduced_phases(base: usize, part: i32) -> [u16; BLOCK_HANDS] {
    let (base, modulus) = (base as i64, M31 as i64 % base as i64);
    let inverse = (1..base).find(|inverse| inverse * modulus % base == 1).expect("the modulus is a prime");
    std::array::from_fn(|digit| {
        let fraction = i64::from(part) * (2 * (inverse * digit as i64 % base) - 1);
        (fraction * 32_768).div_euclid(base) as u16
    })
}

/// Draws of a deck: 51, or 52 with one that has no choice; in the order of the digits, or from base 2 up.
const ORDERS: [(usize, bool); 4] = [(DRAWS, false), (DRAWS, true), (DRAWS + 1, false), (DRAWS + 1, true)];

pub(super) const FAR_WAVES: usize = 4 * LAGS.len() * ORDERS.len();

/// A draw plus or minus two earlier ones at the lags of published generators.
pub(super) fn far(stream: &[Drawn], report: &mut dyn FnMut(Peak)) {
    let table: Vec<[Vector; BLOCK_HANDS]> =
        (0..WIDE_DRAWS).map(|draw| phases(base_of(draw)).map(vector)).collect();
    let decks: Vec<(&Drawn, usize)> =
        stream.iter().flat_map(|block| (0..block.hands()).map(move |lane| (block, lane))).collect();
    let mut wave = 0;
    for (length, is_upward) in ORDERS {
        // Draws of small bases, and that without a choice, are left out.
        let vector_of = |(block, lane): (&Drawn, usize), draw: usize| {
            table.get(draw).map(|vectors| vectors[usize::from(block.of_base(base_of(draw))[lane])])
        };
        let draw_at = |place: usize| if is_upward { length - 1 - place } else { place };
        let draws: Vec<Option<Vector>> = decks
            .iter()
            .flat_map(|&deck| (0..length).map(move |place| vector_of(deck, draw_at(place))))
            .collect();
        let vectors: Vectors = draws.iter().map(|draw| draw.unwrap_or_default()).collect();
        let places: Places = draws.iter().map(Option::is_some).collect();
        for (short, long) in LAGS {
            let terms = places.ahead(long).and(&places.ahead(long - short)).and(&places).number();
            let sums = match draws.len().checked_sub(long) {
                Some(length) if terms > 0 => {
                    let from = |place: usize| vectors.from(place, length);
                    signed_sums(from(long), from(long - short), from(0))
                }
                _ => [[0.0; 2]; 4],
            };
            for sum in sums {
                report(Peak::of_sum(sum, terms, wave, 13, 3));
                wave += 1;
            }
        }
    }
}

/// The unit vector of every 16-bit fraction of a turn.
fn circle() -> &'static [Vector] {
    static CIRCLE: OnceLock<Vec<Vector>> = OnceLock::new();
    CIRCLE.get_or_init(|| (0..=u16::MAX).map(vector).collect())
}

fn add(sum: &mut [f64; 2], circle: &[Vector], turns: &[u16]) {
    for &turn in turns {
        let [re, im] = circle[usize::from(turn)];
        // Whole numbers of 16,384th parts: the order of adding does not show.
        sum[0] += f64::from(re);
        sum[1] += f64::from(im);
    }
}

fn times(phase: u16, part: i32) -> u16 {
    (i32::from(phase).wrapping_mul(part)) as u16
}

/// How often a rounded phase is taken.
fn weight(parts: &[i32]) -> u64 {
    parts.iter().map(|part| u64::from(part.unsigned_abs())).sum()
}
