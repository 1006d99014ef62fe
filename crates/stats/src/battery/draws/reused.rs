//! Words used again: draws that are those of an earlier deck, however far back, and draws that swing.
//!
//! Null: for digits u = (d + 1/2)/m that are independent and uniform, `Z = Σ e^{2πi(u_t − u_{t−L})}` over the n places t of
//! the stream that have a digit L draws before them has `|Z|²/n ~ Exp(1)` at every lag L, and so has `Z = Σ e^{2πi(u_t +
//! kt/K)}` for every k. Of words that are taken modulo the ranges the parity alone is the same in two draws from even ranges: their
//! `Z = Σ (−1)^{d_t − d_{t−L}}` is a walk of as many fair steps, `(Z + n)/2 ~ Bin(n, 1/2)`. Parts: `lag`, all lags up to the first deck; `swing`, all k up to K, the least power of two that
//! holds one and a half streams; `bits`, `Z = Σ e^{2πi·c·u_t}`, c = 1, 2, 4, 8, over any 16 decks that begin at a multiple of 8; `run`, as `lag`, over the terms of
//! any such 16 decks alone, of all decks of the first segment; `parity`, all lags, of parities; each over downward and upward swaps of the decks and of the decks from the end, by Bonferroni. Every term
//! holds a digit not seen before it, so that the bound of [`spectral`](crate::battery::draws::spectral) is proven. One
//! transform of `sin 2πu` and one back (Wiener 1930) choose a wave and one or two lags of each way, one of parities such lags,
//! and for `run` fingerprints of draws choose, and only those are summed: the highest of some waves is no higher than that of all, by which it is judged.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::battery::draws::reused::transform::Roots;
use crate::battery::draws::spectral::circle::Peak;
use crate::battery::draws::spectral::phases::{Phases, phases};
use crate::battery::draws::spectral::scan::roots as roots_of;
use crate::battery::draws::spectral::vectors::{Both, UNIT, circle, parts};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, SEGMENT_DECKS, Scope, Statistic, about_and_cells};
use crate::battery::stream::{self, DRAWS, Drawn, WAYS, base_of};
use crate::battery::tier::Tier;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};

mod runs;
mod transform;

pub(in crate::battery) struct Reused;

const ABOUT: About = About {
    id: "reused-words",
    version: 4,
    tier: Tier::Deep,
    title: "draws of words that were used before, draws that swing, bits that stick",
    null: "No number that a shuffle must have drawn follows one drawn so many draws before, none swings, and no bit of them leans for a while.",
    source: "|Σ e^{2πi(u_t − u_{t−L})}|²/n, |Σ e^{2πi(u_t + kt/K)}|²/n and, of 16 decks, |Σ e^{2πi·c·u_t}|²/n ~ Exp(1), bound by Chernoff \
             (1952) and Azuma (1967); of draws from even ranges those with the parity of L draws before ~ Bin(n, 1/2), exact; lags and \
             waves chosen by fast transforms (Cooley & Tukey 1965) of the first 6,144 decks, lags \
             of 16 decks by equal digits of the first 65,536; Bonferroni (1936) over all of them",
    detects: "Counters that come round, buffers that are read again, saved states restored, mains hum in a source of noise, a bit \
              that sticks for a while.",
    decks_min: 10,
    design: Design {
        parts: NAMES.len() as u64,
        family: Some("spectral"),
        scope: Scope::Prefix,
        ..Design::OF_DECKS
    },
};

/// Decks read at most, but for runs.
const DECKS: usize = 6_144;

/// Decks read for runs.
const DECKS_OF_RUNS: usize = SEGMENT_DECKS as usize;

/// Downward and upward swaps, of the decks and of the decks from the end, two of which share a transform.
const PAIRS: [[usize; 2]; 2] = [[0, 2], [6, 7]];

/// Bases below 13 show too little of a word.
const WIDE_DRAWS: usize = 40;

/// Half of the decks in which a bit may stick: a buffer of a thousand words lasts for twenty.
const LOT_DECKS: usize = 8;

/// `e^{2πi·c·u}` follows the highest bits of u, one each. All digits of base 16 would have one phase with 16.
const POWERS: [u16; 4] = [1, 2, 4, 8];

const NAMES: [&str; 5] = ["lag", "swing", "bits", "run", "parity"];

/// Its place among them.
const PARITY: usize = 4;

/// The highest peak of each part.
type Peaks = [Peak; NAMES.len()];

impl Statistic for Reused {
    about_and_cells!(ABOUT, 1 + NAMES.len() * Peak::CELLS);

    fn reads(&self) -> Vec<(&'static str, u64)> {
        let decks = [DECKS, DECKS, DECKS, DECKS_OF_RUNS, DECKS].map(|decks| decks as u64);
        NAMES.into_iter().zip(decks).collect()
    }

    /// Decks of the first segment, then the highest peaks over lags, waves and bits.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        counts[0] += stream::decks_of(blocks);
        let draws = DRAWS * stream::decks_of(stream::first(blocks, DECKS)) as usize;
        let roots = Roots::of(places_for(draws));
        let of_pairs: Vec<Peaks> =
            PAIRS.into_par_iter().map(|ways| Reused::highest(blocks, ways, &roots)).collect();
        Peak::write_highest(of_pairs.iter().map(|peaks| &peaks[..]), &mut counts[1..]);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        Peak::are_sound(&counts[1..], counts[0]).then_some(counts[0])
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let read = (counts[0] as usize).min(DECKS);
        let all = (counts[0] as usize).min(DECKS_OF_RUNS);
        let windows_of = |decks: usize| lot_windows(decks.div_ceil(LOT_DECKS));
        let draws = DRAWS * read;
        let waves =
            [draws, places_for(draws), POWERS.len() * windows_of(read), DRAWS * all * windows_of(all), draws];
        let chances = waves.map(|waves| 2 * PAIRS.len() * waves);
        let peaks = counts[1..].chunks(Peak::CELLS).map(Peak::read);
        let outcome = |((name, chances), peak): ((&'static str, usize), Peak)| {
            if name == NAMES[PARITY] { peak.coin_outcome(name, chances) } else { peak.outcome(name, chances) }
        };
        NAMES.into_iter().zip(chances).zip(peaks).map(outcome).collect()
    }
}

/// Places of a transform that holds a stream of so many draws and half of it again: of lags beyond half a stream two share
/// a place.
fn places_for(draws: usize) -> usize {
    (draws + draws / 2).next_power_of_two()
}

/// The draws of a stream as 16-bit fractions of a turn; `None` where a base is small.
type Turns = Vec<Option<u16>>;

/// The fractions of the digits of each wide draw.
fn tables() -> Vec<Phases> {
    (0..WIDE_DRAWS).map(|draw| phases(base_of(draw))).collect()
}

fn turns_of(stream: &[Drawn]) -> Turns {
    let tables = tables();
    of_digits(stream, |draw, digit| tables.get(draw).map(|phases| phases[digit]))
}

fn has_parity(draw: usize) -> bool {
    base_of(draw).is_multiple_of(2)
}

/// Half a turn where a draw from an even range is odd.
fn parities_of(stream: &[Drawn]) -> Turns {
    of_digits(stream, |draw, digit| has_parity(draw).then_some((digit as u16 & 1) << 15))
}

fn of_digits(stream: &[Drawn], turn: impl Fn(usize, usize) -> Option<u16>) -> Turns {
    let mut turns = Vec::with_capacity(DRAWS * BLOCK_HANDS * stream.len());
    for block in stream {
        for lane in 0..block.hands() {
            let digit = |draw: usize| usize::from(block.of_base(base_of(draw))[lane]);
            turns.extend((0..DRAWS).map(|draw| turn(draw, digit(draw))));
        }
    }
    turns
}

impl Reused {
    /// The highest peaks of two ways.
    fn highest(blocks: &[DeckBlock], ways: [usize; 2], roots: &Roots) -> Peaks {
        let streams = ways.map(|way| stream::undone(stream::first(blocks, DECKS_OF_RUNS), &WAYS[way]));
        let turns = streams.each_ref().map(|stream| turns_of(stream::first(stream, DECKS)));
        let sine = |turn: &Option<u16>| {
            turn.map_or(0.0, |turn| parts(circle()[usize::from(turn)])[1] as f32 / UNIT as f32)
        };
        let (lags, waves) = transform::candidates(
            turns.each_ref().map(|turns| turns.iter().map(sine).collect()),
            roots,
            &pairs_apart(|draw| draw < WIDE_DRAWS),
        );
        let places = places_for(turns[0].len());
        let mut peaks = Peaks::default();
        for ((way, turns), (lags, wave)) in ways.into_iter().zip(&turns).zip(lags.iter().zip(&waves)) {
            lags.iter().for_each(|&lag| peaks[0].raise(peak_at_lag(turns, lag, ROOTS).on(way)));
            // A swing of sines goes round either way.
            for wave in wave.iter().flat_map(|&wave| [wave, places - wave]) {
                peaks[1].raise(peak_of_wave(turns, wave, places).on(way));
            }
            peaks[2].raise(peak_of_bits(turns).on(way));
        }
        for (way, stream) in ways.into_iter().zip(&streams) {
            peaks[3].raise(peak_of_runs(stream).on(way));
        }
        let parities = streams.each_ref().map(|stream| parities_of(stream::first(stream, DECKS)));
        let step = |turn: &Option<u16>| turn.map_or(0.0, |turn| if turn == 0 { 1.0 } else { -1.0 });
        let (lags, _) = transform::candidates(
            parities.each_ref().map(|turns| turns.iter().map(step).collect()),
            roots,
            &pairs_apart(has_parity),
        );
        for ((way, turns), lags) in ways.into_iter().zip(&parities).zip(lags) {
            lags.iter().for_each(|&lag| peaks[PARITY].raise(peak_at_lag(turns, lag, PARITIES).on(way)));
        }
        peaks
    }
}

/// How many pairs of draws that are read a deck has at each distance, those with one of the deck before counted.
fn pairs_apart(is_read: impl Fn(usize) -> bool) -> [usize; DRAWS] {
    std::array::from_fn(|apart| {
        (0..DRAWS).filter(|&draw| is_read(draw) && is_read((draw + DRAWS - apart) % DRAWS)).count()
    })
}

/// The highest of all windows of two lots and lags that draws alike point to, numbered lag by lag.
fn peak_of_runs(stream: &[Drawn]) -> Peak {
    let tables = tables();
    let turn_at = |place: usize| {
        let (deck, draw) = (place / DRAWS, place % DRAWS);
        let block = stream.get(deck / BLOCK_HANDS).filter(|block| deck % BLOCK_HANDS < block.hands())?;
        let digit = block.of_base(base_of(draw))[deck % BLOCK_HANDS];
        tables.get(draw).map(|phases| phases[usize::from(digit)])
    };
    let windows = lot_windows(stream.iter().map(Drawn::hands).sum::<usize>().div_ceil(LOT_DECKS));
    let mut highest = Peak::default();
    for (window, lag) in runs::windows_and_lags(stream) {
        let first = DRAWS * LOT_DECKS * window;
        let places = (first..first + 2 * DRAWS * LOT_DECKS).skip(lag.saturating_sub(first));
        let apart = places.filter_map(|place| Some(turn_at(place)?.wrapping_sub(turn_at(place - lag)?)));
        highest.raise(peak_of(apart, windows * lag + window, ROOTS));
    }
    highest
}

/// How many pairs of neighbours so many lots have; one alone is read by itself.
fn lot_windows(lots: usize) -> usize {
    lots.saturating_sub(1).max(1)
}

/// The highest of all windows and bits, numbered window by window.
fn peak_of_bits(turns: &Turns) -> Peak {
    let of_lot = |lot: &[Option<u16>]| {
        let turns: Vec<u16> = lot.iter().flatten().copied().collect();
        let sum = |power: u16| turns.iter().map(|turn| circle()[usize::from(turn.wrapping_mul(power))]).sum();
        (POWERS.map(sum), turns.len() as u64)
    };
    let lots: Vec<([Both; POWERS.len()], u64)> = turns.chunks(LOT_DECKS * DRAWS).map(of_lot).collect();
    let mut highest = Peak::default();
    for (window, pair) in lots.windows(lots.len().clamp(1, 2)).enumerate() {
        let terms = pair.iter().map(|(_, terms)| terms).sum();
        for (bit, power) in POWERS.into_iter().enumerate() {
            let both = pair.iter().map(|(sums, _)| sums[bit]).sum();
            let (sum, wave) = (parts(both).map(|part| part as f64 / UNIT), POWERS.len() * window + bit);
            highest.raise(Peak::of_sum(sum, terms, wave, roots_of(usize::from(power)), u64::from(power)));
        }
    }
    highest
}

/// Terms whose sum of either part stays within 32 bits with its sign.
const TERMS_MAX: usize = 1 << 16;

fn peak_of(turns: impl Iterator<Item = u16>, wave: usize, roots: u64) -> Peak {
    let (mut sum, mut terms) = ([0i64; 2], 0u64);
    let mut add = |turns: &[u16]| {
        let both = turns.iter().map(|&turn| circle()[usize::from(turn)]).sum();
        sum.iter_mut().zip(parts(both)).for_each(|(sum, part)| *sum += part);
        terms += turns.len() as u64;
    };
    let turns: Vec<u16> = turns.collect();
    turns.chunks(TERMS_MAX).for_each(&mut add);
    Peak::of_sum(sum.map(|part| part as f64 / UNIT), terms, wave, roots, 2)
}

/// Fewest roots of a fresh digit: base 13.
const ROOTS: u64 = 13;

/// A parity is 0 or half a turn.
const PARITIES: u64 = 2;

fn peak_at_lag(turns: &Turns, lag: usize, roots: u64) -> Peak {
    let pairs = turns.iter().zip(turns.get(lag..).unwrap_or_default());
    peak_of(pairs.filter_map(|(before, own)| Some((*own)?.wrapping_sub((*before)?))), lag, roots)
}

fn peak_of_wave(turns: &Turns, wave: usize, places: usize) -> Peak {
    // Whole turns of the wave drop out; places are a power of two.
    let (last, log2) = (places - 1, places.trailing_zeros());
    let turned = |t: usize| ((((wave * t) & last) as u64) << u16::BITS >> log2) as u16;
    let own = turns.iter().enumerate().filter_map(|(t, turn)| Some((*turn)?.wrapping_add(turned(t))));
    peak_of(own, wave, ROOTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::{convicting, counts, dealt, outcome};

    fn outcomes(name: &str, decks: u64) -> Vec<Outcome> {
        Reused.finish(&counts(&Reused, &dealt(name, 0..decks)), decks)
    }

    fn check(name: &str, decks: u64, part: &str) {
        let outcomes = outcomes(name, decks);
        assert!(convicting(&outcomes, part) < 1e-9, "{name}: {outcomes:?}");
    }

    /// Of 100 decks: 5,100 lags, and for `run` each in 12 windows, the pairs of neighbours among 13 lots of eight; four ways each.
    #[test]
    fn a_peak_is_judged_over_all_lags_and_windows() {
        let mut counts = vec![0; Reused.cells()];
        counts[0] = 100;
        let peak = Peak::of_sum([200.0, 0.0], 640, 7, ROOTS, 2);
        counts[1..].chunks_mut(Peak::CELLS).for_each(|cells| peak.write(cells));
        let outcomes = Reused.finish(&counts, 100);
        let chances = |part: &str| outcome(&outcomes, part).p_value_bound.expect("Chernoff's") / peak.bound();
        for (part, wanted) in [("lag", 4.0 * 5_100.0), ("run", 4.0 * 12.0 * 5_100.0)] {
            assert!((chances(part) / wanted - 1.0).abs() < 1e-9, "{part}: {}", chances(part));
        }
        // By hand: sixty fair steps, all of one sign, at one of four times 5,100 lags.
        let of_parity = &mut counts[1 + PARITY * Peak::CELLS..];
        of_parity.fill(0);
        Peak::of_sum([60.0, 0.0], 60, 7, PARITIES, 2).write(of_parity);
        let p_value = Reused.finish(&counts, 100)[PARITY].p_value;
        assert!((p_value / (4.0 * 5_100.0 * 0.5f64.powi(59)) - 1.0).abs() < 1e-9, "{p_value}");
    }

    #[test]
    fn words_that_come_again_are_seen_at_their_lag() {
        // Of 300 reads 15 are expected to be old, s.d. 3.8; of 100 it may be two.
        check("stale-buffer", 6_000, "lag");
        check("counter-16", 6_000, "lag");
        check("snapshot-13", 1_200, "lag");
        check("stale-buffer", 2_000, "run");
        check("snapshot-13", 1_100, "run");
        check("snapshot-modulo-13", 1_040, "parity");
        check("hum", 4_000, "swing");
        check("stuck-bit", 6_144, "bits");
        for decks in [10, 100, 1_000] {
            for outcome in outcomes("certified", decks) {
                assert!(outcome.p_value > 1e-3, "{decks}: {outcome:?}");
            }
        }
    }
}
