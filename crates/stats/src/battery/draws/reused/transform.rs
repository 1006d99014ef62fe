//! The lags and waves of two streams that may be high, by one transform of both and one back.

use std::f64::consts::PI;

use crate::battery::draws::reused::CANDIDATES;
use crate::battery::stream::DRAWS;

/// A complex number. 32 bits: they choose, and what is chosen is summed in whole numbers.
type Complex = [f32; 2];

/// Of each of two streams the highest lags, and the highest waves of the lower half.
pub(super) type Candidates = ([Vec<usize>; 2], [Vec<usize>; 2]);

/// Of two streams as the real and imaginary parts of one, `places` long with zeros behind them.
pub(super) fn candidates(streams: [&[f32]; 2], places: usize) -> Candidates {
    let draws = streams[0].len();
    let mut both: Vec<Complex> = streams[0].iter().zip(streams[1]).map(|(&a, &b)| [a, b]).collect();
    both.resize(places, [0.0; 2]);
    let roots = roots(places);
    forward(&mut both, &roots);
    let bits = places.trailing_zeros();
    let turned = |k: usize| if bits == 0 { 0 } else { k.reverse_bits() >> (usize::BITS - bits) };
    // Of real streams a and b the transforms at k are (Z_k ± the mirrored Z_{−k})/2, the second turned.
    let mut waves = [Best::default(), Best::default()];
    for k in 0..=places / 2 {
        let (own, other) = (turned(k), turned((places - k) % places));
        let ([x, y], [u, v]) = (both[own], both[other]);
        let squares =
            [0.25 * ((x + u).powi(2) + (y - v).powi(2)), 0.25 * ((x - u).powi(2) + (y + v).powi(2))];
        (both[own], both[other]) = (squares, squares);
        if k > 0 && k < places / 2 {
            waves.iter_mut().zip(squares).for_each(|(best, square)| best.offer(square, k));
        }
    }
    backward(&mut both, &roots);
    let mut lags = [Best::default(), Best::default()];
    for (lag, &sums) in both.iter().enumerate().take(draws).skip(1) {
        let terms = terms_near(draws, lag);
        for (best, sum) in lags.iter_mut().zip(sums) {
            best.offer(sum * sum / terms, lag);
        }
    }
    (lags.map(Best::into_places), waves.map(Best::into_places))
}

/// Nearly the pairs of wide draws so far apart, of a lag up to all draws.
fn terms_near(draws: usize, lag: usize) -> f32 {
    const WIDE: usize = super::WIDE_DRAWS;
    let apart = lag % DRAWS;
    let overlap = WIDE.saturating_sub(apart) + (WIDE + apart).saturating_sub(DRAWS);
    // A few pairs could be as high as they like.
    ((draws - lag) as f32 * overlap as f32 / DRAWS as f32).max(16.0)
}

/// The highest so far, at most [`CANDIDATES`].
#[derive(Default)]
struct Best(Vec<(f32, usize)>);

impl Best {
    fn offer(&mut self, height: f32, place: usize) {
        let is_full = self.0.len() == CANDIDATES;
        if is_full && self.0.last().is_some_and(|&(lowest, _)| height <= lowest) {
            return;
        }
        self.0.truncate(CANDIDATES - 1);
        let at = self.0.partition_point(|&(other, _)| other >= height);
        self.0.insert(at, (height, place));
    }

    fn into_places(self) -> Vec<usize> {
        self.0.into_iter().map(|(_, place)| place).collect()
    }
}

/// Roots of unity are rounded to so many parts, so that no machine's cosine shows.
const PARTS: f64 = (1u64 << 30) as f64;

/// `e^{−2πik/2h}` for k below h, for h = 1, 2, 4, … half the places, one list after the other: that of h begins at h − 1.
fn roots(places: usize) -> Vec<Complex> {
    let halves = (0..places.trailing_zeros()).map(|power| 1usize << power);
    let root = |half: usize, k: usize| {
        let (sin, cos) = (-PI * k as f64 / half as f64).sin_cos();
        [cos, sin].map(|part| ((PARTS * part).round() / PARTS) as f32)
    };
    halves.flat_map(|half| (0..half).map(move |k| root(half, k))).collect()
}

fn times([a, b]: Complex, [c, d]: Complex) -> Complex {
    [a * c - b * d, a * d + b * c]
}

/// Gentleman & Sande (1966): places come out in the order of their bits turned round.
fn forward(values: &mut [Complex], roots: &[Complex]) {
    let mut half = values.len() / 2;
    while half > 0 {
        for pair in values.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for ((low, high), root) in low.iter_mut().zip(high).zip(&roots[half - 1..]) {
                let ([a, b], [c, d]) = (*low, *high);
                *low = [a + c, b + d];
                *high = times([a - c, b - d], *root);
            }
        }
        half /= 2;
    }
}

/// Cooley & Tukey (1965), from that order back, over the number of places.
fn backward(values: &mut [Complex], roots: &[Complex]) {
    let mut half = 1;
    while half < values.len() {
        for pair in values.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for ((low, high), &[c, s]) in low.iter_mut().zip(high).zip(&roots[half - 1..]) {
                let [re, im] = times(*high, [c, -s]);
                *high = [low[0] - re, low[1] - im];
                *low = [low[0] + re, low[1] + im];
            }
        }
        half *= 2;
    }
    let scale = 1.0 / values.len() as f32;
    values.iter_mut().flatten().for_each(|part| *part *= scale);
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::keystream::Keystream;

    /// Against sums one by one: correlations at every lag, and the highest wave.
    #[test]
    fn the_highest_lags_and_waves_are_those_of_sums_one_by_one() {
        let mut keystream = Keystream::new(&[9; 32], 0);
        let draws = 3 * DRAWS;
        let mut stream = || -> Vec<f32> {
            let wide = |draw: usize| draw % DRAWS < super::super::WIDE_DRAWS;
            let value = |word: u32| (f64::from(word) / 2f64.powi(32) - 0.5) as f32;
            (0..draws).map(|draw| value(keystream.word()) * f32::from(u8::from(wide(draw)))).collect()
        };
        let streams = [stream(), stream()];
        let places = (2 * draws).next_power_of_two();
        let (lags, waves) = candidates([&streams[0], &streams[1]], places);
        for ((stream, lags), waves) in streams.iter().zip(&lags).zip(&waves) {
            let height = |lag: usize| {
                let sum: f32 = stream.iter().zip(&stream[lag..]).map(|(a, b)| a * b).sum();
                sum * sum / terms_near(draws, lag)
            };
            let highest = (1..draws).max_by(|&a, &b| height(a).total_cmp(&height(b))).expect("lags");
            assert_eq!(lags[0], highest);
            let square = |k: usize| {
                let angle = |t: usize| 2.0 * PI * (k * t % places) as f64 / places as f64;
                let part = |of: fn(f64) -> f64| -> f64 {
                    stream.iter().enumerate().map(|(t, &x)| f64::from(x) * of(angle(t))).sum()
                };
                part(f64::cos).powi(2) + part(f64::sin).powi(2)
            };
            let highest = (1..places / 2).max_by(|&a, &b| square(a).total_cmp(&square(b))).expect("waves");
            assert_eq!(waves[0], highest);
            assert!(lags.len() == CANDIDATES && waves.len() == CANDIDATES);
        }
    }
}
