//! The lags and waves of two streams that may be high, by one transform of both and one back.

use std::f64::consts::PI;

use multiversion::multiversion;

use crate::battery::stream::DRAWS;

/// A complex number. 32 bits: they choose, and what is chosen is summed in whole numbers.
type Complex = [f32; 2];

/// Of each of two streams the lags that share the highest place, and the highest wave of the lower half.
pub(super) type Candidates = ([Vec<usize>; 2], [Option<usize>; 2]);

/// Of two streams as the real and imaginary parts of one, as many places long as the roots are for, with zeros behind them.
/// Of draws so far apart a deck has so many pairs.
pub(super) fn candidates(streams: [Vec<f32>; 2], roots: &Roots, pairs: &[usize; DRAWS]) -> Candidates {
    let (draws, places) = (streams[0].len(), roots.places);
    let mut both: Vec<Complex> = streams[0].iter().zip(&streams[1]).map(|(&a, &b)| [a, b]).collect();
    both.resize(places, [0.0; 2]);
    forward(&mut both, roots);
    let waves = squares(&mut both).map(|best| best.place.map(|at| wave_at(at, places)));
    backward(&mut both, roots);
    let mut best = [Best::default(); 2];
    for (lag, &sums) in both.iter().enumerate().take(places / 2 + 1).skip(1) {
        // A few pairs could be as high as they like.
        let terms = (terms_near(draws, lag, pairs) + terms_near(draws, places - lag, pairs)).max(16.0);
        for (best, sum) in best.iter_mut().zip(sums) {
            best.offer(sum * sum / terms, lag);
        }
    }
    let lags_at = |place: usize| [place, places - place].into_iter().filter(|&lag| lag < draws);
    (best.map(|best| best.place.into_iter().flat_map(lags_at).collect()), waves)
}

/// Of real streams a and b the transforms at k are (Z_k ± the mirrored Z_{−k})/2, the second turned: their squares in the
/// place of both, and where the highest is.
fn squares(both: &mut [Complex]) -> [Best; 2] {
    let of_pair = |[x, y]: Complex, [u, v]: Complex| {
        [0.25 * ((x + u).powi(2) + (y - v).powi(2)), 0.25 * ((x - u).powi(2) + (y + v).powi(2))]
    };
    let mut waves = [Best::default(); 2];
    // k = 0 and half the places are their own mirrors, and no swings.
    both.iter_mut().take(2).for_each(|own| *own = of_pair(*own, *own));
    // By bits turned round, −k is as far from the end of its power of two as k from the beginning.
    let mut first = 2;
    while first < both.len() {
        for (at, mirrored) in (first..first + first / 2).zip((0..2 * first).rev()) {
            let squares = of_pair(both[at], both[mirrored]);
            (both[at], both[mirrored]) = (squares, squares);
            waves.iter_mut().zip(squares).for_each(|(best, square)| best.offer(square, at));
        }
        first *= 2;
    }
    waves
}

/// The wave that is there, or its mirror image in the lower half.
fn wave_at(at: usize, places: usize) -> usize {
    let wave = at.reverse_bits() >> (usize::BITS - places.trailing_zeros());
    wave.min(places - wave)
}

/// Nearly the pairs of draws so far apart.
fn terms_near(draws: usize, lag: usize, pairs: &[usize; DRAWS]) -> f32 {
    draws.saturating_sub(lag) as f32 * pairs[lag % DRAWS] as f32 / DRAWS as f32
}

/// The highest so far; of equal ones the first.
#[derive(Clone, Copy, Default)]
struct Best {
    height: f32,
    place: Option<usize>,
}

impl Best {
    fn offer(&mut self, height: f32, place: usize) {
        if height > self.height {
            *self = Best { height, place: Some(place) };
        }
    }
}

/// Roots of unity are rounded to so many parts, so that no machine's cosine shows.
const PARTS: f64 = (1u64 << 30) as f64;

/// `e^{−2πik/2h}` for k below h, for h = 1, 2, 4, … half the places, one list after the other: that of h begins at h − 1.
pub(super) struct Roots {
    places: usize,
    lists: Vec<Complex>,
}

impl Roots {
    /// Those of a transform of so many places, a power of two.
    pub(super) fn of(places: usize) -> Roots {
        let half = places / 2;
        let root = |k: usize| {
            let (sin, cos) = libm::sincos(-PI * k as f64 / half as f64);
            [cos, sin].map(|part| ((PARTS * part).round() / PARTS) as f32)
        };
        let quarter: Vec<Complex> = (0..half.div_ceil(2)).map(root).collect();
        let turned = quarter.iter().map(|&[cos, sin]| [sin, -cos]);
        let longest: Vec<Complex> = quarter.iter().copied().chain(turned).take(half).collect();
        let halves = (0..places.trailing_zeros()).map(|power| 1usize << power);
        Roots { places, lists: halves.flat_map(|own| longest.iter().step_by(half / own).copied()).collect() }
    }

    #[inline(always)]
    fn of_half(&self, half: usize) -> &[Complex] {
        &self.lists[half - 1..2 * half - 1]
    }
}

fn times([a, b]: Complex, [c, d]: Complex) -> Complex {
    [a * c - b * d, a * d + b * c]
}

/// Values that stay in the first cache: longer transforms are halved until they do.
const NEAR: usize = 1 << 11;

/// Values whose passes need no loops.
const FEW: usize = 8;

/// Gentleman & Sande (1966): places come out in the order of their bits turned round.
fn forward(values: &mut [Complex], roots: &Roots) {
    if values.len() <= NEAR {
        return forward_near(values, roots);
    }
    let (low, high) = values.split_at_mut(values.len() / 2);
    part(low, high, roots.of_half(low.len()));
    forward(low, roots);
    forward(high, roots);
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn part(low: &mut [Complex], high: &mut [Complex], roots: &[Complex]) {
    sum_and_difference(low, high, roots);
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn forward_near(values: &mut [Complex], roots: &Roots) {
    forward_down_to(values, FEW, roots);
    if values.len() < FEW {
        forward_down_to(values, 1, roots)
    } else {
        values.as_chunks_mut::<FEW>().0.iter_mut().for_each(|few| forward_down_to(few, 1, roots))
    }
}

#[inline(always)]
fn forward_down_to(values: &mut [Complex], last: usize, roots: &Roots) {
    let mut half = values.len() / 2;
    while half >= last {
        for pair in values.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            sum_and_difference(low, high, roots.of_half(half));
        }
        half /= 2;
    }
}

#[inline(always)]
fn sum_and_difference(low: &mut [Complex], high: &mut [Complex], roots: &[Complex]) {
    for ((low, high), root) in low.iter_mut().zip(high).zip(roots) {
        let ([a, b], [c, d]) = (*low, *high);
        *low = [a + c, b + d];
        *high = times([a - c, b - d], *root);
    }
}

/// Cooley & Tukey (1965), from that order back; as many times too large as there are places.
fn backward(values: &mut [Complex], roots: &Roots) {
    if values.len() <= NEAR {
        return backward_near(values, roots);
    }
    let (low, high) = values.split_at_mut(values.len() / 2);
    backward(low, roots);
    backward(high, roots);
    join(low, high, roots.of_half(low.len()));
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn join(low: &mut [Complex], high: &mut [Complex], roots: &[Complex]) {
    both_ways(low, high, roots);
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn backward_near(values: &mut [Complex], roots: &Roots) {
    let few = values.as_chunks_mut::<FEW>().0;
    let done = if few.is_empty() { 1 } else { FEW };
    few.iter_mut().for_each(|few| backward_from(few, 1, roots));
    backward_from(values, done, roots);
}

#[inline(always)]
fn backward_from(values: &mut [Complex], mut half: usize, roots: &Roots) {
    while half < values.len() {
        for pair in values.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            both_ways(low, high, roots.of_half(half));
        }
        half *= 2;
    }
}

#[inline(always)]
fn both_ways(low: &mut [Complex], high: &mut [Complex], roots: &[Complex]) {
    for ((low, high), &[c, s]) in low.iter_mut().zip(high).zip(roots) {
        let [re, im] = times(*high, [c, -s]);
        *high = [low[0] - re, low[1] - im];
        *low = [low[0] + re, low[1] + im];
    }
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
        let places = (draws + draws / 2).next_power_of_two();
        let pairs = super::super::pairs_apart(|draw| draw < super::super::WIDE_DRAWS);
        let (lags, waves) = candidates(streams.clone(), &Roots::of(places), &pairs);
        for ((stream, lags), wave) in streams.iter().zip(&lags).zip(waves) {
            let sum = |lag: usize| -> f32 { stream.iter().skip(lag).zip(stream).map(|(a, b)| a * b).sum() };
            let height = |lag: usize| {
                let terms = terms_near(draws, lag, &pairs) + terms_near(draws, places - lag, &pairs);
                (sum(lag) + sum(places - lag)).powi(2) / terms.max(16.0)
            };
            let highest = (1..=places / 2).max_by(|&a, &b| height(a).total_cmp(&height(b))).expect("lags");
            assert_eq!(lags[0], highest);
            assert_eq!(lags.get(1), Some(&(places - highest)).filter(|&&lag| lag < draws));
            let square = |k: usize| {
                let angle = |t: usize| 2.0 * PI * (k * t % places) as f64 / places as f64;
                let part = |of: fn(f64) -> f64| -> f64 {
                    stream.iter().enumerate().map(|(t, &x)| f64::from(x) * of(angle(t))).sum()
                };
                part(libm::cos).powi(2) + part(libm::sin).powi(2)
            };
            let highest = (1..places / 2).max_by(|&a, &b| square(a).total_cmp(&square(b))).expect("waves");
            assert_eq!(wave, Some(highest));
        }
    }
}
