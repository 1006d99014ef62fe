//! Heights of the waves through a stretch of numbers: a periodogram that every machine makes alike.

use std::f64::consts::PI;
use std::sync::OnceLock;

/// Stretches of one length, a power of two.
pub(super) struct Waves {
    /// Numbers of a stretch.
    pub(super) length: usize,
}

/// 4,096 decks.
pub(super) const SHORT: Waves = Waves { length: LONGEST };

/// 1,024 sums of 64 decks.
pub(super) const LONG: Waves = Waves { length: 1_024 };

/// Numbers of the longest stretch.
const LONGEST: usize = 4_096;

/// Parts of the mean height that are counted.
pub(super) const UNIT: f64 = 1_024.0;

/// Roots of unity are rounded to so many parts, so that no machine's cosine shows; sums and products are the same anywhere.
const PARTS: f64 = (1u64 << 40) as f64;

impl Waves {
    /// Of 1 to n/2 − 1 turns in a stretch.
    pub(super) const fn waves(&self) -> usize {
        self.length / 2 - 1
    }

    /// Adds `|Σ x_t e^{−2πift/n}|²·scale/n` of every wave, in parts of [`UNIT`].
    pub(super) fn add(&self, numbers: &[i64], scale: f64, heights: &mut [u64]) {
        assert_eq!((numbers.len(), heights.len()), (self.length, self.waves()));
        let mut sums: Vec<[f64; 2]> = numbers.iter().map(|&number| [number as f64, 0.0]).collect();
        self.transform(&mut sums);
        let unit = UNIT * scale / self.length as f64;
        for (height, [re, im]) in heights.iter_mut().zip(&sums[1..]) {
            *height += (unit * (re * re + im * im)).round() as u64;
        }
    }

    /// Cooley & Tukey (1965), decimation in time.
    fn transform(&self, sums: &mut [[f64; 2]]) {
        let n = self.length;
        let bits = n.trailing_zeros();
        for place in 0..n {
            let turned = place.reverse_bits() >> (usize::BITS - bits);
            if place < turned {
                sums.swap(place, turned);
            }
        }
        let roots = roots();
        let mut half = 1;
        while half < n {
            for pair in sums.chunks_exact_mut(2 * half) {
                let (low, high) = pair.split_at_mut(half);
                for ((low, high), [c, s]) in
                    low.iter_mut().zip(high).zip(roots.iter().step_by(LONGEST / 2 / half))
                {
                    let [re, im] = [high[0] * c - high[1] * s, high[0] * s + high[1] * c];
                    *high = [low[0] - re, low[1] - im];
                    *low = [low[0] + re, low[1] + im];
                }
            }
            half *= 2;
        }
    }
}

/// `e^{−2πik/n}` for k below n/2, n of the longest stretch.
fn roots() -> &'static [[f64; 2]] {
    static ROOTS: OnceLock<Vec<[f64; 2]>> = OnceLock::new();
    let root = |k: usize| {
        let (sin, cos) = libm::sincos(-2.0 * PI * k as f64 / LONGEST as f64);
        [cos, sin].map(|part| (PARTS * part).round() / PARTS)
    };
    ROOTS.get_or_init(|| (0..LONGEST / 2).map(root).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::keystream::Keystream;

    #[test]
    fn heights_are_those_of_the_sums_one_by_one() {
        let mut keystream = Keystream::new(&[6; 32], 0);
        let numbers: Vec<i64> = (0..LONG.length).map(|_| i64::from(keystream.word() % 101) - 50).collect();
        let mut heights = vec![0; LONG.waves()];
        LONG.add(&numbers, 1.0 / 850.0, &mut heights);
        for turns in [1, 2, 3, 17, 256, 510, 511] {
            let part = |of: fn(f64) -> f64| -> f64 {
                let angle = |t: usize| 2.0 * PI * (turns * t % LONG.length) as f64 / LONG.length as f64;
                numbers.iter().enumerate().map(|(t, &x)| x as f64 * of(angle(t))).sum()
            };
            let wanted = (part(libm::cos).powi(2) + part(libm::sin).powi(2)) / 850.0 / LONG.length as f64;
            assert!((heights[turns - 1] as f64 / UNIT - wanted).abs() < 1e-3, "{turns} turns");
        }
        // Parseval: all waves but the mean and the fastest hold the rest of the squares, in twos.
        let total: u64 = heights.iter().sum();
        let squares: i64 = numbers.iter().map(|x| x * x).sum();
        let mean: i64 = numbers.iter().sum();
        let fastest: i64 = numbers.iter().enumerate().map(|(t, x)| if t % 2 == 0 { *x } else { -x }).sum();
        let rest = squares as f64 - (mean.pow(2) + fastest.pow(2)) as f64 / LONG.length as f64;
        assert!((2.0 * total as f64 / UNIT * 850.0 / rest - 1.0).abs() < 1e-3);
    }
}
