//! Spectral scan: waves that the draws of weak generators ride on.
//!
//! Null: for digits u = (d + 1/2)/m that are independent and uniform, `Z = Σ e^{2πi(a·u)}` over n places of the
//! stream has `|Z|²/n ~ Exp(1)`. Parts: `short`, small whole numbers a on three consecutive draws; `lags`, ±1 on
//! three draws up to two decks apart (additive and subtractive generators: Knuth, TAOCP 2, 3.2.2); `differences`,
//! differences of order 1 to 6 at 2^j decks: a congruential generator modulo 2^w jumps so by a multiplier A with
//! 2^(j+2) dividing A − 1, whence differences of order k are constant once k(j + 2) ≥ w; `low-differences`, the
//! same of d mod 2^v where 2^v divides m, for numbers reduced modulo m; `low-bit`, d mod 2 against 2^j decks
//! earlier, exact; `congruential` and `congruential-modulo`, the shortest waves of published multipliers, in one
//! deck and from deck to deck; `congruential-rejected`, those of five bits that are drawn again while they are as large as
//! the range, in the bases from 32 down; `far-lags`, those of `lags` at the lags of published generators. Each takes the
//! highest of its waves on eight ways of undoing, by Bonferroni. In the order of the draws every term holds a digit
//! not seen before, so that the terms are martingale differences, and the bound `P(|Z| ≥ r) ≤ 64·min_θ M(θ)^n
//! e^{−θr·cos(π/64)}`, M(θ) = (1/q)Σ_k e^{θ cos 2πk/q}, is proven. Each part reads the first decks only, as many
//! as stand in [`PARTS`].

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::battery::draws::spectral::circle::Peak;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Scope, Statistic};
use crate::battery::stream::{self, Drawn, Undoing, WAYS};
use crate::battery::tier::Tier;
use deckproof_deck::deck::block::DeckBlock;

pub(super) mod circle;
mod known;
mod lattices;
mod line;
pub(super) mod pairs;
pub(super) mod phases;
mod places;
mod rounded;
pub(super) mod scan;
mod shared;
mod sums;
pub(super) mod vectors;

pub(in crate::battery) struct Spectral {
    parts: &'static [Part],
    /// A part that is not scanned.
    left_out: Option<&'static str>,
}

pub(in crate::battery) static SPECTRAL: Spectral = Spectral { parts: &PARTS, left_out: None };

/// All parts but `lags`, which takes most of the time: for those who repeat the scan.
pub(super) static WITHOUT_LAGS: Spectral = Spectral { parts: &PARTS, left_out: Some(LAGS) };

/// What is looked for in windows of few decks, of which many are read.
pub(super) static WINDOW: Spectral = Spectral { parts: &WINDOW_PARTS, left_out: None };

/// What few decks show: for those who read them by many orders.
pub(super) static FEW: Spectral = Spectral { parts: &FEW_PARTS, left_out: None };

const ABOUT: About = About {
    id: "spectral",
    version: 11,
    tier: Tier::Deep,
    title: "spectral scan of the draws",
    null: "No wave runs through the numbers a Fisher–Yates shuffle must have drawn.",
    source: "|Σ e^{2πi(a·u)}|²/n ~ Exp(1), Bonferroni (1936) over the waves, bound by Chernoff (1952) and Azuma \
             (1967); planes: Marsaglia (1968); power-of-two jumps: Durst (1989); waves of published generators: Coveyou & \
             MacPherson (1967); the first decks only, of each part as many as it says and from the end 1,024 at most, for differences \
             2,048 and what they begin with",
    detects: "Congruential, additive and subtractive generators, such as RANDU, MINSTD, drand48, .NET, rand(), Go, PHP and java.util.Random.",
    decks_min: 10,
    design: Design { scope: Scope::Prefix, ..Design::PLAIN },
};

/// Decks read at most, and from the end.
const DECKS: usize = 8_192;
const DECKS_FROM_THE_END: usize = 1_024;

/// What one part scans and how a wave is judged.
pub(super) struct Part {
    name: &'static str,
    /// Waves on each way.
    waves: usize,
    scan: Scan,
    decks: usize,
}

type Scan = fn(&[Drawn], &mut dyn FnMut(Peak));

static PARTS: [Part; 9] = [
    part("short", scan::SHORT_WAVES, scan::short, 128),
    part(LAGS, scan::LAG_WAVES, scan::lags, 64),
    part("differences", scan::DIFFERENCE_WAVES, scan::differences, DECKS),
    part("low-differences", scan::LOW_DIFFERENCE_WAVES, scan::low_differences, DECKS),
    part("congruential", lattices::SCALED_WAVES, lattices::scaled, 256),
    part("congruential-modulo", lattices::REDUCED_WAVES, lattices::reduced, 512),
    part("congruential-rejected", lattices::REJECTED_WAVES, lattices::rejected, DECKS),
    part("far-lags", lattices::FAR_WAVES, lattices::far, 1_024),
    part(LOW_BIT, scan::LOW_BIT_WAVES, scan::low_bit, DECKS),
];

const fn part(name: &'static str, waves: usize, scan: Scan, decks: usize) -> Part {
    Part { name, waves, scan, decks }
}

/// Decks of a window.
pub(super) const WINDOW_DECKS: usize = 256;

static WINDOW_PARTS: [Part; 6] = [
    part("known-lags", lattices::NEAR_WAVES, lattices::near, 64),
    part("differences", scan::DIFFERENCE_WAVES, scan::differences, WINDOW_DECKS),
    part("low-differences", scan::LOW_DIFFERENCE_WAVES, scan::low_differences, WINDOW_DECKS),
    // Ten decks and twenty show what these two look for.
    part("congruential", lattices::SCALED_WAVES, lattices::scaled, 64),
    part("congruential-modulo", lattices::REDUCED_WAVES, lattices::reduced, 64),
    part(LOW_BIT, scan::LOW_BIT_WAVES, scan::low_bit, WINDOW_DECKS),
];

/// Decks of those who read few.
const FEW_DECKS: usize = 64;

static FEW_PARTS: [Part; 6] = [
    part("short", scan::SHORT_WAVES, scan::short, FEW_DECKS),
    part("known-lags", lattices::NEAR_WAVES, lattices::near, FEW_DECKS),
    part("congruential", lattices::SCALED_WAVES, lattices::scaled, FEW_DECKS),
    part("congruential-modulo", lattices::REDUCED_WAVES, lattices::reduced, FEW_DECKS),
    part("far-lags", lattices::FAR_WAVES, lattices::far, FEW_DECKS),
    part(LOW_BIT, scan::LOW_BIT_WAVES, scan::low_bit, FEW_DECKS),
];

const LAGS: &str = "lags";
const LOW_BIT: &str = "low-bit";

impl Statistic for Spectral {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn cells(&self) -> usize {
        1 + Peak::CELLS * self.parts.len()
    }

    fn parts(&self, _: u64) -> u64 {
        self.scanned().count() as u64
    }

    /// Decks of the first segment, then the highest peak of each part.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        counts[0] += stream::decks_of(blocks);
        let of_way = |(way, undoing)| self.highest(blocks, way, undoing);
        let of_ways: Vec<Vec<Peak>> = WAYS.par_iter().enumerate().map(of_way).collect();
        Peak::write_highest(of_ways.iter().map(|peaks| &peaks[..]), &mut counts[1..]);
    }

    fn reads(&self) -> Vec<(&'static str, u64)> {
        self.parts.iter().map(|part| (part.name, part.decks as u64)).collect()
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        Peak::are_sound(&counts[1..], counts[0]).then_some(counts[0])
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let outcome = |(place, part): (usize, &Part)| {
            let peak = Peak::read(&counts[1..][Peak::CELLS * place..]);
            let waves = WAYS.len() * part.waves;
            // ±1 on fresh fair bits: the sum is binomial.
            if part.name == LOW_BIT {
                peak.coin_outcome(part.name, waves)
            } else {
                peak.outcome(part.name, waves)
            }
        };
        self.scanned().map(outcome).collect()
    }
}

impl Spectral {
    /// The parts that are scanned, with their places.
    fn scanned(&self) -> impl Iterator<Item = (usize, &Part)> {
        self.parts.iter().enumerate().filter(|(_, part)| Some(part.name) != self.left_out)
    }

    /// The highest peak of each part on one way of undoing.
    fn highest(&self, blocks: &[DeckBlock], way: usize, undoing: &Undoing) -> Vec<Peak> {
        let stream = stream::undone(undoing.first(blocks, DECKS, DECKS_FROM_THE_END), undoing);
        let mut peaks = vec![Peak::default(); self.parts.len()];
        for (place, part) in self.scanned() {
            let raise = &mut |peak: Peak| peaks[place].raise(peak.on(way));
            (part.scan)(stream::first(&stream, part.decks), raise);
        }
        peaks
    }
}
