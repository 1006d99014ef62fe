//! Bursts and periods: a few bad decks among many good ones, and faults that come and go.
//!
//! Null: numbers of the decks, one after another, are independent: rising sequences, inversions, the first card.
//! Parts: `…-burst`, the sums of each over all windows of 64, 128, 256, 512 and 1,024 decks, the furthest from its
//! mean, kept to a quarter of a standard deviation; `cell-burst`, the fullest card × place cell of any 1,024 decks;
//! `short-period`, the highest wave through the rising sequences of 4,096 decks, periods of 2 to 4,096 decks;
//! `long-period`, that through the sums of 64 decks in a segment of 65,536, periods of 128 to 65,536 decks, of all
//! three numbers. Waves are added over all stretches, `Σ|Z|²/(nσ²) ~ Gamma(stretches)`. All three numbers are
//! strictly sub-Gaussian, `E e^{θ(X−μ)} ≤ e^{θ²σ²/2}`, whence the bounds are proven: `P(|S − nμ| ≥ t) ≤
//! 2e^{−t²/2nσ²}`, and `E e^{λ|Z|²/nσ²} ≤ 1/(1 − λ)` as for normal numbers, whence `P(G ≥ g) ≤ e^{S−g}(g/S)^S`.
//! Bonferroni over windows, sides and waves.

use crate::battery::deck_to_deck::bursts::waves::{LONG, SHORT, Waves};
use crate::battery::kernel;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{
    About, Design, SEGMENT_DECKS, Scope, Statistic, about_and_cells, checked_sum,
};
use crate::battery::stream;
use crate::battery::tier::Tier;
use crate::math::{binomial, bonferroni, chi_squared};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};

mod waves;

pub(in crate::battery) struct Bursts;

const ABOUT: About = About {
    id: "bursts",
    version: 1,
    tier: Tier::Deep,
    title: "bursts and periods",
    null: "Decks that follow one another are no more alike than others, and no fault comes and goes.",
    source: "maxima over windows of 64 to 1,024 decks, bound e^(−z²/2) of strictly sub-Gaussian numbers; cells: Bin(n, 1/52); \
             periodogram (Schuster 1898) added over stretches (Bartlett 1948), Gamma, bound by Chernoff (1952); Bonferroni \
             (1936) over windows, sides and waves",
    detects: "A hundred bad decks among ten thousand; faults with a rhythm: the hour, the shift, every so many decks.",
    decks_min: BLOCK_HANDS as u64,
    design: Design { parts: NUMBERS.len() as u64 + 3, scope: Scope::Segment, ..Design::PLAIN },
};

/// A number of a deck that is strictly sub-Gaussian.
struct Number {
    burst: &'static str,
    /// Twice its mean.
    mean_twice: i64,
    /// Its variance.
    variance: f64,
}

/// Rising sequences: descents of the inverse, Eulerian, variance (n + 1)/12. Inversions: sums of uniform digits,
/// n(n−1)(2n+5)/72. The first card: uniform, (n² − 1)/12.
const NUMBERS: [Number; 3] = [
    Number { burst: "rising-burst", mean_twice: 51, variance: 53.0 / 12.0 },
    Number { burst: "inversions-burst", mean_twice: 1_326, variance: 52.0 * 51.0 * 109.0 / 72.0 },
    Number { burst: "first-card-burst", mean_twice: 51, variance: 2_703.0 / 12.0 },
];

/// Blocks of a window.
const WINDOWS: [usize; 5] = [1, 2, 4, 8, 16];

/// Quarters of a standard deviation on either side of the mean that are kept apart: eight deviations.
const QUARTERS: i64 = 32;
const BINS: usize = 2 * QUARTERS as usize;

/// Histograms of the windows of one number.
const OF_NUMBER: usize = WINDOWS.len() * BINS;

/// Blocks over which cells are counted, and the counts that are kept apart.
const CELL_BLOCKS: usize = 16;
const CELL_COUNTS: usize = 256;

/// Where the counts of each kind begin.
const AT_CELLS: usize = 1 + NUMBERS.len() * OF_NUMBER;
const AT_SHORT: usize = AT_CELLS + CELL_COUNTS;
const AT_LONG: usize = AT_SHORT + 1 + SHORT.waves();
const CELLS: usize = AT_LONG + 1 + NUMBERS.len() * LONG.waves();

impl Statistic for Bursts {
    about_and_cells!(ABOUT, CELLS);

    /// Decks; for each number and length of a window a histogram of sums by quarters of a deviation; windows of 1,024 decks by
    /// their fullest cell; short stretches and the heights of their waves; long ones likewise for each number.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), CELLS);
        counts[0] += stream::decks_of(blocks);
        let inverted = kernel::inversions::in_lanes(blocks);
        let measured: Vec<[Vec<i64>; NUMBERS.len()]> =
            blocks.iter().zip(&inverted).map(|(block, inverted)| deviations(block, inverted)).collect();
        let whole = blocks.iter().take_while(|block| block.hands() == BLOCK_HANDS).count();
        for (number, histograms) in counts[1..AT_CELLS].chunks_mut(OF_NUMBER).enumerate() {
            let sums: Vec<i64> = measured[..whole].iter().map(|block| block[number].iter().sum()).collect();
            for (&length, histogram) in WINDOWS.iter().zip(histograms.chunks_mut(BINS)) {
                for window in sums.windows(length) {
                    histogram[bin(&NUMBERS[number], length, window.iter().sum())] += 1;
                }
            }
        }
        for window in blocks[..whole].chunks_exact(CELL_BLOCKS) {
            let mut cells = [0; kernel::card_place::CELLS];
            kernel::card_place::card_place(window, &mut cells);
            let fullest = cells.into_iter().max().expect("a table has cells");
            counts[AT_CELLS + (fullest as usize).min(CELL_COUNTS - 1)] += 1;
        }
        let rising: Vec<i64> = measured.iter().flat_map(|block| block[0].iter().copied()).collect();
        count_waves(&SHORT, &NUMBERS[..1], &[rising], 1, &mut counts[AT_SHORT..AT_LONG]);
        let sums = |number: usize| measured.iter().map(move |block| block[number].iter().sum()).collect();
        let of_numbers: [Vec<i64>; NUMBERS.len()] = std::array::from_fn(sums);
        let is_whole = counts_decks(&measured) + 1 >= SEGMENT_DECKS as usize;
        if is_whole {
            count_waves(&LONG, &NUMBERS, &of_numbers, BLOCK_HANDS, &mut counts[AT_LONG..]);
        }
    }

    /// The p-values ask for the highest wave of each kind: it stays where it is.
    fn keep(&self, counts: &mut [u64]) {
        let (short, long) = counts[AT_SHORT..].split_at_mut(AT_LONG - AT_SHORT);
        for heights in [&mut short[1..], &mut long[1..]] {
            let highest = heights.iter().copied().max().unwrap_or(0);
            let place = heights.iter().position(|&height| height == highest);
            let others = heights.iter_mut().enumerate().filter(|(other, _)| Some(*other) != place);
            others.for_each(|(_, height)| *height = 0);
        }
    }

    /// A segment of B whole blocks has B + 1 − l windows of l blocks: the longer, the fewer.
    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let decks = counts[0];
        let mut by_length = Vec::new();
        for histograms in counts[1..AT_CELLS].chunks(OF_NUMBER) {
            let windows: Option<Vec<u64>> = histograms.chunks(BINS).map(checked_sum).collect();
            by_length.push(windows?);
        }
        let windows = &by_length[0];
        let is_sound = by_length.iter().all(|other| other == windows)
            && windows.is_sorted_by(|shorter, longer| shorter >= longer)
            && windows[0] <= decks / BLOCK_HANDS as u64
            && checked_sum(&counts[AT_CELLS..AT_SHORT])? <= windows[0] / CELL_BLOCKS as u64
            && counts[AT_SHORT].checked_mul(SHORT.length as u64 - 1)? <= decks
            && counts[AT_LONG].checked_mul(SEGMENT_DECKS - 1)? <= decks;
        is_sound.then_some(decks)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let with_histograms = NUMBERS.iter().zip(counts[1..AT_CELLS].chunks(OF_NUMBER));
        let bursts = with_histograms.filter_map(|(number, histograms)| number.burst(histograms));
        let waves = [("short-period", &counts[AT_SHORT..AT_LONG]), ("long-period", &counts[AT_LONG..])];
        let periods = waves.into_iter().filter_map(|(part, own)| highest(part, own));
        bursts.chain(fullest_cell(&counts[AT_CELLS..AT_SHORT])).chain(periods).collect()
    }
}

/// Twice the deviation of every number of every deck.
fn deviations(block: &DeckBlock, inverted: &[u16; BLOCK_HANDS]) -> [Vec<i64>; NUMBERS.len()] {
    let rising = kernel::inverse_descents::in_lanes(block);
    let hands = block.hands();
    let away = |number: usize, value: i64| 2 * value - NUMBERS[number].mean_twice;
    [
        rising[..hands].iter().map(|&value| away(0, i64::from(value))).collect(),
        inverted[..hands].iter().map(|&value| away(1, i64::from(value))).collect(),
        block.row(0)[..hands].iter().map(|&value| away(2, i64::from(value))).collect(),
    ]
}

fn counts_decks(measured: &[[Vec<i64>; NUMBERS.len()]]) -> usize {
    measured.iter().map(|block| block[0].len()).sum()
}

/// A quarter of the standard deviation of twice a window's sum, rounded to a whole number.
fn quarter(number: &Number, length: usize) -> i64 {
    (0.5 * ((length * BLOCK_HANDS) as f64 * number.variance).sqrt()).round() as i64
}

/// The bin of twice a window's deviation.
fn bin(number: &Number, length: usize, away_twice: i64) -> usize {
    let quarters = away_twice.div_euclid(quarter(number, length)).clamp(-QUARTERS, QUARTERS - 1);
    (quarters + QUARTERS) as usize
}

impl Number {
    /// The window whose sum is least likely, by the edge of its bin that lies nearer to the mean.
    fn burst(&self, histograms: &[u64]) -> Option<Outcome> {
        let of_length = |(&length, histogram): (&usize, &[u64])| {
            let windows: u64 = histogram.iter().sum();
            let reach = |bin: usize| {
                let quarters = bin as i64 - QUARTERS;
                let edge = if quarters >= 0 { quarters } else { quarters + 1 };
                (edge * quarter(self, length)) as f64
            };
            let seen = histogram.iter().enumerate().filter(|(_, windows)| **windows > 0);
            let furthest = seen.map(|(bin, _)| reach(bin)).max_by(|a, b| a.abs().total_cmp(&b.abs()))?;
            let z = 0.5 * furthest / ((length * BLOCK_HANDS) as f64 * self.variance).sqrt();
            Some((bonferroni(2.0 * windows as f64, libm::exp(-0.5 * z * z)), z))
        };
        let lengths: Vec<(f64, f64)> =
            WINDOWS.iter().zip(histograms.chunks(BINS)).filter_map(of_length).collect();
        let worst =
            lengths.iter().min_by(|a, b| a.0.total_cmp(&b.0).then(b.1.abs().total_cmp(&a.1.abs())))?;
        Some(Outcome::bound(self.burst, "z of a window", worst.1, bonferroni(lengths.len() as f64, worst.0)))
    }
}

/// The fullest cell of any 1,024 decks, of 2,704 in each.
fn fullest_cell(windows: &[u64]) -> Option<Outcome> {
    let (fullest, _) = windows.iter().enumerate().rfind(|(_, windows)| **windows > 0)?;
    let decks = (CELL_BLOCKS * BLOCK_HANDS) as u64;
    let upper = binomial::tails(decks, 1.0 / DECK_CARDS as f64, fullest as u64).1;
    let chances = windows.iter().sum::<u64>() as f64 * kernel::card_place::CELLS as f64;
    Some(Outcome::bound("cell-burst", "decks of 1,024", fullest as f64, bonferroni(chances, upper)))
}

/// Adds the heights of the waves of every whole stretch of these numbers, each of so many decks, and how many stretches they are.
fn count_waves(waves: &Waves, numbers: &[Number], values: &[Vec<i64>], decks: usize, counts: &mut [u64]) {
    let (stretches, heights) = counts.split_first_mut().expect("stretches have a cell");
    for (place, (number, values)) in numbers.iter().zip(values).enumerate() {
        // Of steps between decks the last of a segment is missing: it deviates by nothing.
        let mut whole = values.clone();
        let missing = whole.len().next_multiple_of(waves.length) - whole.len();
        whole.resize(whole.len() + usize::from(missing == 1), 0);
        let scale = 1.0 / (4.0 * decks as f64 * number.variance);
        let own = &mut heights[place * waves.waves()..][..waves.waves()];
        for stretch in whole.chunks_exact(waves.length) {
            waves.add(stretch, scale, own);
            *stretches += u64::from(place == 0);
        }
    }
}

/// The highest wave of some numbers.
fn highest(part: &'static str, counts: &[u64]) -> Option<Outcome> {
    let (&stretches, heights) = counts.split_first()?;
    let highest = *heights.iter().max().filter(|_| stretches > 0)?;
    let (n, chances) = (stretches as f64, heights.len() as f64);
    let height = highest as f64 / waves::UNIT;
    // Heights are rounded to a unit in every stretch.
    let least = height - 0.5 * n / waves::UNIT;
    let exponent = if least > n { n - least + n * libm::log(least / n) } else { 0.0 };
    Some(
        Outcome::bound(
            part,
            "Σ|Z|²/n",
            height,
            bonferroni(chances, chi_squared::tails(2.0 * n, 2.0 * height).1),
        )
        .bounded_by(bonferroni(chances, libm::exp(exponent))),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::{blocks, convicting, counts, dealt};
    use crate::math::permutation;

    fn outcomes(name: &str, decks: std::ops::Range<u64>) -> Vec<Outcome> {
        let decks = dealt(name, decks);
        Bursts.finish(&counts(&Bursts, &decks), decks.len() as u64)
    }

    #[test]
    fn a_hundred_bad_decks_are_seen_among_ten_thousand() {
        let burst = outcomes("burst-riffle", 0..10_000);
        assert!(convicting(&burst, "rising-burst") < 1e-8, "{burst:?}");
        let cell = outcomes("burst-cell", 2_000..10_000);
        assert!(convicting(&cell, "cell-burst") < 1e-8, "{cell:?}");
        let fair = outcomes("certified", 0..10_000);
        assert_eq!(fair.len(), 5, "a segment that is not whole has no long period");
        assert!(fair.iter().all(|outcome| outcome.p_value > 1e-3), "{fair:?}");
    }

    #[test]
    fn periods_of_six_and_of_1_440_decks_are_seen() {
        let short = outcomes("period-6", 0..65_536);
        assert!(convicting(&short, "short-period") < 1e-8, "{short:?}");
        let long = outcomes("period-1440", 0..65_536);
        assert!(convicting(&long, "long-period") < 1e-8, "{long:?}");
    }

    #[test]
    fn waves_through_independent_decks_have_the_mean_height_one() {
        let mut counts = vec![0; CELLS];
        Bursts.observe(&blocks(&dealt("certified", 0..65_536)), &mut counts);
        for (at, waves, within) in
            [(AT_SHORT, SHORT.waves(), 0.02), (AT_LONG, NUMBERS.len() * LONG.waves(), 0.06)]
        {
            let [stretches, heights @ ..] = &counts[at..=at + waves] else {
                unreachable!("a range from the first")
            };
            let mean = heights.iter().sum::<u64>() as f64 / waves::UNIT / (stretches * waves as u64) as f64;
            assert!((mean - 1.0).abs() < within, "{mean} of {waves} waves");
        }
    }

    /// The proof needs `ln E e^{θ(X − μ)} ≤ θ²σ²/2`: for the uniform digits of inversions and the first card it is a product
    /// of `sinh(mθ/2)/(m·sinh(θ/2))`, for the Eulerian numbers it is looked at here, beyond the largest θ that matters.
    #[test]
    fn the_numbers_are_strictly_sub_gaussian() {
        let first_card = crate::math::distribution::Distribution::new(0, vec![1.0 / 52.0; 52]);
        let distributions = [permutation::descents(), permutation::inversions(), &first_card];
        for (number, distribution) in NUMBERS.iter().zip(distributions) {
            assert!((distribution.variance() / number.variance - 1.0).abs() < 1e-9);
            assert!((2.0 * distribution.mean() - number.mean_twice as f64).abs() < 1e-9);
            for step in 1..=2_000 {
                // Up to 12 deviations of one deck; windows of more decks need less.
                let theta = 0.006 * f64::from(step) / number.variance.sqrt();
                let moment: f64 = distribution
                    .iter()
                    .map(|(value, point)| point * libm::exp(theta * (value as f64 - distribution.mean())))
                    .sum();
                let most = 0.5 * theta * theta * number.variance;
                assert!(libm::log(moment) <= most + 1e-11, "{} at {theta}", number.burst);
            }
        }
    }

    #[test]
    fn windows_fall_into_the_bin_of_their_quarters() {
        let number = &NUMBERS[0];
        // 64 decks: σ = 16.8, half of which is a quarter of that of twice the sum.
        assert_eq!(quarter(number, 1), 8);
        for (away, place) in
            [(0, 32), (7, 32), (8, 33), (-1, 31), (-8, 31), (-9, 30), (9_999, 63), (-9_999, 0)]
        {
            assert_eq!(bin(number, 1, away), place, "{away}");
        }
        let mut histograms = vec![0; OF_NUMBER];
        (histograms[32], histograms[32 - 12]) = (9, 1);
        let found = number.burst(&histograms).expect("there is a window");
        // 12 quarters down begin 11 from the mean: 88/2/16.8, ten windows, two sides.
        let z = 44.0 / (64.0f64 * 53.0 / 12.0).sqrt();
        assert!(
            (found.score + z).abs() < 1e-12
                && (found.p_value / (20.0 * libm::exp(-0.5 * z * z)) - 1.0).abs() < 1e-12
        );
    }
}
